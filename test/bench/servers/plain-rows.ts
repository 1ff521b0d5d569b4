/**
 * The rows of an order and of what happens to it, written by hand: for the servers that do the node's work without
 * its architecture. They have the same columns and about the same bytes.
 */
import { createHmac, randomInt, randomUUID } from 'node:crypto'
import { merchant, networkId, provider } from './protocol.ts'

export type Row = Record<string, string | number | null>

const merchantId = randomUUID()
export const providerId = randomUUID()

const journalKey = 'the key of the journals in the bench'

export const accountIds = {
  available: `available:${merchantId}:MXN`,
  reserved: `reserved:${merchantId}:MXN`,
  provider: `provider:${providerId}:MXN`,
} as const

/** Of the provider and the merchant, before there is any order. */
export function parties(): { party: Row; credential: Row }[] {
  const of = (id: string, kind: string, name: string, key: string) => ({
    party: { id, kind, name, contact: '', created_at: 0 },
    credential: { key, party_id: id, secret_ciphertext: '', created_at: 0 },
  })
  return [
    of(merchantId, 'merchant', 'Bench Shop', merchant.key),
    of(providerId, 'provider', 'Bench Network', provider.key),
  ]
}

export function accounts(): Row[] {
  const owners = { available: merchantId, reserved: merchantId, provider: providerId }
  return Object.entries(owners).map(([kind, owner]) => ({
    id: `${kind}:${owner}:MXN`,
    kind,
    owner_id: owner,
    currency: 'MXN',
    balance_minor: kind === 'available' ? 9_000_000_000_000_000 : 0,
    posting_count: 0,
    first_open_day: '',
  }))
}

/** One side of a posting: an account, and which of its postings it is. */
export interface Side {
  account: string
  number: number
}

/** An order that is funded at once, as its row. */
export function newOrder(input: Record<string, string>, at: number): Row {
  const snapshot = {
    status: 'active',
    value: { open: 'READY' },
    historyValue: {},
    context: input,
    children: {},
  }
  const expiry = Date.parse(input.expiry ?? '')
  return {
    id: randomUUID(),
    code: Array.from({ length: 15 }, () => randomInt(10)).join(''),
    direction: 'PAY_OUT',
    order_type: input.order_type ?? '',
    merchant_id: merchantId,
    merchant_order_id: input.merchant_order_id ?? '',
    credential_key: merchant.key,
    country: input.country ?? '',
    price_minor: 100_000,
    currency: 'MXN',
    description: input.description ?? '',
    notify_url: input.notify_url ?? '',
    return_url: input.return_url ?? '',
    created_at: at,
    modified_at: at,
    expiry_at: expiry,
    due_at: expiry,
    paid_at: null,
    status: 'READY',
    lock_provider_id: null,
    lock_network_id: null,
    locked_at: null,
    locks: 0,
    revision: 2,
    journal_count: 0,
    journal_head: '',
    refusals: 0,
    webhook_count: 0,
    machine: 'payOutLocal',
    machine_version: 1,
    snapshot: JSON.stringify(snapshot),
  }
}

export function started(order: Row, at: number): void {
  Object.assign(order, {
    status: 'PAYMENT_STARTED',
    modified_at: at,
    lock_provider_id: providerId,
    lock_network_id: networkId,
    locked_at: at,
    locks: 1,
    revision: 3,
  })
}

export function confirmed(order: Row, at: number): void {
  Object.assign(order, {
    status: 'COMPLETED',
    modified_at: at,
    due_at: null,
    paid_at: at,
    revision: 4,
    webhook_count: 1,
  })
}

/** The columns of an order that change. */
export function changed(order: Row): Row {
  const { status, modified_at, due_at, paid_at, lock_provider_id, lock_network_id, locked_at } = order
  const { locks, revision, journal_count, journal_head, webhook_count, snapshot } = order
  const lock = { lock_provider_id, lock_network_id, locked_at, locks }
  const counts = { revision, journal_count, journal_head, webhook_count, snapshot }
  const row = { status, modified_at, due_at, paid_at, ...lock, ...counts }
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value ?? null]))
}

export interface Happened {
  event: object
  from: string | null
  actor: string
  key: string
  at: number
}

export const created = (at: number): Happened => ({
  event: { type: 'order.create' },
  from: null,
  actor: 'merchant:Bench Shop',
  key: merchant.key,
  at,
})

export const reserved = (at: number): Happened => ({
  event: { type: 'funds.reserve' },
  from: 'CREATED',
  actor: 'funding',
  key: '',
  at,
})

export const byProvider = (type: string, from: string, at: number): Happened => ({
  event: { type, providerId, networkId },
  from,
  actor: 'provider:Bench Network',
  key: provider.key,
  at,
})

/** The next entry of an order's journal, chained to the one before it; the order's row follows. */
export function nextEntry(order: Row, { event, from, actor, key, at }: Happened): Row {
  const entry = {
    order_id: order.id ?? null,
    sequence: Number(order.journal_count) + 1,
    entry_at: at,
    actor,
    credential_key: key,
    event_json: JSON.stringify(event),
    from_status: from,
    to_status: order.status ?? null,
    outcome: 'accepted',
  }
  const head = String(order.journal_head)
  const hash = createHmac('sha256', journalKey).update(head).update(JSON.stringify(entry)).digest('base64url')
  order.journal_count = entry.sequence
  order.journal_head = hash
  return { ...entry, hash }
}

export function postingOf(order: Row, kind: string, debit: Side, credit: Side, at: number): Row {
  const day = new Date(at).toISOString().slice(0, '2026-01-01'.length)
  return {
    kind,
    debit_account: debit.account,
    debit_number: debit.number,
    debit_day: day,
    credit_account: credit.account,
    credit_number: credit.number,
    credit_day: day,
    amount_minor: order.price_minor ?? null,
    currency: 'MXN',
    order_id: order.id ?? null,
    reference: null,
    posted_at: at,
  }
}

/** The answer to a start, as it is stored for whoever sends the same message again. */
export function storedAnswer(order: Row, digest: string, answer: string, at: number): Row {
  return {
    party_id: providerId,
    digest,
    order_id: order.id ?? null,
    revision: 3,
    answer_json: answer,
    accepted_at: at,
  }
}

export function webhookOf(order: Row, consumer: Row, at: number): Row {
  const url = String(order.notify_url)
  return {
    id: randomUUID(),
    order_id: order.id ?? null,
    merchant_id: merchantId,
    sequence: 1,
    order_status: 'COMPLETED',
    is_final: 1,
    url,
    host: new URL(url).host,
    body: JSON.stringify({ ...order, ...consumer, snapshot: undefined }),
    state: 'pending',
    created_at: at,
    due_at: at,
    attempts: 0,
    attempts_before: 0,
  }
}

/** What a provider is told. */
export function answerOf(order: Row, times: Row): string {
  return JSON.stringify({ price: '1000.00', price_currency: 'MXN', status: order.status, ...times })
}
