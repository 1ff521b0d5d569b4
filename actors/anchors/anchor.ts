/**
 * Anchors: what the journal was at a moment, kept outside the database, so that an older database, or one from
 * which single orders were taken back, does not pass for the present one.
 *
 * The journal is kept in the order of its entries. An anchor covers those since the anchor before it: its digest
 * is an HMAC over that anchor's digest and over the hash of each entry, each of which is the head of its order's
 * chain at that moment. A line costs what was added since the last one, whatever the number of orders.
 */
import { createHmac } from 'node:crypto'
import { type ClaimKind, type ClaimState, claimKinds, claimStates } from '../../machines/claim.ts'
import { formatInstant, type Instant, parseInstant } from '../../machines/time.ts'

export interface Anchor {
  at: Instant
  /** Of the newest entry it covers. */
  position: number
  /** So many it covers. */
  entries: number
  digest: string
  /** Closed since the one before: nobody is told of a statement whose number is not outside the database. */
  statements: readonly ClosedNumber[]
  /** Ordered since the one before: no bank has one before that is outside the database. */
  payments: readonly OrderedAmount[]
  /** Opened or ended since the one before: no party is told of one before. */
  claims: readonly AnchoredClaim[]
  /** The last number of an approval, where one was given since the one before; 0 where none was. */
  approval: number
}

/** What is outside the database besides the journal. */
export type AnchoredBeside = Pick<Anchor, 'statements' | 'payments' | 'claims' | 'approval'>

/** A number that a party was given for a statement in a currency. */
export type ClosedNumber = readonly [partyId: string, currency: string, number: number]

/** A payment that was ordered: minor units as decimal text. */
export type OrderedAmount = readonly [
  paymentId: string,
  partyId: string,
  currency: string,
  amountMinor: string,
  bank: string,
  runId: string | null,
]

/** A claim that was opened or has ended. */
export interface AnchoredClaim {
  number: number
  id: string
  kind: ClaimKind
  /** `open` until it is decided or withdrawn. */
  state: ClaimState
  order: string
  merchant: string
  provider: string
  currency: string
  /** What it is about: of the price where the kind has no amount. Minor units as decimal text. */
  amountMinor: string
  /** Hash of the last entry of what it was told. */
  head: string
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
  finish(at: Instant, { statements, payments, claims, approval }: AnchoredBeside = nothingBeside): Anchor {
    const [position, entries] = [this.#position, this.#entries]
    const closed = statements.length === 0 ? '' : ` ${JSON.stringify(statements)}`
    const ordered = payments.length === 0 ? '' : ` payments ${JSON.stringify(payments)}`
    const claimed = claims.length === 0 ? '' : ` claims ${JSON.stringify(claims)}`
    const numbered = approval === 0 ? '' : ` approval ${approval}`
    const digest = this.#hmac
      .update(`${position} ${entries} ${at}${closed}${ordered}${claimed}${numbered}`)
      .digest('base64url')
    return { at, position, entries, digest, statements, payments, claims, approval }
  }
}

const nothingBeside: AnchoredBeside = { statements: [], payments: [], claims: [], approval: 0 }

/** One that covers no entry tells of something else. */
export function leastEntries(beside: AnchoredBeside): number {
  return countBeside(beside) === 0 ? 1 : 0
}

/** How much it tells of besides the journal. */
export function countBeside({ statements, payments, claims, approval }: AnchoredBeside): number {
  return statements.length + payments.length + claims.length + (approval === 0 ? 0 : 1)
}

/** One line of the file. */
export function formatAnchor({
  at,
  position,
  entries,
  digest,
  statements,
  payments,
  claims,
  approval,
}: Anchor): string {
  const closed = statements.length === 0 ? {} : { statements }
  const ordered = payments.length === 0 ? {} : { payments }
  const claimed = claims.length === 0 ? {} : { claims }
  return JSON.stringify({
    at: formatInstant(at),
    position,
    entries,
    digest,
    ...closed,
    ...ordered,
    ...claimed,
    ...(approval === 0 ? {} : { approval }),
  })
}

/** `null` when a line is no anchor. */
export function parseAnchor(line: string): Anchor | null {
  try {
    const read: unknown = JSON.parse(line)
    if (typeof read !== 'object' || read === null) return null
    const members: Partial<Record<keyof Anchor, unknown>> = read
    const { at, position, entries, digest, statements = [], payments = [], claims = [] } = members
    const { approval = 0 } = members
    const instant = typeof at === 'string' ? parseInstant(at) : null
    if (instant === null || !isDigest(digest)) return null
    if (!areAll(statements, isClosed) || !areAll(payments, isOrdered) || !areAll(claims, isClaim)) return null
    if (!isCount(approval, 0)) return null
    const beside = { statements, payments, claims, approval }
    const least = leastEntries(beside)
    if (!isCount(position, least) || !isCount(entries, least)) return null
    return { at: instant, position, entries, digest, ...beside }
  } catch {
    return null
  }
}

function isDigest(value: unknown): value is string {
  return typeof value === 'string' && /^[\w-]{43}$/.test(value)
}

function isCount(value: unknown, least: number): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= least
}

function areAll<Each>(value: unknown, is: (one: unknown) => one is Each): value is Each[] {
  return Array.isArray(value) && value.every(is)
}

function isOrdered(value: unknown): value is OrderedAmount {
  if (!Array.isArray(value) || value.length !== 6) return false
  const [id, partyId, currency, amount, bank, run]: unknown[] = value
  const isAmount = typeof amount === 'string' && /^[1-9]\d{0,18}$/.test(amount)
  const areTexts = [id, partyId, currency, bank].every((one) => typeof one === 'string')
  return areTexts && isAmount && (run === null || typeof run === 'string')
}

function isClaim(value: unknown): value is AnchoredClaim {
  if (typeof value !== 'object' || value === null) return false
  const members: Partial<Record<keyof AnchoredClaim, unknown>> = value
  const { number, kind, state, amountMinor, id, order, merchant, provider, currency, head } = members
  const areTexts = [id, order, merchant, provider, currency].every((one) => typeof one === 'string')
  const isAmount = typeof amountMinor === 'string' && /^[1-9]\d{0,18}$/.test(amountMinor)
  const isKnown = claimKinds.some((one) => one === kind) && claimStates.some((one) => one === state)
  return areTexts && isAmount && isKnown && isCount(number, 1) && isDigest(head)
}

function isClosed(value: unknown): value is ClosedNumber {
  if (!Array.isArray(value) || value.length !== 3) return false
  const [partyId, currency, number]: unknown[] = value
  return typeof partyId === 'string' && typeof currency === 'string' && isCount(number, 1)
}
