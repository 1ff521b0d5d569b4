import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createWindows } from '../../../http/limits/windows.ts'

const make = (maxKeys = 100) => createWindows({ windowMs: 60_000, maxKeys })

test('the limit itself is served, one more is over', () => {
  const windows = make()
  const usages = [1, 2, 3].map((at) => windows.count('a', 2, at))
  assert.equal(
    usages.map(({ remaining, isOver }) => [remaining, isOver]),
    [
      [1, false],
      [0, false],
      [0, true],
    ],
  )
  assert.is(windows.count('b', 2, 3).isOver, false, 'another key has its own')
})

test('a window begins with the first one counted and ends a minute later', () => {
  const windows = make()
  windows.count('a', 1, 10_000)
  assert.is(windows.count('a', 1, 40_000).resetMs, 30_000)
  assert.is(windows.count('a', 1, 69_999).isOver, true)
  assert.equal(windows.count('a', 1, 70_000), {
    limit: 1,
    remaining: 0,
    isOver: false,
    resetMs: 60_000,
    windowMs: 60_000,
  })
})

test('looking counts nothing, and says over when nothing is left', () => {
  const windows = make()
  assert.equal(windows.look('a', 1, 0), {
    limit: 1,
    remaining: 1,
    isOver: false,
    resetMs: 60_000,
    windowMs: 60_000,
  })
  assert.is(windows.size, 0)
  windows.count('a', 1, 0)
  assert.equal(windows.look('a', 1, 1000), {
    limit: 1,
    remaining: 0,
    isOver: true,
    resetMs: 59_000,
    windowMs: 60_000,
  })
  assert.is(windows.look('a', 1, 60_000).isOver, false)
})

test('a clock that goes back begins a new window', () => {
  const windows = make()
  windows.count('a', 1, 1_000_000)
  assert.is(windows.count('a', 1, 999_999).isOver, false)
})

test('a million addresses take the room of a hundred', () => {
  const windows = make()
  for (let index = 0; index < 1_000_000; index++) windows.count(`address ${index}`, 1, index)
  assert.is(windows.size, 100)
  assert.is(windows.count('address 999999', 1, 1_000_000).isOver, true, 'the latest are known')
})

test('what has ended makes room before anything that has not', () => {
  const windows = make(3)
  windows.count('a', 1, 0)
  windows.count('b', 1, 1)
  windows.count('c', 1, 50_000)
  windows.count('d', 1, 60_001)
  assert.is(windows.size, 2)
  assert.is(windows.count('c', 1, 60_002).isOver, true)
})

test.run()
