/** The step that takes an archived order out of the database, and writes down what stays of it. */
import type { Instant } from '../../machines/time.ts'
import {
  type LockedRows,
  type Row,
  row,
  rows,
  type Store,
  sharedRow,
  type Write,
} from '../../persistence/store.ts'
import { consumerDigest } from '../orders/consumer-digest.ts'
import { holdsClaim, isPaidFor, newRefundable } from '../orders/refunds.ts'
import { type OrderRows, sumsOf } from './record.ts'

export interface Removal {
  rows: OrderRows
  consumer: Row<'consumers'> | null
  /** Where its line is, and the line's seal. */
  file: string
  digest: string
  personalKey: string
  journalKey: string
}

/**
 * Removes the order if nothing of it has changed since it was read: then its line says all of it. A row that came
 * into being meanwhile refers to the order, and the database refuses to remove what is referred to.
 *
 * @returns false when something has changed: the line counts for nothing, and the order is read anew another time
 */
export async function removeOrder(store: Store, removal: Removal): Promise<boolean> {
  const read = removal.rows
  const result = await store.step({
    rows: rowsOf(read),
    decide: (held, at) => {
      if (textOf(held) !== textOf(asRead(removal, held))) return { answer: false, writes: [] }
      const writes = [...deletions(read), ...remains(removal, held, at), ...refundableAfter(read, held)]
      return { answer: true, writes }
    },
  })
  if (result.outcome === 'committed') return result.answer
  throw new Error(`The archiving of order ${read.order.id} violated ${result.constraint}.`)
}

function rowsOf(read: OrderRows) {
  const { order, foreign, quote } = read
  const payIn = order.direction === 'PAY_IN' ? order.id : order.refund_of
  const ids = (found: readonly { id: string }[]) => found.map(({ id }) => ({ id }))
  const accounts = [...sumsOf(read.postings).keys()]
  return {
    order: row('orders', { id: order.id }),
    consumer: row('consumers', { order_id: order.id }),
    foreign: foreign === null ? undefined : row('foreign_orders', { order_id: foreign.order_id }),
    quote: quote === null ? undefined : row('quotes', { id: quote.id }),
    webhooks: rows('webhooks', ids(read.webhooks)),
    exceptions: rows('exceptions', ids(read.exceptions)),
    deposits: rows('deposits', ids(read.deposits)),
    refundable: payIn === null ? undefined : row('refundable', { pay_in_id: payIn }),
    claimed: sharedRow('claimed_orders', { order_id: order.id }),
    balances: rows(
      'archived_balances',
      accounts.map((account_id) => ({ account_id })),
    ),
  }
}

type Held = LockedRows<ReturnType<typeof rowsOf>>

/** What the step would hold if nothing had changed; sums of the archive, of refunds and of claims may change at any time. */
function asRead({ rows: read, consumer }: Removal, { balances, claimed, refundable }: Held) {
  const { order, foreign, quote, webhooks, exceptions, deposits } = read
  return { order, consumer, foreign, quote, webhooks, exceptions, deposits, refundable, claimed, balances }
}

/** One text for equal rows, whatever the order of their columns. */
function textOf(found: object): string {
  return JSON.stringify(found, (_, value) => {
    if (typeof value === 'bigint') return value.toString()
    const isRow = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isRow ? Object.fromEntries(Object.entries(value).sort(byName)) : value
  })
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1
}

/** Each row before those that it refers to. */
function deletions({ order, foreign, quote, ...others }: OrderRows): Write[] {
  const { id } = order
  return [
    ...others.attempts.map(
      ({ webhook_id, attempt }): Write => ({ delete: 'webhook_attempts', key: { webhook_id, attempt } }),
    ),
    ...others.webhooks.map((webhook): Write => ({ delete: 'webhooks', key: { id: webhook.id } })),
    ...others.exceptions.map((exception): Write => ({ delete: 'exceptions', key: { id: exception.id } })),
    ...others.deposits.map(({ id: chainDepositId }) => forgetChainDeposit(chainDepositId)),
    ...others.postings.map((posting): Write => ({ delete: 'postings', key: { id: posting.id } })),
    ...others.journal.map(({ position }): Write => ({ delete: 'journal', key: { position } })),
    ...(others.references ?? []).map((key): Write => ({ delete: 'network_references', key })),
    { delete: 'consumers', key: { order_id: id } },
    ...(foreign === null ? [] : [{ delete: 'foreign_orders', key: { order_id: id } } as const]),
    ...(quote === null ? [] : [{ delete: 'quotes', key: { id: quote.id } } as const]),
    { delete: 'orders', key: { id } },
  ]
}

/** It stays known, or the same transfer could be read from its chain again and be taken for new money. */
function forgetChainDeposit(id: string): Write {
  return {
    update: 'deposits',
    key: { id },
    set: {
      order_id: null,
      credited_minor: 0n,
      outcome: 'archived',
      sender: null,
      references_json: '[]',
      flags_json: '[]',
      evidence_json: '{}',
    },
  }
}

/** A pay-in can be given back when it is in the archive, and a refund there still counts. */
function refundableAfter({ order, exceptions }: OrderRows, { claimed, refundable }: Held): Write[] {
  if (order.direction === 'PAY_IN') {
    if (refundable !== null || !isPaidFor(order, exceptions, claimed)) return []
    return [{ insert: 'refundable', values: newRefundable(order, claimed) }]
  }
  if (order.refund_of === null || !holdsClaim(order, exceptions, claimed)) return []
  if (refundable === null) throw new Error(`What refund ${order.id} has claimed of is gone.`)
  const archived_minor = refundable.archived_minor + order.price_minor
  return [{ update: 'refundable', key: { pay_in_id: order.refund_of }, set: { archived_minor } }]
}

function remains(
  { rows: read, consumer, file, digest, personalKey, journalKey }: Removal,
  { balances }: Held,
  at: Instant,
): Write[] {
  const { order } = read
  const erasedAt = consumer?.erased_at ?? null
  const { id, code, merchant_id, merchant_order_id, direction, status, created_at } = order
  const { journal_count, journal_head } = order
  return [
    {
      insert: 'archived_orders',
      values: {
        ...{ id, code, merchant_id, merchant_order_id, direction, status, created_at },
        ...{ journal_count, journal_head, file, digest },
        reference: read.foreign?.reference ?? null,
        archived_at: at,
        personal_key: erasedAt === null ? personalKey : null,
        email_digest: consumerDigest(journalKey, consumer?.email ?? ''),
        phone_digest: consumerDigest(journalKey, consumer?.phone_number ?? ''),
        erased_at: erasedAt,
      },
    },
    ...read.journal.map(
      ({ position, hash }): Write => ({ insert: 'archived_entries', values: { position, hash } }),
    ),
    ...[...sumsOf(read.postings)].map(([account, { minor, count }], index): Write => {
      const known = balances[index] ?? null
      if (known === null) {
        const values = { account_id: account, balance_minor: minor, posting_count: count }
        return { insert: 'archived_balances', values }
      }
      const set = {
        balance_minor: known.balance_minor + minor,
        posting_count: known.posting_count + count,
      }
      return { update: 'archived_balances', key: { account_id: account }, set }
    }),
  ]
}
