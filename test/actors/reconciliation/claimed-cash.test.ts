/** Reports are held against what claims have booked, too: protocol 16.3, 16.8. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { claimReject, claimUphold } from '../../../actors/claims/operations.ts'
import { receivePart, type SentLine, type ToldVerdict } from '../../../actors/reconciliation/sent-reports.ts'
import type { ClaimKind } from '../../../machines/claim.ts'
import { archiveOf } from '../../support/archive.ts'
import { operatorOf } from '../../support/operations.ts'
import { hourMs, inOrderWorld, type OrderWorld, tills } from '../../support/order-world.ts'
import { addNetworks, reportsOf } from '../../support/reported-day.ts'
import { claimOf } from '../claims/claimed.ts'

const play = inOrderWorld(test)
const day = '2026-03-01'
const file = (...lines: readonly string[]) =>
  ['order,outcome,amount,paid_at,reference', ...lines, ''].join('\r\n')

async function collected(world: OrderWorld): Promise<string> {
  const { id } = await world.order({ direction: 'PAY_IN' })
  await world.start(id, 'A')
  await world.confirm(id, 'A')
  return id
}

/** Network A has held it and given it back, and so has B afterwards. */
async function givenBack(world: OrderWorld): Promise<string> {
  const { id } = await world.order({ direction: 'PAY_IN' })
  for (const till of ['A', 'B'] as const) {
    await world.start(id, till)
    await world.giveBack(id, till)
  }
  world.clock.advance(25 * hourMs)
  await world.orders.tryExpire(id)
  return id
}

interface Case {
  kind: ClaimKind
  amount?: string
  /** What lines come to: paid 1000.00, paid 800.00, not paid, taken back. */
  upheld: readonly string[]
  rejected: readonly string[]
}

const standing = ['matched', 'amount', 'status', 'reversed']
const cases: readonly Case[] = [
  {
    kind: 'credited_not_paid',
    upheld: ['status', 'status', 'matched', 'matched'],
    rejected: standing,
  },
  {
    kind: 'wrong_amount',
    amount: '800.00',
    upheld: ['amount', 'matched', 'status', 'reversed'],
    rejected: standing,
  },
  { kind: 'false_note', amount: '200.00', upheld: standing, rejected: standing },
  { kind: 'twice', upheld: standing, rejected: standing },
  {
    kind: 'paid_not_credited',
    upheld: standing,
    rejected: ['status', 'status', 'matched', 'matched'],
  },
]

for (const { kind, amount, ...outcomes } of cases) {
  for (const decision of ['upheld', 'rejected'] as const) {
    play(`${kind} that is ${decision}: what lines come to`, async (world) => {
      await addNetworks(world)
      const isOfFormer = kind === 'paid_not_credited'
      const id = await (isOfFormer ? givenBack(world) : collected(world))
      const more = { ...(amount === undefined ? {} : { amount }), provider: 'Network A' }
      const { number } = await claimOf(world, id, kind, more)
      const operation = decision === 'upheld' ? claimUphold : claimReject
      await operatorOf(world).ask(operation, { number, reason: 'seen' })
      const reports = reportsOf(world)
      const lines = [
        `${id},paid,1000.00,${day}T12:00:00Z,`,
        `${id},paid,800.00,${day}T12:00:00Z,`,
        `${id},not_paid,,,`,
        `${id},reversed,1000.00,${day}T12:00:00Z,`,
      ]
      const found: (string | undefined)[] = []
      for (const line of lines) {
        const looked = await reports.look(file(line), day)
        assert.equal(looked.faults, [])
        found.push(Object.keys(looked.outcomes)[0])
      }
      assert.equal(found, outcomes[decision])
      await reports.send(file(), day)
      const missing = (await world.rows('report_missing')).map(({ ours_minor }) => ours_minor)
      const isMissing = !isOfFormer && !(kind === 'credited_not_paid' && decision === 'upheld')
      const ours = kind === 'wrong_amount' && decision === 'upheld' ? 80_000n : 100_000n
      assert.equal(missing, isMissing ? [ours] : [], 'a report that leaves it out')
    })
  }
}

/** What network A is told of a line that names an order. */
async function told(world: OrderWorld, named: string, kind: SentLine['kind']): Promise<ToldVerdict> {
  let verdicts: ToldVerdict[] = []
  const isPaid = kind === 'paid'
  const sent = {
    provider: { id: tills.A.id, name: 'Network A', credential: 'pk_a' },
    ...{ networkId: '000A', day, name: `${named} ${kind}`, part: 1, parts: 2, totals: null },
    lines: [
      {
        ...{ kind, named, reference: null, amountMinor: isPaid ? 100_000n : null },
        paidAt: isPaid ? Date.parse(`${day}T12:00:00Z`) : null,
      },
    ],
  }
  await receivePart(world, sent, {
    guard: undefined,
    answer: (received) => {
      verdicts = received.verdicts
      return { status: 200, body: '' }
    },
  })
  const [verdict] = verdicts
  if (verdict === undefined) throw new Error('nothing was told')
  return verdict
}

play(
  'whoever has held an order is told that it is not booked with it, and not that it is unknown',
  async (world) => {
    await addNetworks(world)
    const { id } = await world.order({ direction: 'PAY_IN' })
    await world.start(id, 'A')
    await world.giveBack(id, 'A')
    await world.start(id, 'B')
    await world.confirm(id, 'B')
    const former = await told(world, id, 'paid')
    assert.equal([former.outcome, former.reason], ['status', 'Here it is not booked with this provider.'])
    const other = await world.order({ direction: 'PAY_IN' })
    await world.start(other.id, 'B')
    await world.confirm(other.id, 'B')
    const never = await told(world, other.id, 'paid')
    assert.equal(
      [never.outcome, never.reason],
      ['only_theirs', 'No order of this provider has this name or reference.'],
    )
  },
)

play('a line of an archived order is answered like one of an order that never was', async (world) => {
  await addNetworks(world)
  const { id } = await world.order({ direction: 'PAY_IN' })
  world.clock.advance(25 * hourMs)
  await world.orders.tryExpire(id)
  // The newest entry of the journal is not archived.
  await world.order({ direction: 'PAY_IN' })
  const archive = archiveOf(world)
  await archive.deliver()
  await archive.archive()
  archive.close()
  assert.not.ok((await world.rows('orders')).some((one) => one.id === id))
  for (const kind of ['paid', 'not_paid', 'reversed'] as const) {
    const unknown = await told(world, '00000000-0000-4000-8000-000000000000', kind)
    assert.equal(await told(world, id, kind), unknown)
  }
})

test.run()
