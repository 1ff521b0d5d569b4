/** When blocks settle, and what a cursor keeps. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { advance, type Cursor, type Mark, readCursor, writeCursor } from '../../../chain/evm/cursor.ts'

const disagreementMs = 30_000

/** Blocks of 0.4 s. */
const block = (height: number): Mark => ({ height, at: height * 400 })
const start: Cursor = { settled: block(1000), read: 1000, marks: [], pages: 0 }

const after = (cursor: Cursor, to: number, head: number, hasChainDeposits = false): Cursor =>
  advance(cursor, { to: block(to), head: block(head), hasChainDeposits }, disagreementMs)

test('a page of old blocks settles all of them', () => {
  assert.equal(after(start, 1100, 2000), { settled: block(1100), read: 1100, marks: [], pages: 0 })
})

test('young blocks are read again until they are older than back ends disagree', () => {
  const first = after(start, 1010, 1010)
  assert.equal(first, { settled: block(1000), read: 1000, marks: [block(1010)], pages: 0 })
  assert.equal(after(first, 1084, 1084).settled, block(1000))
  const later = after(first, 1085, 1085)
  assert.equal(later, { settled: block(1010), read: 1010, marks: [block(1085)], pages: 0 })
})

test('a pass over young blocks in several pages settles only what its first page read', () => {
  const marked = after(start, 1010, 1010)
  const first = after(marked, 1005, 1040)
  assert.equal([first.settled, first.read], [block(1000), 1005])
  // The head went on meanwhile. Block 1010 was read now, but 1001 to 1005 were when they were young.
  const second = after(first, 1040, 1090)
  assert.equal([second.settled, second.read], [block(1000), 1040])
  const third = after(second, 1090, 1090)
  assert.equal([third.settled, third.read], [block(1000), 1000])
  assert.equal(after(third, 1090, 1090).settled, block(1010))
})

test('marks are two seconds apart, and only those above the settled blocks are kept', () => {
  let cursor = start
  for (let head = 1001; head <= 1070; head += 1) cursor = after(cursor, head, head)
  assert.equal(
    cursor.marks.map(({ height }) => height),
    Array.from({ length: 14 }, (_, index) => 1001 + 5 * index),
  )
  for (let head = 1071; head <= 3000; head += 1) {
    cursor = after(cursor, head, head)
    assert.ok(cursor.marks.length < 20)
    assert.ok(cursor.settled.at <= block(head).at - disagreementMs || cursor.settled.height === 1000)
  }
  assert.ok(cursor.settled.height > 3000 - 85)
})

test('a page that goes no further than a mark settles nothing above itself', () => {
  const marked = { ...start, marks: [block(1010), block(1020)] }
  assert.equal(after(marked, 1015, 2000).settled, block(1015))
  assert.equal(after(marked, 1015, 2000).marks, [block(1020)])
})

test('a page with deposits has a cursor of its own', () => {
  const marked = after(start, 1010, 1010)
  assert.is.not(writeCursor(after(marked, 1011, 1011, true)), writeCursor(marked))
  assert.is(writeCursor(after(marked, 1011, 1011, false)), writeCursor(marked))
})

test('a cursor is text, and nothing else is a cursor', () => {
  const cursor = after(start, 1010, 1010, true)
  assert.equal(readCursor(writeCursor(cursor)), cursor)
  const wrong = [
    'null',
    '[]',
    '{}',
    writeCursor(cursor).replace('"read":1000', '"read":"1000"'),
    writeCursor(cursor).replace('"pages":1', '"pages":1.5'),
    writeCursor(cursor).replace('"marks":[', '"marks":[7,'),
  ]
  for (const text of wrong) assert.throws(() => readCursor(text), /not a cursor of an EVM chain/)
  assert.throws(() => readCursor(''))
})

test.run()
