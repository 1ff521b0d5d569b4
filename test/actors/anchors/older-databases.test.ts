/** A start on a database that is older than its anchors, or on another one than theirs. */
import { readFileSync, writeFileSync } from 'node:fs'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createAnchoring } from '../../../actors/anchors/anchoring.ts'
import { createRestoreWatch } from '../../../actors/anchors/restore-watch.ts'
import { createCondition } from '../../../actors/condition/condition.ts'
import { openStore } from '../../../persistence/index.ts'
import { LineLog } from '../../../persistence/line-log.ts'
import { clearQuarantine, quarantinedOrders } from '../../../persistence/queries/quarantine.ts'
import type { Store } from '../../../persistence/store.ts'
import { fakeClock } from '../../support/clock.ts'
import { isOnPostgres } from '../../support/database.ts'
import { changedStore, journalKey, newOrder, registryOf } from '../../support/order-world.ts'
import { anchoring, anchorStories, startedOn } from './anchored-nodes.ts'

const { databases, newFile, threeMinutes } = anchorStories(test)

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
          all: () => file.all(),
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

/** Whose writer ends before its line is there. */
class CutOff extends LineLog {
  override append(): Promise<void> {
    return Promise.reject(new Error('cut off'))
  }
}

test('cut off at its first anchor, before or behind its line, a node is none that was put back', async () => {
  if (isOnPostgres) return
  const { anchors, present } = await threeMinutes()
  const young = await databases.changed(present, "DELETE FROM facts WHERE name = 'anchored'")
  const clock = fakeClock(Date.UTC(2026, 2, 2))
  await inStore(young, clock, async (store) => {
    const condition = createCondition()
    const restoreWatch = await createRestoreWatch({ store, clock, condition })
    const anchors = new CutOff(newFile())
    const options = { store, clock, condition, journalKey, anchors, restoreWatch, log: { info() {} } }
    await createAnchoring(options)
      .finish()
      .then(
        () => assert.unreachable('the line was written'),
        (error: unknown) => assert.match(String(error), /cut off/),
      )
  })
  const file = newFile()
  const before = await startedOn(young, file)
  assert.equal([before.reason, before.quarantined, before.lines], [null, 0, 1])

  const behind = await databases.changed(present, "DELETE FROM facts WHERE name = 'anchored'")
  const whole = await startedOn(behind, anchors)
  assert.equal([whole.reason, whole.quarantined], [null, 0])
  const gone = await startedOn(behind, newFile(), 1)
  assert.match(gone.reason ?? '', /The anchors of the database are gone\./)
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

test.run()
