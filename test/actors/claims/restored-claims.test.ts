/**
 * A backup from before a claim was opened, or before it was decided, is restored: what it knew of money is right, the anchors tell what
 * was lost, and what is done anew moves it once and has a number of its own. A second restore is told of as the first.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createAnchoring } from '../../../actors/anchors/anchoring.ts'
import { checkAnchors } from '../../../actors/anchors/check.ts'
import { createRestoreWatch } from '../../../actors/anchors/restore-watch.ts'
import { claimAccept, claimOpen, claimShow, claimUphold } from '../../../actors/claims/operations.ts'
import { claimAddEvidence } from '../../../actors/claims/telling-operations.ts'
import { createCondition } from '../../../actors/condition/condition.ts'
import { exceptionResolve } from '../../../actors/resolutions/operations.ts'
import { settlementResume } from '../../../actors/settlement/statement-operations.ts'
import { openReader, openStore } from '../../../persistence/index.ts'
import { LineLog } from '../../../persistence/line-log.ts'
import type { Store } from '../../../persistence/store.ts'
import { problemsIn } from '../../support/agreed-terms.ts'
import { allRows, testDatabases } from '../../support/database.ts'
import { operatorOf } from '../../support/operations.ts'
import { inOrderWorld, journalKey, type OrderWorld, registryOf } from '../../support/order-world.ts'
import { agreed, paidIn } from './claimed.ts'

const play = inOrderWorld(test)
const databases = testDatabases(test)
const folder = mkdtempSync(join(tmpdir(), 'ventanilla-'))
test.after(() => rmSync(folder, { recursive: true, force: true }))
const why = { reason: 'a mail' }

interface Restored {
  store: Store
  url: string
  ask: ReturnType<typeof operatorOf>['ask']
  refusal: ReturnType<typeof operatorOf>['refusal']
  /** Of each claim that was lost: whether its exception waits, its number, and what it was when it was lost. */
  told(): Promise<string[]>
  /** What is owed and had, by account. */
  balances(): Promise<string[]>
  problems(): Promise<unknown[]>
  finish(): Promise<void>
}

async function nodeOn(clock: OrderWorld['clock'], url: string, file: string): Promise<Restored> {
  const store = await openStore(url, { clock })
  const condition = createCondition()
  const restoreWatch = await createRestoreWatch({ store, clock, condition })
  const anchors = new LineLog(join(folder, file))
  const log = { info() {} }
  const anchoring = createAnchoring({ store, clock, condition, journalKey, anchors, restoreWatch, log })
  await anchoring.begin()
  const orders = registryOf(store, clock)
  const anchorNow = async () => void (await anchoring.pass())
  return {
    store,
    url,
    ...operatorOf({ store, clock, orders, anchorNow }),
    async told() {
      const lost = (await allRows(store, 'exceptions')).filter(({ kind }) => kind === 'claim_lost')
      return lost.map(({ evidence_json, state }) => `${state} ${said(JSON.parse(evidence_json))}`).toSorted()
    },
    async balances() {
      const accounts = await allRows(store, 'accounts')
      return accounts.map(({ id, balance_minor }) => `${id} ${balance_minor}`).toSorted()
    },
    async problems() {
      const reader = await openReader(url)
      const { problems } = await checkAnchors({ reader, journalKey }, anchors.all())
      await reader.close()
      return [...problems, ...(await problemsIn({ url }))]
    },
    async finish() {
      await anchoring.finish()
      await store.close()
    },
  }
}

const said = ({ claim, state }: { claim: number; state: string }) => `${claim} ${state}`

/** Every exception of a lost claim is looked at. */
async function dismissAll({ store, ask }: Restored): Promise<void> {
  for (const { id, kind, state } of await allRows(store, 'exceptions'))
    if (kind === 'claim_lost' && state === 'open') await ask(exceptionResolve, { id, as: 'dismiss', ...why })
}

play('a backup from before it was opened: neither its number nor its money comes back', async (world) => {
  await agreed(world)
  const order = await paidIn(world)
  const before = await nodeOn(world.clock, await databases.copy(world.url), 'opened')
  const balances = await before.balances()
  const backup = await databases.copy(before.url)
  await before.ask(claimOpen, { order, kind: 'twice', text: 'Two receipts.', ...why })
  await before.ask(claimUphold, { number: 1, ...why })
  const decided = await before.balances()
  assert.not.equal(decided, balances)
  await before.finish()

  const after = await nodeOn(world.clock, backup, 'opened')
  assert.equal(await after.balances(), balances, 'what the claim had moved is not there')
  assert.equal(await after.told(), ['open 1 upheld'])
  assert.equal(
    (await allRows(after.store, 'lost_claims')).map(({ number }) => number),
    [1],
  )
  assert.equal(await after.problems(), [])
  assert.is((await after.refusal('claim.show', { number: 1 })).code, 'not_found')
  await after.ask(settlementResume, why)
  assert.is((await after.ask(claimOpen, { order, kind: 'twice', ...why })).number, 2)
  await after.ask(claimUphold, { number: 2, ...why })
  assert.equal(await after.balances(), decided, 'opened and upheld anew it moves the same, once')
  await dismissAll(after)
  assert.equal(await after.told(), ['resolved 1 upheld'])
  assert.equal(await after.problems(), [])
  await after.finish()
})

play(
  'a backup from before it was decided, restored twice: each decision that was lost is told',
  async (world) => {
    await agreed(world)
    const order = await paidIn(world)
    const first = await nodeOn(world.clock, await databases.copy(world.url), 'decided')
    await first.ask(claimOpen, { order, kind: 'credited_not_paid', text: 'Nobody came.', ...why })
    const balances = await first.balances()
    const night = await databases.copy(first.url)
    await first.ask(claimAddEvidence, { number: 1, text: 'Nor the day after.' })
    await first.ask(claimAccept, { number: 1, ...why })
    const decided = await first.balances()
    await first.finish()

    const second = await nodeOn(world.clock, await databases.copy(night), 'decided')
    assert.equal(await second.told(), ['open 1 accepted'])
    assert.equal(await second.balances(), balances)
    const claim = await second.ask(claimShow, { number: 1 })
    assert.equal([claim.state, claim.evidence.map(({ text }) => text)], ['open', ['Nobody came.']])
    assert.equal(await second.problems(), [])
    const stopped = await second.refusal('claim.accept', { number: 1, ...why })
    assert.match(stopped.message, /[Ss]ettlement is stopped/)
    assert.equal(await second.balances(), balances)
    await second.ask(settlementResume, why)
    // Decided otherwise than before: whoever restores has another view of it.
    await second.ask(claimUphold, { number: 1, reason: 'seen again' })
    assert.equal(await second.balances(), decided)
    await dismissAll(second)
    assert.equal(await second.problems(), [])
    await second.finish()

    const third = await nodeOn(world.clock, await databases.copy(night), 'decided')
    assert.equal(await third.told(), ['open 1 upheld'])
    assert.equal(await third.balances(), balances)
    assert.equal(await third.problems(), [])
    await third.ask(settlementResume, why)
    await third.ask(claimAccept, { number: 1, ...why })
    assert.equal(await third.balances(), decided)
    await dismissAll(third)
    assert.equal(await third.problems(), [])
    assert.is((await third.ask(claimOpen, { order, kind: 'twice', ...why })).number, 2)
    await third.finish()
  },
)

test.run()
