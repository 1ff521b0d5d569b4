/** Every kind of operation that takes two people, asked for by a person and with the token: none is done by one, and each once by two. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { problemsIn } from '../../support/agreed-terms.ts'
import { inOrderWorld, type OrderWorld, shop, tills } from '../../support/order-world.ts'
import { close } from '../../support/payment-world.ts'
import { agreed, claimOf, expiredWhileHeld, paidIn } from '../claims/claimed.ts'
import { addPeople, twoPeople } from './two-people.ts'

const play = inOrderWorld(test)
const reason = 'as agreed'

/** What is there before thresholds are; then the input. */
type Prepare = (world: OrderWorld) => Promise<Record<string, unknown>>

const openException = async (world: OrderWorld) =>
  (await world.rows('exceptions')).find(({ state }) => state === 'open')?.id ?? ''

const due = (world: OrderWorld) => close(world, shop.id, { number: 1, dueMinor: 10_000n })

const operations: readonly (readonly [operation: string, prepare: Prepare])[] = [
  [
    'deposit.add',
    async () => ({ merchant: 'Shop', reference: 'D 1', amount: '5.00', currency: 'MXN', reason }),
  ],
  [
    'payment.receive',
    async () => ({ party: 'Shop', bank: 'main', reference: 'IN 1', amount: '100.00', reason }),
  ],
  ['bank.record', async () => ({ kind: 'charge', bank: 'main', reference: 'fee 1', amount: '3.00', reason })],
  [
    'payment.order',
    async (world) => {
      await due(world)
      return { party: 'Shop', bank: 'main', reason }
    },
  ],
  [
    'payment.due',
    async (world) => {
      await due(world)
      await close(world, tills.A.id, { number: 1, dueMinor: 7_000n })
      return { order: true, bank: 'main' }
    },
  ],
  [
    'order.confirm',
    async (world) => {
      const order = await world.order({ direction: 'PAY_IN', priceMinor: 43_800n })
      await world.start(order.id, 'A')
      return { id: order.id, provider: 'Network A', reason }
    },
  ],
  [
    'exception.resolve',
    async (world) => {
      await expiredWhileHeld(world, 'PAY_IN')
      return { id: await openException(world), as: 'honour', reason }
    },
  ],
  [
    'claim.uphold',
    async (world) => ({ number: (await claimOf(world, await paidIn(world), 'twice')).number, reason }),
  ],
  [
    'adjustment.record',
    async (world) => ({
      ...{ party: 'Shop', because: 'goodwill', currency: 'MXN', amount: '1.00' },
      ...{ order: await paidIn(world), reference: 'A 1', reason },
    }),
  ],
  ['terms.setExposure', async () => ({ provider: 'Network A', currency: 'MXN', limit: '500.00', reason })],
  ['apply', async () => ({ merchants: [{ name: 'Shop', contact: 'other@shop.example' }] })],
  ['operator.change', async () => ({ name: 'eva', role: 'operator' })],
  ['operator.add', async () => ({ name: 'joe', role: 'viewer', password: 'a long and quiet night' })],
  ['operator.reset', async () => ({ name: 'eva', password: 'a long and quiet night' })],
]

/** All that an operation of these may change. */
const tables = [
  'postings',
  'exceptions',
  'claims',
  'payments',
  'people',
  'exposure_limits',
  'parties',
] as const

async function state(world: OrderWorld): Promise<string> {
  const all = await Promise.all(tables.map((table) => world.rows(table)))
  return JSON.stringify(all, (_, value) => (typeof value === 'bigint' ? value.toString() : value))
}

for (const [operation, prepare] of operations) {
  for (const asker of ['ana', null] as const) {
    play(
      `${operation}, asked for ${asker === null ? 'with the token' : 'by a person'}, takes two`,
      async (world) => {
        await agreed(world)
        const input = await prepare(world)
        const people = await twoPeople(world, '0.00')
        await addPeople(world.store, ['eva'])
        const before = await state(world)
        const number = await people.asks(asker, operation, input)
        assert.is(await people.asks(asker, operation, input), number, 'the same waits once')
        assert.is(await state(world), before, 'nothing was done')
        await people.as('luis', 'approval.approve', { number })
        const isAskers = (await people.approval(number)).carried_by === 'asker'
        if (isAskers) {
          assert.is(await state(world), before, 'it waits for whoever asked')
          await people.as(asker, operation, input)
        }
        assert.is((await people.approval(number)).state, 'carried_out')
        const after = await state(world)
        assert.is.not(after, before)
        // Neither of them does it again alone.
        await people.refused('luis', 'approval.approve', { number })
        await Promise.allSettled([people.as(asker, operation, input)])
        assert.is(await state(world), after)
        // Statements of a world of payments are none that verify knows.
        if (!operation.startsWith('payment.')) assert.equal(await problemsIn(world), [])
      },
    )
  }
}

test.run()
