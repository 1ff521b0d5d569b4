/**
 * Where webhooks may go: to public hosts over https, and nowhere else (protocol 6.4:
 * "HTTPS, public").
 *
 * A merchant chooses the URL, and the node stands in somebody's network: without these judgements a webhook
 * would reach cloud metadata services, the operator's own listener or a neighbour's router. Literal addresses
 * are judged when an order is created, names at each delivery, where they are resolved.
 */
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'

export interface TargetRules {
  /** Permits http, private addresses and any port. For sandboxes only. */
  allowPrivate: boolean
  /** What is refused names the setting that permits it; only a sandbox has it. */
  isSandbox?: boolean
  /** Ports permitted besides 443. */
  ports: readonly number[]
  /** Origins permitted although they are private, for example `http://127.0.0.1:8082`. */
  exemptOrigins: readonly string[]
  /** Whether a whole URL is an inbox of this sandbox itself, wherever it is. */
  isInbox?: (url: string) => boolean
  /** The node's own addresses, which are forbidden although they may be public ones. */
  ownAddresses: () => readonly string[]
}

/** The addresses of this machine's interfaces at this moment. */
export function interfaceAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((addresses = []) =>
    addresses.map(({ address }) => address),
  )
}

/**
 * What is wrong with a merchant's `notify_url`: a sentence for the merchant, or `null`. Names other than those
 * of this host are not resolved here.
 */
export function judgeNotifyUrl(text: string, rules: TargetRules): string | null {
  const url = parseNotifyUrl(text)
  return url === null ? 'Enter a valid URL.' : judgeUrl(url, rules)
}

/**
 * Reads a `notify_url`; `null` when it is none. The URL parser settles the spelling of addresses: `0x7f.1`,
 * `2130706433`, `0177.0.0.1`, `127.1` and full-width digits all come out as `127.0.0.1`.
 */
export function parseNotifyUrl(text: string): URL | null {
  const trimmed = text.trim()
  // The parser drops tabs and newlines and takes backslashes for slashes; other readers of the URL do not.
  if (!/^https?:\/\/[^/?#]/i.test(trimmed) || hasDoubtfulCharacters(trimmed)) return null
  const url = URL.parse(trimmed)
  return url !== null && isHost(url.hostname) ? url : null
}

/** The rules for a URL that was read: of its form, of names of this host, and of a literal address. */
export function judgeUrl(url: URL, rules: TargetRules): string | null {
  if (url.username !== '' || url.password !== '') return 'The URL must not contain a user name or a password.'
  if (isExempt(url, rules)) return null
  const problem = publicProblem(url, rules)
  return problem === null || rules.isSandbox !== true ? problem : `${problem} ${sandboxHint}`
}

const sandboxHint =
  'In this sandbox the setting webhooks.allowPrivate (VENTANILLA_WEBHOOKS_ALLOWPRIVATE=true) permits http, private ' +
  'addresses and any port; GET /sandbox/inbox/ has a notify_url that is always permitted.'

/** Why a URL is not one of a public host over https. */
function publicProblem(url: URL, rules: TargetRules): string | null {
  if (url.protocol !== 'https:') return 'The URL must use https.'
  if (url.port !== '' && !rules.ports.includes(Number(url.port)))
    return `The URL must use ${['port 443', ...rules.ports.filter((port) => port !== 443)].join(' or ')}.`
  const host = bareHost(url)
  if (isLocalName(host)) return 'The URL must be public; it names the local host.'
  const range = isIP(host) === 0 ? null : judgeAddress(host, rules.ownAddresses())
  return range === null ? null : `The URL must be public; its address is not (${range}).`
}

/** Whether a URL's addresses need no judgement. */
export function isExempt(url: URL, rules: TargetRules): boolean {
  return rules.allowPrivate || rules.exemptOrigins.includes(url.origin) || rules.isInbox?.(url.href) === true
}

/** The host of a URL without the brackets of an IPv6 address and without a name's final dot. */
export function bareHost(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')
}

/**
 * Judges an address by its bytes, however it is written: `null` when it is public, otherwise the name of the
 * range that it lies in, for example `loopback` or `carrier grade NAT`.
 */
export function judgeAddress(address: string, ownAddresses: readonly string[]): string | null {
  const parsed = ipaddr.parse(address)
  const range = parsed instanceof ipaddr.IPv4 ? judgeIPv4(parsed) : judgeIPv6(parsed)
  if (range !== null) return range
  const own = new Set(ownAddresses.map((it) => ipaddr.parse(it).toNormalizedString()))
  const isOwn = [parsed, ...embeddedIPv4(parsed)].some((it) => own.has(it.toNormalizedString()))
  return isOwn ? "the node's own" : null
}

const rangeNames: Readonly<Record<string, string>> = {
  linkLocal: 'link-local',
  carrierGradeNat: 'carrier grade NAT',
  uniqueLocal: 'unique local',
  deprecatedSiteLocal: 'site-local',
  rfc6052: 'local NAT64',
}

/** Azure's platform address: outside every private range, and yet never a merchant's. */
const platformAddress = '168.63.129.16'

function judgeIPv4(address: ipaddr.IPv4): string | null {
  if (address.toString() === platformAddress) return 'platform'
  const range = address.range()
  return range === 'unicast' ? null : (rangeNames[range] ?? range)
}

const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')

function judgeIPv6(address: ipaddr.IPv6): string | null {
  const embedded = embeddedIPv4(address)
  if (embedded.length > 0) return embedded.map(judgeIPv4).find((range) => range !== null) ?? null
  const range: string = address.range()
  if (range === 'unicast' && address.match(globalUnicast)) return null
  return range === 'unicast' ? 'reserved' : (rangeNames[range] ?? range)
}

/** IPv4-compatible, -mapped and -translated addresses and those of NAT64: IPv4 is in the last four bytes. */
const translatedPrefixes = ['::/96', '::ffff:0:0/96', '::ffff:0:0:0/96', '64:ff9b::/96'].map((prefix) =>
  ipaddr.IPv6.parseCIDR(prefix),
)
const sixToFour = ipaddr.IPv6.parseCIDR('2002::/16')
const teredo = ipaddr.IPv6.parseCIDR('2001::/32')

/** The IPv4 addresses that packets to an IPv6 address are sent to in the end. */
function embeddedIPv4(address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4[] {
  if (address instanceof ipaddr.IPv4) return []
  const bytes = address.toByteArray()
  const isLoopbackOrNone = bytes.slice(0, 15).every((byte) => byte === 0) && (bytes[15] ?? 0) <= 1
  if (isLoopbackOrNone) return []
  if (translatedPrefixes.some((prefix) => address.match(prefix))) return [ipv4(bytes.slice(12))]
  if (address.match(sixToFour)) return [ipv4(bytes.slice(2, 6))]
  // Teredo holds its server's address, and its client's with every bit inverted.
  if (address.match(teredo))
    return [ipv4(bytes.slice(4, 8)), ipv4(bytes.slice(12).map((byte) => byte ^ 0xff))]
  return []
}

function ipv4(octets: number[]): ipaddr.IPv4 {
  return new ipaddr.IPv4(octets)
}

const localNames = new Set(['localhost', 'localhost6', 'ip6-localhost', 'ip6-loopback'])

/** Whether a name is one of this very host: RFC 6761, part 6.3, and what hosts files add to it. */
export function isLocalName(host: string): boolean {
  return localNames.has(host) || /\.(localhost|localdomain)6?$/.test(host)
}

function hasDoubtfulCharacters(text: string): boolean {
  return /[\s\\\p{Cc}]/u.test(text)
}

/** A literal address, or a name whose length and labels DNS can carry. */
function isHost(hostname: string): boolean {
  if (hostname.startsWith('[') || isIP(hostname) !== 0) return true
  const name = hostname.replace(/\.$/, '')
  return name.length <= 253 && name.split('.').every((label) => label.length > 0 && label.length <= 63)
}
