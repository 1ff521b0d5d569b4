/** Who is told why a signature was refused, and what nobody can have searched for. */
import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { sign } from '../../../actors/keys/signature.ts'
import type { RefusedSignature, Unsigned } from '../../../http/api/authentication.ts'
import { createExplanations } from '../../../http/api/explanations.ts'

const now = Date.UTC(2026, 2, 1, 12)
const secret = 'a secret with enough characters in it'

/** Signed without its path's slash. */
function refused(body = '{}'): Unsigned & { refused: RefusedSignature } {
  const message = {
    key: 'mk',
    messageDate: '1772366400.000',
    method: 'POST',
    path: '/a/',
    body: Buffer.from(body),
  }
  const digest = sign({ ...message, path: '/a' }, secret)
  return {
    problem: 'signature',
    facts: { key: 'mk' },
    early: null,
    claimed: null,
    refused: { message, unsignedQuery: '', secret, digest },
  }
}

function answering(): ServerResponse {
  // Only its end is listened to.
  return new EventEmitter() as unknown as ServerResponse
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

test('in production no answer has a hint, and the log has it after the answer', async () => {
  const explanations = createExplanations({ areTold: false })
  const response = answering()
  const told: string[] = []
  assert.is(explanations.hint(refused(), now), null)
  explanations.afterwards(refused(), response, now, (mistake) => told.push(mistake))
  await turn()
  assert.equal(told, [])
  response.emit('close')
  assert.equal(told, [], 'others come first')
  await turn()
  assert.equal(told, ['the path is signed without the slash at its end'])
})

test('a sandbox says it in the answer, and not again in the log', async () => {
  const explanations = createExplanations({ areTold: true })
  assert.is(explanations.hint(refused(), now), 'the path is signed without the slash at its end')
  const response = answering()
  explanations.afterwards(refused(), response, now, () => assert.unreachable())
  assert.is(response.listenerCount('close'), 0)
})

test('no mistake is searched for in a large message, nor beyond so many a minute, nor for an unknown key', () => {
  const explanations = createExplanations({ areTold: true })
  assert.ok(explanations.hint(refused('x'.repeat(4_096)), now))
  assert.is(explanations.hint(refused('x'.repeat(4_097)), now), null)
  const hints = Array.from({ length: 100 }, () => explanations.hint(refused(), now))
  assert.is(hints.filter((hint) => hint !== null).length, 59)
  assert.ok(explanations.hint(refused(), now + 60_000))
  const unknown: Unsigned = { problem: 'unknown_key', facts: {}, refused: null, claimed: null, early: null }
  assert.is(explanations.hint(unknown, now), 'this node has no such key, or it was revoked')
})

test.run()
