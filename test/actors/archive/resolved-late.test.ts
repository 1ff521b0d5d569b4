/** An order whose exception was resolved long after its end is kept: a confirmation may contradict what was said. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { resolveException } from '../../../actors/resolutions/resolve.ts'
import type { Store } from '../../../persistence/store.ts'
import { type ArchiveWorld, archiveOf, dayMs } from '../../support/archive.ts'
import {
  changedStore,
  ending,
  graceMs,
  hourMs,
  type OrderWorld,
  operator,
  orderWorlds,
} from '../../support/order-world.ts'

const inWorld = orderWorlds(test)

/** Returned 40 days after it expired in a till's hand. */
async function returnedLate(world: OrderWorld, archive: ArchiveWorld): Promise<string> {
  await world.deposit(100_000n)
  const { id } = await world.order({ expiryAt: world.clock.now() + hourMs })
  await world.start(id, 'A')
  world.clock.advance(hourMs + graceMs)
  await world.orders.expire(id)
  await archive.deliver()
  world.clock.advance(40 * dayMs)
  const [ended] = await world.rows('exceptions')
  const exceptionId = ended?.id ?? ''
  const resolving = { exceptionId, as: 'return', reason: 'no cash', evidence: null, operator } as const
  await resolveException({ store: world.store, ...world.orders.context }, resolving)
  await world.order({ expiryAt: world.clock.now() + 400 * dayMs })
  return id
}

const exceptionsOf = async (world: OrderWorld) =>
  (await world.rows('exceptions')).map(({ kind, state }) => `${kind} ${state}`).toSorted()
const disputed = ['confirmed_after_return open', 'expired_while_locked resolved']

test('a confirmation after a late return still opens an exception', () =>
  inWorld(async (world) => {
    const archive = archiveOf(world)
    try {
      const id = await returnedLate(world, archive)
      // Of the 31 days that pass here, two are wound back.
      world.clock.advance(-2 * dayMs)
      await archive.archive()
      assert.equal(await world.rows('archived_orders'), [])
      assert.is(ending(await world.confirm(id, 'A')), 'refused ended_while_locked')
      assert.equal(await exceptionsOf(world), disputed)
    } finally {
      archive.close()
    }
  }))

test('an exception that is opened while its order is on its way to the archive keeps it', () =>
  inWorld(async (world) => {
    const archive = archiveOf(world)
    try {
      const id = await returnedLate(world, archive)
      let isFirst = true
      // Orders are listed, and then whether there is room for their lines is asked.
      const step: Store['step'] = async (task) => {
        if (!isFirst) return world.store.step(task)
        isFirst = false
        await world.confirm(id, 'A')
        return world.store.step(task)
      }
      await archive.archive({ store: changedStore(world.store, { step }) })
      assert.not.ok(isFirst)
      assert.equal(await world.rows('archived_orders'), [])
      assert.equal(await exceptionsOf(world), disputed)
    } finally {
      archive.close()
    }
  }))

test.run()
