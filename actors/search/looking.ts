/** What is looked up for each thing that a text may be, and what is told of what was found. */
import { formatPrice } from '../../machines/money.ts'
import { formatInstant } from '../../machines/time.ts'
import { likeness } from '../../machines/written-names.ts'
import { partyNames } from '../../persistence/queries/provisioning.ts'
import * as search from '../../persistence/queries/search.ts'
import type { PartyKind } from '../../persistence/schema.ts'
import { consumerDigest, emailDigest, isSamePhone, phoneDigest, spelling } from '../orders/consumer-digest.ts'
import type { OrderContext } from '../orders/operations.ts'
import {
  amountOf,
  archivedHit,
  exceptionHit,
  type Hit,
  hit,
  type Looking,
  lineHit,
  mostOfEach,
  orderHits,
  paymentHit,
  webhookHit,
} from './hits.ts'
import type { Sought } from './written.ts'

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
    byPhone(looking, sought),
    byTransaction(looking, sought),
    byReference(looking, sought),
    byNumber(looking, sought),
    byAmount(looking, sought),
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

/** Its last digits may be those of others as well: more are read than are shown. */
async function byPhone(looking: Looking, { phone }: Sought): Promise<Hit[]> {
  const { store, journalKey } = looking.context
  const digest = phoneDigest(journalKey, phone ?? '')
  if (phone === undefined || digest === null) return []
  const found = await store.query(search.ordersByPhone, { digest, limit: 10 * mostOfEach })
  const digits = phone.replace(/\D/g, '')
  const whole = (text: string) => consumerDigest(journalKey, text) ?? ''
  const archived = await store.query(search.archivedByPhone, {
    ...{ written: whole(phone), digits: whole(digits), whole: whole(`+${digits}`) },
    limit: mostOfEach,
  })
  const theirs = found.filter(({ phone_number }) => isSamePhone(phone_number, phone))
  return [
    ...(await orderHits(looking, 'phone', theirs.slice(0, mostOfEach))),
    ...archived.map((row) => archivedHit(looking, 'phone', row)),
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

/** The newest ones: many orders may be of one amount. */
async function byAmount(looking: Looking, { amount }: Sought): Promise<Hit[]> {
  if (amount === undefined) return []
  const asked = { ...amount, limit: mostOfEach }
  return orderHits(looking, 'amount', await looking.context.store.query(search.ordersByAmount, asked))
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
