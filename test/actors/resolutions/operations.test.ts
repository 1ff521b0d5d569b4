/** Orders that ended while they were locked, and what a person says about them. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { exceptionKinds } from '../../../actors/exceptions/kinds.ts'
import { auditList } from '../../../actors/foundation/audit.ts'
import { orderShow } from '../../../actors/orders/operations.ts'
import { exceptionResolve } from '../../../actors/resolutions/operations.ts'
import { resolutions } from '../../../actors/resolutions/resolutions.ts'
import type { Topic } from '../../../persistence/store.ts'
import { operatorOf } from '../../support/operations.ts'
import { assertInvariants } from '../../support/order-invariants.ts'
import { hourMs, inOrderWorld, type OrderWorld, tills } from '../../support/order-world.ts'
import { balances, exceptionOf, expiredWhileLocked, provider } from './ended-orders.ts'

const play = inOrderWorld(test)

const unknownId = '00000000-0000-4000-8000-000000000000'

play(
  'an exception shows its order, its lock, its journal, its money, and how it may be resolved',
  async (world) => {
    const order = await expiredWhileLocked(world)
    const shown = await exceptionOf(world, order)
    assert.equal(shown.evidence, {
      lock: { providerId: tills.A.id, networkId: '000A', since: '2026-03-01T12:00:00.000Z' },
    })
    assert.equal(shown.orderDetails, await operatorOf(world).ask(orderShow, { id: order }))
    assert.is(shown.orderDetails?.lock?.provider, 'Network A')
    assert.is(shown.orderDetails?.postings.at(-1)?.to, 'suspense of Shop')
    assert.equal(shown.resolutions, [
      {
        as: 'honour',
        does: 'The cash was handed over: the money goes to the provider.',
        books: [suspended('honour', 'provider of Network A')],
      },
      {
        as: 'return',
        does: 'No cash was handed over: the money becomes available to the merchant again.',
        books: [suspended('return', 'available of Shop')],
      },
    ])
    assert.equal([shown.amount, shown.asset], ['1000.00', 'MXN'])
    assert.equal(
      [shown.kind, shown.state, shown.revision, shown.resolution, shown.resolvedBy, shown.resolvedAt],
      ['expired_while_locked', 'open', 1, null, null, null],
    )
  },
)

const suspended = (kind: string, credit: string) => ({
  kind,
  debit: 'suspense of Shop',
  credit,
  amount: '1000.00',
  currency: 'MXN',
})

play('what a resolution would book is what it books, and to look books nothing', async (world) => {
  const { ask, refusal } = operatorOf(world)
  for (const direction of ['PAY_OUT', 'PAY_IN'] as const) {
    for (const as of ['honour', 'return'] as const) {
      const order = await expiredWhileLocked(world, direction)
      const { id, resolutions: known, revision } = await exceptionOf(world, order)
      const before = (await ask(orderShow, { id: order })).postings
      const asked = { id, as, reason: 'the receipt was seen' }
      const looked = await ask(exceptionResolve, { ...asked, dryRun: true })
      const books = known.find((one) => one.as === as)?.books
      assert.equal([looked.state, looked.revision, looked.resolutions.length], ['open', revision, 1])
      assert.equal(looked.resolutions[0]?.books, books)
      assert.equal((await ask(orderShow, { id: order })).postings, before)
      await ask(exceptionResolve, asked)
      const booked = (await ask(orderShow, { id: order })).postings.slice(before.length)
      assert.equal(
        booked.map(({ from, to, amount }) => [from, to, amount]),
        books?.map(({ debit, credit, amount }) => [debit, credit, amount]),
      )
      const late = await refusal('exception.resolve', { ...asked, dryRun: true })
      assert.match(late.message, /was resolved already/)
    }
  }
  await assertInvariants(world)
})

play('honoured, the money of a pay-out goes to the provider, and the order stays EXPIRED', async (world) => {
  const order = await expiredWhileLocked(world)
  const { ask } = operatorOf(world)
  const { id } = await exceptionOf(world, order)
  const resolved = await ask(exceptionResolve, {
    id,
    as: 'honour',
    reason: 'the receipt was seen',
    evidence: 'receipt 4711',
    revision: 1,
  })
  assert.equal(
    [
      resolved.state,
      resolved.resolution,
      resolved.resolvedBy,
      resolved.resolutionReason,
      resolved.resolutionEvidence,
    ],
    ['resolved', 'honour', 'ana', 'the receipt was seen', 'receipt 4711'],
  )
  assert.equal([resolved.resolutions, resolved.revision], [[], 2])
  assert.equal(await balances(world), { available: 0n, suspense: 0n, provider: 100_000n, debt: 0n })
  const { status, paid, journal, revision } = await ask(orderShow, { id: order })
  assert.equal([status, paid, revision], ['EXPIRED', null, 5])
  const last = journal.at(-1)
  assert.equal(
    [last?.actor, last?.event, last?.from, last?.to, last?.outcome, last?.details],
    [
      'operator:ana',
      'exception.resolve',
      'EXPIRED',
      'EXPIRED',
      'accepted',
      { exceptionId: id, as: 'honour', reason: 'the receipt was seen' },
    ],
  )
  assert.is((await world.rows('webhooks')).length, 1, 'the merchant was told EXPIRED, and nothing else')
  await assertInvariants(world)
})

play('returned, the money of a pay-out is available again, and funds who waits', async (world) => {
  const order = await expiredWhileLocked(world)
  const waiting = await world.order()
  assert.is(waiting.status, 'CREATED')
  await new Promise(setImmediate)
  const woken: Topic[] = []
  world.store.subscribe('funding', () => woken.push('funding'))
  const { id } = await exceptionOf(world, order)
  await operatorOf(world).ask(exceptionResolve, { id, as: 'return', reason: 'the customer left' })
  assert.equal(await balances(world), { available: 100_000n, suspense: 0n, provider: 0n, debt: 0n })
  await new Promise(setImmediate)
  assert.equal(woken, ['funding'])
  await world.fund()
  assert.is((await world.row(waiting.id)).status, 'READY')
  await assertInvariants(world)
})

play('a pay-in that is honoured is the provider’s debt and the merchant’s credit', async (world) => {
  const order = await expiredWhileLocked(world, 'PAY_IN')
  const { id } = await exceptionOf(world, order)
  await operatorOf(world).ask(exceptionResolve, { id, as: 'honour', reason: 'the cash is in the till' })
  assert.equal(await balances(world), { available: 100_000n, suspense: 0n, provider: -100_000n, debt: 0n })
  assert.is((await world.row(order)).status, 'EXPIRED')
  await assertInvariants(world)
})

play('of a pay-in that is returned nothing moves, and who said so is in the journal', async (world) => {
  const order = await expiredWhileLocked(world, 'PAY_IN')
  const { id } = await exceptionOf(world, order)
  await operatorOf(world).ask(exceptionResolve, { id, as: 'return', reason: 'the customer left' })
  assert.equal(await world.rows('postings'), [])
  assert.is((await world.rows('journal')).at(-1)?.actor, 'operator:ana')
  await assertInvariants(world)
})

play('of two operators one is told that the other was faster', async (world) => {
  const order = await expiredWhileLocked(world)
  const { id, revision } = await exceptionOf(world, order)
  const said = [
    { operator: 'ana', as: 'honour', paid: 100_000n },
    { operator: 'ben', as: 'return', paid: 0n },
  ] as const
  const ends = await Promise.allSettled(
    said.map(({ operator, as }) =>
      operatorOf({ ...world, operator }).ask(exceptionResolve, { id, as, reason: 'so it is', revision }),
    ),
  )
  const [first, ...others] = said.filter((_, index) => ends[index]?.status === 'fulfilled')
  assert.ok(first && others.length === 0)
  for (const end of ends) assert.ok(end.status === 'fulfilled' || end.reason.code === 'conflict')
  const error = await operatorOf(world).refusal('exception.resolve', { id, as: 'return', reason: 'not paid' })
  assert.equal(
    [error.code, error.message],
    [
      'conflict',
      `The exception was resolved already: ${first?.as}, by ${first?.operator} at 2026-03-02T12:10:00.000Z.`,
    ],
  )
  assert.is(await world.balance(provider), first?.paid)
  await assertInvariants(world)
})

play('time alone resolves nothing', async (world) => {
  const order = await expiredWhileLocked(world)
  world.clock.advance(365 * 24 * hourMs)
  await world.orders.expire(order)
  assert.is((await exceptionOf(world, order)).state, 'open')
  assert.is(await world.balance({ kind: 'suspense' }), 100_000n)
})

play('an exception is resolved only in the ways its kind has', async (world) => {
  const order = await expiredWhileLocked(world)
  const { id } = await exceptionOf(world, order)
  const { refusal } = operatorOf(world)
  const wrong = await refusal('exception.resolve', { id, as: 'dismiss', reason: 'x' })
  assert.equal(
    [wrong.code, wrong.message],
    ['invalid', 'An exception expired_while_locked cannot be resolved as dismiss, only as honour or return.'],
  )
  assert.is(wrong.hint, `What each does: exception show ${id}`)
  const unknown = await refusal('exception.resolve', { id: unknownId, as: 'honour', reason: 'x' })
  assert.equal([unknown.code, unknown.message], ['not_found', `There is no exception ${unknownId}.`])
  const cases: [input: object, line: string][] = [
    [{ id, as: 'burn', reason: 'x' }, 'as: must be one of honour, return, retry, accept, refunded, dismiss'],
    [{ id, as: 'honour' }, 'reason: is missing'],
    [{ id, as: 'honour', reason: '  ' }, 'reason: is empty'],
    [{ id, as: 'honour', reason: 'x', evidence: '' }, 'evidence: is empty'],
  ]
  for (const [input, line] of cases) {
    const error = await refusal('exception.resolve', input)
    assert.ok(error.details.includes(line), `${line}: ${error.details.join('; ')}`)
  }
  assert.is((await exceptionOf(world, order)).state, 'open')
  await assertInvariants(world)
})

test('every resolution of every kind does what is said of it, and nothing else is done', () => {
  for (const [kind, { resolutions: told }] of Object.entries(exceptionKinds)) {
    const done = resolutions[kind as keyof typeof resolutions]
    assert.equal(Object.keys(done).sort(), Object.keys(told).sort(), kind)
  }
})

/** A webhook that was given up, with its exception as the worker opens it. */
async function deadWebhook(world: OrderWorld, changes: object = {}) {
  const { id: order } = await world.order({ direction: 'PAY_IN' })
  await world.cancel(order)
  const [webhook] = (await world.rows('webhooks')).filter(({ order_id }) => order_id === order)
  const dead = {
    state: 'dead',
    settled_at: world.clock.now(),
    attempts: 3,
    last_answer: '404',
    ...changes,
  } as const
  const values = {
    id: `dead-letter-of-${order}`,
    kind: 'webhook_dead',
    state: 'open',
    order_id: order,
    reason: 'The webhook CANCELLED was not delivered.',
    evidence_json: JSON.stringify({ webhook: webhook?.id }),
    opened_at: world.clock.now(),
    revision: 1,
  } as const
  await world.store.step({
    rows: {},
    decide: () => ({
      answer: null,
      writes: [
        { update: 'webhooks', key: { id: webhook?.id ?? '' }, set: dead },
        { insert: 'exceptions', values },
      ],
    }),
  })
  return { id: values.id, webhookId: webhook?.id, order }
}

play('a dead letter is sent again with all its attempts before it, or dismissed', async (world) => {
  const { ask, refusal } = operatorOf(world)
  const { id, webhookId, order } = await deadWebhook(world)
  const before = await world.row(order)
  const woken: Topic[] = []
  world.store.subscribe('webhooks', () => woken.push('webhooks'))
  world.clock.advance(hourMs)
  await ask(exceptionResolve, { id, as: 'retry', reason: 'their receiver is repaired' })
  const sent = (await world.rows('webhooks')).find((one) => one.id === webhookId)
  assert.equal(
    [
      sent?.state,
      sent?.settled_at,
      sent?.due_at,
      sent?.attempts,
      sent?.attempts_before,
      sent?.first_attempt_at,
    ],
    ['pending', null, world.clock.now(), 3, 3, null],
  )
  await new Promise(setImmediate)
  assert.equal(woken, ['webhooks'])
  assert.equal(await world.row(order), before, 'the order has no part in it')

  const dismissed = await deadWebhook(world)
  await ask(exceptionResolve, { id: dismissed.id, as: 'dismiss', reason: 'told by telephone' })
  const left = (await world.rows('webhooks')).find((one) => one.id === dismissed.webhookId)
  assert.is(left?.state, 'dead')

  const delivered = await deadWebhook(world, { state: 'delivered' })
  const again = await refusal('exception.resolve', { id: delivered.id, as: 'retry', reason: 'x' })
  assert.equal([again.code, again.message], ['refused', 'The webhook is delivered, not dead.'])
  const pruned = await deadWebhook(world, { pruned_at: world.clock.now() })
  const gone = await refusal('exception.resolve', { id: pruned.id, as: 'retry', reason: 'x' })
  assert.is(
    gone.message,
    "The webhook's body was removed at 2026-03-01T13:00:00.000Z; it cannot be sent again.",
  )
})

play('whoever resolved what and why is in the audit log, refusals too', async (world) => {
  const order = await expiredWhileLocked(world)
  const { id } = await exceptionOf(world, order)
  const { ask, refusal } = operatorOf(world)
  await ask(exceptionResolve, { id, as: 'honour', reason: 'paid', evidence: 'receipt 4711' })
  await refusal('exception.resolve', { id, as: 'return', reason: 'no' })
  const { entries } = await ask(auditList, { operation: 'exception.resolve' })
  assert.equal(
    entries.map(({ operator, input, outcome }) => [operator, input, outcome]),
    [
      [
        'ana',
        { id, as: 'return', reason: 'no' },
        'conflict: The exception was resolved already: honour, by ana at 2026-03-02T12:10:00.000Z.',
      ],
      ['ana', { id, as: 'honour', reason: 'paid', evidence: 'receipt 4711' }, 'done'],
    ],
  )
})

test.run()
