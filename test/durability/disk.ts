/**
 * A disk as POSIX promises it: what a power cut may leave of the writes in a log.
 *
 * What was written to a file before a sync of that file ended is there. Of what came after, each sector of 512
 * bytes is there as it was at any moment since, whatever became of its neighbours: so writes are lost, torn, and
 * reach the disk in any order. The file's size is that of any moment since, too. Where the file grew and no
 * sector arrived there are zeros, or what the disk held before. A name is there once its folder was synced;
 * until then it is as it was at any moment since, each name for itself. (A sync of a file says nothing of its
 * name: many file systems promise more.)
 */

import type { Random } from './random.ts'
import type { LogRecord } from './write-log.ts'

const sectorBytes = 512

type Change = { index: number } & ({ at: number; bytes: Buffer } | { size: number })

interface File {
  durable: Buffer
  /** Since the last sync, in their order. */
  pending: Change[]
}

type Content = File | 'folder' | null

interface Name {
  durable: Content
  /** What the name has meant since its folder was synced. */
  pending: { index: number; content: Content }[]
}

/** How many of the changes, given by their places in the log and in their order, have reached the disk. */
export type Fate = (indexes: readonly number[]) => number

export interface Image {
  files: Map<string, Buffer>
  folders: string[]
}

export class Disk {
  readonly #names = new Map<string, Name>()
  readonly #inodes = new Map<bigint, File>()
  readonly #isSyncIgnored: (path: string) => boolean
  /** Of the next record. */
  #index = 0

  /** @param isSyncIgnored files whose syncs never reach the disk: to prove that their loss is noticed. */
  constructor(isSyncIgnored: (path: string) => boolean = () => false) {
    this.#isSyncIgnored = isSyncIgnored
  }

  apply(record: LogRecord): void {
    const index = this.#index++
    switch (record.kind) {
      case 'write':
        this.#file(record.inode).pending.push({ index, at: record.offset, bytes: record.bytes })
        break
      case 'truncate':
        this.#file(record.inode).pending.push({ index, size: record.size })
        break
      case 'sync':
        this.#sync(this.#file(record.inode))
        break
      case 'sync folder':
        for (const [path, name] of this.#names) if (folderOf(path) === record.path) settle(name)
        break
      case 'create': {
        const file: File = { durable: Buffer.alloc(0), pending: [] }
        this.#inodes.set(record.inode, file)
        this.#name(record.path, index, file)
        break
      }
      case 'link':
        this.#name(record.path, index, this.#file(record.inode))
        break
      case 'mkdir':
        this.#name(record.path, index, 'folder')
        break
      case 'unlink':
        this.#name(record.path, index, null)
        break
      case 'rename':
        this.#name(record.to, index, this.#file(record.inode))
        this.#name(record.from, index, null)
        break
      case 'mark':
        break
    }
  }

  /** What is on the disk when `fate` has struck. */
  image(fate: Fate, random: Random): Image {
    const image: Image = { files: new Map(), folders: [] }
    const isGarbage = random.chance(0.5)
    const chosen = new Map([...this.#names].map(([path, name]) => [path, contentOf(name, fate)]))
    for (const [path, content] of [...chosen].sort(([a], [b]) => (a < b ? -1 : 1))) {
      // What is in a folder whose name is lost is lost with it. The root itself has no name.
      const folder = folderOf(path)
      if (chosen.has(folder) && !image.folders.includes(folder)) continue
      if (content === 'folder') image.folders.push(path)
      else if (content !== null) image.files.set(path, bytesOf(content, fate, isGarbage ? random : null))
    }
    return image
  }

  #file(inode: bigint): File {
    const file = this.#inodes.get(inode)
    if (file === undefined) throw new Error(`the log writes to the inode ${inode}, which it never named`)
    return file
  }

  #sync(file: File): void {
    const isIgnored = [...this.#names].some(
      ([path, name]) => contentOf(name, everything) === file && this.#isSyncIgnored(path),
    )
    if (isIgnored) return
    file.durable = bytesOf(file, everything, null)
    file.pending = []
  }

  #name(path: string, index: number, content: Content): void {
    const name = this.#names.get(path) ?? { durable: null, pending: [] }
    this.#names.set(path, name)
    name.pending.push({ index, content })
  }
}

export const everything: Fate = (indexes) => indexes.length
export const nothing: Fate = () => 0

/** All changes before one, and of that one some sectors. */
export function upTo(last: number, random: Random): Fate {
  return (indexes) => {
    const done = indexes.filter((index) => index < last).length
    return indexes[done] === last && random.chance(0.5) ? done + 1 : done
  }
}

/** Each sector, size and name for itself: the newest with a probability, otherwise any. */
export function eachForItself(newest: number, random: Random): Fate {
  return (indexes) => (random.chance(newest) ? indexes.length : random.below(indexes.length + 1))
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'))
}

function settle(name: Name): void {
  name.durable = contentOf(name, everything)
  name.pending = []
}

function contentOf(name: Name, fate: Fate): Content {
  const reached = fate(name.pending.map(({ index }) => index))
  return name.pending[reached - 1]?.content ?? (reached === 0 ? name.durable : null)
}

function sizeAfter(file: File, changes: number): number {
  let size = file.durable.length
  for (const change of file.pending.slice(0, changes)) {
    size = 'size' in change ? change.size : Math.max(size, change.at + change.bytes.length)
  }
  return size
}

function bytesOf(file: File, fate: Fate, garbage: Random | null): Buffer {
  const { durable, pending } = file
  if (pending.length === 0) return durable
  const size = sizeAfter(file, fate(pending.map(({ index }) => index)))
  // New memory is zeros: what no sector fills reads as such.
  const bytes = Buffer.alloc(Math.ceil(size / sectorBytes) * sectorBytes)
  durable.copy(bytes, 0, 0, size)
  for (const [sector, changes] of changesBySector(pending, bytes.length)) {
    const reached = fate(changes.map(({ index }) => index))
    const start = sector * sectorBytes
    const content = bytes.subarray(start, start + sectorBytes)
    if (reached === 0 && garbage !== null && start >= durable.length) {
      for (let at = 0; at < content.length; at++) content[at] = garbage.below(256)
    }
    for (const change of changes.slice(0, reached)) applyTo(content, start, change)
  }
  return bytes.subarray(0, size)
}

function changesBySector(pending: readonly Change[], limit: number): Map<number, Change[]> {
  const sectors = new Map<number, Change[]>()
  for (const change of pending) {
    const [from, to] =
      'size' in change ? [change.size, limit] : [change.at, Math.min(limit, change.at + change.bytes.length)]
    for (let sector = Math.floor(from / sectorBytes); sector * sectorBytes < to; sector++) {
      const known = sectors.get(sector)
      if (known) known.push(change)
      else sectors.set(sector, [change])
    }
  }
  return sectors
}

function applyTo(content: Buffer, start: number, change: Change): void {
  if ('size' in change) {
    content.fill(0, Math.max(0, change.size - start))
    return
  }
  const from = Math.max(0, start - change.at)
  change.bytes.copy(content, Math.max(0, change.at - start), from, from + sectorBytes)
}
