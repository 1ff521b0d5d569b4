/**
 * Names to addresses, for webhooks.
 *
 * The system's own lookup runs on Node's few threads, where four merchants with hanging name servers would hold
 * up every other merchant and every file access; this one asks the configured name servers over sockets, and
 * the hosts file before them. Nothing is kept: a name is resolved at each attempt.
 */
import { Resolver } from 'node:dns/promises'
import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { join } from 'node:path'
import { isLocalName } from './target.ts'

/**
 * All addresses of a name in lower case without a final dot, at least one, families in turn.
 *
 * @throws an error of `node:dns`, whose `code` is for example `ENOTFOUND`.
 */
export type ResolveName = (name: string) => Promise<string[]>

export interface ResolverOptions {
  /** `address:port` each; the system's when left out. */
  servers?: readonly string[]
  hostsFile?: string
  /** How long a name server may take before it is asked once more. */
  queryMs?: number
}

const systemHostsFile =
  process.platform === 'win32'
    ? join(process.env.SystemRoot ?? 'C:\\Windows', 'System32\\drivers\\etc\\hosts')
    : '/etc/hosts'

export function createResolver(options: ResolverOptions = {}): ResolveName {
  const { servers, hostsFile = systemHostsFile, queryMs = 1400 } = options
  const resolver = new Resolver({ timeout: queryMs, tries: 2 })
  if (servers) resolver.setServers(servers)
  return async (name) => {
    // Name servers need not know this host's own names: RFC 6761, part 6.3.
    if (isLocalName(name)) return ['127.0.0.1', '::1']
    const listed = await listedAddresses(hostsFile, name)
    return listed.length > 0 ? listed : askServers(resolver, name)
  }
}

async function askServers(resolver: Resolver, name: string): Promise<string[]> {
  const [fours, sixes] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  // One family is enough: whatever the other would have said, only addresses that were judged are used.
  const addresses = inTurn(
    fours.status === 'fulfilled' ? fours.value : [],
    sixes.status === 'fulfilled' ? sixes.value : [],
  )
  if (addresses.length === 0 && fours.status === 'rejected') throw fours.reason
  if (addresses.length === 0 && sixes.status === 'rejected') throw sixes.reason
  return addresses
}

function inTurn(fours: string[], sixes: string[]): string[] {
  const pairs = Array.from({ length: Math.max(fours.length, sixes.length) }, (_, index) => [
    fours[index],
    sixes[index],
  ])
  return pairs.flat().filter((address) => address !== undefined)
}

/** What the hosts file says of a name; nothing when there is no such file. */
async function listedAddresses(hostsFile: string, name: string): Promise<string[]> {
  const text = await readFile(hostsFile, 'utf8').catch(() => '')
  return text.split('\n').flatMap((line) => {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().toLowerCase().split(/\s+/)
    return isIP(address) !== 0 && names.includes(name) ? [address] : []
  })
}
