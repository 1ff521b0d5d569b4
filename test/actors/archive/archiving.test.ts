/** Orders leave the database for the archive: whole, provably, and so that nothing that was can be again. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { AnchorDigest, formatAnchor, noAnchor } from '../../../actors/anchors/anchor.ts'
import { checkAnchors } from '../../../actors/anchors/check.ts'
import { readiness } from '../../../actors/condition/condition.ts'
import { resolveException } from '../../../actors/resolutions/resolve.ts'
import { openReader } from '../../../persistence/index.ts'
import { journalEnd, journalHashes } from '../../../persistence/queries/anchors.ts'
import { type ArchiveWorld, archiveOf } from '../../support/archive.ts'
import { chainDepositFor, playForeign } from '../../support/foreign-orders.ts'
import {
  commit,
  ending,
  graceMs,
  hourMs,
  journalKey,
  type OrderWorld,
  operator,
  orderWorlds,
} from '../../support/order-world.ts'
import { archivedIds, paidAndLast } from './archived-orders.ts'

const inWorld = orderWorlds(test)

function play(name: string, run: (world: OrderWorld, archive: ArchiveWorld) => Promise<void>): void {
  test(name, () =>
    inWorld(async (world) => {
      const archive = archiveOf(world)
      try {
        await run(world, archive)
      } finally {
        archive.close()
      }
    }),
  )
}

const idsOf = async (world: OrderWorld) => (await world.rows('orders')).map(({ id }) => id)

/** Orders of both directions that came to every end, and what their ends left to be resolved. */
async function playAll(world: OrderWorld): Promise<string[]> {
  await world.deposit(900_000n)
  const ended: string[] = []
  for (const direction of ['PAY_OUT', 'PAY_IN'] as const) {
    const made = [0, 1, 2, 3, 4].map(() => world.order({ direction, expiryAt: world.clock.now() + hourMs }))
    const [paid, refused, cancelled, forced, late] = await Promise.all(made)
    if (!paid || !refused || !cancelled || !forced || !late) throw new Error('five were made')
    for (const { id } of [paid, refused, forced, late]) await world.start(id, 'A')
    await world.confirm(paid.id, 'A')
    await world.start(refused.id, 'B')
    await world.giveBack(refused.id, 'A')
    await world.cancel(cancelled.id)
    await world.cancel(forced.id, true)
    world.clock.advance(hourMs + graceMs)
    for (const { id } of [refused, late]) await world.orders.expire(id)
    assert.is(ending(await world.confirm(late.id, 'A')), 'refused ended_while_locked')
    ended.push(paid.id, refused.id, cancelled.id, forced.id, late.id)
  }
  return ended
}

async function resolveAll(world: OrderWorld): Promise<void> {
  const open = (await world.rows('exceptions')).filter(({ state }) => state === 'open')
  for (const [index, { id }] of open.entries()) {
    const as = index % 2 === 0 ? 'honour' : 'return'
    const resolving = { exceptionId: id, as, reason: 'said so', evidence: null, operator } as const
    await resolveException({ store: world.store, ...world.orders.context }, resolving)
  }
}

/** A foreign-currency order that was funded and paid out. */
async function payForeign(world: OrderWorld) {
  const foreign = playForeign(world)
  const side = await foreign.foreign()
  await foreign.build(side.order_id)
  const deposit = chainDepositFor(side, world.clock.now())
  await foreign.read([deposit])
  await world.start(side.order_id, 'A')
  await world.confirm(side.order_id, 'A')
  return { foreign, side, deposit }
}

play('what ended long ago leaves the database whole, and both prove themselves', async (world, archive) => {
  const { side } = await payForeign(world)
  const ended = [...(await playAll(world)), side.order_id]
  await resolveAll(world)
  const open = await world.order({ expiryAt: world.clock.now() + 400 * 24 * hourMs })
  await archive.deliver()
  const before = { totals: await world.rows('order_totals'), accounts: await world.rows('accounts') }
  assert.equal(await archive.problems(), [])

  await archive.archive()
  assert.equal(archive.errors, [])
  assert.equal(await idsOf(world), [open.id])
  assert.equal(await archivedIds(world), ended.toSorted())
  for (const table of ['consumers', 'webhooks', 'webhook_attempts', 'exceptions', 'quotes'] as const)
    assert.ok(
      (await world.rows(table)).every((row) => !('order_id' in row) || row.order_id === open.id),
      table,
    )
  assert.ok((await world.rows('journal')).every(({ order_id }) => order_id === open.id))
  assert.equal((await world.rows('foreign_orders')).length, 0)
  assert.equal(await archive.problems(), [])
  assert.equal({ totals: await world.rows('order_totals'), accounts: await world.rows('accounts') }, before)
  const { entries, ...check } = await archive.check()
  assert.equal(check, { ok: true, orders: ended.length, spare: 0, problems: [] })
  assert.is(entries, (await world.rows('archived_entries')).length)
  await archive.archive()
  assert.is(archive.lines().length, ended.length, 'nothing is archived twice')
})

play('an order that still concerns somebody stays', async (world, archive) => {
  const ended = await playAll(world)
  await world.order({ expiryAt: world.clock.now() + 400 * 24 * hourMs })
  await archive.archive()
  assert.equal(await archivedIds(world), [], 'their webhooks are not delivered')
  await archive.deliver()
  await archive.archive({ isTrusted: false })
  assert.equal(await archivedIds(world), [], 'the clock is in doubt')
  const exceptions = await world.rows('exceptions')
  const concerned = new Set(exceptions.map(({ order_id }) => order_id))
  await archive.archive()
  assert.equal(await archivedIds(world), ended.filter((id) => !concerned.has(id)).sort())
  const [dead] = (await world.rows('webhooks')).filter(({ order_id }) => concerned.has(order_id))
  const set = { state: 'dead' } as const
  await commit(world.store, [{ update: 'webhooks', key: { id: dead?.id ?? '' }, set }])
  await resolveAll(world)
  // Behind the newest entry of the journal, which keeps its order.
  await world.order({ expiryAt: world.clock.now() + 400 * 24 * hourMs })
  await archive.archive()
  const left = (await world.rows('orders')).filter(({ due_at }) => due_at === null)
  assert.equal(
    left.map(({ id }) => id),
    [dead?.order_id],
    'a dead letter may be sent again as long as it is kept',
  )
  assert.equal(await archive.problems(), [])
  assert.is((await archive.check()).ok, true)
})

play('anchors from before and after hold, and positions are never given again', async (world, archive) => {
  const { paid } = await paidAndLast(world)
  const lines: string[] = []
  const anchor = async () => {
    const before = lines.length === 0 ? noAnchor : JSON.parse(lines.at(-1) ?? '')
    const [newest] = await world.store.query(journalEnd, {})
    const digest = new AnchorDigest(journalKey, before)
    const range = { after: before.position, until: newest?.position ?? 0, limit: 100 }
    for (const entry of await world.store.query(journalHashes, range)) digest.add(entry)
    lines.push(formatAnchor(digest.finish(world.clock.now())))
  }
  await anchor()
  await archive.deliver()
  await archive.archive()
  assert.equal(await archivedIds(world), [paid])
  const archived = (await world.rows('archived_entries')).map(({ position }) => position)
  await world.order()
  await anchor()
  const positions = [...archived, ...(await world.rows('journal')).map(({ position }) => position)]
  assert.is(new Set(positions).size, positions.length)
  const reader = await openReader(world.url)
  const { problems, anchors } = await checkAnchors({ reader, journalKey }, lines)
  await reader.close()
  assert.equal([problems, anchors], [[], 2])
})

play('the order with the newest entry of the journal waits for another', async (world, archive) => {
  await world.deposit(900_000n)
  const only = await world.order()
  await world.cancel(only.id)
  await archive.deliver()
  await archive.archive()
  assert.equal(await archivedIds(world), [])
  await world.order({ expiryAt: world.clock.now() + 400 * 24 * hourMs })
  await archive.archive()
  assert.equal(await archivedIds(world), [only.id])
})

play(
  'where the archive cannot be written nothing is removed, and the node says so',
  async (world, archive) => {
    const { paid } = await paidAndLast(world)
    await archive.deliver()
    const append = () => Promise.reject(new Error('ENOSPC: no space left on device'))
    let failed = ''
    await archive.archive({ files: { append } }).catch((error: Error) => {
      failed = error.message
    })
    assert.is(failed, "The archive's 2026-04.jsonl cannot be written: ENOSPC: no space left on device.")
    assert.equal(readiness(archive.condition), { status: 'degraded', reasons: { archive: failed } })
    assert.equal(await archivedIds(world), [])
    await archive.archive()
    assert.equal([await archivedIds(world), readiness(archive.condition)], [[paid], { status: 'ready' }])
  },
)

play('an archived order is not made again, and its deposit is no new money', async (world, archive) => {
  const { foreign, side, deposit } = await payForeign(world)
  const { merchant_order_id } = await world.row(side.order_id)
  await world.order({ expiryAt: world.clock.now() + 400 * 24 * hourMs })
  await archive.deliver()
  await archive.archive()
  assert.equal(await archivedIds(world), [side.order_id])
  const again = await world.create({ merchantOrderId: merchant_order_id })
  assert.is(again.outcome, 'duplicate_merchant_order_id')
  assert.is(
    (await foreign.createForeign({ merchantOrderId: merchant_order_id })).outcome,
    'duplicate_merchant_order_id',
  )
  const postings = (await world.rows('postings')).length
  await foreign.read([deposit])
  assert.is((await world.rows('postings')).length, postings)
  assert.equal(await world.rows('exceptions'), [])
  assert.equal(await archive.problems(), [])
})

play(
  'money that comes for an archived order is told as that one’s, and goes back',
  async (world, archive) => {
    const { foreign, side } = await payForeign(world)
    await world.order({ expiryAt: world.clock.now() + 400 * 24 * hourMs })
    await archive.deliver()
    await archive.archive()
    // Of the same wallet another order waits, which this money is not for.
    const other = await foreign.foreign()
    await foreign.read([chainDepositFor(side, world.clock.now())])
    const [{ reason, evidence_json, order_id } = { reason: '', evidence_json: '{}', order_id: '' }, ...more] =
      await foreign.exceptions('deposit_unmatched')
    assert.equal([more.length, order_id, reason], [0, null, 'The order has ended, and was archived.'])
    const { proposedAction, proposedOrder, archivedOrders } = JSON.parse(evidence_json)
    assert.equal([proposedAction, proposedOrder, archivedOrders], ['refund', null, [side.order_id]])
    assert.is((await foreign.side(other.order_id)).received_minor, 0n)
    assert.equal([await archive.problems(), (await archive.check()).problems], [[], []])
  },
)

play('what its network called it goes to the archive with its order', async (world, archive) => {
  const { paid } = await paidAndLast(world)
  const key = { order_id: paid, network_id: '000A', reference: 'F-1' }
  await commit(world.store, [{ insert: 'network_references', values: key }])
  await archive.deliver()
  await archive.archive()
  assert.equal([await archivedIds(world), await world.rows('network_references')], [[paid], []])
  assert.ok(archive.lines().some((line) => line.includes('"reference":"F-1"')))
  assert.equal((await archive.check()).problems, [])
})

test.run()
