/** What stays of an archived order in the database is held against its line. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Row } from '../../../persistence/store.ts'
import { archiveOf } from '../../support/archive.ts'
import { commit, hourMs, orderWorlds } from '../../support/order-world.ts'

const inWorld = orderWorlds(test)

const changes: readonly (readonly [Partial<Row<'archived_orders'>>, RegExp])[] = [
  [{ code: '0' }, /the database says code 0$/],
  [{ merchant_order_id: 'free again' }, /the database says merchant_order_id free again$/],
  [{ direction: 'PAY_IN' }, /the database says direction PAY_IN$/],
  [{ status: 'COMPLETED' }, /the database says status COMPLETED$/],
  [{ created_at: 1 }, /the database says created_at 1$/],
  [{ journal_count: 9 }, /the database says journal_count 9$/],
  [{ journal_head: 'x' }, /the database says journal_head x$/],
  [{ reference: 'x' }, /the database says reference x$/],
  [{ personal_key: 'x' }, /the key in the database does not open its personal data$/],
  [{ email_digest: null }, /its consumer is not found by their e-mail$/],
  [{ phone_digest: 'x' }, /its consumer is not found by their telephone number$/],
]

test('what stays of an order is what its line says', () =>
  inWorld(async (world) => {
    const archive = archiveOf(world)
    try {
      const { id } = await world.order()
      await world.cancel(id)
      await world.order({ expiryAt: world.clock.now() + 400 * 24 * hourMs })
      await archive.deliver()
      await archive.archive()
      const [remains] = await world.rows('archived_orders')
      if (remains === undefined) throw new Error('it was archived')
      const key = { id }
      for (const [set, problem] of changes) {
        await commit(world.store, [{ update: 'archived_orders', key, set }])
        assert.match((await archive.check()).problems.join('; '), problem)
        const { id: _, ...before } = remains
        await commit(world.store, [{ update: 'archived_orders', key, set: before }])
      }
      assert.equal((await archive.check()).problems, [])
      const erased = { personal_key: null, email_digest: null, phone_digest: null, erased_at: 1 }
      await commit(world.store, [{ update: 'archived_orders', key, set: erased }])
      assert.equal((await archive.check()).problems, [])
    } finally {
      archive.close()
    }
  }))

test.run()
