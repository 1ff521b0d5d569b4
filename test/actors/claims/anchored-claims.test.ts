/** Claims are outside the database before anybody is told, and what a restore has lost of them is told and never numbered again. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { formatAnchor, parseAnchor } from '../../../actors/anchors/anchor.ts'
import { createAnchoring } from '../../../actors/anchors/anchoring.ts'
import { checkAnchors } from '../../../actors/anchors/check.ts'
import { recordLostClaims } from '../../../actors/anchors/lost-claims.ts'
import { createRestoreWatch } from '../../../actors/anchors/restore-watch.ts'
import { claimAccept, claimOpen, claimReject, claimUphold } from '../../../actors/claims/operations.ts'
import { claimWithdraw } from '../../../actors/claims/telling-operations.ts'
import { createCondition } from '../../../actors/condition/condition.ts'
import { exceptionList, exceptionResolve } from '../../../actors/resolutions/operations.ts'
import { settlementResume } from '../../../actors/settlement/statement-operations.ts'
import { readClaimFindings } from '../../../actors/verification/claims.ts'
import { openReader, openStore } from '../../../persistence/index.ts'
import { LineLog } from '../../../persistence/line-log.ts'
import { allRows, testDatabases } from '../../support/database.ts'
import { operatorOf } from '../../support/operations.ts'
import {
  changedStore,
  inOrderWorld,
  journalKey,
  type OrderWorld,
  registryOf,
} from '../../support/order-world.ts'
import { agreed, paidIn, places } from './claimed.ts'

const play = inOrderWorld(test)
const databases = testDatabases(test)
const folder = mkdtempSync(join(tmpdir(), 'ventanilla-'))
test.after(() => rmSync(folder, { recursive: true, force: true }))

const reason = 'a mail'

type World = Pick<OrderWorld, 'store' | 'clock' | 'orders' | 'url'>

async function nodeOf({ store, clock, orders }: World, file: string) {
  const condition = createCondition()
  const restoreWatch = await createRestoreWatch({ store, clock, condition })
  const anchors = new LineLog(join(folder, file))
  const log = { info() {} }
  const anchoring = createAnchoring({ store, clock, condition, journalKey, anchors, restoreWatch, log })
  const operator = operatorOf({ store, clock, orders, anchorNow: async () => void (await anchoring.pass()) })
  return { anchors, ...anchoring, ...operator }
}

/** Another database under the anchors of the one that is gone. */
async function restored({ clock }: World, url: string, file: string) {
  const store = await openStore(url, { clock })
  const node = await nodeOf({ store, clock, orders: registryOf(store, clock), url }, file)
  await node.begin()
  return { store, url, ...node }
}

async function anchored(anchors: LineLog): Promise<[number, string][]> {
  const found: [number, string][] = []
  for await (const line of anchors.all())
    found.push(
      ...(parseAnchor(line)?.claims ?? []).map(({ number, state }): [number, string] => [number, state]),
    )
  return found
}

async function problemsOf(url: string, anchors: LineLog): Promise<string[]> {
  const reader = await openReader(url)
  const { problems } = await checkAnchors({ reader, journalKey }, anchors.all())
  const found = await readClaimFindings(reader, journalKey)
  await reader.close()
  return [...problems, ...found.problems]
}

play('what is opened, decided and withdrawn is in the anchors when it is told, which hold', async (world) => {
  const node = await nodeOf(world, 'a')
  await agreed(world)
  const [one, two] = [await paidIn(world), await paidIn(world)]
  await node.ask(claimOpen, { order: one, kind: 'twice', reason })
  await node.ask(claimOpen, { order: two, kind: 'twice', reason })
  await node.ask(claimOpen, { order: two, kind: 'credited_not_paid', reason })
  await node.ask(claimUphold, { number: 1, reason, dryRun: true })
  assert.equal((await anchored(node.anchors)).length, 3)
  await node.ask(claimUphold, { number: 1, reason })
  await node.ask(claimReject, { number: 2, reason })
  await node.ask(claimWithdraw, { number: 3, reason })
  assert.equal(await anchored(node.anchors), [
    [1, 'open'],
    [2, 'open'],
    [3, 'open'],
    [1, 'upheld'],
    [2, 'rejected'],
    [3, 'withdrawn'],
  ])
  assert.equal(await problemsOf(world.url, node.anchors), [])
  // What is said of a claim cannot be changed without the key.
  const lines = (await node.anchors.last(99)).map((line) => {
    const read = parseAnchor(line)
    if (read === null) return line
    return formatAnchor({
      ...read,
      claims: read.claims.map((claim) => ({ ...claim, number: claim.number + 1 })),
    })
  })
  const reader = await openReader(world.url)
  assert.ok((await checkAnchors({ reader, journalKey }, lines)).problems.length > 0)
  await reader.close()
  await node.finish()
})

play('where the anchors cannot be written it is said, and what was done stays done once', async (world) => {
  await agreed(world)
  const order = await paidIn(world)
  const full = operatorOf({
    ...world,
    anchorNow: async () => {
      throw new Error('ENOSPC: no space left on device, write')
    },
  })
  const opening = await full.refusal('claim.open', { order, kind: 'twice', reason })
  assert.match(opening.message, /claim 1 is done and could not be written to the anchors: ENOSPC/)
  const before = await places(world)
  assert.match((await full.refusal('claim.uphold', { number: 1, reason })).message, /Tell nobody/)
  const after = await places(world)
  assert.is(after[0] - before[0], 43_800n)
  const { refusal } = operatorOf(world)
  assert.match((await refusal('claim.uphold', { number: 1, reason })).message, /upheld/)
  assert.equal(await places(world), after)
})

play('one that ends between the line and its mark is anchored again, with its end', async (world) => {
  await agreed(world)
  const order = await paidIn(world)
  let isFirst = true
  const store = changedStore(world.store, {
    step: async (task) => {
      if (!isFirst) return world.store.step(task)
      isFirst = false
      await operatorOf({ ...world, anchorNow: async () => {} }).ask(claimReject, { number: 1, reason })
      return world.store.step(task)
    },
  })
  await operatorOf({ ...world, anchorNow: async () => {} }).ask(claimOpen, { order, kind: 'twice', reason })
  const node = await nodeOf({ ...world, store }, 'b')
  await node.pass()
  await node.pass()
  assert.equal(await anchored(node.anchors), [
    [1, 'open'],
    [1, 'rejected'],
  ])
  await node.finish()
})

play(
  'a restore gives no number again, and tells of each claim that was opened or decided since',
  async (world) => {
    const node = await nodeOf(world, 'c')
    await agreed(world)
    const [one, two] = [await paidIn(world), await paidIn(world)]
    await node.ask(claimOpen, { order: one, kind: 'twice', reason })
    const night = await databases.copy(world.url)
    await node.ask(claimAccept, { number: 1, reason })
    await node.ask(claimOpen, { order: two, kind: 'wrong_amount', amount: '400.00', reason })
    await node.ask(claimOpen, { order: two, kind: 'twice', reason })
    await node.ask(claimReject, { number: 3, reason })
    await node.finish()
    const unsaid = await problemsOf(night, new LineLog(join(folder, 'c')))
    const says = (number: number, state: string) =>
      `claim ${number}: its anchor of 2026-03-01T12:00:00.000Z knows that it is ${state}, the database does not, and it is not recorded as lost`
    for (const said of [says(1, 'accepted'), says(2, 'open'), says(3, 'open'), says(3, 'rejected')])
      assert.ok(unsaid.includes(said), said)
    const again = await restored(world, night, 'c')
    const lost = (await allRows(again.store, 'lost_claims')).map(({ number }) => number)
    assert.equal(lost.toSorted(), [2, 3])
    const { exceptions } = await again.ask(exceptionList, {})
    const told = (await allRows(again.store, 'exceptions'))
      .filter(({ kind }) => kind === 'claim_lost')
      .map(({ evidence_json }) => JSON.parse(evidence_json))
      .map(({ claim, state, amount }) => [claim, state, amount])
    assert.equal(told.toSorted(), [
      [1, 'accepted', '438.00'],
      [2, 'open', '400.00'],
      [3, 'rejected', '438.00'],
    ])
    assert.is(exceptions.length, 3)
    assert.equal(await problemsOf(night, again.anchors), [])
    // It is decided again, and the next has a number that nobody has seen.
    assert.match(
      (await again.refusal('claim.accept', { number: 1, reason })).message,
      /[Ss]ettlement is stopped/,
    )
    await again.ask(settlementResume, { reason })
    await again.ask(claimAccept, { number: 1, reason })
    const { number } = await again.ask(claimOpen, {
      order: two,
      kind: 'wrong_amount',
      amount: '400.00',
      reason,
    })
    assert.is(number, 4)
    for (const { id } of exceptions) await again.ask(exceptionResolve, { id, as: 'dismiss', reason })
    assert.equal(await problemsOf(night, again.anchors), [])
    await again.finish()
    // Told once more, it changes nothing.
    const kept = (await allRows(again.store, 'exceptions')).length
    await recordLostClaims(again.store, again.anchors.all(), 1)
    assert.is((await allRows(again.store, 'exceptions')).length, kept)
    await again.store.close()
  },
)

test.run()
