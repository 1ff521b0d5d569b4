/** Settings from a file, variables and an option, each in a folder of their own. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadSettings, type Settings, SettingsError } from '../../../node/settings/config.ts'

const folder = mkdtempSync(join(tmpdir(), 'ventanilla-settings-'))
process.once('exit', () => rmSync(folder, { recursive: true }))

export const key = `${'A'.repeat(43)}=`

let folders = 0

export interface Given {
  /** The text of `ventanilla.json`. */
  file?: unknown
  env?: Record<string, string>
  configFile?: string
}

export function workingDirectory(): string {
  const cwd = join(folder, String(++folders))
  mkdirSync(cwd)
  return cwd
}

export function load({ file, env = {}, configFile }: Given, cwd = workingDirectory()): Settings {
  if (file !== undefined) {
    writeFileSync(join(cwd, 'ventanilla.json'), typeof file === 'string' ? file : JSON.stringify(file))
  }
  return loadSettings({ env, cwd, configFile })
}

export function linesOf(given: Given, cwd?: string): readonly string[] {
  try {
    load(given, cwd)
  } catch (error) {
    if (error instanceof SettingsError) return error.lines
    throw error
  }
  return []
}
