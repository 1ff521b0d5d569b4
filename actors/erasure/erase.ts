/**
 * Erases what an order holds of its consumer, wherever the database has it: their own fields, the bodies of webhooks,
 * what receivers answered, and the answer to the creation as long as it is kept.
 *
 * The journal and the ledger never had any of it, so nothing that proves the order changes.
 */

import type { OrderStatus } from '../../machines/statuses.ts'
import { isOpen } from '../../machines/statuses.ts'
import type { Instant } from '../../machines/time.ts'
import { attemptRowsOf, webhookRowsOf } from '../../persistence/queries/archive.ts'
import { claimsOfOrderRows, evidenceOfOrder } from '../../persistence/queries/claims.ts'
import { creationAnswersOf, orderById } from '../../persistence/queries/orders.ts'
import { noPersonalData } from '../../persistence/schema.ts'
import { type Row, type RowRef, row, rows, type Store, type Write } from '../../persistence/store.ts'
import { erasureOf as evidenceErasureOf } from '../claims/evidence.ts'
import { recordSettlement } from '../orders/advance.ts'
import type { Answer } from '../orders/answers.ts'
import type { Actor } from '../orders/journal.ts'

export interface ErasureContext {
  store: Store
  journalKey: string
  operator: Extract<Actor, { kind: 'operator' }>
}

export type Erased =
  /** `isNew` where they were there until now. */
  | { ok: true; isNew: boolean }
  /** Its consumer's data are still needed. */
  | { ok: false; reason: 'open'; status: OrderStatus }
  /** One of its webhooks is on its way, and what is answered to it is not here yet. */
  | { ok: false; reason: 'being_sent' }
  /** It was archived, or there never was one. */
  | { ok: false; reason: 'gone' }

export async function eraseOrder(context: ErasureContext, orderId: string): Promise<Erased> {
  for (;;) {
    const erased = await eraseOnce(context, orderId)
    if (erased !== 'told_meanwhile') return erased
  }
}

/** @returns `told_meanwhile` where a claim about the order may have got evidence that was not read. */
async function eraseOnce(
  { store, journalKey, operator }: ErasureContext,
  orderId: string,
): Promise<Erased | 'told_meanwhile'> {
  const { rows: found, attempts } = await personalRows(store, orderId)
  const told = await store.query(claimsOfOrderRows, { orderId })
  const evidence = await store.query(evidenceOfOrder, { orderId })
  const result = await store.step({
    rows: {
      ...found,
      claims: rows(
        'claims',
        told.map(({ id }) => ({ id })),
      ),
    },
    decide: (
      { order, consumer, claims, ...others },
      at,
    ): { answer: Erased | 'told_meanwhile'; writes: Write[] } => {
      const isSame = claims.every((claim) =>
        told.some((one) => one.id === claim?.id && one.revision === claim.revision),
      )
      if (!isSame) return { answer: 'told_meanwhile', writes: [] }
      if (order === null) return { answer: { ok: false, reason: 'gone' }, writes: [] }
      if (isOpen(order.status))
        return { answer: { ok: false, reason: 'open', status: order.status }, writes: [] }
      if (consumer !== null && consumer.erased_at !== null)
        return { answer: { ok: true, isNew: false }, writes: [] }
      const writes = Object.values<Other | null>(others).map((found) => erasureOf(found, attempts))
      if (writes.includes('being_sent')) return { answer: { ok: false, reason: 'being_sent' }, writes: [] }
      const key = { order_id: orderId }
      const erased = { ...noPersonalData, erased_at: at }
      return {
        answer: { ok: true, isNew: true },
        writes: [
          consumer === null
            ? { insert: 'consumers', values: { ...key, ...erased } }
            : { update: 'consumers', key, set: erased },
          ...writes.filter((write) => write !== null && write !== 'being_sent'),
          ...evidence.flatMap(evidenceErasureOf),
          ...recordSettlement(journalKey, order, { type: 'personal.erase', at }, operator),
        ],
      }
    },
  })
  if (result.outcome === 'committed') return result.answer
  throw new Error(`The erasure of order ${orderId} violated ${result.constraint}.`)
}

/** An archived order's data open with a key that is in the database alone: without it every copy of them is erased. */
export async function eraseArchivedOrder(store: Store, id: string): Promise<{ isNew: boolean }> {
  const evidence = await store.query(evidenceOfOrder, { orderId: id })
  const result = await store.step({
    rows: { archived: row('archived_orders', { id }) },
    decide: ({ archived }, at): { answer: { isNew: boolean }; writes: Write[] } => {
      if (archived === null) throw new Error(`The archived order ${id} is gone.`)
      if (archived.erased_at !== null) return { answer: { isNew: false }, writes: [] }
      const set = { personal_key: null, email_digest: null, phone_digest: null, erased_at: at }
      return {
        answer: { isNew: true },
        writes: [{ update: 'archived_orders', key: { id }, set }, ...evidence.flatMap(evidenceErasureOf)],
      }
    },
  })
  if (result.outcome === 'committed') return result.answer
  throw new Error(`The erasure of the archived order ${id} violated ${result.constraint}.`)
}

type PersonalRefs = {
  order: RowRef<'orders'>
  consumer: RowRef<'consumers'>
  [other: `webhook ${string}`]: RowRef<'webhooks'>
  [other: `attempt ${string}`]: RowRef<'webhook_attempts'>
  [other: `answer ${string}`]: RowRef<'idempotency_keys'>
}

/** How often each webhook had been tried when its attempts were read: a later one may have left an answer. */
type Attempts = ReadonlyMap<string, number>

/** A final order gets no further webhooks, so that these are all. */
async function personalRows(
  store: Store,
  orderId: string,
): Promise<{ rows: PersonalRefs; attempts: Attempts }> {
  const refs: PersonalRefs = {
    order: row('orders', { id: orderId }),
    consumer: row('consumers', { order_id: orderId }),
  }
  const webhooks = await store.query(webhookRowsOf, { orderId })
  for (const { id } of webhooks) refs[`webhook ${id}`] = row('webhooks', { id })
  for (const { webhook_id, attempt } of await store.query(attemptRowsOf, { orderId }))
    refs[`attempt ${webhook_id} ${attempt}`] = row('webhook_attempts', { webhook_id, attempt })
  const [order] = await store.query(orderById, { id: orderId })
  const createdAt: Instant = order?.created_at ?? 0
  for (const { party_id, key } of await store.query(creationAnswersOf, { orderId, createdAt }))
    refs[`answer ${key}`] = row('idempotency_keys', { party_id, key })
  return { rows: refs, attempts: new Map(webhooks.map((webhook) => [webhook.id, webhook.attempts])) }
}

type Other = Row<'webhooks'> | Row<'webhook_attempts'> | Row<'idempotency_keys'>

function erasureOf(found: Other | null, attempts: Attempts): Write | 'being_sent' | null {
  if (found === null) return null
  if ('body' in found) {
    if (found.lease_until_at !== null || found.attempts !== attempts.get(found.id)) return 'being_sent'
    const { id, body } = found
    return body === '' ? null : { update: 'webhooks', key: { id }, set: { body: withoutConsumer(body) } }
  }
  if ('attempt' in found) {
    const { webhook_id, attempt, answer } = found
    return answer === null
      ? null
      : { update: 'webhook_attempts', key: { webhook_id, attempt }, set: { answer: null } }
  }
  const { party_id, key, answer_json } = found
  const stored: Answer = JSON.parse(answer_json)
  const answer = { ...stored, body: withoutConsumer(stored.body) }
  return {
    update: 'idempotency_keys',
    key: { party_id, key },
    set: { answer_json: JSON.stringify(answer) },
  }
}

/** The order as it was told, with its consumer's fields as those that were not sent. */
function withoutConsumer(body: string): string {
  const order: object = JSON.parse(body)
  return JSON.stringify({ ...order, consumer_email: '', consumer_phone_number: '' })
}
