/** An evidence file as somebody has it who has no program of ours: unpacked, and checked by the commands that it prints. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Unpacked {
  folder: string
  /** What the commands say. @throws where one of them does not succeed */
  run(): string
  /** Once more, over what is there. */
  unpack(): void
  remove(): void
}

export function unpacked(bytes: Uint8Array): Unpacked {
  const place = mkdtempSync(join(tmpdir(), 'evidence-'))
  const file = join(place, 'evidence.zip')
  const folder = join(place, 'unpacked')
  mkdirSync(folder)
  writeFileSync(file, bytes)
  const unpack = () => void execFileSync('unzip', ['-q', '-o', file, '-d', folder])
  unpack()
  const commands = readFileSync(join(folder, 'README.txt'), 'utf8')
    .split('\n')
    .flatMap((line) => /^ {2}((?:openssl|sha256sum|find|cut) .*)$/.exec(line)?.[1] ?? [])
  if (commands.length !== 5) throw new Error(`it prints ${commands.length} commands`)
  return {
    folder,
    run: () =>
      execFileSync('sh', ['-e', '-c', commands.join('\n')], { cwd: folder, stdio: 'pipe' }).toString(),
    unpack,
    remove: () => rmSync(place, { recursive: true }),
  }
}
