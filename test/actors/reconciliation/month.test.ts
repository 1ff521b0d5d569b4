/** A month of a network's files, with mistakes of every kind planted by a seed: each is found, and nothing else is. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { networkDays } from '../../../actors/reconciliation/days.ts'
import { resolveException } from '../../../actors/resolutions/resolve.ts'
import { problemsIn } from '../../support/agreed-terms.ts'
import { chance, mapping, networkFile, type WrittenLine } from '../../support/network-files.ts'
import { assertInvariants } from '../../support/order-invariants.ts'
import {
  graceMs,
  hourMs,
  inOrderWorld,
  minuteMs,
  type OrderWorld,
  operator,
} from '../../support/order-world.ts'
import { addNetworks, reportsOf } from '../../support/reported-day.ts'

const play = inOrderWorld(test)
const mistakes = [
  'amount',
  'only_theirs',
  'twice',
  'reversed',
  'only_ours',
  'late',
  'status',
  'ended',
  'returned',
] as const
type Mistake = (typeof mistakes)[number]

interface Planted {
  day: string
  line: number | null
  outcome: string
}

const dayMs = 24 * hourMs
const dayAt = (at: number) => new Date(at).toISOString().slice(0, 10)
const lineOf = (lines: WrittenLine[], planted: Planted[], day: string, outcome: string) =>
  planted.push({ day, line: lines.length + 1, outcome })

/** What really happened, in plain numbers: what the network has handled is what it is credited with in the end. */
interface Truth {
  /** Of pay-outs less pay-ins, in cents. */
  providerCents: number
}

async function playDay(
  world: OrderWorld,
  random: (below: number) => number,
  mistake: Mistake | null,
  truth: Truth,
  carried: WrittenLine[],
): Promise<{ lines: WrittenLine[]; late: WrittenLine[]; planted: Planted[] }> {
  const day = dayAt(world.clock.now())
  const planted: Planted[] = []
  const lines: WrittenLine[] = []
  for (const line of carried) {
    lines.push(line)
    lineOf(lines, planted, day, 'day')
  }
  const late: WrittenLine[] = []
  const make = async (expiryMs = dayMs) => {
    const cents = 2_000 + random(200_000)
    const direction = random(2) === 0 ? 'PAY_OUT' : 'PAY_IN'
    if (direction === 'PAY_OUT') await world.deposit(BigInt(cents))
    const made = await world.order({
      direction,
      priceMinor: BigInt(cents),
      expiryAt: world.clock.now() + expiryMs,
    })
    return { order: made, cents, credit: direction === 'PAY_OUT' ? cents : -cents }
  }
  const written = (code: string, cents: number): WrittenLine => ({
    code,
    folio: `F-${day}-${random(1_000_000)}`,
    cents,
    at: Math.floor(world.clock.now() / 1000),
    state: 'PAGADO',
  })
  const pay = async () => {
    const { order, cents, credit } = await make()
    await world.start(order.id, 'A')
    world.clock.advance(minuteMs)
    await world.confirm(order.id, 'A')
    truth.providerCents += credit
    return written(order.code, cents)
  }
  for (let count = 2 + random(4); count > 0; count--) lines.push(await pay())
  switch (mistake) {
    case null:
      break
    case 'amount': {
      const line = await pay()
      lines.push({ ...line, cents: line.cents + 1 + random(50) })
      lineOf(lines, planted, day, 'amount')
      break
    }
    case 'only_theirs':
      lines.push({ ...written('', 1 + random(10_000)), folio: `X-${random(10_000)}` })
      lineOf(lines, planted, day, 'only_theirs')
      break
    case 'twice': {
      const line = await pay()
      lines.push(line, { ...line })
      lineOf(lines, planted, day, 'twice')
      break
    }
    case 'reversed': {
      const line = await pay()
      lines.push(line, { ...line, state: 'REVERSADO' })
      lineOf(lines, planted, day, 'reversed')
      break
    }
    case 'only_ours':
      await pay()
      planted.push({ day, line: null, outcome: 'only_ours' })
      break
    case 'late':
      // Beyond what is tolerated: it is missing on its own day, until another report has it.
      late.push(await pay())
      break
    case 'status': {
      const { order, cents } = await make(100 * dayMs)
      lines.push(written(order.code, cents))
      lineOf(lines, planted, day, 'status')
      break
    }
    case 'ended':
    case 'returned': {
      const { order, cents, credit } = await make(hourMs)
      await world.start(order.id, 'A')
      world.clock.advance(hourMs + graceMs + minuteMs)
      await world.orders.expire(order.id)
      if (mistake === 'returned') await resolve(world, 'return', order.id)
      lines.push(written(order.code, cents))
      lineOf(lines, planted, day, 'status')
      // The network is right: whoever looks honours it.
      truth.providerCents += credit
      break
    }
  }
  return { lines, late, planted }
}

async function resolve(
  world: OrderWorld,
  as: 'return' | 'honour' | 'dismiss',
  orderId?: string,
): Promise<void> {
  const open = (await world.rows('exceptions')).filter(({ state }) => state === 'open')
  for (const { id, kind, order_id } of open) {
    if (orderId !== undefined && order_id !== orderId) continue
    const about = { store: world.store, ...world.orders.context }
    const chosen = kind === 'report_difference' ? 'dismiss' : as
    const resolving = { exceptionId: id, as: chosen, reason: 'asked', evidence: null, operator } as const
    assert.is((await resolveException(about, resolving)).outcome, 'resolved')
  }
}

for (const seed of [20_261_201]) {
  play(`a month of reports from seed ${seed}`, async (world) => {
    const usual = { separator: null, encoding: 'utf-8', ...mapping }
    await addNetworks(world, { report_json: JSON.stringify(usual) })
    const random = chance(seed)
    const reports = reportsOf(world)
    const truth: Truth = { providerCents: 0 }
    const planted: Planted[] = []
    const carried: WrittenLine[][] = [[], [], []]
    const first = dayAt(world.clock.now())
    for (let index = 0; index < 30; index++) {
      const began = world.clock.now()
      const day = dayAt(began)
      const mistake = index < mistakes.length * 3 ? (mistakes[index % mistakes.length] ?? null) : null
      const played = await playDay(world, random, mistake, truth, carried.shift() ?? [])
      planted.push(...played.planted)
      carried.push(played.late)
      world.clock.advance(dayMs - (world.clock.now() - began))
      await reports.send(networkFile(played.lines), day)
    }
    const found = (await world.rows('report_lines')).filter(({ outcome }) => outcome !== 'matched')
    const days = new Map((await world.rows('report_files')).map(({ id, day }) => [id, day]))
    const missing = (await world.rows('report_missing')).map(({ day, exception_id }) => {
      assert.ok(exception_id !== null, `what is missing of ${day} is judged`)
      return { day, line: null, outcome: 'only_ours' }
    })
    const told = [
      ...found.map(({ file_id, line, outcome }) => ({ day: days.get(file_id) ?? '', line, outcome })),
      ...missing,
    ]
    const sorted = (all: Planted[]) =>
      all.map((one) => JSON.stringify([one.day, one.line, one.outcome])).sort()
    assert.equal(sorted(told), sorted(planted))

    await resolve(world, 'honour')
    const [network] = await networkDays(world.store, first, dayAt(world.clock.now() - dayMs))
    assert.equal([...new Set(network?.days.map(({ state }) => state))], ['reconciled'])
    assert.is(await world.balance({ kind: 'provider', ownerId: 'network-a' }), BigInt(truth.providerCents))
    await assertInvariants(world)
    assert.equal(await problemsIn(world), [])
  })
}

test.run()
