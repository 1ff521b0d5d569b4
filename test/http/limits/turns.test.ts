/** Whose turn is next, and that a turn nobody wants is not spent. */
import { mock } from 'node:test'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createTurns } from '../../../http/limits/turns.ts'

const wanted = () => true

test('the first has a turn at once, and the keys that wait have one after another', async () => {
  const { take } = createTurns(() => 1)
  const order: string[] = []
  const names = ['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'b2']
  await Promise.all(names.map((name) => take(name.slice(0, 1), wanted).then(() => order.push(name))))
  assert.equal(order, ['a1', 'b1', 'a2', 'c1', 'b2', 'a3', 'a4'])
})

test('every other turn is for the key that has had fewest, and the turns between go round', async () => {
  const { take } = createTurns(() => 1)
  const often = ['a', 'b', 'c', 'd', 'e', 'f']
  for (const key of [...often, ...often]) await take(key, wanted)
  const order: string[] = []
  const names = [...often.map((key) => `${key}3`), 'visitor1', 'visitor2', 'visitor3']
  const keyOf = (name: string) => name.slice(0, -1)
  await Promise.all(names.map((name) => take(keyOf(name), wanted).then(() => order.push(name))))
  assert.ok(order.indexOf('visitor2') <= 4, `The visitor waits for all others: ${order}`)
  assert.equal(
    order.filter((name) => often.includes(keyOf(name))),
    often.map((key) => `${key}3`),
  )
})

test('keys that are new each time keep one that has had turns waiting for one more at most', async () => {
  const { take } = createTurns(() => 1)
  for (const key of ['old', 'old', 'old']) await take(key, wanted)
  const order: string[] = []
  const fresh = Array.from({ length: 20 }, (_, index) => `new${index}`)
  await Promise.all(['new', 'old', ...fresh].map((key) => take(key, wanted).then(() => order.push(key))))
  assert.ok(order.indexOf('old') <= 3, `It waits for all that are new: ${order}`)
})

test('who has gone takes nobody’s turn, and the line goes on', async () => {
  const { take } = createTurns(() => 1)
  await take('a', wanted)
  const order: string[] = []
  for (const key of ['x', 'x', 'y']) take(key, () => false).then(() => order.push('gone'))
  const come = (name: string) => () => order.push(name)
  await Promise.all([take('y', wanted).then(come('y')), take('x', wanted).then(come('x'))])
  assert.equal(order, ['x', 'y'])
})

test('turns that are far apart are each a gap after the one before', async () => {
  mock.timers.enable({ apis: ['setTimeout'] })
  try {
    const gapMs = 60_000
    const { take } = createTurns(() => gapMs)
    let come = 0
    for (const key of ['a', 'a', 'a']) take(key, wanted).then(() => come++)
    const comeAfter = async (ms: number) => {
      mock.timers.tick(ms)
      await new Promise(setImmediate)
      return come
    }
    assert.is(await comeAfter(1), 1)
    assert.is(await comeAfter(gapMs / 2), 1)
    assert.is(await comeAfter(gapMs / 2), 2)
  } finally {
    mock.timers.reset()
  }
})

test.run()
