/** Who did what, when, and how it ended: whatever else becomes of the database. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { auditList } from '../../../actors/foundation/audit.ts'
import { OperationError } from '../../../actors/foundation/operation.ts'
import { operationsOf } from '../../../actors/operations/index.ts'
import { orderCancel } from '../../../actors/orders/change-operations.ts'
import { partyFreeze, partyUnfreeze } from '../../../actors/parties/operations.ts'
import { type AuditFilter, auditOfDays, settleAudit } from '../../../persistence/queries/operations.ts'
import { OutcomeUnknown, StoreUnavailable } from '../../../persistence/store.ts'
import { operatorOf } from '../../support/operations.ts'
import {
  changedStore,
  inOrderWorld,
  minuteMs,
  type OrderWorld,
  readyOrder,
} from '../../support/order-world.ts'
import { planOf } from '../../support/query-plan.ts'

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

/** Of the six entries of `busy`, and the six after the clock was set back by ten minutes. */
const ofDays: [from: string | undefined, to: string | undefined, expected: string][] = [
  [undefined, '2026-02-28', ''],
  ['2026-03-01', '2026-03-01', '12:03 12:02 12:02 12:01 12:01 12:00 11:56 11:55 11:55 11:54 11:54 11:53'],
  ['2026-03-02', undefined, ''],
  ['2026-03-01T12:02:00Z', undefined, '12:03 12:02 12:02'],
  [undefined, '2026-03-01T11:54:00Z', '11:53'],
  ['2026-03-01T11:56:00Z', '2026-03-01T12:01:00Z', '12:00 11:56'],
]

play('entries of some days are listed by their times, page after page', async (world) => {
  await busy(world)
  world.clock.jump(-10 * minuteMs)
  await busy(world)
  const { ask } = operatorOf(world)
  for (const [from, to, expected] of ofDays) {
    const times: string[] = []
    const days = { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) }
    let cursor: string | null = null
    do {
      const page: Awaited<ReturnType<typeof auditList.run>> = await ask(auditList, {
        ...days,
        limit: 1,
        ...(cursor === null ? {} : { cursor }),
      })
      times.push(...page.entries.map(({ at }) => at.slice(11, 16)))
      cursor = page.next
    } while (cursor !== null)
    assert.is(times.join(' '), expected, `${from} to ${to}`)
  }
  const ana = { from: '2026-03-01', to: '2026-03-01', operator: 'ana' }
  assert.is((await seen(world, ana)).length, 8)
  assert.is((await seen(world, { ...ana, operation: 'party.freeze' })).length, 4)
  const { next: cursor } = await ask(auditList, { limit: 1 })
  const { entries } = await ask(auditList, { to: '2026-03-01', ...(cursor === null ? {} : { cursor }) })
  assert.equal(entries, [], 'a cursor of the whole list leads nowhere in days')
})

play('days that are none are refused, each by its name', async (world) => {
  const refused = await operatorOf(world)
    .ask(auditList, { from: 'today', to: '2026-02-30' })
    .catch((error: unknown) => error)
  assert.instance(refused, OperationError)
  assert.equal(Object(refused).details, [
    'from: "today" is no day such as 2026-03-01.',
    'to: "2026-02-30" is no day such as 2026-03-01.',
  ])
})

const page = { after: { at: 1, id: '1' }, limit: 10 }
const shapes: [filter: AuditFilter, index: string][] = [
  [{ from: 1 }, 'audit_by_time'],
  [{ from: 1, to: 2 }, 'audit_by_time'],
  [{ operator: 'ana', to: 2 }, 'audit_by_operator_and_time'],
  [{ operation: 'order.cancel', from: 1, to: 2 }, 'audit_by_operation_and_time'],
]
for (const [filter, index] of shapes)
  test(`a list by ${Object.keys(filter)} begins at its place and is not sorted`, () => {
    for (const request of [page, { ...page, after: null }]) {
      const steps = planOf(auditOfDays(filter, request))
      assert.is(steps.length, 1, steps.join())
      assert.match(steps[0] ?? '', new RegExp(`INDEX ${index} \\(.*done_at`))
    }
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
