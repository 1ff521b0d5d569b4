/** Orders that ended while they were locked, and what a person says about them. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { exceptionKinds } from '../../../actors/exceptions/kinds.ts'
import { auditList } from '../../../actors/foundation/audit.ts'
import { orderShow } from '../../../actors/orders/operations.ts'
import {
  type ExceptionDocument,
  exceptionList,
  exceptionResolve,
  exceptionShow,
} from '../../../actors/resolutions/operations.ts'
import { resolutions } from '../../../actors/resolutions/resolutions.ts'
import type { Topic } from '../../../persistence/store.ts'
import { operatorOf } from '../../support/operations.ts'
import { assertInvariants } from '../../support/order-invariants.ts'
import {
  ending,
  graceMs,
  hourMs,
  inOrderWorld,
  minuteMs,
  type OrderWorld,
  tills,
} from '../../support/order-world.ts'

const play = inOrderWorld(test)
const provider = { kind: 'provider', ownerId: tills.A.id } as const
const unknownId = '00000000-0000-4000-8000-000000000000'

/** An order that expired while A held it. */
async function expiredWhileLocked(world: OrderWorld, direction: 'PAY_OUT' | 'PAY_IN' = 'PAY_OUT') {
  if (direction === 'PAY_OUT') await world.deposit(100_000n)
  const { id } = await world.order({ direction })
  assert.is(ending(await world.start(id, 'A')), 'accepted')
  world.clock.advance(24 * hourMs + graceMs)
  await world.orders.expire(id)
  return id
}

async function exceptionOf(world: OrderWorld, order: string): Promise<ExceptionDocument> {
  const { ask } = operatorOf(world)
  const { exceptions } = await ask(exceptionList, { order })
  return ask(exceptionShow, { id: exceptions[0]?.id ?? '' })
}

async function balances(world: OrderWorld) {
  return {
    available: await world.balance({}),
    suspense: await world.balance({ kind: 'suspense' }),
    provider: await world.balance(provider),
    debt: await world.balance({ kind: 'debt' }),
  }
}

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
      { as: 'honour', does: 'The cash was handed over: the money goes to the provider.' },
      { as: 'return', does: 'No cash was handed over: the money is available to the merchant again.' },
    ])
    assert.equal([shown.amount, shown.asset], ['1000.00', 'MXN'])
    assert.equal(
      [shown.kind, shown.state, shown.revision, shown.resolution, shown.resolvedBy, shown.resolvedAt],
      ['expired_while_locked', 'open', 1, null, null, null],
    )
  },
)

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

play('a late confirmation by the former holder joins the exception of the order’s end', async (world) => {
  const { ask, refusal } = operatorOf(world)
  const order = await expiredWhileLocked(world)
  const seen = await exceptionOf(world, order)
  assert.is(ending(await world.confirm(order, 'A')), 'refused ended_while_locked')
  world.clock.advance(minuteMs)
  assert.is(ending(await world.confirm(order, 'A')), 'refused ended_while_locked')
  assert.is(ending(await world.confirm(order, 'B')), 'refused wrong_status')
  const joined = await exceptionOf(world, order)
  assert.equal(joined.evidence, {
    ...(seen.evidence as object),
    lateConfirmations: {
      count: 2,
      first: '2026-03-02T12:10:00.000Z',
      last: '2026-03-02T12:11:00.000Z',
      by: [{ key: 'pk_a', count: 2, first: '2026-03-02T12:10:00.000Z', last: '2026-03-02T12:11:00.000Z' }],
    },
  })
  // Who was about to return the money has not seen that the provider says it has paid.
  const late = await refusal('exception.resolve', {
    id: seen.id,
    as: 'return',
    reason: 'x',
    revision: seen.revision,
  })
  assert.equal(
    [late.code, late.message],
    ['conflict', 'The exception has changed since you looked (revision 2 now).'],
  )
  await ask(exceptionResolve, { id: seen.id, as: 'honour', reason: 'the till was slow', revision: 2 })
  await assertInvariants(world)
})

play(
  'a confirmation that finds the expiry still to be applied joins the exception it opens',
  async (world) => {
    await world.deposit(100_000n)
    const { id } = await world.order()
    await world.start(id, 'A')
    world.clock.advance(24 * hourMs + graceMs)
    assert.is(ending(await world.confirm(id, 'A')), 'refused ended_while_locked')
    const { evidence, kind } = await exceptionOf(world, id)
    assert.is(kind, 'expired_while_locked')
    assert.match(JSON.stringify(evidence), /"lateConfirmations":\{"count":1,/)
    assert.is((await world.rows('exceptions')).length, 1)
    await assertInvariants(world)
  },
)

play(
  'an insistent till is counted beyond what the journal keeps, and its evidence stays small',
  async (world) => {
    const order = await expiredWhileLocked(world)
    const keys = Array.from({ length: 12 }, (_, index) => `pk_${index}`)
    for (const credential of [...keys, ...keys, ...keys]) {
      world.clock.advance(1000)
      const actor = { ...tills.A, credential }
      await world.tell(order, actor, { type: 'payment.confirm', providerId: tills.A.id })
    }
    const { evidence, revision } = await exceptionOf(world, order)
    const { lateConfirmations } = evidence as {
      lateConfirmations: { count: number; last: string; by: object[] }
    }
    assert.equal(
      [lateConfirmations.count, lateConfirmations.last, lateConfirmations.by.length, revision],
      [36, '2026-03-02T12:10:36.000Z', 10, 11],
    )
    const { refusals, journal_count } = await world.row(order)
    assert.equal([refusals, journal_count], [36, 4 + 20])
    await assertInvariants(world)
  },
)

play('an operator who confirms for the provider too late is no evidence of the provider’s', async (world) => {
  const order = await expiredWhileLocked(world)
  const { refusal } = operatorOf(world)
  const error = await refusal('order.confirm', { id: order, provider: 'Network A', reason: 'receipt' })
  assert.is(error.hint, `Resolve its exception: exception list --order ${order}`)
  const { id } = await exceptionOf(world, order)
  await operatorOf(world).ask(exceptionResolve, { id, as: 'return', reason: 'x' })
  const resolved = await refusal('order.confirm', { id: order, provider: 'Network A', reason: 'receipt' })
  assert.is(resolved.message, 'The order became EXPIRED while Network A held it, and was resolved as return.')
  assert.not.match(JSON.stringify((await exceptionOf(world, order)).evidence), /lateConfirmations/)
})

/** Returned by the operator, and then confirmed by the provider. */
async function disputed(world: OrderWorld, direction: 'PAY_OUT' | 'PAY_IN' = 'PAY_OUT') {
  const order = await expiredWhileLocked(world, direction)
  const { id } = await exceptionOf(world, order)
  await operatorOf(world).ask(exceptionResolve, { id, as: 'return', reason: 'the till said so' })
  world.clock.advance(minuteMs)
  assert.is(ending(await world.confirm(order, 'A')), 'refused ended_while_locked')
  return { order, exception: await exceptionOf(world, order) }
}

play(
  'a confirmation after the return is an exception of its own, and is joined by the next',
  async (world) => {
    const { order, exception } = await disputed(world)
    assert.equal(
      [exception.kind, exception.state, exception.resolutions.map(({ as }) => as)],
      ['confirmed_after_return', 'open', ['honour', 'dismiss']],
    )
    assert.match(exception.reason, /^Network A confirms an order that it held when it became EXPIRED, after/)
    await world.confirm(order, 'A')
    await world.confirm(order, 'A')
    assert.match(JSON.stringify((await exceptionOf(world, order)).evidence), /"count":3/)
    assert.is((await world.rows('exceptions')).length, 2)
    await assertInvariants(world)
  },
)

play('honoured after the return, what the merchant has spent meanwhile is its debt', async (world) => {
  const { order, exception } = await disputed(world)
  // It has spent 700 of the 1000.
  await world.order({ priceMinor: 70_000n })
  assert.is(await world.balance({}), 30_000n)
  await operatorOf(world).ask(exceptionResolve, {
    id: exception.id,
    as: 'honour',
    reason: 'the receipt came by post',
  })
  assert.equal(await balances(world), { available: 0n, suspense: 0n, provider: 100_000n, debt: -70_000n })
  assert.is((await world.row(order)).status, 'EXPIRED')
  await assertInvariants(world)
  await world.deposit(100_000n)
  assert.equal(await balances(world), { available: 30_000n, suspense: 0n, provider: 100_000n, debt: 0n })
  await assertInvariants(world)
})

play('a pay-in that is honoured after its return is the provider’s debt all the same', async (world) => {
  const { exception } = await disputed(world, 'PAY_IN')
  await operatorOf(world).ask(exceptionResolve, {
    id: exception.id,
    as: 'honour',
    reason: 'found in the till',
  })
  assert.equal(await balances(world), { available: 100_000n, suspense: 0n, provider: -100_000n, debt: 0n })
  await assertInvariants(world)
})

play('dismissed, the return stands', async (world) => {
  const { order, exception } = await disputed(world)
  await operatorOf(world).ask(exceptionResolve, {
    id: exception.id,
    as: 'dismiss',
    reason: 'another order’s receipt',
  })
  assert.equal(await balances(world), { available: 100_000n, suspense: 0n, provider: 0n, debt: 0n })
  const { revision } = await world.row(order)
  assert.is(revision, 5, 'the return is in the journal, the dismissal moves nothing')
  await assertInvariants(world)
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
    [{ id, as: 'honour', reason: 'x', evidence: '' }, 'evidence: must NOT have fewer than 1 characters'],
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
