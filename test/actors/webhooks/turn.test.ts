import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type PendingWebhook, turnOf } from '../../../actors/webhooks/claim.ts'
import { endingOf } from '../../../actors/webhooks/settling.ts'
import { productionRetries, sandboxRetries } from '../../../machines/retry.ts'

/** `2*+3`: sequence 2, final, 3 attempts made; `?` the last one was lost; `~` has an attempt under way. */
function pending(text: string): PendingWebhook {
  const match = /^(\d+)(\*?)(?:\+(\d+))?(\??)(~?)$/.exec(text)
  if (!match) throw new Error(`not a webhook: ${text}`)
  const [, sequence, final, attempts = '0', lost, lease] = match
  return {
    sequence: Number(sequence),
    is_final: final === '*' ? 1 : 0,
    attempts: Number(attempts) + 2,
    attempts_before: 2,
    last_answer: lost === '?' ? 'unknown' : '503',
    lease_until_at: lease === '~' ? 1 : null,
  }
}

// Pending webhooks of one order; whose turn it is; which are superseded.
const turns: [pending: string, next: number | null, superseded: number[]][] = [
  ['', null, []],
  ['1', 1, []],
  ['1+7', 1, []],
  ['1 2', 1, []],
  ['2 1', 1, []],
  ['1+3 2', 1, []],
  ['1+1~ 2', null, []],
  ['1 2*', 1, []],
  ['1+1 2*', 2, [1]],
  ['1+9 2 3*', 2, [1]],
  ['1+1 2+1 3*', 3, [1, 2]],
  ['1 2+1 3*', 1, [2]],
  ['1+1~ 2*', null, []],
  ['1+1 2+1~ 3*', null, [1]],
  // What may not have been sent has its attempt, also before a final event.
  ['1+1? 2*', 1, []],
  ['3*+5', 3, []],
  ['3*+5~', null, []],
  // A resend of what came before a final event that is delivered already stands alone.
  ['1+600', 1, []],
]

for (const [text, next, superseded] of turns)
  test(`of "${text}" the next is ${next}, superseded are [${superseded}]`, () => {
    const turn = turnOf(text.split(' ').filter(Boolean).map(pending))
    assert.is(turn.next?.sequence ?? null, next)
    assert.equal(
      turn.superseded.map(({ sequence }) => sequence),
      superseded,
    )
  })

const at = Date.UTC(2026, 10, 27, 12)
const ended = {
  outcome: 'unavailable' as const,
  retryAfter: null,
  attempts: 1,
  firstAttemptAt: at,
  startedAt: at,
  endedAt: at + 20,
  isFinalWaiting: false,
}

test('an acknowledged webhook is delivered, also with a final event behind it', () => {
  const delivered = { state: 'delivered' }
  assert.equal(endingOf({ ...ended, outcome: 'acknowledged' }, productionRetries, 0), delivered)
  assert.equal(
    endingOf({ ...ended, outcome: 'acknowledged', isFinalWaiting: true }, productionRetries, 0),
    delivered,
  )
})

test('a refused or forbidden webhook is dead after that one attempt', () => {
  for (const outcome of ['refused', 'forbidden'] as const)
    assert.equal(endingOf({ ...ended, outcome }, productionRetries, 0), { state: 'dead', reason: 'refused' })
})

test('a webhook that failed is due again after its gap, and given up after its last attempt', () => {
  assert.equal(endingOf(ended, sandboxRetries, 0), { state: 'pending', dueAt: at + 1020 })
  assert.equal(endingOf({ ...ended, attempts: 2 }, sandboxRetries, 0), { state: 'pending', dueAt: at + 2020 })
  assert.equal(endingOf({ ...ended, attempts: 3 }, sandboxRetries, 0), { state: 'dead', reason: 'given_up' })
})

test('a webhook that failed before a waiting final event is superseded', () => {
  assert.equal(endingOf({ ...ended, isFinalWaiting: true }, productionRetries, 0), { state: 'superseded' })
})

test('a webhook whose attempt may not have been sent is not superseded by it', () => {
  const ending = endingOf({ ...ended, outcome: 'unknown', isFinalWaiting: true }, productionRetries, 0)
  assert.equal(ending, { state: 'pending', dueAt: at + 1020 })
})

test.run()
