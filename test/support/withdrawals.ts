/** A shop that is settled on request, and what it asks for. */
import * as assert from 'uvu/assert'
import type { Answer, MessageGuard } from '../../actors/orders/answers.ts'
import {
  type AskedWithdrawal,
  type Withdrawal,
  type WithdrawalOutcome,
  withdraw,
} from '../../actors/settlement/withdrawing.ts'
import { readStatementFindings } from '../../actors/verification/statements.ts'
import { openReader } from '../../persistence/index.ts'
import type { Row, Store } from '../../persistence/store.ts'
import { type OrderWorld, shop } from './order-world.ts'
import { agree, closerOf } from './statement-world.ts'

const days = ['2026-03-01', '2026-03-02', '2026-03-03', '2026-03-04']
const onRequest = { every_json: '"request"', account: 'CLABE 1', account_from_at: 0 }
const answer = ({ plan }: Withdrawal): Answer => ({ status: 201, body: `statement ${plan.number}` })

/** A shop that is settled on request, with so much available. */
export async function shopWith(
  world: OrderWorld,
  amountMinor: bigint,
  changes: Partial<Row<'settlement_terms'>> = {},
): Promise<void> {
  await agree(world.store, shop.id, days, { ...onRequest, ...changes })
  if (amountMinor > 0n) await world.deposit(amountMinor)
}

export function message(guard: Partial<MessageGuard> = { digest: 'signed once' }) {
  return { guard: { partyId: shop.id, bindsRevision: false, ...guard }, answer }
}

export function ask(
  world: OrderWorld,
  asked: Partial<AskedWithdrawal> = {},
  { store = world.store, isTrusted = () => true }: { store?: Store; isTrusted?: () => boolean } = {},
): Promise<WithdrawalOutcome> {
  const { orders, clock } = world
  const all = { merchantId: shop.id, currency: 'MXN', amountMinor: null, ...asked }
  return withdraw({ store, orders, clock, isTrusted }, all)
}

/** `withdrawn NUMBER AMOUNT`, or why not. */
export function ending(done: WithdrawalOutcome): string {
  switch (done.outcome) {
    case 'withdrawn':
      return `statement ${done.withdrawal.plan.number}, ${done.withdrawal.plan.sweptMinor}`
    case 'refused':
      return Object.values(done.refusal).join(' ')
    case 'repeated':
      return `again: ${done.answer.body}`
    default:
      return done.outcome
  }
}

export async function assertBooks(world: OrderWorld): Promise<void> {
  const closer = closerOf(world)
  await closer.pass()
  assert.equal(closer.errors, [])
  const reader = await openReader(world.url)
  try {
    assert.equal((await readStatementFindings(reader)).problems, [])
  } finally {
    await reader.close()
  }
  const accounts = await world.rows('accounts')
  assert.is(
    accounts.reduce((sum, { balance_minor }) => sum + balance_minor, 0n),
    0n,
  )
  for (const one of await world.rows('statements')) assert.is.not(one.sealed_at, null)
}

/** What could have been written by it. */
export async function written(world: OrderWorld) {
  return [
    await world.rows('accounts'),
    await world.rows('postings'),
    await world.rows('statements'),
    await world.rows('statement_books'),
    await world.rows('idempotency_keys'),
    await world.rows('repeated_messages'),
  ]
}
