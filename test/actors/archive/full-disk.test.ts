/** The archive leaves the room of a full disk to the orders under way. */
import { existsSync } from 'node:fs'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Store, StoreUnavailable } from '../../../persistence/store.ts'
import { archiveOf } from '../../support/archive.ts'
import { changedStore, hourMs, orderWorlds } from '../../support/order-world.ts'

const inWorld = orderWorlds(test)

test('while the disk is full no line is written, and nothing is removed', () =>
  inWorld(async (world) => {
    const archive = archiveOf(world)
    try {
      const { id } = await world.order()
      await world.cancel(id)
      await world.order({ expiryAt: world.clock.now() + 400 * 24 * hourMs })
      await archive.deliver()
      const step: Store['step'] = (asked) =>
        asked.isEssential === false
          ? Promise.reject(new StoreUnavailable('full', 'the disk is full'))
          : world.store.step(asked)
      const failed = await archive.archive({ store: changedStore(world.store, { step }) }).catch(String)
      assert.is(failed, 'StoreUnavailable: the disk is full')
      assert.not.ok(existsSync(archive.folder))
      assert.equal(await world.rows('archived_orders'), [])
      await archive.archive()
      assert.is((await world.rows('archived_orders')).length, 1)
    } finally {
      archive.close()
    }
  }))

test.run()
