/** Backups from between the asking, the approval and the carrying out are restored: what waited is void, and no number is given again. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createAnchoring } from '../../../actors/anchors/anchoring.ts'
import { checkAnchors } from '../../../actors/anchors/check.ts'
import { createRestoreWatch } from '../../../actors/anchors/restore-watch.ts'
import { tellApprovalRow } from '../../../actors/approvals/telling.ts'
import { createCondition } from '../../../actors/condition/condition.ts'
import { createApprovalWork } from '../../../actors/operations/approval-work.ts'
import { openReader, openStore } from '../../../persistence/index.ts'
import { LineLog } from '../../../persistence/line-log.ts'
import type { Store } from '../../../persistence/store.ts'
import { problemsIn } from '../../support/agreed-terms.ts'
import { allRows, isOnPostgres, testDatabases } from '../../support/database.ts'
import { contextOver, dispatchOver } from '../../support/operations.ts'
import { inOrderWorld, journalKey, type OrderWorld, registryOf } from '../../support/order-world.ts'
import { settle } from '../../support/payment-world.ts'
import { addPeople, peopleOver } from './two-people.ts'

const play = inOrderWorld(test)
const databases = testDatabases(test)
const folder = mkdtempSync(join(tmpdir(), 'ventanilla-'))
test.after(() => rmSync(folder, { recursive: true, force: true }))
const deposit = { merchant: 'Shop', reference: 'SPEI 1', amount: '1000.01', currency: 'MXN', reason: 'seen' }
const threshold = { currency: 'MXN', amount: '1000.00', reason: 'agreed' }

async function nodeOn(clock: OrderWorld['clock'], store: Store, url: string, file: string) {
  const condition = createCondition()
  const restoreWatch = await createRestoreWatch({ store, clock, condition })
  const anchors = new LineLog(join(folder, file))
  const log = { info() {} }
  const anchoring = createAnchoring({ store, clock, condition, journalKey, anchors, restoreWatch, log })
  await anchoring.begin()
  const anchorNow = async () => void (await anchoring.pass())
  const world = { store, clock, orders: registryOf(store, clock), anchorNow }
  const onError = (error: unknown) => assert.unreachable(String(error))
  return {
    ...peopleOver(store, clock, dispatchOver(world)),
    pass: () => createApprovalWork({ context: contextOver(world), isTrusted: () => true, onError })(store),
    deposits: async () => (await allRows(store, 'postings')).filter(({ kind }) => kind === 'deposit').length,
    approveOnly: (number: number) =>
      tellApprovalRow(
        { store, journalKey },
        { number, said: { type: 'approval.approve', by: 'luis' }, actor: 'luis' },
      ),
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

/** In the place of a database that has gone on, under its anchors. */
async function restored(world: OrderWorld, backup: string, file: string) {
  world.clock.advance(60_000)
  const url = await databases.copy(backup)
  return nodeOn(world.clock, await openStore(url, { clock: world.clock }), url, file)
}

play(
  'what waited in a backup is void, and what was numbered since is numbered by nobody else',
  async (world) => {
    await settle(world)
    await addPeople(world.store, ['ana', 'luis'])
    const node = await nodeOn(world.clock, world.store, world.url, 'a')
    await node.as('ana', 'approval.setThreshold', threshold)
    const first = await node.asks('ana', 'deposit.add', deposit)
    const asked = await databases.copy(world.url)
    await node.approveOnly(first)
    const approved = await databases.copy(world.url)
    await node.pass()
    assert.is(await node.deposits(), 1)
    assert.equal(
      [await node.asks('ana', 'deposit.add', { ...deposit, reference: 'SPEI 2' }), await node.problems()],
      [2, []],
    )
    await node.finish()
    // The second was somebody else's.
    const places: [backup: string, file: string, next: number][] = [[asked, 'a', 3]]
    // Whose anchors are gone, too: nobody knows what was numbered. Over a server each node begins a file of its own.
    if (!isOnPostgres) places.push([approved, 'none', 2])
    for (const [backup, file, next] of places) {
      const again = await restored(world, backup, file)
      await again.refused('luis', 'approval.approve', { number: first })
      await again.pass()
      assert.equal([(await again.approval(first)).state, await again.deposits()], ['void', 0])
      world.clock.advance(60_000)
      const number = await again.asks('ana', 'deposit.add', deposit)
      assert.is(number, next)
      await again.as('luis', 'approval.approve', { number })
      assert.equal([await again.deposits(), await again.problems()], [1, []])
      await again.finish()
    }
  },
)

play(
  'a backup with nothing but an approval less is noticed, and what was approved in it is void',
  async (world) => {
    await settle(world)
    await addPeople(world.store, ['ana', 'luis'])
    const node = await nodeOn(world.clock, world.store, world.url, 'c')
    await node.as('ana', 'approval.setThreshold', threshold)
    const first = await node.asks('ana', 'deposit.add', deposit)
    await node.approveOnly(first)
    const backup = await databases.copy(world.url)
    await node.pass()
    await node.asks('ana', 'deposit.add', { ...deposit, reference: 'SPEI 2' })
    await node.finish()
    const again = await restored(world, backup, 'c')
    await again.pass()
    assert.is((await again.approval(first)).state, 'void')
    assert.equal([await again.deposits(), await again.problems()], [0, []])
    await again.finish()
  },
)

test.run()
