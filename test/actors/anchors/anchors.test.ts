/** A database newer than its anchors is accepted, never an older one, and none in which an order was put back. */
import { appendFileSync, copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { formatAnchor, parseAnchor } from '../../../actors/anchors/anchor.ts'
import { type Anchoring, createAnchoring } from '../../../actors/anchors/anchoring.ts'
import { type AnchorCheck, checkAnchors } from '../../../actors/anchors/check.ts'
import { createCondition, readiness } from '../../../actors/condition/condition.ts'
import { openReader, openStore } from '../../../persistence/index.ts'
import { LineLog, readLines } from '../../../persistence/line-log.ts'
import type { Store } from '../../../persistence/store.ts'
import { fakeClock } from '../../support/clock.ts'
import { testDatabases } from '../../support/database.ts'
import {
  changedStore,
  journalKey,
  minuteMs,
  type OrderWorld,
  orderWorlds,
} from '../../support/order-world.ts'

const inWorld = orderWorlds(test)
const databases = testDatabases(test)
const folder = mkdtempSync(join(tmpdir(), 'anchors-'))
test.after(() => rmSync(folder, { recursive: true }))

let files = 0
const newFile = () => join(folder, String(files++))

interface Node extends Anchoring {
  /** What `/readyz` says of the anchors. */
  reason(): string | null
}

function anchoring(store: Store, clock: { now(): number }, file: string): Node {
  const condition = createCondition()
  condition.send({ type: 'serve' })
  const log = { info: () => {} }
  const made = createAnchoring({ store, clock, condition, journalKey, anchors: new LineLog(file), log })
  return {
    ...made,
    reason() {
      const ready = readiness(condition)
      return ready.status === 'degraded' ? (ready.reasons.anchors ?? null) : null
    },
  }
}

async function check(database: string, anchors: string): Promise<AnchorCheck> {
  const reader = await openReader(database)
  try {
    return await checkAnchors({ reader, journalKey }, readLines(anchors))
  } finally {
    await reader.close()
  }
}

interface Story {
  /** A file of its own. */
  anchors: string
  /** URLs of its database before its last minute, and as it is. */
  older: string
  present: string
}

/** Three minutes of orders, each with its anchor. */
async function playThreeMinutes(world: OrderWorld): Promise<Story> {
  const anchors = newFile()
  const node = anchoring(world.store, world.clock, anchors)
  await world.deposit(1_000_000n)
  let older = ''
  for (let minute = 1; minute <= 3; minute++) {
    older = await databases.copy(world.url)
    const { id } = await world.order()
    await world.start(id, 'A')
    await world.start(id, 'B')
    if (minute > 1) await world.confirm(id, 'A')
    world.clock.advance(minuteMs)
    await node.pass()
    await node.pass()
  }
  await node.finish()
  return { anchors, older, present: await databases.copy(world.url) }
}

let played: Promise<Story> | undefined

/** They are played once for all who only look at them. */
async function threeMinutes(): Promise<Story> {
  played ??= new Promise((resolve, reject) => {
    inWorld(async (world) => resolve(await playThreeMinutes(world))).catch(reject)
  })
  const { anchors, ...story } = await played
  const copy = newFile()
  copyFileSync(anchors, copy)
  return { anchors: copy, ...story }
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
      'entries 5 to 9 of the journal, from 2026-03-01T12:01:00.000Z to 2026-03-01T12:02:00.000Z, are not those ' +
        'that were anchored',
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
    const node = anchoring(world.store, world.clock, anchors)
    await node.pass()
    assert.is(node.reason(), null)
    await node.finish()
    const { problems, anchors: count, entries } = await check(await databases.copy(world.url), anchors)
    assert.equal([problems, count, entries], [[], 4, 16])
  }))

async function startedOn(
  database: string,
  anchors: string,
): Promise<{ reason: string | null; lines: number }> {
  const clock = fakeClock(Date.UTC(2026, 2, 2))
  const store = await openStore(database, { clock })
  const node = anchoring(store, clock, anchors)
  await node.pass()
  await node.finish()
  await store.close()
  const lines = readFileSync(anchors, 'utf8').split('\n').length - 1
  return { reason: node.reason(), lines }
}

test('a node on a database older than its anchors says so, and adds nothing to them', async () => {
  const { anchors, older } = await threeMinutes()
  const { reason, lines } = await startedOn(older, anchors)
  assert.match(
    reason ?? '',
    /The database is older than its anchors: they end at 2026-03-01T12:03:00\.000Z with entry 14 of the journal, which has 9\./,
  )
  assert.match(reason ?? '', /After a restore, move the file away: a new one is begun\.$/)
  assert.is(lines, 3)
  const begun = await startedOn(older, newFile())
  assert.equal(begun, { reason: null, lines: 1 })
})

test('a node on another database than the anchors’ says so, too', async () => {
  const { anchors, present } = await threeMinutes()
  const other = await databases.changed(present, "UPDATE journal SET hash = 'another' WHERE position = 12")
  const { reason, lines } = await startedOn(other, anchors)
  assert.match(reason ?? '', /The journal is not what was anchored at 2026-03-01T12:03:00\.000Z\./)
  assert.is(lines, 3)
  writeFileSync(anchors, 'nonsense\n')
  assert.match((await startedOn(present, anchors)).reason ?? '', /Its last lines cannot be read\./)
})

test('a node says so, too, when another database takes the place of its own while it runs', async () => {
  const { anchors, older, present } = await threeMinutes()
  const changed = "UPDATE journal SET hash = 'another' WHERE position = 14"
  const other = await databases.changed(present, changed)
  const clock = fakeClock(Date.UTC(2026, 2, 2))
  const own = await openStore(present, { clock })
  let store = own
  const behindOneAddress = changedStore(own, { query: (statement, args) => store.query(statement, args) })
  const node = anchoring(behindOneAddress, clock, anchors)
  await node.pass()
  for (const [place, problem] of [
    [older, /The database is older than its anchors: .* with entry 14 of the journal, which has 9\./],
    [other, /The journal is not what was anchored at 2026-03-01T12:03:00\.000Z\./],
  ] as const) {
    store = await openStore(place, { clock })
    await node.pass()
    assert.match(node.reason() ?? '', problem)
    await store.close()
    store = own
    await node.pass()
    assert.is(node.reason(), null)
  }
  await node.finish()
  await own.close()
  assert.is(readFileSync(anchors, 'utf8').split('\n').length - 1, 3)
})

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
      close: async () => {},
      async append(line: string) {
        if (isFull) throw new Error('ENOSPC: no space left on device')
        written.push(line)
      },
    }
    const { store, clock } = world
    const node = createAnchoring({ store, clock, condition, journalKey, anchors, log: { info: () => {} } })
    let error: unknown
    await node.pass().catch((thrown: unknown) => {
      error = thrown
    })
    assert.match(String(error), /ENOSPC/)
    assert.equal(readiness(condition), {
      status: 'degraded',
      reasons: { anchors: 'node.db.anchors cannot be written: ENOSPC: no space left on device.' },
    })
    isFull = false
    await node.pass()
    assert.equal([readiness(condition), written.length], [{ status: 'ready' }, 1])
  }))

test('thousands of entries are anchored and checked page by page', () =>
  inWorld(async (world) => {
    const anchors = newFile()
    await Promise.all(Array.from({ length: 5500 }, () => world.create({ direction: 'PAY_IN' })))
    const node = anchoring(world.store, world.clock, anchors)
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
