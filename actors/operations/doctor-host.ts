/** What the doctor finds on the host: disk, file modes, listeners, proxies, names. */

import { stat } from 'node:fs/promises'
import { isIP } from 'node:net'
import { dirname } from 'node:path'
import { allRates } from '../../persistence/queries/rates.ts'
import { bareHost, isLocalName, judgeAddress } from '../outbound/target.ts'
import { readSources } from '../rates/source.ts'
import type { NodeContext } from './context.ts'
import { type DoctorCheck, fine, someOf, wrong } from './doctor-check.ts'

/** Below this a disk is full soon. */
const leastFreeBytes = 512 * 1024 * 1024

/** Every commit waits for one: at this, a group of orders takes as long as a person notices. */
const slowSyncMs = 250

export async function checkDisk({ verification, surroundings }: NodeContext): Promise<DoctorCheck> {
  const { file } = verification
  if (file === null) return fine('disk', 'the database is on a server of its own')
  const found = await surroundings.disk(dirname(file)).catch((error: unknown) => reasonOf(error))
  if (typeof found === 'string') {
    const action = 'Make the disk writable: no order can be recorded on it.'
    return wrong('disk', `nothing can be written where ${file} lies: ${found}`, action)
  }
  const { freeBytes, syncMs } = found
  const free = Math.floor(freeBytes / 1024 / 1024).toLocaleString('en')
  const detail = `${free} MiB are free where ${file} lies, and a write is safe after ${Math.ceil(syncMs)} ms`
  if (freeBytes < leastFreeBytes)
    return wrong('disk', detail, 'Make room: new orders are refused on a full disk.')
  return syncMs < slowSyncMs
    ? fine('disk', detail)
    : wrong('disk', detail, 'Look at what else writes to the disk, or take a faster one: each commit waits.')
}

export async function checkFiles({ surroundings }: NodeContext): Promise<DoctorCheck> {
  const files = await surroundings.privateFiles()
  const open: string[] = []
  for (const file of files) if (await isOpenToOthers(file)) open.push(file)
  return open.length === 0
    ? fine('files', 'key, token, database and backups are closed to other users')
    : wrong('files', `other users may read or write ${someOf(open)}`, `chmod 600 ${open.join(' ')}`)
}

/** A file behind a folder that others cannot enter is closed to them, whatever its own mode. */
async function isOpenToOthers(file: string): Promise<boolean> {
  // Windows has no such modes.
  if (process.platform === 'win32') return false
  const found = await stat(file).catch(() => null)
  if (found === null || (found.mode & 0o006) === 0) return false
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    const { mode } = await stat(folder)
    if ((mode & 0o001) === 0) return false
    if (folder === dirname(folder)) return true
  }
}

/** Who reaches the operator listener may try passwords, over plain HTTP. */
export async function checkListeners({ surroundings }: NodeContext): Promise<DoctorCheck> {
  const { operatorHost, addresses, resolve } = surroundings
  const isWildcard = operatorHost === '0.0.0.0' || operatorHost === '::'
  const reached = isWildcard
    ? addresses()
    : isIP(operatorHost) === 0
      ? await resolve(operatorHost).catch(() => [])
      : [operatorHost]
  const open = reached.filter((address) => judgeAddress(address, []) === null)
  if (open.length === 0)
    return fine('listeners', `operators are answered on ${operatorHost}, no public address`)
  const action = 'Set operator.host to 127.0.0.1, and reach it with `ssh -L 8081:127.0.0.1:8081 HOST`.'
  return wrong('listeners', `operators are answered on a public address: ${someOf(open)}`, action)
}

/** The node speaks plain HTTP: behind another address there is a proxy, which has to be named to be seen through. */
export async function checkProxies({ surroundings }: NodeContext): Promise<DoctorCheck> {
  const { publicUrl, publicHost, trustedProxies } = surroundings
  if (trustedProxies.length > 0) return fine('proxies', `${someOf(trustedProxies)} are believed`)
  const url = publicUrl === null ? null : new URL(publicUrl)
  const isBehind =
    url !== null && (url.protocol === 'https:' || (isLocal(publicHost) && !isLocal(bareHost(url))))
  if (!isBehind) return fine('proxies', 'none is expected before the node')
  const detail = `http.publicUrl is ${url.origin}, so a proxy answers there, and http.trustedProxies names none`
  const action = 'Name the proxy in http.trustedProxies: until then all clients share the limits of one.'
  return wrong('proxies', detail, action)
}

function isLocal(host: string): boolean {
  return isIP(host) === 0 ? isLocalName(host) : judgeAddress(host, []) === 'loopback'
}

export async function checkNames({ store, surroundings }: NodeContext): Promise<DoctorCheck> {
  const rates = await store.query(allRates, {})
  const sources = rates.flatMap(({ source_json: json }) => (json === null ? [] : readSources(json).sources))
  const urls = [...surroundings.endpoints, ...sources.map(({ url }) => url)]
  const hosts = [...new Set(urls.map((url) => bareHost(new URL(url))))].filter((host) => isIP(host) === 0)
  const unknown: string[] = []
  await Promise.all(
    hosts.map((host) =>
      surroundings.resolve(host).catch((error) => unknown.push(`${host} (${reasonOf(error)})`)),
    ),
  )
  if (unknown.length > 0) {
    const action = 'Look at /etc/resolv.conf and the network; `getent hosts NAME` asks as the node does.'
    return wrong('names', `not resolved: ${someOf(unknown.toSorted())}`, action)
  }
  return fine('names', hosts.length === 0 ? 'none is needed' : `${someOf(hosts)} can be resolved`)
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return 'code' in error ? String(error.code) : error.message
}
