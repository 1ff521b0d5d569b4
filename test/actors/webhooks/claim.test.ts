/** Whose turn it is among one order's webhooks: protocol 6.2. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type PendingWebhook, turnOf } from '../../../actors/webhooks/claim.ts'

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

test.run()
