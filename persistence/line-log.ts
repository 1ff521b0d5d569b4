/** A file that lines are added to, each durably before it counts. */
import { createReadStream, existsSync, renameSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { syncFolder } from './durable-files.ts'

/** Longer than any line; the end of the file is looked for in pieces of this. */
const pieceBytes = 64 * 1024

/** In the place of a line that is not UTF-8: no line that was added. A lenient decoder would make another one of it. */
export const damagedLine = '\uFFFD'

/** The whole lines of a file, the oldest first; none when there is no file. What a crash has cut off is no line. */
export async function* readLines(file: string): AsyncGenerator<string> {
  if (!existsSync(file)) return
  let rest: Buffer = Buffer.alloc(0)
  for await (const piece of createReadStream(file)) {
    const bytes: Buffer = Buffer.concat([rest, piece])
    const end = bytes.lastIndexOf(lineEnd) + 1
    yield* linesIn(bytes.subarray(0, end))
    rest = bytes.subarray(end)
  }
}

const lineEnd = 0x0a

function* linesIn(bytes: Buffer): Generator<string> {
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(lineEnd, from)
    yield lineOf(bytes.subarray(from, end))
    from = end + 1
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function lineOf(bytes: Buffer): string {
  try {
    return decoder.decode(bytes)
  } catch {
    return damagedLine
  }
}

export class LineLog {
  readonly file: string
  #handle: FileHandle | null = null
  #length = 0

  constructor(file: string) {
    this.file = file
  }

  /** All whole lines, the oldest first. */
  all(): AsyncIterable<string> {
    return readLines(this.file)
  }

  /** The last whole lines, at most `count` of them, the oldest first. */
  async last(count: number): Promise<string[]> {
    const handle = await this.#open()
    const pieces: Buffer[] = []
    let ends = 0
    for (let from = this.#length; from > 0 && ends <= count; ) {
      const length = Math.min(pieceBytes, from)
      from -= length
      const { buffer } = await handle.read(Buffer.alloc(length), 0, length, from)
      pieces.unshift(buffer)
      ends += buffer.reduce((found, byte) => (byte === lineEnd ? found + 1 : found), 0)
    }
    return [...linesIn(Buffer.concat(pieces))].slice(-count)
  }

  /** Adds a line; it is on the disk when this resolves, and not in the file when it rejects. */
  async append(line: string): Promise<void> {
    const handle = await this.#open()
    const bytes = Buffer.from(`${line}\n`)
    try {
      await writeWhole(handle, bytes, this.#length)
      await handle.datasync()
    } catch (error) {
      // A part of a line would make one with the next. If this fails too, the next start cuts it off.
      await handle.truncate(this.#length).catch(() => {})
      throw error
    }
    this.#length += bytes.length
  }

  /** Gives the file another name, durably; what is added next begins a new one. */
  async moveTo(name: string): Promise<void> {
    await this.close()
    renameSync(this.file, name)
    syncFolder(dirname(this.file))
  }

  async close(): Promise<void> {
    await this.#handle?.close()
    this.#handle = null
  }

  async #open(): Promise<FileHandle> {
    if (this.#handle !== null) return this.#handle
    const isNew = !existsSync(this.file)
    const handle = await open(this.file, isNew ? 'wx+' : 'r+', 0o600)
    if (isNew) syncFolder(dirname(this.file))
    const { size } = await handle.stat()
    this.#length = await endOfLines(handle, size)
    // What a crash has cut off.
    if (this.#length < size) await handle.truncate(this.#length)
    this.#handle = handle
    return handle
  }
}

/** A disk with room for a part takes that part and says how much it was; only the next write fails. */
async function writeWhole(handle: FileHandle, bytes: Buffer, at: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, at + done)
    if (bytesWritten === 0) throw new Error('nothing more can be written')
    done += bytesWritten
  }
}

/** Where the last whole line ends. */
async function endOfLines(handle: FileHandle, size: number): Promise<number> {
  for (let from = size; from > 0; ) {
    const length = Math.min(pieceBytes, from)
    from -= length
    const { buffer } = await handle.read(Buffer.alloc(length), 0, length, from)
    const at = buffer.lastIndexOf('\n')
    if (at >= 0) return from + at + 1
  }
  return 0
}
