/** Who did what, when, and how it ended: whatever else becomes of the database. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { auditList } from '../../../actors/foundation/audit.ts'
import { operationsOf } from '../../../actors/operations/index.ts'
import { orderCancel } from '../../../actors/orders/change-operations.ts'
import { partyFreeze, partyUnfreeze } from '../../../actors/parties/operations.ts'
import { settleAudit } from '../../../persistence/queries/operations.ts'
import { OutcomeUnknown, StoreUnavailable } from '../../../persistence/store.ts'
import { operatorOf } from '../../support/operations.ts'
import {
  changedStore,
  inOrderWorld,
  minuteMs,
  type OrderWorld,
  readyOrder,
} from '../../support/order-world.ts'

const play = inOrderWorld(test)
const shop = { name: 'Shop', reason: 'x' }

/** Six entries by two operators. */
async function busy(world: OrderWorld): Promise<void> {
  for (const operator of ['ana', 'ben', 'ana']) {
    const { ask } = operatorOf({ ...world, operator })
    await ask(partyFreeze, shop)
    world.clock.advance(minuteMs)
    await ask(partyUnfreeze, shop)
  }
}

const seen = async (world: OrderWorld, input: Parameters<typeof auditList.run>[1] = {}) =>
  (await operatorOf(world).ask(auditList, input)).entries.map(({ at, operator, operation, outcome }) =>
    [at.slice(11, 16), operator, operation, outcome].join(' '),
  )

play('entries are listed the newest first, by operator and operation', async (world) => {
  await busy(world)
  assert.equal(await seen(world), [
    '12:03 ana party.unfreeze done',
    '12:02 ana party.freeze done',
    '12:02 ben party.unfreeze done',
    '12:01 ben party.freeze done',
    '12:01 ana party.unfreeze done',
    '12:00 ana party.freeze done',
  ])
  assert.is((await seen(world, { operator: 'ana' })).length, 4)
  assert.is((await seen(world, { operation: 'party.freeze' })).length, 3)
  assert.equal(await seen(world, { operator: 'ben', operation: 'party.freeze' }), [
    '12:01 ben party.freeze done',
  ])
  assert.equal(await seen(world, { operator: 'nobody' }), [])
})

play('pages follow each other in the order of writing, though the clock was set back', async (world) => {
  await busy(world)
  world.clock.jump(-10 * minuteMs)
  await busy(world)
  const { ask } = operatorOf(world)
  const whole = await ask(auditList, {})
  const paged: unknown[] = []
  let cursor: string | null = null
  do {
    const page: Awaited<ReturnType<typeof auditList.run>> = await ask(auditList, {
      limit: 5,
      ...(cursor === null ? {} : { cursor }),
    })
    paged.push(...page.entries)
    cursor = page.next
  } while (cursor !== null)
  assert.equal([paged, whole.next], [whole.entries, null])
  assert.is(paged.length, 12)
})

test('every operation that changes something is audited, and no secret is in what is kept of it', () => {
  const readers = operationsOf('sandbox').filter(({ isRead }) => isRead)
  for (const { name } of readers) {
    const pattern =
      /\.(list|show(Restore)?|sign|progress|check|explain|lag|quarantined|replay|attention|outstanding|file|today|find|days?)$|^(verify|doctor|statement\.export|evidence\.key|claim\.evidence|notification\.events|approval\.thresholds|sandbox\.(goLive|requests|faults|deliveries|inbox|sample(Report|Statement)))$/
    // It makes an unsigned transaction, and keeps nothing of it.
    if (name !== 'exception.refund') assert.match(name, pattern, `${name} only reads`)
  }
  for (const { name, input, audited } of operationsOf('production')) {
    const takes = JSON.stringify(input)
    assert.ok(audited !== undefined || !/"(secret|token|password)"/.test(takes), `${name} takes a secret`)
  }
})

play('what was done is told as done, though its entry could not be completed', async (world) => {
  const { id } = await readyOrder(world)
  const warned = new Promise<Error>((resolve) => process.once('warning', resolve))
  const store = changedStore(world.store, {
    execute: (asked, args) =>
      Object.is(asked, settleAudit)
        ? Promise.reject(new StoreUnavailable('closed', 'the database failed'))
        : world.store.execute(asked, args),
  })
  const order = await operatorOf({ ...world, store }).ask(orderCancel, { id, reason: 'x' })
  assert.is(order.status, 'CANCELLED')
  assert.match((await warned).message, /The audit log could not be completed: .*the database failed/)
  assert.equal(await seen(world), ['12:01 ana order.cancel begun'])
})

play('what is not known is told as not known, though the entry fails as well', async (world) => {
  const store = changedStore(world.store, {
    step: () => Promise.reject(new OutcomeUnknown('the commit failed')),
    execute: (asked, args) =>
      Object.is(asked, settleAudit)
        ? Promise.reject(new StoreUnavailable('closed', 'the database failed'))
        : world.store.execute(asked, args),
  })
  let error: unknown
  await operatorOf({ ...world, store })
    .ask(partyFreeze, shop)
    .catch((thrown: unknown) => {
      error = thrown
    })
  assert.instance(error, OutcomeUnknown)
})

test.run()
