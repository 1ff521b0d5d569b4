/** What must hold of every order, journal, balance and webhook after every step. */
import * as assert from 'uvu/assert'
import { chainHash } from '../../actors/orders/journal.ts'
import { representOrder } from '../../actors/orders/representation.ts'
import type { OrderContext } from '../../machines/order.ts'
import { isOpen, orderStatuses } from '../../machines/statuses.ts'
import { accountId, type Row } from '../../persistence/store.ts'
import { checkoutUrl, journalKey, type OrderWorld } from './order-world.ts'

export async function assertInvariants(world: OrderWorld): Promise<void> {
  const orders = await world.rows('orders')
  const postings = await world.rows('postings')
  const journal = await world.rows('journal')
  const webhooks = await world.rows('webhooks')
  const waiting = await world.rows('funding_requests')
  const exceptions = await world.rows('exceptions')
  assertBalances(await world.rows('accounts'), postings)
  for (const order of orders) {
    const ofOrder = <T extends { order_id: string | null }>(rows: T[]) =>
      rows.filter(({ order_id }) => order_id === order.id)
    assertMoney(order, ofOrder(postings), ofOrder(exceptions))
    assertJournal(order, ofOrder(journal))
    assertWebhooks(order, ofOrder(webhooks))
    assertSnapshot(order)
    const waits = order.status === 'CREATED' ? 1 : 0
    assert.is(ofOrder(waiting).length, waits, `${order.status} waits for funds ${waits} times`)
  }
}

/** Balance = credits − debits; a currency's balances sum to zero; what merchants own is never below it. */
function assertBalances(accounts: readonly Row<'accounts'>[], postings: readonly Row<'postings'>[]): void {
  const recomputed = new Map<string, bigint>()
  const add = (account: string, amount: bigint) =>
    recomputed.set(account, (recomputed.get(account) ?? 0n) + amount)
  for (const { debit_account, credit_account, amount_minor } of postings) {
    add(debit_account, -amount_minor)
    add(credit_account, amount_minor)
  }
  const sums = new Map<string, bigint>()
  for (const { id, kind, currency, balance_minor } of accounts) {
    assert.is(balance_minor, recomputed.get(id), `the balance of ${id} is the sum of its postings`)
    if (kind === 'available' || kind === 'reserved') assert.ok(balance_minor >= 0n, `${id} is below zero`)
    sums.set(currency, (sums.get(currency) ?? 0n) + balance_minor)
  }
  for (const [currency, sum] of sums) assert.is(sum, 0n, `the sum of ${currency}`)
  for (const { kind, owner_id, currency, balance_minor } of accounts) {
    if (kind !== 'debt') continue
    assert.ok(balance_minor <= 0n, `${owner_id} owes less than nothing`)
    const available = accounts.find(({ id }) => id === `available:${owner_id}:${currency}`)
    const isEven = balance_minor === 0n || (available?.balance_minor ?? 0n) === 0n
    assert.ok(isEven, `${owner_id} has ${available?.balance_minor} available and owes ${-balance_minor}`)
  }
}

/** An order's money is in exactly one place: where its status says, to its price. */
function assertMoney(
  order: Row<'orders'>,
  postings: readonly Row<'postings'>[],
  exceptions: readonly Row<'exceptions'>[],
): void {
  const net = new Map<string, bigint>()
  for (const { debit_account, credit_account, amount_minor } of postings) {
    net.set(debit_account, (net.get(debit_account) ?? 0n) - amount_minor)
    net.set(credit_account, (net.get(credit_account) ?? 0n) + amount_minor)
  }
  const moved = [...net].filter(([, amount]) => amount !== 0n).sort(([a], [b]) => (a < b ? -1 : 1))
  const expected = expectedMoves(order, placeOf(order, exceptions))
  assert.equal(moved, expected, `the money of a ${order.direction} in ${order.status}`)
}

/** By account, in their order; `place` holds what the merchant gave, or is the provider that is credited. */
function expectedMoves(order: Row<'orders'>, place: string | null): [string, bigint][] {
  if (place === null) return []
  const { currency, merchant_id, lock_provider_id, price_minor: price } = order
  const {
    fee_minor: fee,
    fee_tax_minor: tax,
    commission_minor: earned,
    commission_tax_minor: credited,
  } = order
  const of = (kind: Row<'accounts'>['kind'], owner: string | null) =>
    accountId({ kind, ownerId: owner ?? '', currency })
  const sign = order.direction === 'PAY_OUT' ? 1n : -1n
  const available: [string, bigint] = [of('available', merchant_id), -sign * price - fee - tax]
  const all: [string, bigint][] = place.startsWith('provider:')
    ? [
        available,
        [place, sign * price + earned + credited],
        [of('fee', merchant_id), fee],
        [of('tax_collected', merchant_id), tax],
        [of('fee', lock_provider_id), -earned],
        [of('tax_credited', lock_provider_id), -credited],
      ]
    : [available, [place, price + fee + tax]]
  return all.filter(([, amount]) => amount !== 0n).sort(([a], [b]) => (a < b ? -1 : 1))
}

/** The account that holds (of a pay-in: that owes) the price; `null` where nothing is out of its place. */
function placeOf(order: Row<'orders'>, exceptions: readonly Row<'exceptions'>[]): string | null {
  const { merchant_id, lock_provider_id, currency } = order
  const { isReserved } = contextOf(order)
  const provider = accountId({ kind: 'provider', ownerId: lock_provider_id ?? '', currency })
  const resolutions = exceptions.map(({ resolution }) => resolution)
  if (resolutions.includes('honour')) return provider
  if (order.direction === 'PAY_IN') return order.status === 'COMPLETED' ? provider : null
  switch (order.status) {
    case 'CREATED':
      return null
    case 'READY':
    case 'PAYMENT_STARTED':
      return accountId({ kind: 'reserved', ownerId: merchant_id, currency })
    case 'COMPLETED':
      return provider
    case 'CANCELLED':
    case 'EXPIRED':
      return isReserved && lock_provider_id !== null && !resolutions.includes('return')
        ? accountId({ kind: 'suspense', ownerId: merchant_id, currency })
        : null
  }
}

/** The chain from '' to the order's head, one entry after the other, each beginning where the last one ended. */
export function assertJournal(order: Row<'orders'>, entries: readonly Row<'journal'>[]): void {
  const inOrder = entries.toSorted((a, b) => a.sequence - b.sequence)
  let head = ''
  let status: Row<'journal'>['from_status'] = null
  for (const [index, { hash, ...entry }] of inOrder.entries()) {
    assert.is(entry.sequence, index + 1)
    assert.is(chainHash(journalKey, head, entry), hash, `the hash of entry ${entry.sequence}`)
    assert.is(entry.from_status, status)
    if (entry.outcome !== 'accepted') assert.is(entry.to_status, status, 'a refusal moves nothing')
    head = hash
    status = entry.to_status
  }
  const accepted = inOrder.filter(({ outcome }) => outcome === 'accepted').length
  const refused = inOrder.length - accepted
  assert.equal([order.journal_count, order.journal_head, order.status], [inOrder.length, head, status])
  assert.is(order.revision, accepted, 'the revision counts accepted events')
  assert.is(refused, Math.min(order.refusals, 20), 'twenty refusals are written down, and all are counted')
  const completions = inOrder.filter(
    (one) => one.to_status === 'COMPLETED' && one.from_status !== 'COMPLETED',
  )
  assert.ok(completions.length <= 1, 'an order is completed at most once')
}

/** A finished order has one final webhook, an open one has none; its body is the order as it ended. */
function assertWebhooks(order: Row<'orders'>, webhooks: readonly Row<'webhooks'>[]): void {
  assert.is(webhooks.length, order.webhook_count)
  const finals = webhooks.filter(({ is_final }) => is_final === 1)
  assert.is(finals.length, isOpen(order.status) ? 0 : 1, `final webhooks of an order in ${order.status}`)
  for (const webhook of finals) {
    assert.equal([webhook.order_status, webhook.url], [order.status, order.notify_url])
    const { consumer_email, consumer_phone_number, ...body } = JSON.parse(webhook.body)
    const {
      consumer_email: _,
      consumer_phone_number: __,
      ...present
    } = representOrder(order, { consumer: null, foreign: null }, checkoutUrl)
    assert.equal(body, present)
    assert.type(consumer_email, 'string')
    assert.type(consumer_phone_number, 'string')
  }
}

/** The columns repeat what the snapshot says. */
function assertSnapshot(order: Row<'orders'>): void {
  const { value } = JSON.parse(order.snapshot)
  const status = typeof value === 'string' ? value : value.open
  const { lock, locks, paidAt, modifiedAt } = contextOf(order)
  assert.ok(orderStatuses.includes(status))
  assert.equal(
    [status, lock?.providerId ?? null, lock?.networkId ?? null, lock?.at ?? null, locks, paidAt, modifiedAt],
    [
      order.status,
      order.lock_provider_id,
      order.lock_network_id,
      order.locked_at,
      order.locks,
      order.paid_at,
      order.modified_at,
    ],
  )
}

function contextOf(order: Row<'orders'>): OrderContext {
  return JSON.parse(order.snapshot).context
}
