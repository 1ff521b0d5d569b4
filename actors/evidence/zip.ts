/**
 * ZIP files whose bytes follow from what is in them: nothing is compressed, and nothing has a time. Only such files are read, so that
 * none can unpack to more than it is, or mean one thing to one program and another to the next.
 */
import { unzipSync, type Zippable, zipSync } from 'fflate'

export interface Entry {
  /** Letters, digits, `-`, `_`, `.` and `/`, with a point in it. */
  name: string
  bytes: Uint8Array
}

export const maxZipBytes = 64 * 1024 * 1024
const maxEntries = 1_000
const maxNameLength = 100

/** DOS time has no zone: what is written is this text wherever it is written. */
const noTime = () => new Date(1980, 0, 1, 12)

export function packZip(entries: readonly Entry[]): Uint8Array {
  const files: Zippable = {}
  for (const { name, bytes } of entries) {
    const problem = nameProblem(name)
    if (problem !== null || Object.hasOwn(files, name)) throw new Error(`${name} cannot be an entry.`)
    files[name] = [bytes, { level: 0, mtime: noTime() }]
  }
  return zipSync(files)
}

class Refused extends Error {}

/** `problem`: in a line, why it is none of ours. */
export function readZip(bytes: Uint8Array): { ok: true; entries: Entry[] } | { ok: false; problem: string } {
  const refused = (problem: string) => ({ ok: false, problem }) as const
  if (bytes.length > maxZipBytes) return refused(`it is larger than ${maxZipBytes} bytes`)
  if (bytes.length < 22 || bytes[0] !== 0x50 || bytes[1] !== 0x4b) return refused('it is no ZIP file')
  try {
    const entries = unpack(bytes)
    // Whatever else there might be, before, between or behind the entries, ours has nothing of it.
    if (!isSame(packZip(entries), bytes))
      return refused('its bytes are not those of an evidence file: something was added, cut off or changed')
    return { ok: true, entries }
  } catch (error) {
    if (error instanceof Refused) return refused(error.message)
    return refused('it is cut off, or damaged')
  }
}

function unpack(bytes: Uint8Array): Entry[] {
  const seen = new Set<string>()
  let total = 0
  const files = unzipSync(bytes, {
    filter({ name, size, originalSize, compression }) {
      const problem = nameProblem(name)
      if (problem !== null) throw new Refused(problem)
      if (seen.has(name)) throw new Refused(`${name} is in it twice`)
      if (seen.size >= maxEntries) throw new Refused(`it has more than ${maxEntries} entries`)
      if (compression !== 0 || size !== originalSize)
        throw new Refused(`${name} is compressed, which no entry of an evidence file is`)
      seen.add(name)
      total += size
      if (total > bytes.length) throw new Refused(`${name} is said to be larger than the file`)
      return true
    },
  })
  return [...seen].map((name) => ({ name, bytes: files[name] ?? new Uint8Array() }))
}

function nameProblem(name: string): string | null {
  if (name === '') return 'it is cut off, or damaged'
  const isPlain = name.split('/').every((part) => /^[A-Za-z0-9][A-Za-z0-9_.-]*$/.test(part))
  if (isPlain && name.includes('.') && !name.includes('..') && name.length <= maxNameLength) return null
  return `it has an entry with the name ${JSON.stringify(name.slice(0, maxNameLength))}, which none of ours has`
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.compare(one, other) === 0
}
