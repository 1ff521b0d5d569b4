/** A database newer than its anchors is accepted, never an older one, and none in which an order was put back. */
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { formatAnchor, parseAnchor } from '../../../actors/anchors/anchor.ts'
import { createAnchoring } from '../../../actors/anchors/anchoring.ts'
import { type AnchorCheck, checkAnchors } from '../../../actors/anchors/check.ts'
import { createRestoreWatch } from '../../../actors/anchors/restore-watch.ts'
import { createCondition, readiness } from '../../../actors/condition/condition.ts'
import { openReader } from '../../../persistence/index.ts'
import { readLines } from '../../../persistence/line-log.ts'
import { journalKey } from '../../support/order-world.ts'
import { anchoring, anchorStories, startedOn } from './anchored-nodes.ts'

const { inWorld, databases, newFile, playThreeMinutes, threeMinutes } = anchorStories(test)

async function check(database: string, anchors: string): Promise<AnchorCheck> {
  const reader = await openReader(database)
  try {
    return await checkAnchors({ reader, journalKey }, readLines(anchors))
  } finally {
    await reader.close()
  }
}

test('an anchor says when, how far, how many and what; nothing new is not anchored', async () => {
  const { anchors, present } = await threeMinutes()
  const lines = readFileSync(anchors, 'utf8').trimEnd().split('\n')
  const read = lines.map(parseAnchor)
  assert.equal(
    read.map((anchor) => [anchor?.at, anchor?.position, anchor?.entries]),
    [
      [Date.UTC(2026, 2, 1, 12, 1), 4, 4],
      [Date.UTC(2026, 2, 1, 12, 2), 9, 5],
      [Date.UTC(2026, 2, 1, 12, 3), 14, 5],
    ],
  )
  for (const [index, anchor] of read.entries()) assert.is(anchor && formatAnchor(anchor), lines[index])
  assert.equal(await check(present, anchors), { problems: [], anchors: 3, entries: 14 })
})

test('a newer database is accepted, an older one never', async () => {
  const { anchors, older, present } = await threeMinutes()
  const first = newFile()
  writeFileSync(first, `${readFileSync(anchors, 'utf8').split('\n')[0]}\n`)
  assert.equal((await check(present, first)).problems, [])
  assert.equal((await check(older, first)).problems, [])
  assert.equal((await check(older, anchors)).problems, [
    'the database is older than its anchor of 2026-03-01T12:03:00.000Z: that ends with entry 14 of the journal, ' +
      'which has 9',
  ])
})

const damages: [what: string, sql: string][] = [
  [
    // What its own chain does not show: all of it fits together, as it did a minute before.
    'one order was put back, journal and all',
    `UPDATE orders SET status = 'PAYMENT_STARTED', paid_at = NULL, due_at = 1, revision = 3, journal_count = 4,
       journal_head = (SELECT hash FROM journal WHERE order_id = orders.id AND sequence = 4)
       WHERE id = (SELECT order_id FROM journal WHERE position = 9);
     DELETE FROM journal WHERE position = 9`,
  ],
  ['an entry was changed', "UPDATE journal SET hash = 'another' WHERE position = 7"],
  ['an entry was taken away', 'DELETE FROM journal WHERE position = 6'],
  ['two entries changed places', 'UPDATE journal SET position = 100 - position WHERE position IN (7, 8)'],
]

for (const [what, sql] of damages)
  test(`it is found that ${what}, and between which anchors`, async () => {
    const { anchors, present } = await threeMinutes()
    const { problems } = await check(await databases.changed(present, sql), anchors)
    const [first] = problems
    assert.is(
      first,
      'entries 5 to 9 of the journal, from 2026-03-01T12:01:00.000Z to 2026-03-01T12:02:00.000Z, differ ' +
        'from those that were anchored',
    )
  })

test('an anchor that was changed, taken away, put in or forged is found', async () => {
  const { anchors, present } = await threeMinutes()
  const [one = '', two = '', three = ''] = readFileSync(anchors, 'utf8').split('\n')
  const changes: [what: string, lines: string[]][] = [
    ['changed', [one, two.replace('12:02', '12:01'), three]],
    ['taken away', [one, three]],
    ['put in', [one, two, two, three]],
    ['no anchor', [one, '{"at":"now"}', three]],
    ['forged', [JSON.stringify({ ...JSON.parse(one), digest: 'x' })]],
  ]
  for (const [what, lines] of changes) {
    const file = newFile()
    writeFileSync(file, `${lines.join('\n')}\n`)
    assert.ok((await check(present, file)).problems.length > 0, what)
  }
  // The last lines may be missing: a database is newer than they say, too.
  const file = newFile()
  writeFileSync(file, `${one}\n${two}\n`)
  assert.equal((await check(present, file)).problems, [])
})

test('a damaged byte is told as damage of its line, wherever it is, and never as another history', async () => {
  const { anchors, present } = await threeMinutes()
  const bytes = readFileSync(anchors)
  const second = bytes.indexOf('\n') + 1
  const file = newFile()
  const reader = await openReader(present)
  const damaged = 'line 2 of the anchors is damaged: it cannot be read as one'
  for (let at = second; bytes[at] !== 0x0a; at++) {
    const copy = Buffer.from(bytes)
    copy[at] = 0xff
    writeFileSync(file, copy)
    const { problems } = await checkAnchors({ reader, journalKey }, readLines(file))
    assert.is(problems[0], damaged, `byte ${at}`)
  }
  await reader.close()
  // The last one decides what a node makes of its database.
  const copy = Buffer.from(bytes)
  copy[bytes.length - 10] = 0xff
  writeFileSync(file, copy)
  assert.match(
    (await startedOn(await databases.copy(present), file)).reason ?? '',
    /The last lines of the anchors cannot be read\./,
  )
})

test('another key gives other digests', async () => {
  const { anchors, present } = await threeMinutes()
  const reader = await openReader(present)
  const { problems } = await checkAnchors({ reader, journalKey: 'guess' }, readLines(anchors))
  await reader.close()
  assert.is(problems.length, 3)
})

test('the next process goes on where the last one ended, a line that was cut off included', () =>
  inWorld(async (world) => {
    const { anchors } = await playThreeMinutes(world)
    appendFileSync(anchors, '{"at":"2026-03-01T12:0')
    await world.order()
    const node = await anchoring(world.store, world.clock, anchors)
    await node.pass()
    assert.is(node.reason(), null)
    await node.finish()
    const { problems, anchors: count, entries } = await check(await databases.copy(world.url), anchors)
    assert.equal([problems, count, entries], [[], 4, 16])
  }))

test('an anchor that cannot be written degrades the node until one can', () =>
  inWorld(async (world) => {
    await world.order()
    const condition = createCondition()
    condition.send({ type: 'serve' })
    let isFull = true
    const written: string[] = []
    const anchors = {
      file: 'node.db.anchors',
      last: async () => [],
      async *all() {},
      close: async () => {},
      moveTo: async () => {},
      async append(line: string) {
        if (isFull) throw new Error('ENOSPC: no space left on device')
        written.push(line)
      },
    }
    const { store, clock } = world
    const restoreWatch = await createRestoreWatch({ store, clock, condition })
    const log = { info: () => {} }
    const node = createAnchoring({ store, clock, condition, journalKey, anchors, restoreWatch, log })
    let error: unknown
    await node.pass().catch((thrown: unknown) => {
      error = thrown
    })
    assert.match(String(error), /ENOSPC/)
    assert.equal(readiness(condition), {
      status: 'degraded',
      reasons: { 'anchors:file': 'node.db.anchors cannot be written: ENOSPC: no space left on device.' },
    })
    isFull = false
    await node.pass()
    assert.equal([readiness(condition), written.length], [{ status: 'ready' }, 1])
  }))

test('thousands of entries are anchored and checked page by page', () =>
  inWorld(async (world) => {
    const anchors = newFile()
    await Promise.all(Array.from({ length: 5500 }, () => world.create({ direction: 'PAY_IN' })))
    const node = await anchoring(world.store, world.clock, anchors)
    await node.pass()
    await node.finish()
    const file = await databases.copy(world.url)
    assert.equal(await check(file, anchors), { problems: [], anchors: 1, entries: 5500 })
    const changedLast = await databases.changed(
      file,
      "UPDATE journal SET hash = 'another' WHERE position = 5500",
    )
    assert.is((await check(changedLast, anchors)).problems.length, 1)
  }))

test.run()
