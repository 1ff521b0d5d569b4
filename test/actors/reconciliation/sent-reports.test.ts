/** Reports that software has sent, judged by the worker: whatever is killed in between, all of it comes to the same. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createReportWork } from '../../../actors/reconciliation/applying-sent.ts'
import { receivePart, type SentLine, type SentPart } from '../../../actors/reconciliation/sent-reports.ts'
import { quarantineOpenOrders } from '../../../persistence/queries/quarantine.ts'
import type { Store } from '../../../persistence/store.ts'
import { assertInvariants } from '../../support/order-invariants.ts'
import { inOrderWorld, minuteMs, type OrderWorld, tills } from '../../support/order-world.ts'
import { addNetworks } from '../../support/reported-day.ts'

const play = inOrderWorld(test)
const day = '2026-03-01'

const line = (named: string, change: Partial<SentLine> = {}): SentLine => ({
  ...{ kind: 'paid', named, reference: null, amountMinor: 100_000n, paidAt: Date.parse(`${day}T12:00:00Z`) },
  ...change,
})

async function send(world: OrderWorld, parts: readonly SentLine[][], name = 'r-1'): Promise<void> {
  const all = parts.flat()
  const paidMinor = all.reduce((sum, { amountMinor }) => sum + (amountMinor ?? 0n), 0n)
  for (const [index, lines] of parts.entries()) {
    const isLast = index + 1 === parts.length
    const sent: SentPart = {
      provider: { id: tills.A.id, name: 'Network A', credential: 'pk_a' },
      ...{ networkId: '000A', day, name, part: index + 1, parts: parts.length, lines },
      totals: isLast ? { lineCount: all.length, paidMinor } : null,
    }
    const done = await receivePart(world, sent, {
      guard: undefined,
      answer: () => ({ status: 200, body: '' }),
    })
    assert.is(
      done.outcome,
      'received',
      JSON.stringify(done, (_, value) => `${value}`),
    )
  }
}

/** Fails each step behind the first so many, as a process does that is killed. */
function killedAfter(store: Store, steps: number): Store {
  let left = steps
  return new Proxy(store, {
    get(target, name: keyof Store) {
      const member = Reflect.get(target, name)
      if (name !== 'step') return typeof member === 'function' ? member.bind(target) : member
      return (...args: Parameters<Store['step']>) => {
        if (left === 0) throw new Error('killed')
        left -= 1
        return target.step(...args)
      }
    },
  })
}

async function quarantinedAndPaid(world: OrderWorld) {
  await addNetworks(world)
  const made: string[] = []
  for (let count = 0; count < 4; count++) {
    const order = await world.order({ direction: 'PAY_IN' })
    made.push(order.id)
  }
  const [first = '', second = '', third = '', fourth = ''] = made
  for (const id of [first, second]) {
    await world.start(id, 'A')
    await world.confirm(id, 'A')
  }
  await world.store.execute(quarantineOpenOrders, { at: world.clock.now() })
  world.clock.advance(minuteMs)
  return { first, second, third, fourth }
}

play('killed after each of its steps, a report comes to what it would have come to', async (world) => {
  const { first, third } = await quarantinedAndPaid(world)
  const unknown = '123456789012347'
  const parts = [[line(first), line(unknown)], [line(third)]]
  await send(world, parts)
  let kills = 0
  for (; ; kills++) {
    try {
      const work = createReportWork(world.orders)
      if ((await work(killedAfter(world.store, kills))).more === false) break
    } catch (error) {
      assert.is((error as Error).message, 'killed')
    }
    assert.ok(kills < 50, 'each pass gets further by a step than the one before')
  }
  assert.ok(kills >= 5, `${kills} kills`)
  assert.equal(
    (await world.rows('report_lines')).map(({ line: number, outcome }) => `${number} ${outcome}`).toSorted(),
    ['1 matched', '2 only_theirs', '3 matched'],
  )
  assert.is((await world.row(third)).status, 'COMPLETED')
  const differences = (await world.rows('exceptions')).filter(({ kind }) => kind === 'report_difference')
  assert.equal(
    differences.map(({ state }) => state),
    ['open'],
    'what nobody knows; what is missing may be in the next day’s report',
  )
  assert.is((await world.rows('report_missing')).length, 1)
  const [sent] = await world.rows('sent_reports')
  assert.ok(sent?.applied_at && sent.file_id)
  assert.equal(
    (await world.rows('sent_report_parts')).map(({ lines_json }) => lines_json),
    [null, null],
  )
  await assertInvariants(world)
})

play(
  'the same lines under another name change nothing; the journal says who has sent them',
  async (world) => {
    const { third } = await quarantinedAndPaid(world)
    const work = createReportWork(world.orders)
    await send(world, [[line(third)]])
    await work(world.store)
    const entry = (await world.rows('journal')).at(-1)
    assert.is(entry?.actor, 'provider:Network A')
    const before = (await world.rows('report_files')).length
    await send(world, [[line(third)]], 'again')
    await work(world.store)
    assert.equal([before, (await world.rows('report_files')).length], [1, 1])
    assert.ok((await world.rows('sent_reports')).every(({ applied_at }) => applied_at !== null))
  },
)

test.run()
