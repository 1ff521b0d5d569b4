/** A payment's chart as a table: every event in every state, each through the gate and through a started actor. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createActor } from 'xstate'
import { beginPayment, tellPayment } from '../../actors/settlement/payment-gate.ts'
import {
  type PaymentDirection,
  type PaymentEffect,
  type PaymentEvent,
  payment,
  paymentStates,
} from '../../machines/payment.ts'

const at = 1_795_770_000_000
const events: Record<string, PaymentEvent> = {
  send: { type: 'payment.send', at: at + 1 },
  book: { type: 'payment.book', at: at + 2 },
  return: { type: 'payment.return', at: at + 3, reason: 'no such account' },
  'return, exported': { type: 'payment.return', at: at + 3, reason: 'no such account', isExported: true },
}

/** The direction and the way to a state; then each event, the state after it (`x` and why where it is refused), its effects. */
const table = `
  out:                ordered                  move order, settle
    send              sent
    book              booked                   move book
    return            returned                 move restore, release
    return, exported  x exported
  out: send           sent
    send              x wrong_state
    book              booked                   move book
    return            returned                 move restore, release
    return, exported  returned                 move restore, release
  out: send book      booked                   move book
    send              x wrong_state
    book              x wrong_state
    return            returned                 move bounce, move restore, release
    return, exported  returned                 move bounce, move restore, release
  out: send book return  returned              move bounce, move restore, release
    send              x wrong_state
    book              x wrong_state
    return            x wrong_state
    return, exported  x wrong_state
  in:                 booked                   move receive, settle
    send              x wrong_state
    book              x wrong_state
    return            returned                 move withdraw, release
    return, exported  returned                 move withdraw, release
  in: return          returned                 move withdraw, release
    send              x wrong_state
    book              x wrong_state
    return            x wrong_state
    return, exported  x wrong_state
`

interface Row {
  name: string
  outcome: string
  effects: string
}

interface Section extends Row {
  direction: PaymentDirection
  way: string[]
  rows: Row[]
}

function parse(text: string): Section[] {
  const sections: Section[] = []
  for (const line of text.split('\n').filter((one) => one.trim() !== '')) {
    const [name = '', outcome = '', effects = ''] = line.trim().split(/ {2,}/)
    if (line.startsWith('    ')) sections.at(-1)?.rows.push({ name, outcome, effects })
    else {
      const [direction = '', way = ''] = name.split(':')
      assert.ok(direction === 'out' || direction === 'in')
      sections.push({
        name,
        outcome,
        effects,
        direction,
        way: way.split(' ').filter((event) => event !== ''),
        rows: [],
      })
    }
  }
  return sections
}

function described(effects: readonly PaymentEffect[]): string {
  const words = { 'money.move': 'move', 'due.settle': 'settle', 'due.release': 'release' } as const
  return effects
    .map((effect) =>
      effect.type === 'money.move' ? `${words[effect.type]} ${effect.params.movement}` : words[effect.type],
    )
    .join(', ')
}

function inputOf(direction: PaymentDirection) {
  return { paymentId: 'p', direction, amount: '100', currency: 'MXN', at } as const
}

function eventOf(name: string): PaymentEvent {
  const event = events[name]
  assert.ok(event, name)
  return event
}

function tell(direction: PaymentDirection, way: readonly string[]) {
  let told = beginPayment(inputOf(direction))
  for (const name of way) {
    const next = tellPayment(told.stored, eventOf(name))
    assert.ok(next.ok, name)
    told = next
  }
  return told
}

/** The state a started actor comes to, its snapshot stored and read before the last event. */
function play(direction: PaymentDirection, way: readonly string[]): unknown {
  let actor = createActor(payment, { input: inputOf(direction) }).start()
  for (const name of way) {
    actor = createActor(payment, {
      input: inputOf(direction),
      snapshot: JSON.parse(JSON.stringify(actor.getPersistedSnapshot())),
    }).start()
    actor.send(eventOf(name))
  }
  return actor.getSnapshot().value
}

const sections = parse(table)

for (const section of sections) {
  const { direction, way } = section
  test(`a payment ${section.name} is ${section.outcome}`, () => {
    const told = tell(direction, way)
    assert.equal([told.state, described(told.effects)], [section.outcome, section.effects])
    assert.is(play(direction, way), section.outcome)
    assert.is(JSON.parse(told.stored.snapshot).status, told.state === 'returned' ? 'done' : 'active')
  })
  for (const row of section.rows) {
    test(`a payment ${section.name} is told: ${row.name}`, () => {
      const told = tellPayment(tell(direction, way).stored, eventOf(row.name))
      const outcome = told.ok ? told.state : `x ${told.reason}`
      assert.equal([outcome, told.ok ? described(told.effects) : ''], [row.outcome, row.effects])
      assert.is(play(direction, [...way, row.name]), told.ok ? told.state : section.outcome)
    })
  }
}

test('the table has every state, and every event in each', () => {
  assert.equal(new Set(sections.map(({ outcome }) => outcome)), new Set(paymentStates))
  for (const { name, rows } of sections)
    assert.equal(
      rows.map((row) => row.name),
      Object.keys(events),
      name,
    )
})

test('what happened when is kept in the snapshot', () => {
  const { context } = tell('out', ['send', 'book', 'return'])
  assert.equal(
    [context.at, context.sentAt, context.bookedAt, context.returnedAt],
    [at, at + 1, at + 2, at + 3],
  )
  assert.is(tell('in', []).context.bookedAt, at)
  const ways: [
    direction: PaymentDirection,
    way: string[],
    bookedAt: number | null,
    returnedAt: number | null,
  ][] = [
    ['out', ['book'], at + 2, null],
    ['out', ['return'], null, at + 3],
    ['out', ['send', 'return'], null, at + 3],
    ['out', ['book', 'return'], at + 2, at + 3],
    ['in', ['return'], at, at + 3],
  ]
  for (const [direction, way, bookedAt, returnedAt] of ways) {
    const told = tell(direction, way).context
    assert.equal([told.bookedAt, told.returnedAt], [bookedAt, returnedAt], way.join(' '))
  }
  const nothingYet = { sentAt: null, bookedAt: null, returnedAt: null }
  assert.equal(tell('out', []).context, { ...inputOf('out'), ...nothingYet })
})

test.run()
