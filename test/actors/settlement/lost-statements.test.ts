/** Numbers of statements outside the database, and orders that wait for their lines. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createAnchoring } from '../../../actors/anchors/anchoring.ts'
import { checkAnchors } from '../../../actors/anchors/check.ts'
import { closedNumbers, recordLostStatements } from '../../../actors/anchors/lost-statements.ts'
import { createRestoreWatch } from '../../../actors/anchors/restore-watch.ts'
import { createCondition } from '../../../actors/condition/condition.ts'
import { closeDay } from '../../../actors/settlement/closing.ts'
import { openReader } from '../../../persistence/index.ts'
import { LineLog } from '../../../persistence/line-log.ts'
import { archivableOrders } from '../../../persistence/queries/archive.ts'
import {
  commit,
  inOrderWorld,
  journalKey,
  minuteMs,
  type OrderWorld,
  shop,
  tills,
} from '../../support/order-world.ts'
import { closerOf } from '../../support/statement-world.ts'

const play = inOrderWorld(test)
const folder = mkdtempSync(join(tmpdir(), 'ventanilla-'))
test.after(() => rmSync(folder, { recursive: true, force: true }))

const network = { partyId: tills.A.id, kind: 'provider', currency: 'MXN' } as const
const merchant = { partyId: shop.id, kind: 'merchant', currency: 'MXN' } as const

async function payIn(world: OrderWorld): Promise<string> {
  const order = await world.order({ direction: 'PAY_IN', priceMinor: 30_000n })
  await world.start(order.id, 'A')
  await world.confirm(order.id, 'A')
  return order.id
}

async function anchoringOf({ store, clock }: OrderWorld, file: string) {
  const condition = createCondition()
  const restoreWatch = await createRestoreWatch({ store, clock, condition })
  const anchors = new LineLog(join(folder, file))
  return {
    anchors,
    ...createAnchoring({ store, clock, condition, journalKey, anchors, restoreWatch, log: { info() {} } }),
  }
}

play(
  'A closing goes into the anchors, with new entries and without, and they go on holding',
  async (world) => {
    const node = await anchoringOf(world, 'a')
    await payIn(world)
    await closeDay(world.store, network, '2026-03-01')
    await node.pass()
    await closeDay(world.store, merchant, '2026-03-01')
    await node.pass()
    assert.equal(await closedNumbers(node.anchors.all()), [
      [tills.A.id, 'MXN', 1],
      [shop.id, 'MXN', 1],
    ])
    assert.ok((await world.rows('statements')).every(({ anchored_at }) => anchored_at !== null))
    await payIn(world)
    await node.pass()
    const reader = await openReader(world.url)
    const check = await checkAnchors({ reader, journalKey }, node.anchors.all())
    await reader.close()
    assert.equal([check.problems, check.anchors], [[], 3])
    // A start finds them as they are.
    await node.finish()
    const next = await anchoringOf(world, 'a')
    await next.begin()
    await next.finish()
    assert.is(
      (await world.rows('facts')).some(({ name }) => name === 'settlement_stopped'),
      false,
    )
  },
)

play(
  'Numbers that only the anchors know are lost, and the next statement gets none of them',
  async (world) => {
    await payIn(world)
    const known = [
      [tills.A.id, 'MXN', 3],
      [shop.id, 'MXN', 1],
      ['a party of later', 'MXN', 7],
    ] as const
    await recordLostStatements(world.store, known, world.clock.now())
    await recordLostStatements(world.store, known, world.clock.now())
    assert.equal(
      (await world.rows('lost_statements')).map(({ party_id, number }) => [party_id, number]).sort(),
      [
        [tills.A.id, 1],
        [tills.A.id, 2],
        [tills.A.id, 3],
        [shop.id, 1],
      ].sort(),
    )
    const closed = await closeDay(world.store, network, '2026-03-01')
    assert.is(closed.ok && closed.plan?.number, 4)
    assert.is(closed.ok && closed.plan?.fromDay, '2026-03-01')
  },
)

play(
  'An order is archived once the lines of both its parties are sealed, where they have statements',
  async (world) => {
    const id = await payIn(world)
    // Something came after it: the newest entry of the journal stays.
    await world.order()
    world.clock.advance(minuteMs)
    const archivable = async () => {
      const place = { afterAt: 0, afterId: '', limit: 10 }
      const found = await world.store.query(archivableOrders, { before: world.clock.now(), ...place })
      return found.map((order) => order.id).includes(id)
    }
    const webhooks = await world.rows('webhooks')
    await commit(
      world.store,
      webhooks.map(({ id: webhook }) => ({
        update: 'webhooks',
        key: { id: webhook },
        set: { state: 'delivered', settled_at: 1 },
      })),
    )
    assert.is(await archivable(), true)
    await closeDay(world.store, network, '2026-03-01')
    assert.is(await archivable(), false)
    await closerOf(world).pass()
    assert.is(await archivable(), true)
    await closeDay(world.store, merchant, '2026-03-01')
    assert.is(await archivable(), false)
    await closerOf(world).pass()
    assert.is(await archivable(), true)
  },
)

test.run()
