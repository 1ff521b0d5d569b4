/**
 * The operator's log tells a wrong clock from a wrong path from a wrong body. A sandbox says it in the answer's
 * Signature-Hint, too; the body stays the contract's.
 */
import pino from 'pino'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { sign } from '../../../actors/keys/signature.ts'
import {
  payOutBody,
  secretOf,
  startTestNode,
  stopTestNode,
  type TestNode,
  type TestRequest,
} from '../../support/node.ts'
import { merchantPath, providerPath } from '../../support/orders.ts'

let node: TestNode
let lines: string[]
test.before(async () => {
  lines = []
  const log = pino({ level: 'info' }, { write: (line) => lines.push(line) })
  node = await startTestNode({ log, env: { VENTANILLA_LIMITS_UNAUTHENTICATEDPERMINUTE: '7' } })
})
test.after(() => stopTestNode(node))

let hint: string | null
async function logged(request: TestRequest): Promise<Record<string, unknown>> {
  lines.length = 0
  const answer = await node.request(request)
  hint = answer.headers.get('signature-hint')
  assert.equal(Object.keys(answer.json), ['detail', 'type', 'errors'])
  assert.is(answer.json.type, 'client_error')
  await node.until(async () => lines.some((line) => line.includes('"refused"')))
  const line = lines.find((text) => text.includes('"refused"')) ?? '{}'
  return JSON.parse(line)
}

/** A request whose hash belongs to another path or body. */
function signedOtherwise(path: string, change: { path?: string; body?: string }, body?: object): TestRequest {
  const messageDate = (node.clock.now() / 1000).toFixed(3)
  const method = body === undefined ? 'GET' : 'POST'
  const key = path.includes('/providers/') ? 'pk_a' : 'mk_shop'
  const message = {
    key,
    messageDate,
    method,
    path,
    body: body === undefined ? '' : JSON.stringify(body),
    ...change,
  }
  return {
    path,
    ...(body === undefined ? {} : { body }),
    headers: {
      [key === 'pk_a' ? 'Provider-Key' : 'Merchant-Key']: key,
      'Message-Date': messageDate,
      'Message-Hash': sign(message, secretOf(key)),
    },
  }
}

test('of a wrong clock it says by how many seconds', async () => {
  const late = await logged({ as: 'mk_shop', path: merchantPath('PAY_OUT'), at: -400 })
  assert.equal([late.refused, late.key, late.clockOffsetSeconds], ['clock', 'mk_shop', -400])
  const early = await logged({ as: 'mk_shop', path: merchantPath('PAY_OUT'), at: 301 })
  assert.is(early.clockOffsetSeconds, 301)
  assert.is(hint, 'Message-Date is too far from the clock of this node: by 301 s')
})

test('of a wrong path it says what was done to it, and never the path', async () => {
  const path = providerPath('PAY_OUT', '123456789012347')
  const line = await logged(signedOtherwise(path, { path: path.replace('/api/v1', '') }))
  assert.equal([line.refused, line.hint, hint], ['signature', hint, 'the path is signed without /api/v1'])
  assert.not.match(lines.join(''), '123456789012347')
})

test('of a query that is signed where none belongs it says so', async () => {
  const path = providerPath('PAY_OUT', '123456789012347')
  const query = '?expand=all'
  const line = await logged({ ...signedOtherwise(path, { path: path + query }), query })
  assert.equal([line.status, line.hint], [403, hint])
  assert.is(hint, 'the path is signed with the query string, which does not belong to it here')
})

test('of a wrong body it says so, and how many bytes came', async () => {
  const body = payOutBody()
  const line = await logged(
    signedOtherwise(merchantPath('PAY_OUT'), { body: JSON.stringify(body, null, 2) }, body),
  )
  assert.equal(
    [line.hint, line.bodyBytes],
    ['the body is serialized anew for the signature', JSON.stringify(body).length],
  )
})

test('of another secret it says that nothing else was found; of an unknown key it does not repeat the key', async () => {
  const wrong = { 'Message-Hash': '0'.repeat(64) }
  const line = await logged({ as: 'mk_shop', path: merchantPath('PAY_OUT'), headers: wrong })
  assert.match(String(line.hint), /is it another secret\?$/)
  const pasted = { 'Merchant-Key': secretOf('mk_shop').replaceAll(' ', '-') }
  const unknown = await logged({ as: 'mk_shop', path: merchantPath('PAY_OUT'), headers: pasted })
  assert.equal([unknown.refused, unknown.key], ['unknown_key', undefined])
  assert.is(hint, 'this node has no such key, or it was revoked')
  assert.not.match(lines.join(''), pasted['Merchant-Key'])
})

test('an address over its budget has no more mistakes searched for', async () => {
  const line = await logged({ as: 'mk_shop', path: merchantPath('PAY_OUT'), at: -400 })
  assert.equal([line.status, line.refused, line.clockOffsetSeconds, hint], [429, 'clock', undefined, null])
})

test.run()
