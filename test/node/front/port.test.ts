/** Calls between two threads, here without threads: what is sent is copied as it would be. */
import { setImmediate as turn } from 'node:timers/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { UnreadableOrder } from '../../../actors/orders/unreadable-order.ts'
import { type CoreCalls, withoutRows } from '../../../node/front/core-calls.ts'
import { type Call, createCallee, createCaller, type Reply } from '../../../node/front/port.ts'
import { OutcomeUnknown, StoreUnavailable } from '../../../persistence/store.ts'

function joined(calls: Partial<CoreCalls>) {
  const sent: { calls: number[]; replies: number[] } = { calls: [], replies: [] }
  const callee = createCallee(calls as CoreCalls, (replies: readonly Reply[]) => {
    sent.replies.push(replies.length)
    caller.settle(structuredClone(replies))
  })
  const caller = createCaller((asked: readonly Call[]) => {
    sent.calls.push(asked.length)
    callee(structuredClone(asked))
  })
  return { calls: caller.calls, sent }
}

test('what is asked in one turn is one message, and so is what is answered together', async () => {
  const committed = Promise.withResolvers<void>()
  const { calls, sent } = joined({ tryExpire: (id) => committed.promise.then(() => id === 'b') })
  const answers = Promise.all(['a', 'b', 'c'].map((id) => calls.tryExpire(id)))
  await turn()
  committed.resolve()
  assert.equal(await answers, [false, true, false])
  assert.equal(sent, { calls: [3], replies: [3] })
  await calls.tryExpire('d')
  assert.equal(sent, { calls: [3, 1], replies: [3, 1] })
})

test('what is answered later does not wait for others, and each gets its own', async () => {
  const late = Promise.withResolvers<string>()
  const { calls } = joined({
    openSecret: (key) => (key === 'late' ? late.promise : Promise.resolve(`of ${key}`)),
  })
  const waiting = calls.openSecret('late', null)
  assert.is(await calls.openSecret('soon', 'sealed'), 'of soon')
  late.resolve('of late')
  assert.is(await waiting, 'of late')
})

for (const [error, kind] of [
  [new StoreUnavailable('full', 'the disk is full'), StoreUnavailable],
  [new OutcomeUnknown('only the next start will tell'), OutcomeUnknown],
  [new UnreadableOrder('o1', 'it is of tomorrow'), UnreadableOrder],
  [new TypeError('a fault of ours'), Error],
] as const) {
  test(`${error.name} is still one on the other side, with its text and where it came from`, async () => {
    const { calls } = joined({ readiness: () => Promise.reject(error) })
    const got = await calls.readiness().catch((refused: unknown) => refused)
    assert.instance(got, kind)
    assert.equal([(got as Error).message, (got as Error).stack], [error.message, error.stack])
    if (error instanceof StoreUnavailable) assert.is((got as StoreUnavailable).reason, error.reason)
  })
}

test('nothing but what the core offers can be asked for', async () => {
  let replies = 0
  const callee = createCallee({} as CoreCalls, () => replies++)
  for (const name of ['constructor', 'toString', '__proto__', 'nothing']) {
    assert.throws(() => callee([[1, name as keyof CoreCalls, []]]), /there is no call/)
  }
  assert.is(replies, 0)
})

test('of an order that is told something nothing but the answer crosses, or what its refusal is told by', async () => {
  const answer = { status: 200, body: '{}' }
  const order = { id: 'o1', status: 'READY', direction: 'PAY_OUT', currency: 'MXN', code: 'secret' }
  const told = async (outcome: object) => {
    const tell = async () => outcome
    return withoutRows({ tell } as unknown as CoreCalls).tell({} as Parameters<CoreCalls['tell']>[0])
  }
  assert.equal(await told({ outcome: 'accepted', order, answer }), { outcome: 'accepted', answer })
  assert.equal(await told({ outcome: 'already_confirmed', order, answer }), {
    outcome: 'already_confirmed',
    answer,
  })
  assert.equal(await told({ outcome: 'refused', reason: 'not_holder', order }), {
    outcome: 'refused',
    reason: 'not_holder',
    order: { status: 'READY', direction: 'PAY_OUT', currency: 'MXN' },
  })
  assert.equal(await told({ outcome: 'repeated', answer }), { outcome: 'repeated', answer })
})

test.run()
