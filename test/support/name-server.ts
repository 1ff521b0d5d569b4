/** A DNS server on loopback that answers A and AAAA queries as told: RFC 1035 as far as a test needs it. */
import dgram from 'node:dgram'
import { isIPv4 } from 'node:net'
import ipaddr from 'ipaddr.js'

export interface NameServer {
  /** `address:port`, as resolvers take it. */
  address: string
  /** The names and types asked for so far, for example `shop.test A`. */
  queries: string[]
  close(): void
}

/** Addresses to answer with, `null` for a name that does not exist, `undefined` for no answer at all. */
export type Zone = (name: string, type: 'A' | 'AAAA') => readonly string[] | null | undefined

export async function startNameServer(zone: Zone): Promise<NameServer> {
  const socket = dgram.createSocket('udp4')
  const queries: string[] = []
  socket.on('message', (query, from) => {
    const { name, type, end } = readQuestion(query)
    if (type === null) return
    queries.push(`${name} ${type}`)
    const addresses = zone(name, type)
    if (addresses === undefined) return
    socket.send(answerTo(query.subarray(0, end), addresses), from.port, from.address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  return { address: `127.0.0.1:${socket.address().port}`, queries, close: () => socket.close() }
}

function readQuestion(query: Buffer): { name: string; type: 'A' | 'AAAA' | null; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  const code = query.readUInt16BE(at + 1)
  return { name: labels.join('.'), type: code === 1 ? 'A' : code === 28 ? 'AAAA' : null, end: at + 5 }
}

function answerTo(question: Buffer, addresses: readonly string[] | null): Buffer {
  const header = Buffer.from(question)
  // An answer of a recursive server; code 3 says that the name does not exist.
  header.writeUInt16BE(addresses === null ? 0x8183 : 0x8180, 2)
  header.writeUInt16BE(addresses?.length ?? 0, 6)
  header.writeUInt32BE(0, 8)
  const records = (addresses ?? []).map((address) => {
    const bytes = ipaddr.parse(address).toByteArray()
    // The name is that of the question; class IN, a day to live.
    const record = Buffer.from('c00c0000000100015180', 'hex')
    record.writeUInt16BE(isIPv4(address) ? 1 : 28, 2)
    return Buffer.concat([record, Buffer.from([0, bytes.length, ...bytes])])
  })
  return Buffer.concat([header, ...records])
}
