/** What a command is given to read: a file, or `-` for standard input. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { decodeUtf8 } from '../actors/foundation/utf8.ts'
import { CommandError, exitCodes } from '../node/exit-codes.ts'
import type { Terminal } from './terminal.ts'

/** The bytes as they are. @throws CommandError */
export async function readInputBytes(terminal: Terminal, file: string): Promise<Buffer> {
  if (file === '-') return terminal.readInput()
  try {
    return readFileSync(resolve(terminal.cwd, file))
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    const causes: Record<string, string> = { ENOENT: 'no such file', EISDIR: 'it is a folder' }
    const cause = causes[code] ?? (code || 'it cannot be read')
    throw new CommandError(exitCodes.usage, `${file}: ${cause}`, null, { cause: error })
  }
}

/** The text in it, which must be UTF-8; a byte order mark is dropped. @throws CommandError */
export async function readInputText(terminal: Terminal, file: string): Promise<string> {
  const decoded = decodeUtf8(await readInputBytes(terminal, file))
  if (decoded.ok) return decoded.text
  throw new CommandError(exitCodes.usage, `${inputName(file)}: ${decoded.problem}`)
}

/** How messages name it. */
export function inputName(file: string): string {
  return file === '-' ? 'standard input' : file
}
