/** Claims and the archive: an order with a claim that waits stays, and a claim that has ended outlives its order, with its evidence. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { claimList, claimReject, claimShow, claimUphold } from '../../../actors/claims/operations.ts'
import { claimAddEvidence, claimEvidence, claimWithdraw } from '../../../actors/claims/telling-operations.ts'
import { personalErase } from '../../../actors/erasure/operations.ts'
import { agree } from '../../support/agreed-terms.ts'
import { type ArchiveWorld, archiveOf, dayMs } from '../../support/archive.ts'
import { operatorOf } from '../../support/operations.ts'
import { changedStore, inOrderWorld, type OrderWorld, tills } from '../../support/order-world.ts'
import { HeldFiles } from '../../support/reported-day.ts'
import { claimOf, opened, paidIn, places } from './claimed.ts'

const inWorld = inOrderWorld(test)
const why = { reason: 'the receipt was seen' }
const pdf = Buffer.from('%PDF-1.7\nreceipt of Ana')

function play(name: string, story: (world: OrderWorld, archive: ArchiveWorld) => Promise<void>): void {
  inWorld(name, async (world) => {
    const archive = archiveOf(world)
    try {
      // Without terms of settlement: nothing waits for a statement.
      await agree(world)
      await story(world, archive)
      assert.equal(archive.errors, [])
      assert.equal(await archive.problems(), [])
      assert.equal((await archive.check()).problems, [])
    } finally {
      archive.close()
    }
  })
}

const left = async (world: OrderWorld) =>
  (await world.rows('orders')).filter(({ status }) => status === 'COMPLETED').map(({ id }) => id)

/** The newest entry of the journal is not archived: it is that of an order that goes on. @returns those paid that are left */
async function archiveAll(world: OrderWorld, archive: ArchiveWorld): Promise<string[]> {
  await world.order({ direction: 'PAY_IN', expiryAt: world.clock.now() + 400 * dayMs })
  await archive.deliver()
  await archive.archive()
  return left(world)
}

async function withFile(world: OrderWorld, order: string) {
  const uploads = new HeldFiles()
  const operator = operatorOf({ ...world, uploads })
  const { number } = await claimOf(world, order, 'twice', { text: 'Ana María paid twice' })
  await operator.ask(claimAddEvidence, { number, file: uploads.add(pdf).id, fileName: 'receipt.pdf' })
  return { number, ...operator }
}

const provider = { kind: 'provider', id: tills.A.id, name: tills.A.name, credential: 'pk_a' } as const
const ends: readonly [what: string, end: (world: OrderWorld, number: number) => Promise<unknown>][] = [
  ['upheld', (world, number) => operatorOf(world).ask(claimUphold, { number, ...why })],
  ['rejected', (world, number) => operatorOf(world).ask(claimReject, { number, ...why })],
  ['withdrawn', (world, number) => operatorOf(world).ask(claimWithdraw, { number, ...why })],
]

for (const [state, end] of ends) {
  play(
    `an order stays until its claim is ${state}, and the claim is read as before`,
    async (world, archive) => {
      const [disputed, other] = [await paidIn(world), await paidIn(world)]
      const { number, ask } = await withFile(world, disputed)
      assert.equal(await archiveAll(world, archive), [disputed], 'all others are archived')
      await end(world, number)
      const before = [await ask(claimShow, { number }), await places(world)]
      assert.equal(await archiveAll(world, archive), [])
      assert.equal(
        (await world.rows('archived_orders')).map(({ id }) => id).toSorted(),
        [disputed, other].toSorted(),
      )
      const claim = await ask(claimShow, { number })
      assert.equal([claim, await places(world)], before)
      assert.equal([claim.state, claim.order], [state, disputed])
      assert.equal(
        claim.evidence.map(({ text, file }) => text ?? file),
        ['Ana María paid twice', 'receipt.pdf'],
      )
      const file = await ask(claimEvidence, { number, evidence: 2 })
      assert.ok(Buffer.from(file.content, 'base64').equals(pdf))
      assert.equal(
        (await ask(claimList, { order: disputed })).claims.map((one) => one.number),
        [number],
      )
      // Its money is where it was decided to be: nobody claims anew what is not there to be looked at.
      const { refusal } = operatorOf(world)
      const anew = await refusal('claim.open', { order: disputed, kind: 'twice', ...why })
      assert.match(anew.message, /archive/)
    },
  )
}

play('of two claims one that waits is enough to keep the order', async (world, archive) => {
  const order = await paidIn(world)
  const { ask } = operatorOf(world)
  const first = await claimOf(world, order, 'twice')
  const second = await claimOf(world, order, 'false_note', { amount: '1.00' })
  await ask(claimUphold, { number: first.number, ...why })
  assert.equal(await archiveAll(world, archive), [order])
  await ask(claimReject, { number: second.number, ...why })
  assert.equal(await archiveAll(world, archive), [])
})

play(
  'a claim that is opened while its order is on its way to the archive keeps it',
  async (world, archive) => {
    const order = await paidIn(world)
    await world.order({ direction: 'PAY_IN', expiryAt: world.clock.now() + 400 * dayMs })
    await archive.deliver()
    let isOpened = false
    const store = changedStore(world.store, {
      step: async (task) => {
        if (!isOpened) {
          isOpened = true
          assert.is((await opened(world, order, 'twice', provider)).outcome, 'opened')
        }
        return world.store.step(task)
      },
    })
    await archive.archive({ store })
    assert.ok(isOpened)
    assert.equal(await left(world), [order])
    await operatorOf(world).ask(claimReject, { number: 1, ...why })
  },
)

play('one whose order goes to the archive before it is opened is refused', async (world, archive) => {
  const order = await paidIn(world)
  const row = await world.row(order)
  assert.equal(await archiveAll(world, archive), [])
  const context = { ...world, row: async () => row }
  assert.equal(await opened(context, order, 'twice', provider), { outcome: 'refused', reason: 'order_gone' })
  assert.equal(await world.rows('claims'), [])
})

play(
  'erasing the consumer of an archived order erases what its claims were shown',
  async (world, archive) => {
    const order = await paidIn(world)
    const { number, ask, refusal } = await withFile(world, order)
    await ask(claimUphold, { number, ...why })
    assert.equal(await archiveAll(world, archive), [])
    await ask(personalErase, { order, reason: 'asked by mail' })
    const claim = await ask(claimShow, { number })
    assert.equal(
      claim.evidence.map(({ isErased, text }) => [isErased, text]),
      [
        [true, null],
        [true, null],
      ],
    )
    assert.is((await refusal('claim.evidence', { number, evidence: 2 })).code, 'not_found')
    assert.equal(await world.rows('claim_contents'), [])
    assert.ok((await world.rows('claim_evidence')).every(({ evidence_key }) => evidence_key === null))
  },
)

test.run()
