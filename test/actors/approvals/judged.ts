/** Every operation that may take two people, with a world in which it does something: one that lacks its line does not compile. */

import { claimAnswer } from '../../../actors/claims/telling-operations.ts'
import type { JudgedOperation } from '../../../actors/operations/approval-rules.ts'
import { depositAdd } from '../../../actors/operations/deposits.ts'
import { partyFreeze } from '../../../actors/parties/operations.ts'
import { findReportedDay } from '../../../actors/reconciliation/report-day.ts'
import { bankRecord } from '../../../actors/settlement/bank-entries.ts'
import { conversionRecord } from '../../../actors/settlement/conversion-operations.ts'
import { paymentBook, paymentOrder } from '../../../actors/settlement/payment-operations.ts'
import { camtEntry, camtStatement } from '../../support/camt.ts'
import { exchange, leave } from '../../support/exchanged.ts'
import { playForeign } from '../../support/foreign-orders.ts'
import { operatorOf } from '../../support/operations.ts'
import { commit, type OrderWorld, shop, tills } from '../../support/order-world.ts'
import { close } from '../../support/payment-world.ts'
import { paid, readyOrders, restored } from '../../support/provider-reports.ts'
import type { filesOf } from '../../support/reported-day.ts'
import { claimOf, expiredWhileHeld, paidIn } from '../claims/claimed.ts'

export type WorldWithFiles = OrderWorld & ReturnType<typeof filesOf>

/** What is there before thresholds are; then the input. */
export interface Judged {
  prepare(world: WorldWithFiles): Promise<Record<string, unknown>>
  /** What it does moves nothing, so that one person does it, whatever the thresholds. */
  movesNothing?: true
}

const reason = 'as agreed'
const password = 'a long and quiet night'

const openException = async (world: OrderWorld) =>
  (await world.rows('exceptions')).find(({ state }) => state === 'open')?.id ?? ''

const due = (world: OrderWorld) => close(world, shop.id, { number: 1, dueMinor: 10_000n })

async function ordered(world: OrderWorld): Promise<string> {
  await due(world)
  const { payment } = await operatorOf(world).ask(paymentOrder, { party: 'Shop', bank: 'main', reason })
  return payment.id
}

async function reportOf({ reports, uploads, ...world }: WorldWithFiles): Promise<string> {
  const [order] = await readyOrders(world, 1)
  await restored(world, ['B'])
  const lines = ['order,outcome,amount,paid_at,reference', paid(world, order?.code ?? '')].join('\r\n')
  const day = new Date(world.clock.now()).toISOString().slice(0, 10)
  const found = await findReportedDay(world.store, { provider: 'Network A', network: '000A', day })
  const { run } = await reports.begin(found, uploads.add(lines).id, 'ana')
  await reports.settled(run)
  return run
}

function statementFile({ uploads }: WorldWithFiles): string {
  const inner = camtEntry('CRDT', '10.00', 'A')
  return uploads.add(camtStatement({ opening: '0.00', closing: '10.00', inner })).id
}

async function sent(world: OrderWorld): Promise<string> {
  const foreign = playForeign(world)
  const units = 1_000_000n
  await exchange(foreign, { chain: 'SOLANA', units: 100n * units, minor: 170_000n })
  await leave(foreign, 'tx-1', { chain: 'SOLANA', units: 10n * units })
  return 'tx-1'
}

const line = (prepare: Judged['prepare']): Judged => ({ prepare })
const of = (input: Record<string, unknown>): Judged => line(async () => input)
const fee = { direction: 'PAY_IN', from: '2026-04-01', bps: 100, reason }

export const judged: Readonly<Record<JudgedOperation, Judged>> = {
  apply: of({ merchants: [{ name: 'Shop', contact: 'other@shop.example' }] }),
  'order.confirm': line(async (world) => {
    const order = await world.order({ direction: 'PAY_IN', priceMinor: 43_800n })
    await world.start(order.id, 'A')
    return { id: order.id, provider: 'Network A', reason }
  }),
  'reconciliation.apply': line(async (world) => ({ run: await reportOf(world) })),
  'reconciliation.bank': line(async (world) => ({ bank: 'main', file: statementFile(world) })),
  'reconciliation.book': line(async (world) => {
    const run = world.statements.begin(
      { name: 'main', currency: 'MXN', statement_json: null },
      statementFile(world),
      {
        operator: 'ana',
        dryRun: true,
      },
    )
    await world.statements.settled(run)
    return { run }
  }),
  'claim.accept': line(async (world) => {
    const { number } = await claimOf(world, await paidIn(world), 'twice')
    await operatorOf(world).ask(claimAnswer, { number, as: 'agrees', reason })
    return { number, reason }
  }),
  'claim.uphold': line(async (world) => ({
    number: (await claimOf(world, await paidIn(world), 'twice')).number,
    reason,
  })),
  'claim.reject': {
    ...line(async (world) => ({
      number: (await claimOf(world, await paidIn(world), 'twice')).number,
      reason,
    })),
    movesNothing: true,
  },
  'party.unfreeze': line(async (world) => {
    await operatorOf(world).ask(partyFreeze, { name: 'Shop', reason })
    return { name: 'Shop', reason }
  }),
  'terms.setFee': of({ merchant: 'Shop', country: 'MX', currency: 'MXN', ...fee }),
  'terms.setCommission': line(async (world) => {
    const key = { network_id: '000A' }
    await commit(world.store, [{ update: 'networks', key, set: { currency: 'MXN' } }])
    return { provider: 'Network A', network: '000A', ...fee }
  }),
  'terms.setSettlement': of({ party: 'Shop', kind: 'merchant', currency: 'MXN', keep: '5.00', reason }),
  'terms.setExposure': of({ provider: 'Network A', currency: 'MXN', limit: '500.00', reason }),
  'terms.setNetwork': of({ provider: 'Network A', network: '000A', hours: '8–22 h', reason }),
  'calendar.import': of({ name: 'mx', text: 'date,note\n2026-12-25,Navidad\n' }),
  'rate.accept': line(async (world) => {
    const key = { blockchain: 'SOLANA', send_currency: 'USDC', country: 'MX', target_currency: 'MXN' }
    const doubt_json = JSON.stringify({ rate: '20', at: 1, readingJson: null })
    await commit(world.store, [
      {
        insert: 'rates',
        values: { ...key, rate: '17', fee_fixed: '0', fee_bps: 0, updated_at: 1, doubt_json },
      },
    ])
    return { blockchain: 'SOLANA', send: 'USDC', country: 'MX', target: 'MXN', rate: '20', reason }
  }),
  'webhook.switchKey': of({ merchant: 'Shop', key: shop.credential }),
  'webhook.rotateSecret': of({ merchant: 'Shop' }),
  'exception.resolve': line(async (world) => {
    await expiredWhileHeld(world, 'PAY_IN')
    return { id: await openException(world), as: 'honour', reason }
  }),
  'deposit.add': of({ merchant: 'Shop', reference: 'D 1', amount: '5.00', currency: 'MXN', reason }),
  'deposit.reverse': line(async (world) => {
    const deposit = { merchant: 'Shop', reference: 'D 1', amount: '5.00', currency: 'MXN', reason }
    await operatorOf(world).ask(depositAdd, deposit)
    return { merchant: 'Shop', reference: 'D 1', reason }
  }),
  'payment.due': line(async (world) => {
    await due(world)
    await close(world, tills.A.id, { number: 1, dueMinor: 7_000n })
    return { order: true, bank: 'main' }
  }),
  'payment.order': line(async (world) => {
    await due(world)
    return { party: 'Shop', bank: 'main', reason }
  }),
  'payment.sent': { ...line(async (world) => ({ id: await ordered(world), reason })), movesNothing: true },
  'payment.book': line(async (world) => ({ id: await ordered(world), reference: 'OUT 1', reason })),
  'payment.return': line(async (world) => {
    const id = await ordered(world)
    await operatorOf(world).ask(paymentBook, { id, reference: 'OUT 1', reason })
    return { id, reference: 'BACK 1', reason }
  }),
  'payment.receive': of({ party: 'Shop', bank: 'main', reference: 'IN 1', amount: '100.00', reason }),
  'payment.identify': line(async (world) => {
    const { ask } = operatorOf(world)
    const unknown = {
      kind: 'unidentified',
      bank: 'main',
      reference: 'IN 2',
      amount: '20.00',
      reason,
    } as const
    const { exception } = await ask(bankRecord, unknown)
    return { exception, party: 'Network A', reason }
  }),
  'bank.record': of({ kind: 'charge', bank: 'main', reference: 'fee 1', amount: '3.00', reason }),
  'adjustment.record': line(async (world) => ({
    ...{ party: 'Shop', because: 'goodwill', currency: 'MXN', amount: '1.00' },
    ...{ order: await paidIn(world), reference: 'A 1', reason },
  })),
  'conversion.record': line(async (world) => ({ transaction: await sent(world), reason })),
  'conversion.sell': line(async (world) => {
    const transaction = await sent(world)
    const { conversion } = await operatorOf(world).ask(conversionRecord, { transaction, reason })
    return { id: conversion.id, bank: 'main', reference: 'SPEI 1', amount: '170.00', reason }
  }),
  'key.rotate': of({ party: 'Shop' }),
  'operator.add': of({ name: 'joe', role: 'viewer', password }),
  'operator.change': of({ name: 'eva', role: 'operator' }),
  'operator.disable': of({ name: 'eva' }),
  'operator.enable': of({ name: 'olga' }),
  'operator.reset': of({ name: 'eva', password }),
  'operator.invite': of({ name: 'joe', role: 'viewer' }),
  'operator.resetFactors': line(async (world) => {
    const set = { totp_ciphertext: 'sealed', totp_at: 1 }
    await commit(world.store, [{ update: 'people', key: { name: 'eva' }, set }])
    return { name: 'eva' }
  }),
  'approval.setThreshold': of({ currency: 'MXN', amount: '900000.00', reason }),
  'approval.removeThreshold': of({ currency: 'MXN', reason }),
}
