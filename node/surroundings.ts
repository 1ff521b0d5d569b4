/** What a node's settings and its host say of it, for `ventanilla doctor`. */

import { randomUUID } from 'node:crypto'
import { lookup } from 'node:dns/promises'
import { open, readdir, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Surroundings } from '../actors/foundation/surroundings.ts'
import { interfaceAddresses } from '../actors/outbound/target.ts'
import { evmBlockchains } from '../machines/blockchains.ts'
import { anchorsFileOfNode } from './anchors-file.ts'
import { madeAtOf } from './backup/keep.ts'
import { longestPauseMs } from './backup/pause.ts'
import type { Settings } from './settings/config.ts'
import { tokenFileOf } from './token-file.ts'

export function surroundingsOf(settings: Settings): Surroundings {
  const { mode, http, operator, backups } = settings
  return {
    mode,
    publicUrl: http.publicUrl,
    publicHost: http.host,
    operatorHost: operator.host,
    trustedProxies: http.trustedProxies,
    endpoints: endpointsOf(settings),
    treasuries: settings.chains,
    get backupPauseMs() {
      return longestPauseMs(backups.schedule)
    },
    privateFiles: () => privateFilesOf(settings),
    addresses: interfaceAddresses,
    resolve,
    disk: measureDisk,
  }
}

function endpointsOf({ chains: { SOLANA, STELLAR, ...others } }: Settings): string[] {
  const stellar = STELLAR && (STELLAR.reader === 'rpc' ? [STELLAR.horizon, STELLAR.rpc] : [STELLAR.horizon])
  const evm = evmBlockchains.flatMap((name) => others[name]?.rpc ?? [])
  return [...(SOLANA?.rpc ?? []), ...(stellar ?? []), ...evm].filter((url) => url !== null)
}

async function privateFilesOf(settings: Settings): Promise<string[]> {
  const { database, keys, backups } = settings
  const files = [keys.file, anchorsFileOfNode(settings)]
  if (database.engine === 'sqlite')
    files.push(database.file, `${database.file}-wal`, tokenFileOf(database.file))
  if (backups.folder === null) return files
  const names = await readdir(backups.folder).catch(() => [])
  // The newest is as all of them are made.
  const newest = names
    .filter((name) => madeAtOf(name) !== null)
    .toSorted()
    .at(-1)
  if (newest === undefined) return files
  const folder = join(backups.folder, newest)
  const parts = await readdir(folder).catch(() => [])
  return [...files, ...parts.map((name) => join(folder, name))]
}

const resolvePatienceMs = 3_000

async function resolve(host: string): Promise<string[]> {
  const waiting = new AbortController()
  const late = sleep(resolvePatienceMs, null, { signal: waiting.signal }).then(() => {
    throw new Error(`no answer in ${resolvePatienceMs / 1000} s`)
  })
  try {
    const found = await Promise.race([lookup(host, { all: true }), late])
    return found.map(({ address }) => address)
  } finally {
    late.catch(() => {})
    waiting.abort()
  }
}

const probe = Buffer.alloc(4096)

/** One of them may be held up by what the machine does besides, which says nothing of its disk. */
const probes = 3

/** A page is written and synced as a commit is, in a file of its own, some times: the quickest tells of the disk. */
async function measureDisk(folder: string): Promise<{ freeBytes: number; syncMs: number }> {
  const { bavail, bsize } = await statfs(folder)
  const file = join(folder, `.doctor-${randomUUID()}`)
  const handle = await open(file, 'wx', 0o600)
  try {
    let syncMs = Number.POSITIVE_INFINITY
    for (let done = 0; done < probes; done++) {
      const began = performance.now()
      await handle.write(probe)
      await handle.datasync()
      syncMs = Math.min(syncMs, performance.now() - began)
    }
    return { freeBytes: bavail * bsize, syncMs }
  } finally {
    await handle.close()
    await rm(file, { force: true })
  }
}
