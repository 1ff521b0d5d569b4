/** Foreign-currency orders and their exceptions, as operators look at them. */
import { createHash } from 'node:crypto'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { orderShow } from '../../../actors/orders/operations.ts'
import { exceptionResolve, exceptionShow } from '../../../actors/resolutions/operations.ts'
import { exceptionRefund } from '../../../actors/resolutions/refund-operations.ts'
import type { ChainAdapter, RefundRequest } from '../../../chain/chain.ts'
import {
  chainDepositFor,
  chains,
  type ForeignPlay,
  playForeign,
  usdc,
  wallet,
} from '../../support/foreign-orders.ts'
import { operatorOf } from '../../support/operations.ts'
import { orderWorlds } from '../../support/order-world.ts'

const inWorld = orderWorlds(test)
const play = (name: string, story: (world: ForeignPlay) => Promise<void>) =>
  test(name, () => inWorld((world) => story(playForeign(world))))

/** An operator of a node that has SOLANA on, and what the chain was asked to send back. */
function operatorWithChain(world: ForeignPlay) {
  const asked: RefundRequest[] = []
  const adapter = chains.get('SOLANA')
  if (adapter === undefined) throw new Error('The chain of the tests is gone.')
  const refunding: ChainAdapter = {
    ...adapter,
    async refund(request) {
      asked.push(request)
      return { ok: true, value: { transaction: 'unsigned', signableUntil: 60_000 } }
    },
  }
  return { ...operatorOf({ ...world, chains: new Map([['SOLANA', refunding]]) }), asked }
}

play('an order shows what it waits for, what came, and where its money is', async (world) => {
  const foreign = await world.foreign()
  const deposit = chainDepositFor(foreign, world.clock.now())
  await world.read([deposit])
  const shown = await operatorOf(world).ask(orderShow, { id: foreign.order_id })
  assert.equal(
    [shown.foreign?.chain, shown.foreign?.expected, shown.foreign?.received, shown.foreign?.fee],
    ['SOLANA', '50.00', '50.00', '1.50'],
  )
  assert.equal([shown.foreign?.reference, shown.foreign?.quote], [foreign.reference, foreign.quote_id])
  assert.equal(
    shown.deposits.map(({ transactionId, amount, credited, sender, outcome }) => [
      transactionId,
      amount,
      credited,
      sender,
      outcome,
    ]),
    [[deposit.transactionId, '50.00', '50.00', wallet, 'credited']],
  )
  assert.equal(
    shown.postings.map(({ kind, amount, currency, from, to }) => [kind, `${amount} ${currency}`, from, to]),
    [
      ['credit', '50.00 USDC.SOLANA', 'treasury', 'deposit of Shop'],
      ['exchange', '48.50 USDC.SOLANA', 'deposit of Shop', 'exchange'],
      ['fee', '1.50 USDC.SOLANA', 'deposit of Shop', 'fee'],
      ['exchange', '830.00 MXN', 'exchange', 'reserved of Shop'],
      ['rounding', '0.25 MXN', 'exchange', 'rounding'],
    ],
  )
})

play('a refund is made for the wallet that paid, and told by its transaction', async (world) => {
  const foreign = await world.foreign()
  const { ask, refusal, asked } = operatorWithChain(world)
  await world.read([chainDepositFor(foreign, world.clock.now())])
  await world.cancel(foreign.order_id)
  const [due] = await world.exceptions('refund_due')
  const id = due?.id ?? ''
  const shown = await ask(exceptionShow, { id })
  assert.equal(
    shown.resolutions.map(({ as }) => as),
    ['refunded', 'dismiss'],
  )
  const refund = await ask(exceptionRefund, { id })
  assert.equal(
    [refund.to, refund.amount, refund.asset, refund.transaction, refund.signableUntil],
    [wallet, '50.00', 'USDC', 'unsigned', '1970-01-01T00:01:00.000Z'],
  )
  const reference = createHash('sha256').update(id).digest('hex')
  assert.equal(asked, [{ assetId: usdc.id, amount: 50_000_000n, to: wallet, reference }])
  const silent = await refusal('exception.resolve', { id, as: 'refunded', reason: 'sent' })
  assert.match(silent.message, 'Give the refund')
  await ask(exceptionResolve, { id, as: 'refunded', reason: 'sent', evidence: '5Xyz' })
  assert.match((await refusal('exception.refund', { id })).message, 'nothing to refund')
})

play(
  'of an unmatched deposit exactly what is at stake is sent back, to whom the operator says',
  async (world) => {
    const foreign = await world.foreign()
    const { ask, refusal, asked } = operatorWithChain(world)
    await world.read([chainDepositFor(foreign, world.clock.now(), { amount: 50_000_003n, sender: wallet })])
    const [rest] = await world.exceptions('deposit_unmatched')
    const id = rest?.id ?? ''
    assert.is((await ask(exceptionRefund, { id, to: 'wallet of Bob' })).to, 'wallet of Bob')
    assert.is(asked[0]?.amount, 3n)
    assert.is((await refusal('exception.refund', { id, to: 'nowhere' })).code, 'invalid')
  },
)

play('who paid has to be known, and the chain has to be on', async (world) => {
  const foreign = await world.foreign()
  const { refusal } = operatorWithChain(world)
  await world.read([chainDepositFor(foreign, world.clock.now(), { sender: null })])
  const [nameless] = await world.exceptions('deposit_unmatched')
  assert.match(
    (await refusal('exception.refund', { id: nameless?.id })).message,
    'The recipient is not known',
  )
  const off = operatorOf(world)
  const refused = await off.refusal('exception.refund', { id: nameless?.id, to: wallet })
  assert.match(refused.message, 'is not available')
})

play('an operator accepts by the command that the exception proposes', async (world) => {
  const foreign = await world.foreign()
  const { ask } = operatorOf(world)
  await world.read([chainDepositFor(foreign, world.clock.now(), { references: [] })])
  const [exception] = await world.exceptions('deposit_unmatched')
  const id = exception?.id ?? ''
  const accepted = await ask(exceptionResolve, { id, as: 'accept', reason: 'the amount is theirs' })
  assert.equal([accepted.state, accepted.orderDetails?.status], ['resolved', 'READY'])
})

test.run()
