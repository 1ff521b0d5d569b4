/** What is known here of the lines of a report: read for some hundred of them at once. */
import {
  archivedNamed,
  cashBooked,
  cashExceptions,
  journalledStarts,
  linesAboutOrders,
  ordersNamed,
  ordersReferred,
} from '../../persistence/queries/reconciliation.ts'
import { accountId, type Row, type Store } from '../../persistence/store.ts'
import type { Day } from '../terms/days.ts'
import { claimedCashOf } from './claimed-cash.ts'
import type { Booked, LineFacts, ReportedDay } from './matching.ts'
import type { ReportLine } from './report-lines.ts'

/** Where each payment stands that this report has told of so far, by order. */
export type SeenPayments = Map<string, number>

export interface Known {
  line: ReportLine
  facts: LineFacts
}

/**
 * @param fileId of the report itself: what it says is no second report of it
 * @param seen lines before these, and afterwards these, too
 */
export async function readFacts(
  store: Pick<Store, 'query'>,
  reported: ReportedDay,
  lines: readonly ReportLine[],
  { fileId, seen }: { fileId: string; seen: SeenPayments },
): Promise<Known[]> {
  const names = namesOf(lines)
  const named = await store.query(ordersNamed, names)
  const byName = new Map<string, Row<'orders'>>(
    named.flatMap((order) => [
      [order.id, order],
      [order.code, order],
    ]),
  )
  const referred = await readReferred(store, reported, lines, byName)
  const missed = lines.some(({ named: name }) => name !== null && !byName.has(plainName(name)))
  const archived = missed ? await store.query(archivedNamed, names) : []
  const archivedAt = new Map(
    archived.flatMap(({ id, code, archived_at }) => [
      [id, archived_at],
      [code, archived_at],
    ]),
  )
  const orders = lines.map((line): LineFacts['order'] => {
    const own = line.named === null ? undefined : byName.get(plainName(line.named))
    return own ?? (line.reference === null ? null : (referred.get(line.reference) ?? null))
  })
  const known = orders.flatMap((order) => (order === null || order === 'several' ? [] : [order]))
  const price = new Map(known.map(({ id, price_minor }) => [id, price_minor]))
  const about = await readAbout(store, reported, price, fileId)
  const held = await heldOf(store, reported.providerId, known)
  return lines.map((line, index): Known => {
    const order = orders[index] ?? null
    const id = order === null || order === 'several' ? null : order.id
    const earlier = id === null ? undefined : seen.get(id)
    if (id !== null && line.kind === 'paid' && earlier === undefined) seen.set(id, line.line)
    const before =
      earlier === undefined ? (about.elsewhere.get(id ?? '') ?? null) : { day: reported.day, line: earlier }
    const facts = {
      order,
      archivedAt:
        order === null && line.named !== null ? (archivedAt.get(plainName(line.named)) ?? null) : null,
      booked: about.booked.get(id ?? '') ?? null,
      reversedBy: about.reversed.get(id ?? '') ?? null,
      wasHeld: held.has(id ?? '') || about.booked.has(id ?? ''),
      ended: about.ended.get(id ?? '') ?? null,
      disputed: about.disputed.get(id ?? '') ?? null,
      before: line.kind === 'paid' ? before : null,
    }
    return { line, facts }
  })
}

/** The orders that a provider holds, or has held as their journals have it. */
export async function heldOf(
  store: Pick<Store, 'query'>,
  providerId: string,
  orders: readonly { id: string; lock_provider_id: string | null }[],
): Promise<ReadonlySet<string>> {
  const held = new Set(
    orders.flatMap(({ id, lock_provider_id }) => (lock_provider_id === providerId ? [id] : [])),
  )
  const ids = orders.flatMap(({ id }) => (held.has(id) ? [] : [id]))
  if (ids.length === 0) return held
  for (const { order_id, event_json } of await store.query(journalledStarts, {
    orders: JSON.stringify(ids),
  })) {
    const event: { providerId?: string } = JSON.parse(event_json)
    if (event.providerId === providerId) held.add(order_id)
  }
  return held
}

/** Codes are printed in groups. */
function plainName(named: string): string {
  const code = named.replace(/[ -]/g, '')
  return /^\d{15}$/.test(code) ? code : named.toLowerCase()
}

function namesOf(lines: readonly ReportLine[]): { ids: string; codes: string } {
  const names = lines.flatMap(({ named }) => (named === null ? [] : [plainName(named)]))
  const isCode = (name: string) => /^\d{15}$/.test(name)
  return {
    ids: JSON.stringify(names.filter((name) => !isCode(name))),
    codes: JSON.stringify(names.filter(isCode)),
  }
}

/** By reference, of lines whose order is not known by its own name. */
async function readReferred(
  store: Pick<Store, 'query'>,
  { networkId }: ReportedDay,
  lines: readonly ReportLine[],
  byName: ReadonlyMap<string, unknown>,
): Promise<Map<string, Row<'orders'> | 'several'>> {
  const references = lines.flatMap(({ named, reference }) =>
    reference === null || (named !== null && byName.has(plainName(named))) ? [] : [reference],
  )
  const found = new Map<string, Row<'orders'> | 'several'>()
  if (references.length === 0) return found
  for (const { reference, ...order } of await store.query(ordersReferred, {
    networkId,
    references: JSON.stringify(references),
  })) {
    found.set(reference, found.has(reference) ? 'several' : order)
  }
  return found
}

interface About {
  booked: Map<string, Booked>
  /** Orders that claims have taken back from the provider, with the claims' numbers. */
  reversed: Map<string, number>
  ended: Map<string, Row<'exceptions'>>
  disputed: Map<string, Row<'exceptions'>>
  elsewhere: Map<string, { day: Day; line: number }>
}

async function readAbout(
  store: Pick<Store, 'query'>,
  { providerId, networkId, currency, day }: ReportedDay,
  price: ReadonlyMap<string, bigint>,
  fileId: string,
): Promise<About> {
  const ids = [...price.keys()]
  const about: About = {
    ...{
      booked: new Map(),
      reversed: new Map(),
      ended: new Map(),
      disputed: new Map(),
      elsewhere: new Map(),
    },
  }
  if (ids.length === 0) return about
  const orders = JSON.stringify(ids)
  const account = accountId({ kind: 'provider', ownerId: providerId, currency })
  for (const posting of await store.query(cashBooked, { account, orders })) {
    const { order_id, day: of, about_day, amount_minor: minor } = posting
    if (order_id !== null)
      about.booked.set(order_id, { day: about_day ?? of, isLate: about_day !== null, minor })
  }
  for (const [id, { credited, reversed, handledBeyondMinor }] of await claimedCashOf(store, ids)) {
    const own =
      credited?.providerId === providerId
        ? { day: credited.day, isLate: true, minor: price.get(id) ?? 0n }
        : about.booked.get(id)
    if (reversed?.providerId === providerId) about.reversed.set(id, reversed.number)
    if (reversed !== null) about.booked.delete(id)
    else if (own !== undefined) about.booked.set(id, { ...own, minor: own.minor + handledBeyondMinor })
  }
  for (const exception of await store.query(cashExceptions, { orders })) {
    const { order_id, kind } = exception
    if (order_id !== null)
      (kind === 'confirmed_after_return' ? about.disputed : about.ended).set(order_id, exception)
  }
  for (const line of await store.query(linesAboutOrders, { orders })) {
    // A report of the same day is the one that this takes the place of.
    const isOwn =
      line.file_id === fileId ||
      line.state !== 'current' ||
      (line.network_id === networkId && line.day === day)
    if (!isOwn && line.kind === 'paid' && line.order_id !== null)
      about.elsewhere.set(line.order_id, { day: line.day, line: line.line })
  }
  return about
}
