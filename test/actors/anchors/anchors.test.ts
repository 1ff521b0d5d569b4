/** A database newer than its anchors is accepted, never an older one, and none in which an order was put back. */
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { formatAnchor, parseAnchor } from '../../../actors/anchors/anchor.ts'
import { type Anchoring, createAnchoring } from '../../../actors/anchors/anchoring.ts'
import { type AnchorCheck, checkAnchors } from '../../../actors/anchors/check.ts'
import { createRestoreWatch } from '../../../actors/anchors/restore-watch.ts'
import { createCondition, readiness } from '../../../actors/condition/condition.ts'
import { openReader, openStore } from '../../../persistence/index.ts'
import { LineLog, readLines } from '../../../persistence/line-log.ts'
import { clearQuarantine, quarantinedOrders } from '../../../persistence/queries/quarantine.ts'
import { statement } from '../../../persistence/statement.ts'
import type { Store } from '../../../persistence/store.ts'
import { fakeClock } from '../../support/clock.ts'
import { isOnPostgres, testDatabases } from '../../support/database.ts'
import {
  changedStore,
  journalKey,
  minuteMs,
  newOrder,
  type OrderWorld,
  orderWorlds,
  registryOf,
} from '../../support/order-world.ts'

const inWorld = orderWorlds(test)
const databases = testDatabases(test)
const folder = mkdtempSync(join(tmpdir(), 'anchors-'))
test.after(() => rmSync(folder, { recursive: true }))

const pausedMerchants = statement<Record<never, never>>()('test.paused', ({ db }) =>
  db.selectFrom('parties').select('id').where('webhooks_paused_at', 'is not', null),
)

async function inStore(
  database: string,
  clock: { now(): number },
  use: (store: Store) => Promise<void>,
): Promise<void> {
  const store = await openStore(database, { clock })
  try {
    await use(store)
  } finally {
    await store.close()
  }
}

let files = 0
const newFile = () => join(folder, String(files++))

interface Node extends Anchoring {
  /** What `/readyz` says of the anchors. */
  reason(): string | null
}

async function anchoring(store: Store, clock: { now(): number }, file: string): Promise<Node> {
  const condition = createCondition()
  condition.send({ type: 'serve' })
  const log = { info: () => {} }
  const restoreWatch = await createRestoreWatch({ store, clock, condition })
  const anchors = new LineLog(file)
  const made = createAnchoring({ store, clock, condition, journalKey, anchors, restoreWatch, log })
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
  const node = await anchoring(world.store, world.clock, anchors)
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

interface Started {
  reason: string | null
  /** Of the anchors as they are now. */
  lines: number
  /** Orders and merchants that are set aside. */
  quarantined: number
  paused: number
  /** Where the anchors from before are. */
  kept: string | null
}

/** A start at some hour of the next day, and what it has left behind. */
async function startedOn(database: string, anchors: string, hour = 0): Promise<Started> {
  const clock = fakeClock(Date.UTC(2026, 2, 2, hour))
  const store = await openStore(database, { clock })
  const node = await anchoring(store, clock, anchors)
  await node.begin()
  const quarantined = (await store.query(quarantinedOrders, { after: '', limit: 100 })).length
  const paused = (await store.query(pausedMerchants, {})).length
  const watch = await createRestoreWatch({ store, clock, condition: createCondition() })
  const { anchors: kept } = await watch.show()
  await node.finish()
  await store.close()
  const lines = existsSync(anchors) ? readFileSync(anchors, 'utf8').split('\n').length - 1 : 0
  return { reason: node.reason(), lines, quarantined, paused, kept }
}

async function acceptedOn(database: string): Promise<void> {
  const clock = fakeClock(Date.UTC(2026, 2, 2, 1))
  const store = await openStore(database, { clock })
  for (const { id } of await store.query(quarantinedOrders, { after: '', limit: 100 })) {
    await store.execute(clearQuarantine, { id })
  }
  await (await createRestoreWatch({ store, clock, condition: createCondition() })).accept()
  await store.close()
}

test('on a database older than its anchors everything open is set aside before the node serves, and once', async () => {
  const { anchors, ...story } = await threeMinutes()
  const older = await databases.copy(story.older)
  const found = await startedOn(older, anchors)
  assert.match(
    found.reason ?? '',
    /^The database is older than its anchors: they end at 2026-03-01T12:03:00\.000Z with entry 14 of the journal, which has 9\. .* quarantined .* `ventanilla node accept-restore`\.$/,
  )
  assert.equal([found.quarantined, found.paused > 0, found.lines], [1, true, 1])
  assert.is(readFileSync(String(found.kept), 'utf8').split('\n').length - 1, 3)
  const again = await startedOn(older, anchors, 1)
  assert.equal([again.quarantined, again.reason], [1, found.reason], 'a restart settles nothing')
  await acceptedOn(older)
  const accepted = await startedOn(older, anchors, 2)
  assert.equal([accepted.quarantined, accepted.reason], [0, null])
})

test('a snapshot that is put back again is found again, by the anchors that were begun since', async () => {
  const { anchors, ...story } = await threeMinutes()
  const older = await databases.copy(story.older)
  await startedOn(older, anchors)
  await acceptedOn(older)
  const snapshot = await databases.copy(older)
  const clock = fakeClock(Date.UTC(2026, 2, 2, 3))
  await inStore(older, clock, async (store) => {
    await registryOf(store, clock).create(newOrder(clock.now()))
    const node = await anchoring(store, clock, anchors)
    await node.begin()
    await node.finish()
    assert.is(node.reason(), null)
  })
  const found = await startedOn(snapshot, anchors, 4)
  assert.match(found.reason ?? '', /The database is older than its anchors/)
  assert.is(found.quarantined, 1)
})

// Only a SQLite database keeps in mind that it has anchors.
for (const killedAfter of ['setAside', ...(isOnPostgres ? [] : ['recordAnchored']), 'moveTo']) {
  test(`killed after ${killedAfter}, the next start has set everything aside all the same`, async () => {
    const { anchors, ...story } = await threeMinutes()
    const older = await databases.copy(story.older)
    const clock = fakeClock(Date.UTC(2026, 2, 2))
    await inStore(older, clock, async (store) => {
      const restoreWatch = await createRestoreWatch({ store, clock, condition: createCondition() })
      let isKilled = false
      const killed = () => {
        isKilled = true
        throw new Error('killed')
      }
      const file = new LineLog(anchors)
      const node = createAnchoring({
        store: changedStore(store, {
          execute: async (statement, args) => {
            if (isKilled) return killed()
            const done = await store.execute(statement, args)
            const { name } = args as { name?: string }
            if (killedAfter === 'recordAnchored' && name === 'anchored') killed()
            return done
          },
        }),
        clock,
        condition: createCondition(),
        journalKey,
        anchors: {
          file: anchors,
          last: (count) => file.last(count),
          append: (line) => (isKilled ? killed() : file.append(line)),
          close: () => file.close(),
          async moveTo(name) {
            await file.moveTo(name)
            if (killedAfter === 'moveTo') killed()
          },
        },
        restoreWatch: {
          ...restoreWatch,
          async setAside(found) {
            await restoreWatch.setAside(found)
            if (killedAfter === 'setAside') killed()
          },
        },
        log: { info: () => {} },
      })
      let died: unknown
      await node.begin().catch((error: unknown) => {
        died = error
      })
      assert.match(String(died), /killed/)
      await file.close()
    })
    const { quarantined, reason } = await startedOn(older, anchors, 1)
    assert.is(quarantined, 1)
    assert.match(reason ?? '', /The database is older than its anchors/)
  })
}

test('on another database than the anchors’, and where they are damaged or gone, it is the same', async () => {
  const { anchors, present } = await threeMinutes()
  const pristine = readFileSync(anchors, 'utf8')
  const other = await databases.changed(present, "UPDATE journal SET hash = 'another' WHERE position = 12")
  const [, , last = ''] = pristine.split('\n')
  const found: [what: string, database: string, text: string | null, says: RegExp][] = [
    [
      'another database',
      other,
      pristine,
      /The journal is not what was anchored at 2026-03-01T12:03:00\.000Z\./,
    ],
    ['nonsense', present, 'nonsense\n', /The last lines of the anchors cannot be read\./],
    ['a damaged line', present, pristine.replace(last, last.replace('"at"', '"ta"')), /cannot be read\./],
    ['empty', present, '', /The anchors of the database are gone\./],
    ['no file', present, null, /The anchors of the database are gone\./],
  ]
  // A node over a server that has no anchors yet is a new one.
  for (const [what, database, text, says] of isOnPostgres ? found.slice(0, 3) : found) {
    const copy = await databases.copy(database)
    const file = newFile()
    if (text !== null) writeFileSync(file, text)
    const started = await startedOn(copy, file)
    assert.match(started.reason ?? '', says, what)
    assert.equal([started.quarantined, started.lines], [1, 1], what)
  }
})

test('a database newer than its anchors is nobody’s restore, and neither is one that was never anchored', async () => {
  const { anchors, present } = await threeMinutes()
  const [one = ''] = readFileSync(anchors, 'utf8').split('\n')
  const file = newFile()
  writeFileSync(file, `${one}\n`)
  const newer = await startedOn(await databases.copy(present), file)
  assert.equal([newer.reason, newer.quarantined, newer.lines], [null, 0, 2])
  if (isOnPostgres) return
  const young = await databases.changed(present, "DELETE FROM facts WHERE name = 'anchored'")
  const begun = await startedOn(young, newFile())
  assert.equal([begun.reason, begun.quarantined, begun.lines], [null, 0, 1])
})

test('a node notices, too, when another database takes the place of its own while it runs', async () => {
  const { anchors, ...story } = await threeMinutes()
  const [older, present] = [await databases.copy(story.older), await databases.copy(story.present)]
  const clock = fakeClock(Date.UTC(2026, 2, 2))
  const own = await openStore(present, { clock })
  let store = own
  const behindOneAddress = changedStore(own, {
    query: (statement, args) => store.query(statement, args),
    execute: (statement, args) => store.execute(statement, args),
  })
  const node = await anchoring(behindOneAddress, clock, anchors)
  await node.begin()
  store = await openStore(older, { clock })
  await node.pass()
  assert.match(
    node.reason() ?? '',
    /The database is older than its anchors: .* with entry 14 of the journal, which has 9\./,
  )
  assert.is((await store.query(quarantinedOrders, { after: '', limit: 100 })).length, 1)
  await store.close()
  store = own
  await node.finish()
  await own.close()
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
