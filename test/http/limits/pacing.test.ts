import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createPacing } from '../../../http/limits/pacing.ts'

test('turns of one key come one after another, and another key need not wait for them', async () => {
  const turn = createPacing({ gapMs: 5, maxKeys: 10 })
  const begunAt = performance.now()
  const order: string[] = []
  const taken = ['a', 'a', 'a'].map((key, index) => turn(key).then(() => order.push(`${key}${index}`)))
  await turn('b').then(() => order.push('b'))
  await Promise.all(taken)
  assert.equal(order.toSorted(), ['a0', 'a1', 'a2', 'b'])
  assert.ok(order.indexOf('b') < order.indexOf('a1'))
  assert.equal(
    order.filter((name) => name !== 'b'),
    ['a0', 'a1', 'a2'],
  )
  // A timer of Node may be a fraction of a millisecond early.
  assert.ok(performance.now() - begunAt >= 9)
})

test('however many keys there are, so many are remembered', async () => {
  const turn = createPacing({ gapMs: 60_000, maxKeys: 2 })
  await turn('a')
  await turn('b')
  await turn('c')
  assert.is(
    await Promise.race([turn('a').then(() => 'forgotten'), turn('c').then(() => 'kept')]),
    'forgotten',
  )
})

test.run()
