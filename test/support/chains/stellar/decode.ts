/**
 * Reads a transaction envelope byte by byte, after the protocol's own definition (Stellar-transaction.x) and
 * with nothing of the SDK, so that what the adapter builds is judged by other eyes.
 */
import type { DecodedTransfer } from '../local-chain.ts'

export interface DecodedEnvelope {
  readonly source: string
  readonly fee: number
  readonly sequence: bigint
  /** Seconds; `null` when it has none. */
  readonly timeBounds: { readonly min: bigint; readonly max: bigint } | null
  readonly memo: { readonly type: string; readonly value: string | null }
  readonly operations: readonly DecodedOperation[]
  readonly signatures: number
  /** What is signed beside the network's id and the envelope's type. */
  readonly signedBytes: Buffer
}

export interface DecodedOperation {
  readonly type: number
  /** Another source than the transaction's. */
  readonly source: string | null
  readonly payment: { readonly to: string; readonly assetId: string; readonly units: bigint } | null
}

const paymentType = 1

export function decodeEnvelope(base64: string): DecodedEnvelope {
  const reader = new Reader(Buffer.from(base64, 'base64'))
  const isVersion1 = reader.uint32() === 2
  if (!isVersion1) throw new Error('not an ENVELOPE_TYPE_TX')
  const begin = reader.position
  const source = reader.muxedAccount()
  const fee = reader.uint32()
  const sequence = reader.int64()
  const timeBounds = preconditions(reader)
  const memo = readMemo(reader)
  const operations = reader.list(() => operation(reader))
  if (reader.uint32() !== 0) throw new Error('an extension')
  const signedBytes = reader.since(begin)
  const signatures = reader.list(() => [reader.fixed(4), reader.opaque()]).length
  if (!reader.isAtEnd) throw new Error('bytes behind the envelope')
  return { source, fee, sequence, timeBounds, memo, operations, signatures, signedBytes }
}

/** As the contract's test compares it. */
export function decodeTransfer(base64: string): DecodedTransfer {
  const envelope = decodeEnvelope(base64)
  const [first, ...more] = envelope.operations
  if (first?.payment == null) throw new Error('its first operation is no payment')
  const { memo, timeBounds } = envelope
  return {
    from: first.source ?? envelope.source,
    to: first.payment.to,
    assetId: first.payment.assetId,
    units: first.payment.units,
    references: memo.type === 'hash' && memo.value !== null ? [memo.value] : [],
    signatures: envelope.signatures,
    others: [
      ...(timeBounds === null ? [] : ['time bounds']),
      ...(memo.type === 'hash' || memo.type === 'none' ? [] : [`memo ${memo.type}`]),
      ...(first.source === null ? [] : ['source of an operation']),
      ...more.map(({ type }) => `operation ${type}`),
    ],
  }
}

function preconditions(reader: Reader): DecodedEnvelope['timeBounds'] {
  switch (reader.uint32()) {
    case 0:
      return null
    case 1:
      return { min: reader.uint64(), max: reader.uint64() }
    default:
      throw new Error('preconditions other than time bounds')
  }
}

function readMemo(reader: Reader): DecodedEnvelope['memo'] {
  switch (reader.uint32()) {
    case 0:
      return { type: 'none', value: null }
    case 1:
      return { type: 'text', value: reader.opaque().toString('utf8') }
    case 2:
      return { type: 'id', value: reader.uint64().toString() }
    case 3:
      return { type: 'hash', value: reader.fixed(32).toString('hex') }
    case 4:
      return { type: 'return', value: reader.fixed(32).toString('hex') }
    default:
      throw new Error('an unknown memo')
  }
}

function operation(reader: Reader): DecodedOperation {
  const source = reader.uint32() === 1 ? reader.muxedAccount() : null
  const type = reader.uint32()
  // Without the definition of every other body, nothing behind it can be read.
  if (type !== paymentType) throw new Error(`an operation of type ${type}`)
  const to = reader.muxedAccount()
  return { type, source, payment: { to, assetId: reader.asset(), units: reader.int64() } }
}

class Reader {
  readonly #bytes: Buffer
  position = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  get isAtEnd(): boolean {
    return this.position === this.#bytes.length
  }

  since(begin: number): Buffer {
    return this.#bytes.subarray(begin, this.position)
  }

  fixed(length: number): Buffer {
    const begin = this.position
    if (begin + length > this.#bytes.length) throw new Error('the envelope ends too early')
    // XDR pads to four bytes.
    this.position = begin + Math.ceil(length / 4) * 4
    return this.#bytes.subarray(begin, begin + length)
  }

  uint32(): number {
    return this.fixed(4).readUInt32BE()
  }

  uint64(): bigint {
    return this.fixed(8).readBigUInt64BE()
  }

  int64(): bigint {
    return this.fixed(8).readBigInt64BE()
  }

  opaque(): Buffer {
    return this.fixed(this.uint32())
  }

  list<Item>(item: () => Item): Item[] {
    return Array.from({ length: this.uint32() }, item)
  }

  /** An account, or one with a number inside. */
  muxedAccount(): string {
    switch (this.uint32()) {
      case 0:
        return address(6 << 3, this.fixed(32))
      case 0x100: {
        const id = this.fixed(8)
        return address(12 << 3, Buffer.concat([this.fixed(32), id]))
      }
      default:
        throw new Error('an unknown kind of account')
    }
  }

  asset(): string {
    const type = this.uint32()
    if (type === 0) return 'native'
    if (type !== 1 && type !== 2) throw new Error('an unknown kind of asset')
    const code = this.fixed(type === 1 ? 4 : 12)
      .toString('ascii')
      .replace(/\0+$/, '')
    if (this.uint32() !== 0) throw new Error('an unknown kind of key')
    return `${code}:${address(6 << 3, this.fixed(32))}`
  }
}

const base32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** SEP-23: version, payload and checksum in base 32. */
function address(version: number, payload: Buffer): string {
  const body = Buffer.concat([Buffer.from([version]), payload])
  const checksum = Buffer.alloc(2)
  checksum.writeUInt16LE(crc16(body))
  const bits = [...body, ...checksum].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  const digits = bits.padEnd(Math.ceil(bits.length / 5) * 5, '0').match(/.{5}/g) ?? []
  return digits.map((digit) => base32.charAt(Number.parseInt(digit, 2))).join('')
}

/** CRC-16/XMODEM. */
function crc16(bytes: Buffer): number {
  return bytes.reduce((crc, byte) => {
    let next = crc ^ (byte << 8)
    for (let bit = 0; bit < 8; bit += 1) next = (next & 0x8000) === 0 ? next << 1 : (next << 1) ^ 0x1021
    return next & 0xffff
  }, 0)
}
