/**
 * What went wrong where a hash differs: the mistakes that people make when they sign, tried one after another and
 * together. Only who knows the secret can make a hash that is found here.
 */
import { createHash, createHmac } from 'node:crypto'
import { jsonDepth } from '../foundation/json-depth.ts'
import type { SignedMessage } from './signature.ts'

interface Variant {
  /** What the signer did, as the end of "The hash fits if …"; `null` where it is right. */
  mistake: string | null
  value: string | Buffer
}

interface Parts {
  secret: readonly Variant[]
  key: readonly Variant[]
  date: readonly Variant[]
  method: readonly Variant[]
  path: readonly Variant[]
  body: readonly Variant[]
}

/**
 * The mistakes that make the received hash out of the message, the fewest first; `null` when none of them does,
 * and empty when the hash is right.
 *
 * @param most how many mistakes at once; each more costs ten to thirty times as much
 * @param otherKeys further keys of the signer, of which one may have been signed instead
 * @param unsignedQuery what follows the path in the request's target and is no part of what is signed
 */
export function findMistakes(
  message: SignedMessage,
  secret: string,
  receivedHash: string,
  options: SearchOptions = {},
): readonly string[] | null {
  return findSigned(message, secret, receivedHash, options)?.mistakes ?? null
}

export interface SearchOptions {
  most?: number
  otherKeys?: readonly string[]
  unsignedQuery?: string
}

export interface FoundSigned {
  mistakes: readonly string[]
  /** What was signed in the place of the message; `null` where that is not its form. */
  text: Buffer | null
}

/** The same, with what was signed instead. */
export function findSigned(
  message: SignedMessage,
  secret: string,
  receivedHash: string,
  { most = 1, otherKeys = [], unsignedQuery = '' }: SearchOptions = {},
): FoundSigned | null {
  const given = readHash(receivedHash)
  const parts = variantsOf(message, secret, { otherKeys, unsignedQuery })
  for (let count = 0; count <= most; count++) {
    for (const [variants, mistakes] of combinations(Object.values(parts), count)) {
      const [secretUsed = '', ...signed] = variants
      const wrongForm = given.form === null ? [] : [given.form]
      if (isMade(given.bytes, secretUsed, signed))
        return { mistakes: [...mistakes, ...wrongForm], text: joined(signed) }
    }
  }
  const scheme = schemeMistake(message, secret, given.bytes)
  return scheme === null ? null : { mistakes: scheme, text: null }
}

/** The received hash as bytes, and what is wrong with how it is written. */
function readHash(text: string): { bytes: Buffer; form: string | null } {
  const trimmed = text.trim()
  if (/^[0-9a-f]{64}$/.test(text)) return { bytes: Buffer.from(text, 'hex'), form: null }
  if (/^[0-9a-f]{64}$/i.test(trimmed)) {
    const form = 'the hash is written with capital letters or blanks; it must be lower-case hexadecimal'
    return { bytes: Buffer.from(trimmed, 'hex'), form }
  }
  const form = 'the hash is written in base64; it must be lower-case hexadecimal'
  return { bytes: Buffer.from(trimmed, 'base64'), form }
}

function isMade(hash: Buffer, secret: string | Buffer, signed: readonly (string | Buffer)[]): boolean {
  const hmac = createHmac('sha256', secret)
  for (const [index, part] of signed.entries()) {
    if (index > 0) hmac.update(':')
    hmac.update(part)
  }
  return hmac.digest().equals(hash)
}

function joined(signed: readonly (string | Buffer)[]): Buffer {
  return Buffer.concat(
    signed.flatMap((part, index) => [Buffer.from(index > 0 ? ':' : ''), Buffer.from(part)]),
  )
}

/** One variant of each part, with exactly so many mistakes in all. */
function* combinations(
  parts: readonly (readonly Variant[])[],
  count: number,
): Generator<[values: (string | Buffer)[], mistakes: string[]]> {
  const [first, ...rest] = parts
  if (first === undefined) {
    if (count === 0) yield [[], []]
    return
  }
  for (const { mistake, value } of first) {
    const left = mistake === null ? count : count - 1
    if (left < 0) continue
    for (const [values, mistakes] of combinations(rest, left)) {
      yield [[value, ...values], mistake === null ? mistakes : [mistake, ...mistakes]]
    }
  }
}

function variantsOf(
  message: SignedMessage,
  secret: string,
  { otherKeys, unsignedQuery }: Required<Omit<SearchOptions, 'most'>>,
): Parts {
  const body = Buffer.from(message.body)
  return {
    secret: [right(secret), ...secretVariants(secret)],
    key: [
      right(message.key),
      wrong('the key is left out of the signed string', ''),
      ...otherKeys.map((key) => wrong(`another key (${key}) is signed than the one that is sent`, key)),
    ],
    date: [right(message.messageDate), ...dateVariants(message.messageDate)],
    method: [
      right(message.method.toUpperCase()),
      wrong('the method is in lower case', message.method.toLowerCase()),
    ],
    path: [right(message.path), ...pathVariants(message.path, unsignedQuery)],
    body: [right(body), ...bodyVariants(body)],
  }
}

const right = (value: string | Buffer): Variant => ({ mistake: null, value })
const wrong = (mistake: string, value: string | Buffer): Variant => ({ mistake, value })

function secretVariants(secret: string): Variant[] {
  const isHex = /^([0-9a-f]{2})+$/i.test(secret)
  return [
    ...(isHex
      ? [
          wrong(
            'the secret is decoded from hexadecimal; its characters are the key',
            Buffer.from(secret, 'hex'),
          ),
        ]
      : []),
    wrong('the secret is decoded from base64; its characters are the key', Buffer.from(secret, 'base64')),
    wrong('the secret has a line break at its end', `${secret}\n`),
  ]
}

function dateVariants(text: string): Variant[] {
  const seconds = Number(text)
  if (!Number.isFinite(seconds) || Math.abs(seconds) > 8e12) return []
  const iso = new Date(seconds * 1000).toISOString()
  const others = [
    ['without its decimals', text.replace(/\..*/, '')],
    ['as whole seconds, rounded', String(Math.round(seconds))],
    ['as milliseconds', String(Math.round(seconds * 1000))],
    ['as a number, without the zeros at its end', String(seconds)],
    ['with three decimals', seconds.toFixed(3)],
    ['with six decimals', seconds.toFixed(6)],
    ['in ISO 8601', iso],
    ['in ISO 8601 without milliseconds', iso.replace(/\.\d+Z/, 'Z')],
  ] as const
  return others
    .filter(([, value]) => value !== text)
    .map(([how, value]) => wrong(`the date is signed ${how} (${value}), and sent as ${text}`, value))
}

function pathVariants(target: string, unsignedQuery: string): Variant[] {
  const [path = '', ...rest] = target.split('?')
  const query = rest.length === 0 ? '' : `?${rest.join('?')}`
  const slashed = path.endsWith('/') ? path.slice(0, -1) : `${path}/`
  const others = [
    ['without /api/v1', target.replace(/^\/api\/v\d+/, '')],
    ['with /api/v1 before it', `/api/v1${target}`],
    [path.endsWith('/') ? 'without the slash at its end' : 'with a slash at its end', slashed + query],
    ['without its query string', path],
    ['with the query string, which does not belong to it here', target + unsignedQuery],
    ['without its first slash', target.replace(/^\//, '')],
    ['decoded', decoded(target)],
    ['without /api/v1 and the slash at its end', slashed.replace(/^\/api\/v\d+/, '') + query],
  ] as const
  return others
    .filter(([how, value]) => value !== target && !(how.startsWith('with /') && target.startsWith('/api/')))
    .map(([how, value]) => wrong(`the path is signed ${how} (${value})`, value))
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function bodyVariants(bytes: Buffer): Variant[] {
  const text = bytes.toString()
  const variants: [mistake: string, value: string][] = [
    ['a line break at the end of the body is signed and not sent', `${text}\n`],
    ['a line break at the end of the body is sent and not signed', text.replace(/\r?\n$/, '')],
    [
      'the body is signed with other line breaks',
      text.includes('\r\n') ? text.replaceAll('\r\n', '\n') : text.replaceAll('\n', '\r\n'),
    ],
    ['the body is left out of the signed string', ''],
    ['an empty object is signed for the body', '{}'],
    ...serializations(text).map((value): [string, string] => [
      `the body is serialized anew for the signature (${Buffer.byteLength(value)} bytes instead of ${bytes.length})`,
      value,
    ]),
  ]
  return variants.filter(([, value]) => value !== text).map(([mistake, value]) => wrong(mistake, value))
}

/** With each level the lines of an indented text grow, and no message of the API nests at all. */
const maxDepth = 8

/** The same JSON as common libraries write it. */
function serializations(text: string): string[] {
  if (jsonDepth(text) > maxDepth) return []
  let document: unknown
  try {
    document = JSON.parse(text)
  } catch {
    return []
  }
  const compact = JSON.stringify(document)
  const spaced = spacedOut(document)
  const texts = [
    compact,
    spaced,
    sorted(document),
    JSON.stringify(document, null, 2),
    JSON.stringify(document, null, 4),
  ]
  const ascii = [compact, spaced].map((one) =>
    one.replace(
      /[\u0080-\uffff]/g,
      (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ),
  )
  const slashes = [compact, ...ascii.slice(0, 1)].map((one) => one.replaceAll('/', '\\/'))
  return [...new Set([...texts, ...ascii, ...slashes])]
}

/** `{"a": 1, "b": [2, 3]}`, as Python writes it. */
function spacedOut(document: unknown): string {
  if (Array.isArray(document)) return `[${document.map(spacedOut).join(', ')}]`
  if (typeof document !== 'object' || document === null) return JSON.stringify(document)
  const members = Object.entries(document).map(
    ([name, value]) => `${JSON.stringify(name)}: ${spacedOut(value)}`,
  )
  return `{${members.join(', ')}}`
}

function sorted(document: unknown): string {
  const isObject = typeof document === 'object' && document !== null && !Array.isArray(document)
  return JSON.stringify(isObject ? Object.fromEntries(Object.entries(document).toSorted()) : document)
}

/** Other ways to make a digest of the right parts. */
function schemeMistake(
  { key, messageDate, method, path, body }: SignedMessage,
  secret: string,
  hash: Buffer,
) {
  const text = Buffer.concat([
    Buffer.from(`${key}:${messageDate}:${method.toUpperCase()}:${path}:`),
    Buffer.from(body),
  ])
  const schemes: [mistake: string, digest: Buffer][] = [
    ['key and secret are swapped', createHmac('sha256', key).update(text).digest()],
    ['it is a plain SHA-256, not an HMAC', createHash('sha256').update(text).digest()],
    [
      'secret and text are joined and hashed, which is not an HMAC',
      createHash('sha256').update(secret).update(text).digest(),
    ],
    [
      'the parts are joined without colons',
      createHmac('sha256', secret).update(text.toString().split(':', 4).join('')).update(body).digest(),
    ],
    ['only the body is signed', createHmac('sha256', secret).update(body).digest()],
  ]
  const found = schemes.find(([, digest]) => digest.equals(hash))
  return found === undefined ? null : [found[0]]
}
