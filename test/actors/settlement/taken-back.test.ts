/** What is taken back from a merchant: first what is available, then what is set aside and not ordered, and the rest is a debt. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { depositAdd, depositReverse } from '../../../actors/operations/deposits.ts'
import { exceptionResolve } from '../../../actors/resolutions/operations.ts'
import { paymentOrder, paymentReceive, paymentReturn } from '../../../actors/settlement/payment-operations.ts'
import { operatorOf } from '../../support/operations.ts'
import { commit, graceMs, hourMs, inOrderWorld, type OrderWorld, shop } from '../../support/order-world.ts'
import { assertBooks, remainders, seal, settle } from '../../support/payment-world.ts'

const play = inOrderWorld(test)
const reason = 'a mistake'

const held = (world: OrderWorld) =>
  Promise.all((['available', 'payable', 'transit', 'debt'] as const).map((kind) => world.balance({ kind })))

/** Sets aside what is available: a statement that is due, as a closing leaves it. */
async function sweep(world: OrderWorld, number: number, amountMinor: bigint): Promise<void> {
  const of = { ownerId: shop.id, currency: 'MXN' }
  const [debit, credit] = [{ kind: 'available', ...of } as const, { kind: 'payable', ...of } as const]
  const day = `2026-02-0${number}`
  const key = { party_id: shop.id, currency: 'MXN' }
  const book = { last_number: number, closed_day: day, closed_at: number }
  await commit(world.store, [
    number === 1
      ? { insert: 'statement_books', values: { ...key, ...book } }
      : { update: 'statement_books', key, set: book },
    { post: { kind: 'sweep', debit, credit, amountMinor, orderId: null, reference: `statement ${number}` } },
    {
      insert: 'statements',
      values: {
        ...key,
        number,
        party_kind: 'merchant',
        from_day: day,
        to_day: day,
        closed_at: number,
        due_on: day,
        opening_minor: 0n,
        closing_minor: amountMinor,
        due_minor: amountMinor,
        swept_minor: amountMinor,
        line_count: 1,
      },
    },
  ])
  await seal(world.store, shop.id, number)
}

/** Each takes 1,000.00 from the shop that it has brought before. */
const ways: Record<
  string,
  { bring(world: OrderWorld): Promise<string>; take(world: OrderWorld, id: string): Promise<unknown> }
> = {
  'a deposit that is reversed': {
    async bring(world) {
      const { ask } = await settle(world)
      const { reference } = await ask(depositAdd, {
        merchant: 'Shop',
        reference: 'wire',
        amount: '1000',
        currency: 'MXN',
        reason,
      })
      return reference
    },
    async take(world, reference) {
      const { ask } = operatorOf(world)
      return ask(depositReverse, { merchant: 'Shop', reference, reason })
    },
  },
  'a payment that goes back': {
    async bring(world) {
      const { ask } = await settle(world)
      const { change } = await ask(paymentReceive, {
        party: 'Shop',
        bank: 'main',
        reference: 'IN',
        amount: '1000',
        reason,
      })
      return change?.payment.id ?? ''
    },
    async take(world, id) {
      const { ask } = operatorOf(world)
      return ask(paymentReturn, { id, reference: 'OUT', reason })
    },
  },
  'cash that was handed out after its money was returned': {
    async bring(world) {
      const { ask } = await settle(world)
      await world.deposit(100_000n)
      const { id } = await world.order({ expiryAt: world.clock.now() + hourMs })
      await world.start(id, 'A')
      world.clock.advance(hourMs + graceMs)
      await world.orders.expire(id)
      await ask(exceptionResolve, { id: await exceptionOf(world), as: 'return', reason })
      return id
    },
    async take(world, id) {
      const { ask } = operatorOf(world)
      await world.confirm(id, 'A')
      return ask(exceptionResolve, { id: await exceptionOf(world), as: 'honour', reason })
    },
  },
}

async function exceptionOf(world: OrderWorld): Promise<string> {
  return (await world.rows('exceptions')).find(({ state }) => state === 'open')?.id ?? ''
}

for (const [what, { bring, take }] of Object.entries(ways)) {
  play(`${what} is taken from what is set aside, the oldest statement first`, async (world) => {
    const id = await bring(world)
    await sweep(world, 1, 30_000n)
    await sweep(world, 2, 60_000n)
    await world.deposit(20_000n)
    await take(world, id)
    // 1,200.00 were there, 300.00 of them available: 700.00 are missing.
    assert.equal(await held(world), [0n, 20_000n, 0n, 0n])
    assert.equal(await remainders(world), [0n, 20_000n])
    const { payment, settles } = await operatorOf(world).ask(paymentOrder, {
      party: 'Shop',
      bank: 'main',
      reason,
    })
    assert.equal([payment.amount, settles], ['200.00', [{ statement: 2, amount: '200.00' }]])
    assert.equal(
      (await world.rows('allocations')).map(({ source, number, amount_minor }) => [
        source,
        number,
        amount_minor,
      ]),
      [
        ['payment', 2, 20_000n],
        ['reversal', 1, 30_000n],
        ['reversal', 2, 40_000n],
      ],
    )
    await assertBooks(world)
  })

  play(`${what} takes nothing that is ordered: what is missing is a debt`, async (world) => {
    const id = await bring(world)
    await sweep(world, 1, 100_000n)
    const { ask } = operatorOf(world)
    await ask(paymentOrder, { party: 'Shop', bank: 'main', amount: '600.00', reason })
    await take(world, id)
    assert.equal(await held(world), [0n, 0n, 60_000n, -60_000n])
    assert.equal(await remainders(world), [0n])
    const again = await operatorOf(world).refusal('payment.order', { party: 'Shop', bank: 'main', reason })
    assert.is(again.message, 'Nothing is due to Shop in MXN.')
    await assertBooks(world)
  })
}

test.run()
