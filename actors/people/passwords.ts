/**
 * Passwords of operators: scrypt (RFC 7914), a salt each, its parameters stored beside the hash so that they can be
 * raised later. One costs 32 MiB and about a quarter of a second; one is worked out at a time, so that sign-ins can
 * neither fill the memory nor take the threads that the node's files need.
 */
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'

export interface HashCost {
  N: number
  r: number
  p: number
}

const standardCost: HashCost = { N: 2 ** 15, r: 8, p: 3 }
const hashBytes = 32
export const leastPasswordLength = 12
export const greatestPasswordLength = 200

let last: Promise<unknown> = Promise.resolve()

/** @param cost is stored with the hash; tests of other things take a lower one. */
export async function hashPassword(password: string, cost = standardCost): Promise<string> {
  const salt = randomBytes(16)
  const { N, r, p } = cost
  const hash = await inTurn(() => derive(password, salt, cost))
  return ['scrypt', N, r, p, salt.toString('base64url'), hash.toString('base64url')].join('$')
}

/** @param stored `null` for a name that nobody has: it costs the same, so that names cannot be told by the time. */
export async function isPassword(password: string, stored: string | null): Promise<boolean> {
  const [, N, r, p, salt = '', hash = ''] = (stored ?? nobodys).split('$')
  const known = Buffer.from(hash, 'base64url')
  // What is longer is nobody's, and is not normalised at length to find that out.
  const tried = password.length > 4 * greatestPasswordLength ? '' : password
  const made = await inTurn(() =>
    derive(tried, Buffer.from(salt, 'base64url'), { N: Number(N), r: Number(r), p: Number(p) }),
  )
  return known.length === made.length && timingSafeEqual(known, made) && stored !== null && tried === password
}

const nobodys = `scrypt$${standardCost.N}$${standardCost.r}$${standardCost.p}$${'A'.repeat(22)}$${'A'.repeat(43)}`

/** 120 bits, as people can read it out. */
export function generatePassword(): string {
  // Without what looks like something else; 32 signs, so that each byte's low bits choose evenly.
  const signs = 'abcdefghijkmnpqrstuvwxyz23456789'
  const text = [...randomBytes(24)].map((byte) => signs[byte % 32]).join('')
  return text.match(/.{6}/g)?.join('-') ?? text
}

function derive(password: string, salt: Buffer, { N, r, p }: HashCost): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // Node refuses more than 32 MiB unless it is allowed; scrypt takes 128 × N × r bytes and a little.
    const maxmem = 128 * N * r * 2
    scrypt(password.normalize('NFKC'), salt, hashBytes, { N, r, p, maxmem }, (error, hash) => {
      if (error) reject(error)
      else resolve(hash)
    })
  })
}

function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  const result = last.then(work)
  last = result.catch(() => {})
  return result
}
