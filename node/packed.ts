/**
 * What one executable carries instead of files: `npm run build:binary` packs the program into it, and there is no
 * folder of sources to look into.
 */
import { getRawAsset, isSea } from 'node:sea'
import { type ResourceLimits, Worker } from 'node:worker_threads'
import { zstdDecompressSync } from 'node:zlib'

/** Whether this process is the one executable. */
export function isPacked(): boolean {
  return isSea()
}

/** What a build says of itself inside of the executable, as `build.json`. */
export interface BuildFacts {
  /** Of the sources it was built from; `null` where they were none. */
  commit: string | null
}

/** @throws when the executable was built without it. */
export function packedBytes(name: string): Uint8Array {
  return new Uint8Array(getRawAsset(name))
}

/**
 * Starts a thread of this program.
 * @param name of the entry point, a file beside this one: `verify-worker` is `node/verify-worker.ts`
 */
export function startThread(name: string, workerData: unknown, resourceLimits: ResourceLimits = {}): Worker {
  // Without `env` and `execArgv` a thread takes over what the program runs with; with either it reads NODE_OPTIONS.
  const options = { name, workerData, resourceLimits }
  if (isPacked()) {
    const text = zstdDecompressSync(packedBytes(`${name}.cjs.zst`)).toString()
    return new Worker(text, { ...options, eval: true })
  }
  return new Worker(new URL(`./${name}.ts`, import.meta.url), options)
}
