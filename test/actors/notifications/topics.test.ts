/** Protocol 17.3: what is told at once, what is counted, and what the digest says. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Phase } from '../../../actors/notifications/events.ts'
import { digested, judge, quietMs, tellAgain } from '../../../actors/notifications/topics.ts'
import type { Row } from '../../../persistence/store.ts'

type Topic = Row<'notification_topics'>

const minuteMs = 60_000
const start = Date.UTC(2026, 2, 1, 12)

/** A minute, what happens then, and what is told: `on 2` tells that it is there and happened twice; `-` nothing. */
function play(
  how: 'now' | 'digest',
  table: string,
  event: 'chain.doubt' | 'sign_in.new' = 'chain.doubt',
): void {
  const rule = { name: 'urgent', channel: 'operations', how }
  let topic: Topic | null = null
  for (const line of table.trim().split('\n')) {
    const [minute, what, ...expected] = line.trim().split(/\s+/)
    const at = start + Number(minute) * minuteMs
    const judged = step(topic, String(what), at)
    topic = judged.topic
    const told = judged.told === null ? '-' : `${judged.told.phase} ${judged.told.count}`
    assert.is(told, expected.join(' '), `${how}: ${line.trim()}`)
  }

  function step(before: Topic | null, what: string, at: number) {
    if (what === 'digest') return before === null ? { topic: null, told: null } : digested(before, at)
    if (what === 'again') {
      assert.ok(before !== null)
      return tellAgain(before, at)
    }
    if (what === 'gone') {
      assert.is(before, null)
      return { topic: null, told: null }
    }
    const phase = what as Phase
    const about = { topic: 'one', phase, partyId: '', at }
    return event === 'chain.doubt'
      ? judge(before, { event, facts: { chain: 'SOLANA' }, ...about }, rule, at)
      : judge(before, { event, facts: { operator: 'ana', address: '192.0.2.7' }, ...about }, rule, at)
  }
}

test('what repeats is told once, then counted, and told to be over with its count', () => {
  play(
    'now',
    `0    on      on 1
     1    on      -
     2    on      -
     3    over    over 2
     4    over    -`,
  )
})

test('the digest tells what was counted, and forgets what is over', () => {
  play(
    'now',
    `0     on      on 1
     1     on      -
     1200  digest  on 1
     1201  on      -
     2640  digest  on 1
     4080  digest  -
     4090  over    over 0
     5520  digest  -
     5521  gone    -`,
  )
})

test('what comes back soon after it was over waits for the quiet hour, and is told then if it stays', () => {
  play(
    'now',
    `0    on      on 1
     10   over    over 0
     20   on      -
     25   over    -
     30   on      -
     70   again   on 2
     71   over    over 0
     140  on      on 1`,
  )
})

test('a digest tells of what came and went, of what stays and of its end, each once', () => {
  play(
    'digest',
    `0     on      -
     1     over    -
     2     on      -
     1200  digest  on 2
     1300  over    -
     2640  digest  over 0
     2641  gone    -
     2650  on      -
     2660  over    -
     4080  digest  over 1
     4081  gone    -`,
  )
})

test('what does not last and repeats is told, then counted, and its count is told an hour after that', () => {
  play(
    'now',
    `0     once    once 1
     1     once    -
     30    once    -
     61    again   once 2
     62    once    -
     100   once    -
     121   again   once 2
     200   once    once 1
     270   once    once 1
     1440  digest  -
     1441  gone    -`,
    'sign_in.new',
  )
  play(
    'now',
    `0     once    once 1
     1     once    -
     2     digest  once 1
     3     once    -
     63    again   once 1
     1440  digest  -
     1441  gone    -`,
    'sign_in.new',
  )
  play(
    'digest',
    `0     once    -
     1     once    -
     2     digest  once 2
     3     gone    -
     4     once    -
     5     digest  once 1`,
    'sign_in.new',
  )
})

test('of single events each is told, or stands in the digest', () => {
  const occurrence = {
    event: 'key.added' as const,
    facts: { party: 'Shop', kind: 'merchant' as const, key: 'mk_new' },
    ...{ topic: 'key.added mk_new', phase: 'once' as const, partyId: '', at: start },
  }
  const now = { name: 'n', channel: 'c', how: 'now' as const }
  for (const _ of [1, 2]) {
    const { topic, told } = judge(null, occurrence, now, start)
    assert.equal([topic, told?.phase, told?.count], [null, 'once', 1])
  }
  const counted = judge(null, occurrence, { ...now, how: 'digest' }, start)
  assert.is(counted.told, null)
  assert.ok(counted.topic !== null)
  const { topic, told } = digested(counted.topic, start + quietMs)
  assert.equal([topic, told?.phase, told?.count], [null, 'once', 1])
})

test.run()
