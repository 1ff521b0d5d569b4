/** What the page's wallets ask for, and send. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { CheckoutOrder } from '../../../http/checkout/view.ts'
import {
  closeServersAfter,
  funding,
  id,
  now,
  order,
  send,
  signing,
  start,
} from '../../support/checkout-app.ts'

closeServersAfter()

const json = { 'Content-Type': 'application/json' }

test('a wallet is given what is to be signed, and told why it is not', async () => {
  let shown: CheckoutOrder = order
  const { port } = await start({ findOrder: async (asking) => (asking === id ? shown : null) })
  const cases: readonly [told: unknown, its: Partial<CheckoutOrder>, of: Partial<typeof funding>][] = [
    [{ transaction: 'AQAB' }, {}, {}],
    [{ problem: 'paid' }, { status: 'READY' }, {}],
    [{ problem: 'paid' }, { status: 'COMPLETED' }, {}],
    [{ problem: 'paid' }, {}, { isSeen: true }],
    [{ problem: 'closed' }, { status: 'EXPIRED' }, {}],
    [{ problem: 'closed' }, {}, { deadlineAt: now - 1 }],
    [{ problem: 'building' }, {}, { isOffered: false, signing: { ...signing, transaction: '' } }],
    [{ problem: 'building' }, {}, { signing: null }],
  ]
  for (const [told, its, of] of cases) {
    shown = { ...order, status: 'CREATED', funding: { ...funding, ...of }, ...its }
    const answer = await send(port, `/checkout/${id}/transaction`)
    assert.equal(JSON.parse(answer.text), told)
    assert.is(answer.status, 'transaction' in (told as object) ? 200 : 409)
    assert.is(answer.headers['cache-control'], 'no-store')
  }
  shown = order
  const local = await send(port, `/checkout/${id}/transaction`)
  assert.is(local.status, 404, 'an order in local currency has nothing to sign')
  for (const other of ['x', '3f2b8c1e-9a4d-4c1b-8a1e-0000000000ac']) {
    for (const part of ['transaction', 'submission', 'solana-pay']) {
      const method = part === 'submission' ? 'POST' : 'GET'
      assert.is((await send(port, `/checkout/${other}/${part}`, method)).text, local.text)
      assert.is((await send(port, `/checkout/${other}/${part}`, 'PUT')).status, 405)
    }
  }
})

test('what a wallet has signed is sent on, and nothing that another site can send', async () => {
  const relayed: string[] = []
  const outcomes = ['sent', 'expired', 'insufficient', 'unavailable'] as const
  const { port } = await start({
    findOrder: async () => ({ ...order, status: 'CREATED', funding }),
    async relay(_id, signed) {
      relayed.push(signed)
      return outcomes[relayed.length - 1] ?? null
    },
  })
  const submit = (body: string, headers: Record<string, string> = json) =>
    send(port, `/checkout/${id}/submission`, 'POST', headers, body)
  for (const outcome of outcomes) {
    const answer = await submit('{"signed":"AAAA"}')
    assert.is(answer.status, outcome === 'sent' ? 200 : 409)
    assert.equal(JSON.parse(answer.text), outcome === 'sent' ? {} : { problem: outcome })
  }
  const formLike = { 'Content-Type': 'text/plain' }
  assert.equal(JSON.parse((await submit('{"signed":"AAAA"}', formLike)).text), { problem: 'failed' })
  for (const body of ['', '[]', 'null', '{"signed":1}', '{', `{"signed":"${'A'.repeat(20_000)}"}`]) {
    assert.equal(JSON.parse((await submit(body)).text), { problem: 'failed' }, body.slice(0, 20))
  }
  assert.is(relayed.length, outcomes.length)
})

test.run()
