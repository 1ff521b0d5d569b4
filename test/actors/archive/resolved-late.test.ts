/** An order whose exception was resolved long after its end is kept: a confirmation may contradict what was said. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { resolveException } from '../../../actors/resolutions/resolve.ts'
import { archiveOf, dayMs } from '../../support/archive.ts'
import { ending, graceMs, hourMs, operator, orderWorlds } from '../../support/order-world.ts'

const inWorld = orderWorlds(test)

test('a confirmation after a late return still opens an exception', () =>
  inWorld(async (world) => {
    const archive = archiveOf(world)
    try {
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

      // Of the 31 days that pass here, two are wound back.
      world.clock.advance(-2 * dayMs)
      await archive.archive()
      assert.equal(await world.rows('archived_orders'), [])
      assert.is(ending(await world.confirm(id, 'A')), 'refused ended_while_locked')
      const kinds = (await world.rows('exceptions')).map(({ kind, state }) => `${kind} ${state}`)
      assert.equal(kinds.sort(), ['confirmed_after_return open', 'expired_while_locked resolved'])
    } finally {
      archive.close()
    }
  }))

test.run()
