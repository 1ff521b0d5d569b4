import { mock } from 'node:test'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createPacing } from '../../../http/limits/pacing.ts'

/** Far longer than the test takes by the clock of the machine, which is what a turn is judged by; its timers are the test's. */
const gapMs = 60_000

test('turns of one key come one after another, and another key need not wait for them', async () => {
  mock.timers.enable({ apis: ['setTimeout'] })
  try {
    const turn = createPacing({ gapMs, maxKeys: 10 })
    const come: string[] = []
    for (const name of ['a0', 'a1', 'a2', 'b0']) turn(name.slice(0, 1)).then(() => come.push(name))
    const comeAfter = async (ms: number) => {
      mock.timers.tick(ms)
      await new Promise(setImmediate)
      return come.splice(0)
    }
    assert.equal(await comeAfter(0), ['a0', 'b0'])
    assert.equal(await comeAfter(gapMs / 2), [])
    assert.equal(await comeAfter(gapMs / 2), ['a1'])
    assert.equal(await comeAfter(gapMs / 2), [])
    assert.equal(await comeAfter(gapMs / 2), ['a2'])
  } finally {
    mock.timers.reset()
  }
})

test('however many keys there are, so many are remembered', async () => {
  const turn = createPacing({ gapMs, maxKeys: 2 })
  await turn('a')
  await turn('b')
  await turn('c')
  assert.is(
    await Promise.race([turn('a').then(() => 'forgotten'), turn('c').then(() => 'kept')]),
    'forgotten',
  )
})

test.run()
