/** What is looked up for each thing that a text may be, and what is told of what was found. */
import { formatPrice } from '../../machines/money.ts'
import { formatInstant } from '../../machines/time.ts'
import { likeness } from '../../machines/written-names.ts'
import { orderById } from '../../persistence/queries/orders.ts'
import { partyNames } from '../../persistence/queries/provisioning.ts'
import * as search from '../../persistence/queries/search.ts'
import type { PartyKind } from '../../persistence/schema.ts'
import type { Row, Store } from '../../persistence/store.ts'
import { consumerDigest, emailDigest, spelling } from '../orders/consumer-digest.ts'
import type { OrderContext } from '../orders/operations.ts'
import type { Sought } from './written.ts'

export type FoundBy =
  | 'id'
  | 'code'
  | 'merchantOrderId'
  | 'email'
  | 'transaction'
  | 'reference'
  | 'statement'
  | 'name'

export type HitKind =
  | 'order'
  | 'archivedOrder'
  | 'webhook'
  | 'exception'
  | 'payment'
  | 'bankLine'
  | 'deposit'
  | 'correction'
  | 'statement'
  | 'merchant'
  | 'provider'

export interface Hit {
  kind: HitKind
  by: FoundBy
  /** Of a party and its statement the name, of what has a reference the reference. */
  id: string
  /** Whose it is. */
  party: { kind: PartyKind; name: string } | null
  state: string | null
  amount: string | null
  currency: string | null
  /** ISO 8601. */
  at: string | null
  /** The merchant's id of an order, the file of an archived one, what a line of a bank is about, the number of a statement. */
  note: string | null
  /** The order, payment or exception that it leads to, if not to itself. */
  about: string | null
}

const mostOfEach = 20

interface Looking {
  context: OrderContext
  nameOf(id: string): { kind: PartyKind; name: string } | null
}

export async function lookThrough(
  context: OrderContext,
  sought: Sought,
): Promise<{ hits: Hit[]; more: boolean }> {
  const { store } = context
  const parties = await store.query(partyNames, {})
  const byId = new Map(parties.map(({ id, kind, name }) => [id, { kind, name }]))
  const looking: Looking = { context, nameOf: (id) => byId.get(id) ?? null }
  const found = await Promise.all([
    byIdDigits(looking, sought),
    byCode(looking, sought),
    byEmail(looking, sought),
    byTransaction(looking, sought),
    byReference(looking, sought),
    byNumber(looking, sought),
    byName(parties, sought),
  ])
  const hits = new Map<string, Hit>()
  for (const hit of found.flat()) {
    const key = [hit.kind, hit.id, hit.party?.name, hit.currency, hit.note].join('\n')
    if (!hits.has(key)) hits.set(key, hit)
  }
  return { hits: [...hits.values()], more: found.some((each) => each.length >= mostOfEach) }
}

async function byIdDigits(looking: Looking, { id }: Sought): Promise<Hit[]> {
  if (id === undefined) return []
  const { store } = looking.context
  const limit = mostOfEach
  const { prefix, ending } = id
  const range = prefix === null ? null : { from: prefix, until: `${prefix}~`, limit }
  const tail = ending === null ? null : { ending: ending.slice(-6), limit: 10 * limit }
  const isMeant = (row: { id: string }) => ending !== null && row.id.replaceAll('-', '').endsWith(ending)
  const [orders, archived, webhooks, exceptions, payments] = await Promise.all([
    range === null ? [] : store.query(search.ordersByPrefix, range),
    range === null ? [] : store.query(search.archivedByPrefix, range),
    range === null ? [] : store.query(search.webhooksByPrefix, range),
    range === null ? [] : store.query(search.exceptionsByPrefix, range),
    range === null ? [] : store.query(search.paymentsByPrefix, range),
  ])
  const [tailOrders, tailArchived, tailExceptions, tailPayments] = await Promise.all([
    tail === null ? [] : store.query(search.ordersByEnding, tail),
    tail === null ? [] : store.query(search.archivedByEnding, tail),
    tail === null ? [] : store.query(search.exceptionsByEnding, tail),
    tail === null ? [] : store.query(search.paymentsByEnding, tail),
  ])
  return [
    ...(await orderHits(looking, 'id', [...orders, ...tailOrders.filter(isMeant)])),
    ...[...archived, ...tailArchived.filter(isMeant)].map((row) => archivedHit(looking, 'id', row)),
    ...webhooks.map((row) => webhookHit(looking, row)),
    ...[...exceptions, ...tailExceptions.filter(isMeant)].map((row) => exceptionHit('id', row)),
    ...[...payments, ...tailPayments.filter(isMeant)].map((row) => paymentHit(looking, 'id', row)),
  ]
}

async function byCode(looking: Looking, { code }: Sought): Promise<Hit[]> {
  if (code === undefined) return []
  const { store } = looking.context
  const archived = await store.query(search.archivedByCode, { code })
  return [
    ...(await orderHits(looking, 'code', await store.query(search.ordersByCode, { code }))),
    ...archived.map((row) => archivedHit(looking, 'code', row)),
  ]
}

async function byEmail(looking: Looking, { email }: Sought): Promise<Hit[]> {
  const { store, journalKey } = looking.context
  const whole = consumerDigest(journalKey, email ?? '')
  const short = emailDigest(journalKey, email ?? '')
  if (email === undefined || whole === null || short === null) return []
  const limit = mostOfEach
  const orders = await store.query(search.ordersByEmail, { digest: short, limit })
  const archived = await store.query(search.archivedByEmail, { digest: whole, limit })
  const isTheirs = (row: { email: string }) => spelling(row.email) === spelling(email)
  return [
    ...(await orderHits(looking, 'email', orders.filter(isTheirs))),
    ...archived.map((row) => archivedHit(looking, 'email', row)),
  ]
}

async function byTransaction(looking: Looking, { transaction }: Sought): Promise<Hit[]> {
  if (transaction === undefined) return []
  const { store } = looking.context
  const asked = { ...transaction, limit: mostOfEach }
  const orders = await store.query(search.ordersByTransaction, asked)
  const exceptions = [
    ...(await store.query(search.exceptionsByTransaction, asked)),
    ...(await store.query(search.exceptionsByOutflow, asked)),
  ]
  return [
    ...(await orderHits(looking, 'transaction', orders)),
    ...exceptions.map((row) => exceptionHit('transaction', row)),
  ]
}

async function byReference(looking: Looking, { reference: written }: Sought): Promise<Hit[]> {
  if (written === undefined) return []
  const { store } = looking.context
  const spelled = { written, lower: written.toLowerCase(), upper: written.toUpperCase(), limit: mostOfEach }
  const [orders, theirs, archived, payments, lines, deposits, corrections] = await Promise.all([
    store.query(search.ordersByMerchantOrderId, spelled),
    store.query(search.ordersByNetworkReference, spelled),
    store.query(search.archivedByMerchantOrderId, spelled),
    store.query(search.paymentsByReference, spelled),
    store.query(search.bankLinesByReference, spelled),
    store.query(search.depositsByReference, spelled),
    store.query(search.correctionsByReference, spelled),
  ])
  const told = new Set(payments.map(({ id }) => id))
  return [
    ...(await orderHits(looking, 'merchantOrderId', orders)),
    ...(await orderHits(looking, 'reference', theirs)),
    ...archived.map((row) => archivedHit(looking, 'merchantOrderId', row)),
    ...payments.map((row) => paymentHit(looking, 'reference', row)),
    // The line of a payment that is shown says nothing more.
    ...lines.filter(({ subject_id }) => subject_id === null || !told.has(subject_id)).map(lineHit),
    ...deposits.map((row) =>
      hit('deposit', 'reference', row.reference, {
        ...amountOf(row),
        party: looking.nameOf(row.merchant_id),
        state: row.reversed_at === null ? 'booked' : 'returned',
        at: formatInstant(row.deposited_at),
      }),
    ),
    ...corrections.map((row) =>
      hit('correction', 'reference', row.reference, {
        ...amountOf(row),
        party: looking.nameOf(row.party_id),
        at: formatInstant(row.booked_at),
      }),
    ),
  ]
}

async function byNumber(looking: Looking, { statement: number }: Sought): Promise<Hit[]> {
  if (number === undefined) return []
  const found = await looking.context.store.query(search.statementsByNumber, { number, limit: mostOfEach })
  return found.map((row) => {
    const party = looking.nameOf(row.party_id)
    const value = { amount: formatPrice(row.due_minor, row.currency), currency: row.currency }
    const at = formatInstant(row.closed_at)
    return hit('statement', 'statement', party?.name ?? '', { ...value, party, at, note: String(number) })
  })
}

/** There are so few parties that all of their names are looked at: by what is in them, however it is spelt. */
async function byName(
  parties: readonly { kind: PartyKind; name: string }[],
  { party }: Sought,
): Promise<Hit[]> {
  if (party === undefined) return []
  const wanted = likeness(party)
  if (wanted === '') return []
  const found = parties.filter(({ name }) => likeness(name).includes(wanted))
  const rank = ({ name }: { name: string }) => (likeness(name) === wanted ? 0 : 1)
  return found
    .toSorted((left, right) => rank(left) - rank(right) || left.name.localeCompare(right.name))
    .slice(0, mostOfEach)
    .map(({ kind, name }) => hit(kind, 'name', name, { party: { kind, name } }))
}

function hit(kind: HitKind, by: FoundBy, id: string, more: Partial<Hit>): Hit {
  const nothing = {
    party: null,
    state: null,
    amount: null,
    currency: null,
    at: null,
    note: null,
    about: null,
  }
  return { kind, by, id, ...nothing, ...more }
}

function amountOf({ amount_minor, currency }: { amount_minor: bigint; currency: string }) {
  return { amount: formatPrice(amount_minor, currency), currency }
}

type FoundOrder = Pick<
  Row<'orders'>,
  'id' | 'merchant_id' | 'merchant_order_id' | 'status' | 'price_minor' | 'currency' | 'created_at' | 'due_at'
>

/** What fell due ends when it is read, here as anywhere. */
async function orderHits(
  { context, nameOf }: Looking,
  by: FoundBy,
  orders: readonly FoundOrder[],
): Promise<Hit[]> {
  const now = context.clock.now()
  return Promise.all(
    orders.slice(0, mostOfEach).map(async (order) => {
      const isDue = order.due_at !== null && order.due_at <= now
      const { status } = isDue ? await ended(context, order) : order
      return hit('order', by, order.id, {
        party: nameOf(order.merchant_id),
        state: status,
        ...amountOf({ amount_minor: order.price_minor, currency: order.currency }),
        at: formatInstant(order.created_at),
        note: order.merchant_order_id,
      })
    }),
  )
}

async function ended(
  { orders, store }: { orders: OrderContext['orders']; store: Store },
  order: FoundOrder,
): Promise<Pick<FoundOrder, 'status'>> {
  await orders.tryExpire(order.id)
  const [fresh] = await store.query(orderById, { id: order.id })
  return fresh ?? order
}

type FoundArchived = Pick<
  Row<'archived_orders'>,
  'id' | 'merchant_id' | 'merchant_order_id' | 'status' | 'created_at' | 'file'
>

function archivedHit({ nameOf }: Looking, by: FoundBy, row: FoundArchived): Hit {
  return hit('archivedOrder', by, row.id, {
    party: nameOf(row.merchant_id),
    state: row.status,
    at: formatInstant(row.created_at),
    note: row.file,
  })
}

type FoundWebhook = Pick<
  Row<'webhooks'>,
  'id' | 'order_id' | 'merchant_id' | 'order_status' | 'state' | 'created_at'
>

function webhookHit({ nameOf }: Looking, row: FoundWebhook): Hit {
  return hit('webhook', 'id', row.id, {
    party: nameOf(row.merchant_id),
    state: row.state,
    at: formatInstant(row.created_at),
    note: row.order_status,
    about: row.order_id,
  })
}

type FoundException = Pick<
  Row<'exceptions'>,
  'id' | 'kind' | 'state' | 'order_id' | 'amount' | 'asset' | 'opened_at'
>

function exceptionHit(by: FoundBy, row: FoundException): Hit {
  return hit('exception', by, row.id, {
    state: row.state,
    amount: row.amount,
    currency: row.asset,
    at: formatInstant(row.opened_at),
    note: row.kind,
    about: row.order_id,
  })
}

type FoundPayment = Pick<
  Row<'payments'>,
  'id' | 'party_id' | 'direction' | 'state' | 'amount_minor' | 'currency' | 'ordered_at'
>

function paymentHit({ nameOf }: Looking, by: FoundBy, row: FoundPayment): Hit {
  return hit('payment', by, row.id, {
    ...amountOf(row),
    party: nameOf(row.party_id),
    state: row.state,
    at: formatInstant(row.ordered_at),
    note: row.direction,
  })
}

type FoundLine = Pick<
  Row<'bank_entries'>,
  'bank' | 'direction' | 'reference' | 'kind' | 'subject_id' | 'amount_minor' | 'currency' | 'booked_at'
>

function lineHit(row: FoundLine): Hit {
  return hit('bankLine', 'reference', row.reference, {
    ...amountOf(row),
    state: row.kind,
    at: formatInstant(row.booked_at),
    note: `${row.bank}, ${row.direction}`,
    about: row.subject_id,
  })
}
