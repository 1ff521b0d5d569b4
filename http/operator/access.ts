/**
 * Who may speak to the operator listener: whoever knows the node's token, and no web page of a stranger.
 *
 * The token is made anew at each start and lies beside the database, readable for the node's own user only.
 */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { isIP } from 'node:net'

export function generateToken(): string {
  return randomBytes(32).toString('base64url')
}

/** Whether an Authorization header carries the token, compared in constant time. */
export function carriesToken(authorization: string | undefined, token: string): boolean {
  const match = /^Bearer +(\S+)$/i.exec(authorization ?? '')
  return match?.[1] !== undefined && isSameToken(match[1], token)
}

/** The same as the password of a URL, for programs that can be given nothing else: `ws://any:TOKEN@…`. */
export function carriesTokenAsPassword(authorization: string | undefined, token: string): boolean {
  const match = /^Basic +([\w+/=-]+)$/i.exec(authorization ?? '')
  const [, password] = /^[^:]*:(.*)$/s.exec(Buffer.from(match?.[1] ?? '', 'base64').toString()) ?? []
  return password !== undefined && isSameToken(password, token)
}

/** In constant time. */
export function isSameToken(given: string, token: string): boolean {
  return timingSafeEqual(digest(given), digest(token))
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

/**
 * What proves to a command that this is the node whose token it has read, before it sends token and secrets:
 * after a node was killed, its port may be anybody's.
 */
export function proofOf(token: string, challenge: string): string {
  return createHmac('sha256', token).update(`ventanilla hello ${challenge}`).digest('base64url')
}

export interface BrowserHeaders {
  host: string | undefined
  origin: string | undefined
  /** Sec-Fetch-Site. */
  site: string | undefined
}

/** A name has at most 253 characters; to make sense of longer ones costs more than they are worth. */
const maxHostLength = 300

/**
 * Why a request must come from a stranger's web page in the operator's browser; `null` when it does not.
 *
 * A name that a stranger's DNS points at this machine (rebinding) is told by the Host header: addresses,
 * `localhost` and the listener's own names are what an operator types.
 */
export function strangersPage(
  { host, origin, site }: BrowserHeaders,
  ownHosts: readonly string[],
): string | null {
  const url = host === undefined || host.length > maxHostLength ? null : URL.parse(`http://${host}`)
  if (url === null) return 'The Host header is missing or unreadable.'
  const name = url.hostname.replace(/^\[(.*)\]$/, '$1')
  if (isIP(name) === 0 && name !== 'localhost' && !ownHosts.some((own) => own.toLowerCase() === name)) {
    return `This listener does not serve the host ${name}; use its address, or set operator.publicUrl.`
  }
  if (site !== undefined && !['same-origin', 'none'].includes(site))
    return 'Requests from other sites are refused.'
  if (origin !== undefined && (origin.length > maxHostLength || URL.parse(origin)?.host !== url.host))
    return 'Requests from other sites are refused.'
  return null
}
