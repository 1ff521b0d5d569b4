/** Deposits (protocol XX): credited once, or put before a person; never kept silently. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { ChainDepositBook } from '../../../actors/chains/chain-deposits.ts'
import { createAlarmWatch, findAlarms } from '../../../actors/condition/alarms.ts'
import type { Row } from '../../../persistence/store.ts'
import { StoreUnavailable } from '../../../persistence/store.ts'
import {
  assertSound,
  asset,
  chainDepositFor,
  type ForeignPlay,
  playForeign,
  send,
  usdc,
  wallet,
} from '../../support/foreign-orders.ts'
import { changedStore, commit, minuteMs, orderWorlds } from '../../support/order-world.ts'

const inWorld = orderWorlds(test)

const play = (name: string, story: (world: ForeignPlay) => Promise<void>) =>
  test(name, () => inWorld((world) => story(playForeign(world))))

async function webhooksOf(world: ForeignPlay, orderId: string): Promise<string[]> {
  const webhooks = (await world.rows('webhooks')).filter((one) => one.order_id === orderId)
  return webhooks.toSorted((a, b) => a.sequence - b.sequence).map((one) => one.order_status)
}

play('an order is READY once its money is there, and the merchant is told', async (world) => {
  const foreign = await world.foreign()
  const { order_id } = foreign
  await world.build(order_id)
  const read = await world.read([chainDepositFor(foreign, world.clock.now())])
  assert.equal(read, { outcome: 'recorded', stored: 1, credited: [order_id] })
  assert.is((await world.row(order_id)).status, 'READY')
  assert.equal(await webhooksOf(world, order_id), ['CREATED', 'READY'])
  const balances = await Promise.all(
    (['treasury', 'deposit', 'exchange', 'fee', 'suspense'] as const).map((kind) =>
      world.balance({ kind, ownerId: kind === 'deposit' ? 'shop' : '', currency: asset }),
    ),
  )
  assert.equal(balances, [-send.minor, 0n, send.minor - send.fee, send.fee, 0n])
  assert.equal(
    [
      await world.balance({ kind: 'reserved' }),
      await world.balance({ kind: 'exchange', ownerId: '' }),
      await world.balance({ kind: 'rounding', ownerId: '' }),
    ],
    [send.price, -send.price - send.rounding, send.rounding],
  )
  assertSound(await world.problems())
})

play('it is paid out like any other order', async (world) => {
  const foreign = await world.foreign()
  const { order_id } = foreign
  await world.read([chainDepositFor(foreign, world.clock.now())])
  await world.start(order_id, 'A')
  await world.confirm(order_id, 'A')
  assert.is((await world.row(order_id)).status, 'COMPLETED')
  assert.is(await world.balance({ kind: 'provider', ownerId: 'network-a' }), send.price)
  assert.equal(await webhooksOf(world, order_id), ['READY', 'COMPLETED'])
  assertSound(await world.problems())
})

play('parts are summed, and the order is READY with the last of them', async (world) => {
  const foreign = await world.foreign()
  const { order_id } = foreign
  await world.build(order_id)
  const part = (amount: bigint) => chainDepositFor(foreign, world.clock.now(), { amount })
  await world.read([part(20_000_000n)])
  const partly = await world.side(order_id)
  assert.equal([partly.received_minor, (await world.row(order_id)).status], [20_000_000n, 'CREATED'])
  assert.is(partly.build_due_at, world.clock.now() + 120_000, 'the old transaction may still land')
  assertSound(await world.problems())
  await world.read([part(1n), part(29_999_999n)])
  assert.is((await world.row(order_id)).status, 'READY')
  assert.equal(await webhooksOf(world, order_id), ['CREATED', 'READY'])
  assertSound(await world.problems())
})

play('what is more than asked for waits for a person', async (world) => {
  const foreign = await world.foreign()
  const paid = chainDepositFor(foreign, world.clock.now(), { amount: send.minor + 7n })
  await world.read([paid])
  assert.is((await world.row(foreign.order_id)).status, 'READY')
  const [rest] = await world.exceptions('deposit_unmatched')
  assert.equal(
    [rest?.amount, rest?.asset, rest?.chain, rest?.sender, rest?.transaction_id],
    ['0.000007', 'USDC', 'SOLANA', wallet, paid.transactionId],
  )
  assert.equal(JSON.parse(rest?.evidence_json ?? '').proposedAction, 'refund')
  assert.is(await world.balance({ kind: 'suspense', ownerId: '', currency: asset }), 7n)
  assertSound(await world.problems())
})

play('a page that is read again changes nothing', async (world) => {
  const [one, two] = [await world.foreign(), await world.foreign({ wallet: 'wallet of Bob' })]
  const page = [
    chainDepositFor(one, world.clock.now()),
    chainDepositFor(two, world.clock.now(), { amount: 5n }),
    chainDepositFor(one, world.clock.now(), { references: [] }),
  ]
  assert.is((await world.read(page)).stored, 3)
  const before = await Promise.all([world.rows('accounts'), world.rows('exceptions'), world.rows('orders')])
  for (let times = 0; times < 3; times++) assert.is((await world.read(page.toReversed())).stored, 0)
  const after = await Promise.all([world.rows('accounts'), world.rows('exceptions'), world.rows('orders')])
  assert.equal(after, before)
})

play('a deposit that 0.1.0 recorded is not credited again under its new name', async (world) => {
  const foreign = await world.foreign()
  const evidence = { tokenAccount: 'account of the treasury' }
  const former = chainDepositFor(foreign, world.clock.now(), { index: '3.0', amount: 25_000_000n, evidence })
  assert.is((await world.read([former])).stored, 1)
  const index = `x${'ab'.repeat(16)}.0`
  assert.is((await world.read([{ ...former, index }])).stored, 0)
  const whole = { ...former, index: `net.${evidence.tokenAccount}`, flags: ['unexplained' as const] }
  assert.is((await world.read([whole])).stored, 0)
  assert.is((await world.side(foreign.order_id)).received_minor, 25_000_000n)
  assert.is((await world.row(foreign.order_id)).status, 'CREATED')
  const second = { ...former, transactionId: 'another', index }
  assert.equal((await world.read([second])).credited, [foreign.order_id])
  assertSound(await world.problems())
})

play(
  'a chain that is not read on while orders wait for money is an alarm, and one that is read again none',
  async (world) => {
    await world.read([])
    const kinds = async () =>
      (await findAlarms(world)).alarms.map(({ kind, chain, count }) => [kind, chain, count])
    world.clock.advance(6 * minuteMs)
    assert.equal(await kinds(), [], 'nobody waits')
    await world.foreign()
    await world.foreign({ wallet: 'wallet of Bob' })
    assert.equal(await kinds(), [['chain_stalled', 'SOLANA', 2]])
    const warned: string[] = []
    const log = { warn: (_: object, message: string) => void warned.push(message) }
    const watch = createAlarmWatch({ ...world, log })
    await watch()
    await watch()
    assert.is(warned.length, 1)
    assert.match(warned[0] ?? '', /^SOLANA has not been read past .+ 2 of its orders .+ chain lag/)
    await world.read([])
    assert.equal(await kinds(), [])
  },
)

play('what was put before a person as a whole is not credited in parts as well', async (world) => {
  const foreign = await world.foreign()
  const evidence = { tokenAccount: 'account of the treasury' }
  const whole = chainDepositFor(foreign, world.clock.now(), {
    index: `net.${evidence.tokenAccount}`,
    flags: ['unexplained'],
    evidence,
  })
  assert.equal(await world.read([whole]), { outcome: 'recorded', stored: 1, credited: [] })
  const transfer = { ...whole, index: `x${'cd'.repeat(16)}.0`, flags: [] }
  assert.is((await world.read([transfer])).stored, 0)
  assert.is((await world.row(foreign.order_id)).status, 'CREATED')
  assert.is((await world.exceptions('deposit_unmatched')).length, 1)
  assertSound(await world.problems())
})

play('readings of one page at once credit each deposit once', async (world) => {
  const foreign = await world.foreign()
  const page = [5_000_000n, 10_000_000n, 20_000_000n].map((amount) =>
    chainDepositFor(foreign, world.clock.now(), { amount }),
  )
  await world.read([])
  const from = (await world.deposits.cursor('SOLANA'))?.cursor ?? ''
  const chain = { blockchain: 'SOLANA', assets: [usdc] } as const
  const reading = () =>
    world.deposits.recordPage(chain, from, { deposits: page, cursor: 'next', more: false, scannedTo: 1 })
  const reads = await Promise.all([reading(), reading(), reading()])
  assert.is(
    reads.reduce((sum, { stored }) => sum + stored, 0),
    3,
  )
  assert.equal(reads.map(({ outcome }) => outcome).toSorted(), ['recorded', 'superseded', 'superseded'])
  assert.is((await world.side(foreign.order_id)).received_minor, 35_000_000n)
  assertSound(await world.problems())
})

play(
  'a node that dies at any step of a page reads it again, and each deposit is credited once',
  async (world) => {
    const orders: Row<'foreign_orders'>[] = []
    for (let count = 0; count < 6; count++) orders.push(await world.foreign({ wallet: `wallet ${count}` }))
    await world.read([])
    const page = orders.flatMap((one) => [
      chainDepositFor(one, world.clock.now(), { amount: 20_000_000n }),
      chainDepositFor(one, world.clock.now(), { amount: 30_000_001n }),
    ])
    const from = (await world.deposits.cursor('SOLANA'))?.cursor ?? ''
    for (let steps = 0; steps <= page.length + 1; steps++) {
      let left = steps
      const begun: Promise<unknown>[] = []
      const dying = changedStore(world.store, {
        step: async (step) => {
          if (left-- <= 0) throw new StoreUnavailable('closed', 'dead')
          const taken = world.store.step(step)
          begun.push(taken)
          return taken
        },
      })
      const book = new ChainDepositBook({ store: dying, ...world.orders.context })
      const chain = { blockchain: 'SOLANA', assets: [usdc] } as const
      const read = { deposits: page, cursor: 'next', more: false, scannedTo: world.clock.now() }
      try {
        await book.recordPage(chain, from, read)
      } catch (error) {
        assert.instance(error, StoreUnavailable)
      }
      // Of other orders, whose steps were on their way.
      await Promise.all(begun)
      assertSound(await world.problems(), `after ${steps} steps`)
      const known = (await world.deposits.cursor('SOLANA'))?.cursor
      const stored = (await world.rows('deposits')).length
      if (known === 'next') assert.is(stored, page.length, 'the cursor moves behind the last deposit')
    }
    for (const { order_id } of orders) {
      assert.is((await world.row(order_id)).status, 'READY')
      assert.is((await world.side(order_id)).received_minor, send.minor)
    }
    assert.is((await world.deposits.cursor('SOLANA'))?.cursor, 'next')
    assert.is((await world.exceptions('deposit_unmatched')).length, 6)
  },
)

play('a thousand orders of one wallet and amount each find their own deposit', async (world) => {
  const made = await Promise.all(Array.from({ length: 1000 }, () => world.createForeign()))
  const orders = await world.rows('foreign_orders')
  assert.is(made.length, orders.length)
  assert.is(new Set(orders.map(({ reference }) => reference)).size, 1000)
  const page = orders.map((one) =>
    chainDepositFor(one, world.clock.now(), { evidence: { of: one.order_id } }),
  )
  const shuffled = page.toSorted((a, b) => (a.transactionId < b.transactionId ? -1 : 1))
  for (let first = 0; first < 1000; first += 100) await world.read(shuffled.slice(first, first + 100))
  for (const { order_id, evidence_json } of await world.rows('deposits')) {
    assert.is(JSON.parse(evidence_json).of, order_id)
  }
  assert.ok((await world.rows('orders')).every(({ status }) => status === 'READY'))
})

play('the cursor never goes back in time, and stays where it is for another', async (world) => {
  await world.read([], 5000)
  await world.read([], null)
  await world.read([], 4000)
  const cursor = await world.deposits.cursor('SOLANA')
  assert.equal([cursor?.scanned_to_at, cursor?.cursor], [5000, '3'])
  const chain = { blockchain: 'SOLANA', assets: [usdc] } as const
  const stale = { deposits: [], cursor: 'x', more: false, scannedTo: 9000 }
  assert.is((await world.deposits.recordPage(chain, '2', stale)).outcome, 'superseded')
  await world.deposits.begin('SOLANA', 'begun again')
  assert.equal(await world.deposits.cursor('SOLANA'), cursor)
})

play('money on its way is noted, and forgotten once it has vanished', async (world) => {
  const foreign = await world.foreign()
  const { order_id } = foreign
  const coming = chainDepositFor(foreign, world.clock.now())
  await world.deposits.markSeen('SOLANA', [chainDepositFor(foreign, 0, { sender: 'wallet of Eve' })])
  assert.is((await world.side(order_id)).seen_at, null)
  await world.deposits.markSeen('SOLANA', [coming])
  const seenAt = world.clock.now()
  assert.is((await world.side(order_id)).seen_at, seenAt)
  await world.read([], seenAt + 30_000)
  await world.deposits.markSeen('SOLANA', [])
  assert.is((await world.side(order_id)).seen_at, seenAt, 'its block may not have been read yet')
  await world.read([], seenAt + 30_001)
  await world.deposits.markSeen('SOLANA', [coming])
  assert.is((await world.side(order_id)).seen_at, seenAt)
  await world.deposits.markSeen('SOLANA', [])
  assert.is((await world.side(order_id)).seen_at, null)
})

play(
  'money for an order that cannot be read is put before a person, and others are credited',
  async (world) => {
    const sick = await world.foreign()
    const other = await world.foreign()
    const set = { machine_version: 99 }
    await commit(world.store, [{ update: 'orders', key: { id: sick.order_id }, set }])
    const at = world.clock.now()
    const read = await world.read([chainDepositFor(sick, at), chainDepositFor(other, at)])
    assert.equal(read, { outcome: 'recorded', stored: 2, credited: [other.order_id] })
    const [exception] = await world.rows('exceptions')
    assert.equal([exception?.kind, exception?.order_id], ['deposit_unmatched', sick.order_id])
    assert.is(JSON.parse(exception?.evidence_json ?? '{}').reason, 'order_unreadable')
  },
)

test.run()
