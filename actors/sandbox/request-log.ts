/**
 * The last requests of each key, for whoever integrates with a sandbox: what came, what was answered, and why a signature was
 * refused. In memory, and bounded.
 *
 * What a key has signed and what only claims to be of a key are kept apart: a stranger who knows a key's name fills the short
 * list of its doubtful requests, and drives out nothing that is the key's own. Of unknown keys nothing is kept. Headers are
 * not kept, so that no hash can be used again; bodies are, where they were signed.
 */
import type { Instant } from '../../machines/time.ts'
import type { PartyKind } from '../parties/party-limits.ts'

export interface LoggedRequest {
  /** The Request-Id. */
  id: string
  at: Instant
  key: string
  method: string
  /** With its query; codes are as good as money, and only their ends are kept. */
  path: string
  status: number
  /** Why it was refused, as the log calls it; `null` where it was not refused for its signature or a limit. */
  refused: string | null
  milliseconds: number
  /** The beginning of what was sent; `null` of what was not signed rightly. */
  body: string | null
  signature: SignatureFinding | null
  /** It was answered as the same one before it. */
  isReplayed: boolean
  /** Of its whole path, codes included, a digest: whether two are about the same. Never shown. */
  place: string
}

/** What is known of a signature that was refused. */
export interface SignatureFinding {
  /** What its signer did, or what to look at. */
  mistake: string | null
  /** What would have to be signed, up to the beginning of the body. */
  signedString: string | null
  /** From 0 on, in bytes: where what was signed parts from it, as far as that is known. */
  differsAt: number | null
  /** Message-Date minus the clock of this node. */
  clockOffsetSeconds: number | null
}

/** Who has asked, or who is said to have: a key of ours, in any case. */
export interface Asker {
  partyId: string
  kind: PartyKind
  key: string
  isProved: boolean
}

export interface AskedRequests {
  partyId: string
  limit: number
  /** Where the page before ended: older than this. */
  after?: { at: Instant; id: string } | null
}

export interface RequestLog {
  note(asker: Asker, request: LoggedRequest): void
  /** Of all keys of a party, the newest first. */
  of(asked: AskedRequests): LoggedRequest[]
}

const maxKeys = 500
const mostOf = { proved: 1_000, doubtful: 100 }
/** Of all keys together: some 50 MB at most. */
const maxRequests = 20_000

interface OfKey {
  partyId: string
  proved: LoggedRequest[]
  doubtful: LoggedRequest[]
}

export function createRequestLog(): RequestLog {
  // The key that was used longest ago first.
  const keys = new Map<string, OfKey>()
  let count = 0
  const forgetOldest = () => {
    for (const [key, { proved, doubtful }] of keys) {
      keys.delete(key)
      count -= proved.length + doubtful.length
      return
    }
  }
  return {
    note({ partyId, key, isProved }, request) {
      const known = keys.get(key) ?? { partyId, proved: [], doubtful: [] }
      // A stranger keeps no key from being forgotten.
      if (isProved || !keys.has(key)) keys.delete(key)
      keys.set(key, known)
      const [kept, most] = isProved ? [known.proved, mostOf.proved] : [known.doubtful, mostOf.doubtful]
      kept.push(request)
      count++
      if (kept.length > most) {
        kept.shift()
        count--
      }
      while (keys.size > maxKeys || (count > maxRequests && keys.size > 1)) forgetOldest()
    },
    of({ partyId, limit, after = null }) {
      const own = [...keys.values()].filter((one) => one.partyId === partyId)
      const all = own.flatMap(({ proved, doubtful }) => [...proved, ...doubtful])
      const older = after === null ? all : all.filter((one) => newestFirst(after, one) < 0)
      return older.sort(newestFirst).slice(0, limit)
    },
  }
}

type Place = Pick<LoggedRequest, 'at' | 'id'>

function newestFirst(a: Place, b: Place): number {
  return b.at - a.at || (a.id < b.id ? 1 : a.id > b.id ? -1 : 0)
}

const shownBytes = 2_000

/** The beginning of a body, as text. */
export function shownBody(body: Uint8Array): string {
  const text = Buffer.from(body.subarray(0, shownBytes)).toString()
  return body.length > shownBytes ? `${text}…` : text
}

/** Long digits are codes. What is told by its place stays at its place. */
export function maskedPath(path: string): string {
  return path.replace(/\d{9,}/g, (digits) => digits.slice(-4).padStart(digits.length, '*'))
}
