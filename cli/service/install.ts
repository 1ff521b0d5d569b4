/** Makes a service of the executable: its user, its folders, its unit. */
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { CommandError, exitCodes } from '../../node/exit-codes.ts'
import { places, serviceUser, unitFile, unitText } from './unit.ts'

export interface InstallTask {
  /** The file to install. */
  executable: string
  /** Everything is put below this folder instead of `/`, and no user is made; for packages and tests. */
  root: string | null
  /** Says what would be done, and does nothing. */
  isDryRun: boolean
}

/** @returns what was done, or would be, one sentence each. */
export function install({ executable, root, isDryRun }: InstallTask): string[] {
  const done: string[] = []
  const below = (path: string) => (root === null ? path : join(root, path))
  const act = (sentence: string, deed: () => void) => {
    done.push(sentence)
    if (isDryRun) return
    try {
      deed()
    } catch (error) {
      throw new CommandError(exitCodes.failure, `${sentence} – failed: ${String(error)}`, 'Are you root?', {
        cause: error,
      })
    }
  }
  if (root === null && !hasUser()) {
    act(`Made the user ${serviceUser}, without a password or a shell`, () =>
      run(
        'useradd',
        '--system',
        '--user-group',
        '--no-create-home',
        '--shell',
        '/usr/sbin/nologin',
        serviceUser,
      ),
    )
  }
  const target = below(places.executable)
  act(`Put the executable to ${target}`, () => {
    mkdirSync(dirname(target), { recursive: true })
    // A running one is replaced, not written into.
    copyFileSync(executable, `${target}.new`)
    chmodSync(`${target}.new`, 0o755)
    renameSync(`${target}.new`, target)
  })
  const config = dirname(below(places.config))
  if (!existsSync(config)) {
    act(`Made ${config}`, () => mkdirSync(config, { recursive: true, mode: 0o755 }))
  }
  const unit = below(unitFile)
  const text = unitText(places)
  const isKept = existsSync(unit) && readFileSync(unit, 'utf8') === text
  if (!isKept) {
    act(`Wrote ${unit}`, () => {
      mkdirSync(dirname(unit), { recursive: true })
      writeFileSync(unit, text, { mode: 0o644 })
    })
    if (root === null) act('Had systemd read its units again', () => run('systemctl', 'daemon-reload'))
  }
  return done
}

function hasUser(): boolean {
  return readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .some((line) => line.startsWith(`${serviceUser}:`))
}

function run(command: string, ...args: string[]): void {
  const { status, error, stderr } = spawnSync(command, args, { encoding: 'utf8' })
  if (error) throw error
  if (status !== 0) throw new Error(`${command}: ${stderr.trim()}`)
}
