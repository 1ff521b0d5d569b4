/** Protocol 17.1: every event in every language, as text and HTML, and nothing in one that must not leave the node. */
import { parse } from 'parse5'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { languages } from '../../../actors/notifications/channels.ts'
import {
  eventNames,
  eventSorts,
  type Happened,
  type Notice,
  type Phase,
  type Told,
} from '../../../actors/notifications/events.ts'
import { messageOf } from '../../../actors/notifications/message.ts'

/** One of each event, with names that an operator could have given. */
const examples: Happened[] = [
  {
    event: 'exception.opened',
    facts: {
      kind: 'expired_while_locked',
      exception: 'c2d1e6c0-8a53-8d7e-9f1c-3f2f0d8b7a61',
      order: '0197c1f2-5a10-7c3d-9e55-0a1b2c3d4e5f',
      ...{ amount: '1250.50', asset: 'MXN', chain: null },
    },
  },
  { event: 'webhook.dead', facts: { exception: 'c2d1e6c0', order: '0197c1f2', merchant: 'Tienda Ñandú' } },
  { event: 'alarm', facts: { kind: 'many_held', about: 'Red Demo', count: 201 } },
  { event: 'node.degraded', facts: { part: 'anchors' } },
  { event: 'clock.doubt', facts: {} },
  { event: 'chain.doubt', facts: { chain: 'SOLANA' } },
  { event: 'rate.doubt', facts: { rate: 'USDC MX MXN SOLANA' } },
  { event: 'rate.doubt', facts: { rate: null } },
  { event: 'backup.missed', facts: { newest: '2026-02-27T05:23:00.000Z' } },
  { event: 'backup.missed', facts: { newest: null } },
  { event: 'disk.low', facts: { freeMebibytes: 411 } },
  {
    event: 'exposure.high',
    facts: {
      provider: 'Red Demo',
      currency: 'MXN',
      used: '170000.00',
      limit: '200000.00',
      warnAtPercent: 80,
    },
  },
  {
    event: 'balance.low',
    facts: { merchant: 'Tienda <b>Ñandú</b>', currency: 'MXN', balance: '400.00', below: '500.00' },
  },
  {
    event: 'statement.closed',
    facts: {
      ...{ party: 'Tienda Ñandú', kind: 'merchant', currency: 'MXN', number: 12 },
      ...{ from: '2026-02-01', to: '2026-02-28', closing: '425.30', due: '425.30', dueOn: '2026-03-02' },
    },
  },
  { event: 'sign_in.new', facts: { operator: 'ana', address: '192.0.2.7' } },
  { event: 'key.added', facts: { party: 'Tienda Ñandú', kind: 'merchant', key: 'mk_a56926e2a729' } },
  {
    event: 'account.changed',
    facts: { party: 'Red Demo', kind: 'provider', currency: 'MXN', from: '2026-03-02T12:00:00.000Z' },
  },
  {
    event: 'account.changed',
    facts: { party: 'Red Demo', kind: 'provider', currency: 'MXN', from: null },
  },
  {
    event: 'approval.asked',
    facts: { approval: 12, operation: 'deposit.add', moves: ['1000.01 MXN'], askedBy: 'ana' },
  },
]

function toldOf(happened: Happened, phase?: Phase, count = 1): Told {
  const usual = eventSorts[happened.event] === 'lasting' ? 'on' : 'once'
  const times = { first: '2026-03-01T12:00:00.000Z', last: '2026-03-01T14:30:00.000Z' }
  return { ...happened, phase: phase ?? usual, count, ...times }
}

function noticeOf(told: Told[], changes: Partial<Notice> = {}): Notice {
  return {
    ...{ purpose: 'event', mode: 'production', created: '2026-03-01T14:30:00.000Z', channel: 'operations' },
    ...{ language: 'es', timeZone: 'America/Mexico_City', party: null, told, more: false },
    ...changes,
  } as Notice
}

test('there is an example of every event', () => {
  assert.equal([...new Set(examples.map(({ event }) => event))].toSorted(), [...eventNames].toSorted())
})

for (const language of languages) {
  test(`every event is told in ${language}, when it begins, when it is over, and in a digest`, () => {
    const subjects = new Set<string>()
    for (const happened of examples) {
      const phases: Phase[] = eventSorts[happened.event] === 'lasting' ? ['on', 'over'] : ['once']
      for (const phase of phases) {
        const { subject, text, html } = messageOf(noticeOf([toldOf(happened, phase, 3)], { language }))
        subjects.add(subject)
        assert.not.match(subject + text + html, /undefined|\[object|NaN/, subject)
        assert.not.match(subject, /[\r\n]/)
        assert.match(text, /2026-03-01 06:00 \w+ 2026-03-01 08:30 \(America\/Mexico_City\)/)
        for (const fact of Object.values(happened.facts))
          if (typeof fact === 'number') assert.ok(phase === 'over' || text.includes(String(fact)), text)
        const page = JSON.stringify(parse(html), (name, value) => (name === 'parentNode' ? undefined : value))
        assert.not.match(page, /"tagName":"(b|script|img|a|link)"/, 'what a name holds is text')
      }
    }
    const lasting = examples.filter(({ event }) => eventSorts[event] === 'lasting').length
    // A backup that was missed is so whether there was one before or not.
    assert.is(subjects.size, examples.length + lasting - 2, 'each says something of its own')
    const lines = examples.map((happened) => toldOf(happened, undefined, 7))
    const digest = messageOf(noticeOf(lines, { language, purpose: 'digest', more: true }))
    assert.match(digest.subject, /19/)
    assert.is(digest.text.split('(7 ').length, 20)
  })
}

test('the three languages say each thing in other words', () => {
  for (const happened of examples) {
    const texts = languages.map((language) => messageOf(noticeOf([toldOf(happened)], { language })).text)
    assert.is(new Set(texts).size, languages.length, happened.event)
  }
})

test('a party is told no command of the operator, and nothing of its channel', () => {
  for (const language of languages) {
    for (const happened of examples) {
      const { text } = messageOf(noticeOf([toldOf(happened)], { language, party: 'Tienda Ñandú' }))
      assert.not.match(text, /ventanilla [a-z]|operations/)
    }
  }
})

test('a sandbox says that it is one, and a test that nothing has happened', () => {
  const { subject, text } = messageOf(noticeOf([], { purpose: 'test', mode: 'sandbox', language: 'en' }))
  assert.is(subject, '[Ventanilla sandbox] Test notification')
  assert.match(text, /Nothing has happened\.[\s\S]*Sandbox: no real money/)
})

test('what an operator has named in two lines is one, and cannot end its mail', () => {
  const merchant = 'Shop\r\n.\r\nBcc: a@b.example\u202eevil'
  const facts = { merchant, currency: 'MXN', balance: '1.00', below: '2.00' }
  const { subject, text, html } = messageOf(noticeOf([toldOf({ event: 'balance.low', facts })]))
  assert.not.match(subject, /[\r\n\u202e]/)
  assert.not.match(text + html, /\u202e|^\.\r?$/m)
})

test.run()
