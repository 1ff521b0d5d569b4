/**
 * Files that were sent: in a folder of this process alone, until somebody has looked at them. What a process that was killed has left
 * is removed by the next.
 */
import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { mkdtemp, open, readFile, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Received, Upload, Uploads } from '../actors/foundation/uploads.ts'

export interface UploadLimits {
  maxBytes: number
  maxFiles: number
  /** What nobody has looked at, or applied, for so long is removed. */
  keepMs: number
}

export interface OwnUploads extends Uploads {
  /** Removes all of them, and their folder. */
  close(): void
}

const prefix = 'ventanilla-uploads-'

export function createUploads({ maxBytes, maxFiles, keepMs }: UploadLimits, place = tmpdir()): OwnUploads {
  const files = new Map<string, { upload: Upload; timer: NodeJS.Timeout }>()
  let folder: string | null = null
  let receiving = 0

  function ownFolder(): string {
    if (folder !== null) return folder
    removeLeft(place)
    folder = mkdtempSync(join(place, `${prefix}${process.pid}-`))
    return folder
  }

  const newPath = () => join(ownFolder(), randomBytes(12).toString('base64url'))

  async function drop(id: string): Promise<void> {
    const file = files.get(id)
    if (file === undefined) return
    files.delete(id)
    clearTimeout(file.timer)
    await rm(file.upload.path, { force: true })
  }

  function keep(file: Omit<Upload, 'id'>): Received {
    const upload = { ...file, id: randomBytes(12).toString('base64url') }
    const timer = setTimeout(() => void drop(upload.id), keepMs)
    timer.unref()
    files.set(upload.id, { upload, timer })
    return { ok: true, upload }
  }

  return {
    maxBytes,
    async inFolder(read) {
      const form = await mkdtemp(join(ownFolder(), 'form-'))
      try {
        return await read(form)
      } finally {
        // Whoever still opens a file in it finds no folder; who has just done so is the reason to try again.
        await rm(form, { recursive: true, force: true, maxRetries: 5 })
      }
    },
    async adopt({ path: sent, ...file }) {
      if (files.size + receiving >= maxFiles) return { ok: false, reason: 'too_many' }
      receiving += 1
      try {
        const path = newPath()
        await rename(sent, path)
        return keep({ ...file, path })
      } finally {
        receiving -= 1
      }
    },
    async receive(bytes): Promise<Received> {
      if (files.size + receiving >= maxFiles) return { ok: false, reason: 'too_many' }
      receiving += 1
      const path = newPath()
      try {
        const written = await write(path, bytes, maxBytes)
        if (!written.ok) {
          await rm(path, { force: true })
          return written
        }
        return keep({ path, bytes: written.bytes, sha256: written.sha256 })
      } finally {
        receiving -= 1
      }
    },
    find: (id) => files.get(id)?.upload ?? null,
    async read(id) {
      const file = files.get(id)
      return file === undefined ? null : readFile(file.upload.path)
    },
    drop,
    close() {
      for (const { timer } of files.values()) clearTimeout(timer)
      files.clear()
      if (folder !== null) rmSync(folder, { recursive: true, force: true })
      folder = null
    },
  }
}

type Written = { ok: true; bytes: number; sha256: string } | { ok: false; reason: 'too_large' | 'cut_off' }

async function write(path: string, chunks: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Written> {
  const file = await open(path, 'wx', 0o600)
  const hash = createHash('sha256')
  let bytes = 0
  try {
    for await (const chunk of chunks) {
      bytes += chunk.length
      if (bytes > maxBytes) return { ok: false, reason: 'too_large' }
      hash.update(chunk)
      await file.write(chunk)
    }
  } catch (error) {
    // Whoever sent it is gone; a disk that is full is another matter.
    if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') throw error
    return { ok: false, reason: 'cut_off' }
  } finally {
    await file.close()
  }
  return { ok: true, bytes, sha256: hash.digest('hex') }
}

/** Of processes that are no more. */
function removeLeft(place: string): void {
  for (const name of readdirSync(place)) {
    if (!name.startsWith(prefix)) continue
    const pid = Number(name.slice(prefix.length).split('-')[0])
    if (isAlive(pid)) continue
    try {
      rmSync(join(place, name), { recursive: true, force: true })
    } catch {
      // Another user's.
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH')
  }
}
