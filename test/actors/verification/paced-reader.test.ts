import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { pacedReader } from '../../../actors/verification/paced-reader.ts'
import type { Reader } from '../../../persistence/store.ts'
import { problemsOf } from '../../support/looks.ts'

/** A reader whose reads take so long, and a clock that only they and rests move. */
function pacedWorld(load: () => number) {
  let now = 1000
  const sleeps: number[] = []
  const looks = (...each: readonly number[]) =>
    async function* () {
      for (const milliseconds of each) {
        now += milliseconds
        yield []
      }
    }
  const reader: Reader = {
    engine: 'sqlite',
    snapshot: async (read) => {
      now += 10
      return read(async () => [])
    },
    damages: looks(200, 100),
    brokenReferences: looks(50),
    close: async () => undefined,
  }
  const paced = pacedReader(reader, {
    load,
    now: () => now,
    sleep: async (milliseconds) => {
      sleeps.push(milliseconds)
      now += milliseconds
    },
  })
  return { paced, sleeps, work: (milliseconds: number) => (now += milliseconds) }
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)

test('beside an idle node nothing rests', async () => {
  const { paced, sleeps } = pacedWorld(() => 0.1)
  await problemsOf(paced.damages())
  await paced.snapshot(async () => 'read')
  assert.equal(sleeps, [])
})

test('each look is followed by a rest in proportion to the load and to the work', async () => {
  const { paced, sleeps, work } = pacedWorld(() => 0.5)
  const rests: number[] = []
  for await (const _ of paced.damages()) rests.push(sum(sleeps))
  assert.equal(rests, [2000, 3000])
  sleeps.length = 0
  // What is done with what was read counts as well.
  work(5)
  assert.is(await paced.snapshot(async () => 'read'), 'read')
  assert.is(sum(sleeps), 150)
})

test('a rest ends when the load does', async () => {
  let load = 1
  const { paced, sleeps } = pacedWorld(() => {
    if (sleeps.length === 3) load = 0
    return load
  })
  await problemsOf(paced.brokenReferences())
  assert.equal(sleeps, [100, 100, 100])
})

test('what fails is not rested after', async () => {
  const { paced, sleeps } = pacedWorld(() => 1)
  const failing = paced.snapshot(async () => {
    throw new Error('torn')
  })
  await failing.then(assert.unreachable, (error: Error) => assert.is(error.message, 'torn'))
  assert.equal(sleeps, [])
})

test.run()
