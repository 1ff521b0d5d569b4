/**
 * Anchors: what the journal was at a moment, kept outside the database, so that an older database, or one from
 * which single orders were taken back, does not pass for the present one.
 *
 * The journal is kept in the order of its entries. An anchor covers those since the anchor before it: its digest
 * is an HMAC over that anchor's digest and over the hash of each entry, each of which is the head of its order's
 * chain at that moment. A line costs what was added since the last one, whatever the number of orders.
 */
import { createHmac } from 'node:crypto'
import { formatInstant, type Instant, parseInstant } from '../../machines/time.ts'

export interface Anchor {
  at: Instant
  /** Of the newest entry it covers. */
  position: number
  /** So many it covers. */
  entries: number
  digest: string
}

/** Before the first anchor. */
export const noAnchor: Pick<Anchor, 'position' | 'digest'> = { position: 0, digest: '' }

/** Collects the entries of one anchor, in their order. */
export class AnchorDigest {
  readonly #hmac
  #entries = 0
  #position: number

  constructor(journalKey: string, before: Pick<Anchor, 'position' | 'digest'>) {
    this.#hmac = createHmac('sha256', journalKey).update(`anchor\n${before.digest}\n`)
    this.#position = before.position
  }

  get position(): number {
    return this.#position
  }

  add({ position, hash }: { position: number; hash: string }): void {
    this.#hmac.update(`${hash}\n`)
    this.#entries += 1
    this.#position = position
  }

  /** No more can be added after this. */
  finish(at: Instant): Anchor {
    const [position, entries] = [this.#position, this.#entries]
    const digest = this.#hmac.update(`${position} ${entries} ${at}`).digest('base64url')
    return { at, position, entries, digest }
  }
}

/** One line of the file. */
export function formatAnchor({ at, position, entries, digest }: Anchor): string {
  return JSON.stringify({ at: formatInstant(at), position, entries, digest })
}

/** `null` when a line is no anchor. */
export function parseAnchor(line: string): Anchor | null {
  try {
    const read: unknown = JSON.parse(line)
    if (typeof read !== 'object' || read === null) return null
    const { at, position, entries, digest }: Partial<Record<keyof Anchor, unknown>> = read
    const instant = typeof at === 'string' ? parseInstant(at) : null
    if (instant === null || !isCount(position) || !isCount(entries) || !isDigest(digest)) return null
    return { at: instant, position, entries, digest }
  } catch {
    return null
  }
}

function isDigest(value: unknown): value is string {
  return typeof value === 'string' && /^[\w-]{43}$/.test(value)
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0
}
