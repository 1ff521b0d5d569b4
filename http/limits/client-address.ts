/**
 * From where a request comes: the socket's address, or what a trusted proxy says of it.
 *
 * `X-Forwarded-For` is a list that each proxy appends its peer to, so only its end can be believed, and only
 * as far as the proxies are trusted: the address is the rightmost one that is none of theirs.
 */
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import ipaddr, { type IPv4, type IPv6 } from 'ipaddr.js'

type Address = IPv4 | IPv6

export interface ClientAddresses {
  /** As a key for limits: an IPv4 address, or the /64 that one IPv6 customer has in any case. */
  of(request: IncomingMessage): string
  /** Whether a peer is one of the trusted proxies, whose connections are those of many. */
  isProxy(peer: string | undefined): boolean
}

interface Peer {
  key: string
  isProxy: boolean
}

/** No chain of proxies is longer; what is further to the left is a stranger's text. */
const maxHops = 20
/** As long as the longest address with its port, and a blank. */
const maxHopLength = 64

/** @param trustedProxies addresses and networks, for example `10.0.0.0/8` */
export function createClientAddresses(trustedProxies: readonly string[]): ClientAddresses {
  const networks = trustedProxies.map(parseNetwork)
  const isTrusted = (address: Address) =>
    networks.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits))

  /** Read once for each connection: its peer stays the same, and each of its requests asks. */
  const peers = new WeakMap<Socket, Peer>()

  function peerOf(socket: Socket): Peer {
    const known = peers.get(socket)
    if (known !== undefined) return known
    const address = parseAddress(socket.remoteAddress ?? '')
    const key = address === null ? 'unknown' : addressKey(address)
    const peer = { key, isProxy: address !== null && isTrusted(address) }
    peers.set(socket, peer)
    return peer
  }

  return {
    of(request) {
      const peer = peerOf(request.socket)
      if (!peer.isProxy) return peer.key
      let client: Address | null = null
      for (const text of forwarded(request)) {
        const address = parseAddress(text)
        // Whatever stands there, the proxy before it vouches for no more than its own peer.
        if (address === null) break
        client = address
        if (!isTrusted(address)) break
      }
      return client === null ? peer.key : addressKey(client)
    },
    isProxy(peer) {
      const address = parseAddress(peer ?? '')
      return address !== null && isTrusted(address)
    },
  }
}

/** The hops, the nearest first. */
function forwarded(request: IncomingMessage): string[] {
  const lines = request.headersDistinct['x-forwarded-for'] ?? []
  // The end first: what is before it may be as long as a header can be, and is not split for nothing.
  return lines
    .join(',')
    .slice(-maxHops * maxHopLength)
    .split(',')
    .slice(-maxHops)
    .reverse()
}

function parseNetwork(text: string): [Address, number] {
  if (text.includes('/')) return ipaddr.parseCIDR(text)
  const address = ipaddr.process(text)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}

/** An address with or without a port, as proxies write them; `null` for anything else. */
function parseAddress(text: string): Address | null {
  const trimmed = text.trim()
  const bare =
    /^\[([0-9a-f:.]{2,45})\](?::\d{1,5})?$/i.exec(trimmed)?.[1] ??
    /^(\d+\.\d+\.\d+\.\d+):\d{1,5}$/.exec(trimmed)?.[1] ??
    trimmed
  // IPv4 in the usual form only: ipaddr.js would also take `0x7f.1` and `1`.
  if (!bare.includes(':') && !ipaddr.IPv4.isValidFourPartDecimal(bare)) return null
  return ipaddr.isValid(bare) ? ipaddr.process(bare) : null
}

/** Also of an address as the socket has it, for counting its connections. */
export function addressKey(address: Address | string): string {
  const parsed = typeof address === 'string' ? parseAddress(address) : address
  if (parsed === null) return 'unknown'
  if (parsed.kind() === 'ipv4') return parsed.toString()
  return `${parsed.toByteArray().slice(0, 8).map(toHex).join('')}/64`
}

function toHex(byte: number): string {
  return byte.toString(16).padStart(2, '0')
}
