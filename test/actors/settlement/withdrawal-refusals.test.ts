/** Why nothing is withdrawn: protocol 15.13. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { settlementStoppedFact } from '../../../actors/anchors/restore-watch.ts'
import type { AskedWithdrawal } from '../../../actors/settlement/withdrawing.ts'
import type { Row, Store, Write } from '../../../persistence/store.ts'
import { changedStore, commit, inOrderWorld, type OrderWorld, shop } from '../../support/order-world.ts'
import { ask, ending, message, shopWith, written } from '../../support/withdrawals.ts'

const play = inOrderWorld(test)

const fact = (name: string, value: string): Write => ({ insert: 'facts', values: { name, value } })
const frozen: Write = { update: 'parties', key: { id: shop.id }, set: { frozen_at: 1 } }

/** Each: what is agreed on (null for no terms), what is available, what is done to it first, what is asked for, and why not. */
const refused: readonly [
  terms: Partial<Row<'settlement_terms'>> | null,
  availableMinor: bigint,
  before: readonly Write[],
  asked: Partial<AskedWithdrawal>,
  why: string,
][] = [
  [null, 10_000n, [], {}, 'not_agreed'],
  [{}, 10_000n, [], { currency: 'CLP' }, 'not_agreed'],
  [{}, 10_000n, [], { currency: 'ZZZ' }, 'not_agreed'],
  [{ every_json: '"day"' }, 10_000n, [], {}, 'closes_itself'],
  [{ every_json: '["MON","THU"]' }, 10_000n, [], {}, 'closes_itself'],
  [{ account: null, account_from_at: null }, 10_000n, [], {}, 'no_account'],
  [
    { account: null, account_from_at: null, next_account: 'CLABE 2', next_account_at: 9e12 },
    10_000n,
    [],
    {},
    'no_account',
  ],
  [{}, 0n, [], {}, 'nothing'],
  [{ keep_minor: 10_000n }, 10_000n, [], {}, 'nothing'],
  [{ minimum_minor: 10_001n }, 10_000n, [], {}, 'nothing'],
  [{ keep_minor: 1n }, 10_000n, [], { amountMinor: 10_000n }, 'exceeds 9999'],
  [{}, 10_000n, [], { amountMinor: 10_001n }, 'exceeds 10000'],
  [{ minimum_minor: 5_000n }, 10_000n, [], { amountMinor: 4_999n }, 'below_minimum 5000'],
  [{}, 10_000n, [frozen], {}, 'merchant_frozen'],
  [{}, 10_000n, [fact('drained', '{"since":1,"operator":"ana","reason":"test"}')], {}, 'node_drained'],
  [{}, 10_000n, [fact(settlementStoppedFact, '1')], {}, 'stopped'],
]

for (const [place, [terms, availableMinor, before, asked, why]] of refused.entries()) {
  play(`refused, and nothing is written: ${place + 1}, ${why}`, async (world) => {
    if (terms === null) await world.deposit(availableMinor)
    else await shopWith(world, availableMinor, terms)
    await commit(world.store, before)
    const seen = await written(world)
    assert.is(ending(await ask(world, { ...asked, message: message() })), why)
    assert.equal(await written(world), seen)
  })
}

play('what changes between the look and the step is judged in the step', async (world) => {
  const between: readonly [Write, string][] = [
    [frozen, 'merchant_frozen'],
    [fact('drained', '{"since":1,"operator":"ana","reason":"test"}'), 'node_drained'],
    [fact(settlementStoppedFact, '1'), 'stopped'],
  ]
  await shopWith(world, 50_000n)
  for (const [write, why] of between) {
    assert.is(ending(await ask(world, {}, { store: meddled(world, [write]) })), why)
    assert.equal(await world.rows('statements'), [])
    const undone: Write =
      why === 'merchant_frozen'
        ? { update: 'parties', key: { id: shop.id }, set: { frozen_at: null } }
        : { delete: 'facts', key: { name: why === 'stopped' ? settlementStoppedFact : 'drained' } }
    await commit(world.store, [undone])
  }
  // Terms that change meanwhile are looked at again.
  const terms: Write = {
    update: 'settlement_terms',
    key: { party_id: shop.id, currency: 'MXN' },
    set: { keep_minor: 30_000n, changed_at: 7 },
  }
  assert.is(
    ending(await ask(world, { amountMinor: 40_000n }, { store: meddled(world, [terms]) })),
    'exceeds 20000',
  )
  // A pay-out takes what was seen.
  const takes = changedStore(world.store, {
    step: onSecond(world, async () => {
      await world.order({ direction: 'PAY_OUT', priceMinor: 45_000n })
    }),
  })
  assert.is(ending(await ask(world, { amountMinor: 20_000n }, { store: takes })), 'exceeds 0')
  assert.equal(await world.rows('statements'), [])
  assert.is(await world.balance({ kind: 'payable' }), 0n)
})

/** Something comes between the look and what is written. */
function meddled(world: OrderWorld, writes: readonly Write[]): Store {
  return changedStore(world.store, { step: onSecond(world, () => commit(world.store, writes)) })
}

function onSecond({ store }: OrderWorld, meddle: () => Promise<void>): Store['step'] {
  let steps = 0
  return async (step) => {
    steps += 1
    if (steps === 2) await meddle()
    return store.step(step)
  }
}

test.run()
