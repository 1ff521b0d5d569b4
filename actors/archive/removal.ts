/** The step that takes an archived order out of the database, and writes down what stays of it. */
import type { Instant } from '../../machines/time.ts'
import {
  type LockedRows,
  type Row,
  type RowRef,
  row,
  type Store,
  type Write,
} from '../../persistence/store.ts'
import { balancesOf, consumerDigest, type OrderRows } from './record.ts'

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
  const { rows, consumer } = removal
  const read = new Map<string, readonly [RowRef, object | null]>([
    ['order', [row('orders', { id: rows.order.id }), rows.order]],
    ['consumer', [row('consumers', { order_id: rows.order.id }), consumer]],
  ])
  const { foreign, quote } = rows
  if (foreign !== null) read.set('foreign', [row('foreign_orders', { order_id: foreign.order_id }), foreign])
  if (quote !== null) read.set('quote', [row('quotes', { id: quote.id }), quote])
  for (const it of rows.webhooks) read.set(`webhook ${it.id}`, [row('webhooks', { id: it.id }), it])
  for (const it of rows.exceptions) read.set(`exception ${it.id}`, [row('exceptions', { id: it.id }), it])
  for (const it of rows.deposits) read.set(`deposit ${it.id}`, [row('deposits', { id: it.id }), it])

  const refs: Record<string, RowRef> = {}
  for (const [name, [ref]] of read) refs[name] = ref
  for (const account of balancesOf(rows.postings).keys())
    refs[balanceName(account)] = row('archived_balances', { account_id: account })

  const result = await store.step({
    rows: refs,
    decide: (held, at) => {
      const isChanged = [...read].some(([name, [, before]]) => textOf(held[name]) !== textOf(before))
      if (isChanged) return { answer: false, writes: [] }
      return { answer: true, writes: [...deletions(rows), ...remains(removal, held, at)] }
    },
  })
  if (result.outcome === 'committed') return result.answer
  throw new Error(`The archiving of order ${rows.order.id} violated ${result.constraint}.`)
}

const balanceName = (account: string) => `balance ${account}`

/** One text for equal rows, whatever the order of their columns. */
function textOf(found: object | null | undefined): string {
  if (found === null || found === undefined) return ''
  return JSON.stringify(Object.entries(found).sort(byName), (_, value) =>
    typeof value === 'bigint' ? value.toString() : value,
  )
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1
}

/** Each row before those that it refers to. */
function deletions({ order, foreign, quote, ...rows }: OrderRows): Write[] {
  const { id } = order
  return [
    ...rows.attempts.map(
      ({ webhook_id, attempt }): Write => ({ delete: 'webhook_attempts', key: { webhook_id, attempt } }),
    ),
    ...rows.webhooks.map((webhook): Write => ({ delete: 'webhooks', key: { id: webhook.id } })),
    ...rows.exceptions.map((exception): Write => ({ delete: 'exceptions', key: { id: exception.id } })),
    ...rows.deposits.map(({ id: depositId }) => forgetDeposit(depositId)),
    ...rows.postings.map((posting): Write => ({ delete: 'postings', key: { id: posting.id } })),
    ...rows.journal.map(({ position }): Write => ({ delete: 'journal', key: { position } })),
    { delete: 'consumers', key: { order_id: id } },
    ...(foreign === null ? [] : [{ delete: 'foreign_orders', key: { order_id: id } } as const]),
    ...(quote === null ? [] : [{ delete: 'quotes', key: { id: quote.id } } as const]),
    { delete: 'orders', key: { id } },
  ]
}

/** It stays known, or the same transfer could be read from its chain again and be taken for new money. */
function forgetDeposit(id: string): Write {
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

function remains(
  { rows, consumer, file, digest, personalKey, journalKey }: Removal,
  held: LockedRows<Record<string, RowRef>>,
  at: Instant,
): Write[] {
  const { order } = rows
  const erasedAt = consumer?.erased_at ?? null
  const { id, code, merchant_id, merchant_order_id, direction, status, created_at } = order
  const { journal_count, journal_head } = order
  return [
    {
      insert: 'archived_orders',
      values: {
        ...{ id, code, merchant_id, merchant_order_id, direction, status, created_at },
        ...{ journal_count, journal_head, file, digest },
        reference: rows.foreign?.reference ?? null,
        archived_at: at,
        personal_key: erasedAt === null ? personalKey : null,
        email_digest: consumerDigest(journalKey, consumer?.email ?? ''),
        phone_digest: consumerDigest(journalKey, consumer?.phone_number ?? ''),
        erased_at: erasedAt,
      },
    },
    ...rows.journal.map(
      ({ position, hash }): Write => ({ insert: 'archived_entries', values: { position, hash } }),
    ),
    ...[...balancesOf(rows.postings)].map(([account, amount]): Write => {
      const { balance_minor: known }: { balance_minor?: unknown } = held[balanceName(account)] ?? {}
      if (typeof known !== 'bigint')
        return { insert: 'archived_balances', values: { account_id: account, balance_minor: amount } }
      const set = { balance_minor: known + amount }
      return { update: 'archived_balances', key: { account_id: account }, set }
    }),
  ]
}
