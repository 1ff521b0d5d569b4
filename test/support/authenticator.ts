/** A passkey's authenticator in software: ES256, attestation `none` (WebAuthn level 3, parts 6 and 8). */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

interface Options {
  origin: string
  rpId: string
  /** What the browser would say it was asked for. */
  type?: string
}

export interface SoftwareAuthenticator {
  id: string
  /** So many signatures were made; set back, it is a clone. */
  counter: number
  create(options: { challenge: string }, place: Options): unknown
  get(options: { challenge: string }, place: Options): unknown
}

export function softwareAuthenticator(counts = true): SoftwareAuthenticator {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(32)
  const name = id.toString('base64url')
  const authenticator: SoftwareAuthenticator = {
    id: name,
    counter: 0,
    create({ challenge }, place) {
      const data = authenticatorData(place.rpId, authenticator.counter, attested(id, publicKey))
      const attestationObject = cbor(
        new Map<unknown, unknown>([
          ['fmt', 'none'],
          ['attStmt', new Map()],
          ['authData', data],
        ]),
      )
      const response = {
        clientDataJSON: clientData(place.type ?? 'webauthn.create', challenge, place.origin),
        attestationObject: attestationObject.toString('base64url'),
        transports: ['usb', 'made up'],
      }
      return { id: name, rawId: name, type: 'public-key', clientExtensionResults: {}, response }
    },
    get({ challenge }, place) {
      if (counts) authenticator.counter++
      const data = authenticatorData(place.rpId, authenticator.counter)
      const clientDataJSON = clientData(place.type ?? 'webauthn.get', challenge, place.origin)
      const hash = createHash('sha256').update(Buffer.from(clientDataJSON, 'base64url')).digest()
      const response = {
        clientDataJSON,
        authenticatorData: data.toString('base64url'),
        signature: sign('sha256', Buffer.concat([data, hash]), privateKey).toString('base64url'),
      }
      return { id: name, rawId: name, type: 'public-key', clientExtensionResults: {}, response }
    },
  }
  return authenticator
}

function clientData(type: string, challenge: string, origin: string): string {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false })).toString('base64url')
}

/** User present and verified. */
const flags = 0b101

function authenticatorData(rpId: string, counter: number, credential?: Buffer): Buffer {
  const head = Buffer.alloc(5)
  head[0] = credential === undefined ? flags : flags | 0b1000000
  head.writeUInt32BE(counter, 1)
  return Buffer.concat([createHash('sha256').update(rpId).digest(), head, credential ?? Buffer.alloc(0)])
}

function attested(id: Buffer, publicKey: KeyObject): Buffer {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const length = Buffer.alloc(2)
  length.writeUInt16BE(id.length)
  // COSE: EC2, ES256, P-256.
  const key = cbor(
    new Map<unknown, unknown>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x, 'base64url')],
      [-3, Buffer.from(y, 'base64url')],
    ]),
  )
  return Buffer.concat([Buffer.alloc(16), length, id, key])
}

/** Of integers, texts, bytes and maps, as far as they occur here. */
function cbor(value: unknown): Buffer {
  if (typeof value === 'number') return value < 0 ? cborHead(1, -1 - value) : cborHead(0, value)
  if (Buffer.isBuffer(value)) return Buffer.concat([cborHead(2, value.length), value])
  if (typeof value === 'string')
    return Buffer.concat([cborHead(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (!(value instanceof Map)) throw new Error(`no CBOR of ${typeof value}`)
  return Buffer.concat([
    cborHead(5, value.size),
    ...[...value].flatMap(([key, member]) => [cbor(key), cbor(member)]),
  ])
}

function cborHead(major: number, length: number): Buffer {
  if (length < 24) return Buffer.from([(major << 5) | length])
  return length < 256
    ? Buffer.from([(major << 5) | 24, length])
    : Buffer.from([(major << 5) | 25, length >> 8, length & 255])
}
