/** What becomes of a webhook after an attempt: protocol 6.2 and 6.3. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { endingOf } from '../../../actors/webhooks/settling.ts'
import { productionRetries, sandboxRetries } from '../../../machines/retry.ts'

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
