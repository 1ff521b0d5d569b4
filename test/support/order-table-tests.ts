/** Plays a chart's table through the gate and, beside it, through a started actor: both must agree. */
import type { Test } from 'uvu'
import * as assert from 'uvu/assert'
import { type AnyActorRef, type AnyMachineSnapshot, createActor } from 'xstate'
import { type Accepted, begin, decide } from '../../actors/orders/decide.ts'
import { type Chart, type ChartName, charts } from '../../machines/index.ts'
import type { OrderEffect, OrderEvent } from '../../machines/order.ts'
import { isOpen, type OrderStatus, orderStatuses } from '../../machines/statuses.ts'
import type { Instant } from '../../machines/time.ts'
import {
  allMoments,
  eventOf,
  instantsOf,
  momentsOf,
  parseTable,
  type Section,
  type TableRow,
  tableInput,
} from './order-table.ts'

/** The public statuses a chart has: the children of `open`, and the final states. */
export function statusesOf(chart: Chart): OrderStatus[] {
  const { open, ...finals } = chart.states
  const names = [...Object.keys(open?.states ?? {}), ...Object.keys(finals)]
  return orderStatuses.filter((status) => names.includes(status))
}

/** `money.move reserve, merchant.notify`: how a table writes effects. */
function describeEffects(effects: readonly OrderEffect[]): string {
  return effects.map(({ type, params }) => [type, ...Object.values(params ?? {})].join(' ')).join(', ')
}

export function testLifeCycle(test: Test, name: ChartName, text: string): void {
  const sections = parseTable(text)
  for (const section of sections) {
    test(`${section.name}: the story that leads there`, () => {
      tellStory(name, section)
    })
    for (const row of section.each) {
      test(`${section.name}: ${row.text}`, () => {
        for (const at of instantsOf(row)) playRow(name, tellStory(name, section), row, at)
      })
    }
    test(`${section.name}: the table has one row for every event, caller and time`, () => {
      const moments = section.each.flatMap(momentsOf)
      assert.equal(moments.toSorted(), allMoments().toSorted())
    })
  }

  test('every status of the chart is reached by a story', () => {
    const reached = new Set(sections.map(({ story }) => story.at(-1)?.status))
    assert.equal([...reached].toSorted(), statusesOf(charts[name]).toSorted())
  })

  test('a finished order refuses everything', () => {
    const finished = sections.filter(({ story }) => story.some((row) => !isOpen(row.status)))
    assert.ok(finished.length >= 3)
    for (const { each } of finished) for (const row of each) assert.is.not(row.refusal, null, row.text)
  })
}

/** Plays a section's story, each row a minute after the one before and not before its phase. */
function tellStory(name: ChartName, section: Section): Accepted {
  const [creation, ...rows] = section.story
  assert.ok(creation && creation.action === null, `${section.name} does not begin with order.create`)
  let order = beginTwice(name)
  assert.equal([order.status, describeEffects(order.effects)], [creation.status, creation.effects])
  let at = tableInput.createdAt
  for (const row of rows) {
    at = Math.max(at + 60_000, instantsOf(row)[0] ?? at)
    const next = playRow(name, order, row, at)
    if (next !== null) order = next
  }
  return order
}

/** @returns the order after the row; `null` when the row is a refusal. */
function playRow(name: ChartName, order: Accepted, row: TableRow, at: Instant): Accepted | null {
  assert.ok(row.action, `${row.text}: an order is created once`)
  const event = eventOf(row.action, at)
  const decided = decide(order.stored, event)
  const played = playActor(name, order.stored.text, event)
  assert.is(played.can, decided.ok, `${row.text}: the actor's can() says otherwise`)
  if (!decided.ok) {
    assert.equal([decided.reason, order.status], [row.refusal, row.status])
    assert.equal([played.text, played.effects], [order.stored.text, []])
    return null
  }
  assert.is(row.refusal, null, `${row.text}: it was accepted`)
  assert.equal([decided.status, describeEffects(decided.effects)], [row.status, row.effects])
  assert.is(decided.context.modifiedAt, at)
  assert.equal(factsOf(decided), factsAfter(order, event, decided))
  assert.equal(played, { can: true, text: decided.stored.text, effects: decided.effects })
  return decided
}

/** What an order keeps of what it was told: who holds it or has paid, since when, how often, and whether money is there. */
function factsOf({ context, stored }: Accepted) {
  const { lock, locks, paidAt, isReserved, hasDeposit = false } = context
  const isDone = JSON.parse(stored.text).status === 'done'
  return { lock, locks, paidAt, isReserved, hasDeposit, isDone }
}

function factsAfter(before: Accepted, event: OrderEvent, { status, effects }: Accepted) {
  const facts = factsOf(before)
  const isDone = !isOpen(status)
  switch (event.type) {
    case 'payment.start': {
      const { providerId, networkId, at } = event
      return { ...facts, isDone, lock: { providerId, networkId, at }, locks: facts.locks + 1 }
    }
    case 'payment.report': {
      const { providerId, networkId, paidAt } = event
      const taken = { lock: { providerId, networkId, at: paidAt }, locks: facts.locks + 1 }
      return { ...facts, isDone, ...(facts.lock === null ? taken : {}), paidAt }
    }
    case 'payment.confirm':
      return { ...facts, isDone, paidAt: event.at }
    case 'payment.cancel':
      return { ...facts, isDone, lock: null }
    default: {
      const hasCome = event.type === 'funds.credit' || event.type === 'funds.accept'
      const movements = effects.map(({ params }) => (params && 'movement' in params ? params.movement : null))
      const isReserved = movements.includes('reserve') || movements.includes('exchange')
      return {
        ...facts,
        isDone,
        isReserved: facts.isReserved || isReserved,
        hasDeposit: facts.hasDeposit || hasCome,
      }
    }
  }
}

/** What a live, recording actor makes of an event: hydrated from the text, started, told. */
function playActor(name: ChartName, text: string, event: OrderEvent) {
  const { chart, effects } = recording(name)
  const actor: AnyActorRef = createActor(chart, { snapshot: JSON.parse(text) })
  actor.start()
  assert.equal(effects, [], 'an actor that is only restored has no effects')
  const before: AnyMachineSnapshot = actor.getSnapshot()
  const can = before.can(event)
  if (before.status === 'active') actor.send(event)
  return { can, text: JSON.stringify(actor.getPersistedSnapshot()), effects }
}

function beginTwice(name: ChartName): Accepted {
  const begun = begin(name, tableInput)
  const { chart, effects } = recording(name)
  const actor = createActor(chart, { input: tableInput }).start()
  assert.equal(effects, begun.effects)
  assert.is(JSON.stringify(actor.getPersistedSnapshot()), begun.stored.text)
  return begun
}

/** Total over the effects: one that is not recorded would be missing from no comparison. */
const effectTypes: Record<OrderEffect['type'], true> = {
  'merchant.notify': true,
  'funding.request': true,
  'funding.withdraw': true,
  'money.move': true,
  'exception.open': true,
}

/** The charts with actions that write down that they were carried out. To make one is most of what a row would cost. */
const recordings = new Map<ChartName, ReturnType<typeof makeRecording>>()

function makeRecording(name: ChartName) {
  const recorded: { effects: OrderEffect[] } = { effects: [] }
  const record = (type: string) => (_: unknown, params: unknown) => {
    recorded.effects.push({ type, params } as OrderEffect)
  }
  const actions = Object.fromEntries(Object.keys(effectTypes).map((type) => [type, record(type)]))
  return { chart: charts[name].provide({ actions }), recorded }
}

/** A chart and the list that its next actor's effects are written into, which is empty. */
function recording(name: ChartName) {
  const { chart, recorded } = recordings.get(name) ?? makeRecording(name)
  recordings.set(name, { chart, recorded })
  recorded.effects = []
  return { chart, effects: recorded.effects }
}
