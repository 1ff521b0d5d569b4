/** Files that commands write. */
import { writeFileSync } from 'node:fs'
import { CommandError, exitCodes } from '../node/exit-codes.ts'

/** Never over another file. @throws CommandError */
export function writeNewFile(file: string, bytes: Uint8Array): void {
  try {
    writeFileSync(file, bytes, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    const cause = code === 'EEXIST' ? 'there is such a file' : `it cannot be written (${code})`
    throw new CommandError(exitCodes.usage, `${file}: ${cause}.`, 'Say another name with --out.', {
      cause: error,
    })
  }
}
