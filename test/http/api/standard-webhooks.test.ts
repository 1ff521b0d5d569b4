/** Standard Webhooks beside our own signature: the published vector, and what the standard's own verifier says. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import {
  generateStandardSecret,
  standardHeaders,
  standardSignature,
} from '../../../actors/keys/standard-signature.ts'
import { generateMasterKey } from '../../../actors/keys/vault.ts'
import { keyRewrap } from '../../../actors/operations/re-encryption.ts'
import { webhookDropSecret, webhookRotateSecret } from '../../../actors/operations/webhook-secrets.ts'
import { merchantShow } from '../../../actors/parties/merchants.ts'
import { apply } from '../../../actors/provisioning/operations.ts'
import { fakeClock } from '../../support/clock.ts'
import { payOutBody, startTestNode, stopTestNode, type TestNode } from '../../support/node.ts'
import { type Operator, operatorOf } from '../../support/operations.ts'
import { cancelAsOperator, merchantPath } from '../../support/orders.ts'
import { type ReceivedWebhook, type Receiver, startReceiver } from '../../support/webhook-receivers.ts'

/** Of the standard's specification. */
const published = {
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  message: { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestamp: '1614265330', body: '{"test": 2432232314}' },
  signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
}

const hourMs = 3_600_000

let node: TestNode
let operator: Operator
let receiver: Receiver
/** The receiver's answers, the next one first; 200 behind them. */
const answers: number[] = []

test.before(async () => {
  receiver = await startReceiver((response) => response.writeHead(answers.shift() ?? 200).end())
  // The standard's verifier reads the machine's clock.
  node = await startTestNode({ clock: fakeClock(Date.now()) })
  operator = operatorOf({ ...node.core, clock: node.clock })
})

test.after(async () => {
  await stopTestNode(node)
  await receiver.close()
})

/** The webhooks of one more order of a merchant, which is cancelled, after so many attempts. */
async function webhooksOfOrder(attempts = 1): Promise<ReceivedWebhook[]> {
  receiver.received.length = 0
  const body = {
    ...payOutBody({ notify_url: `http://127.0.0.1:${receiver.port}/hooks` }),
    expiry: new Date(node.clock.now() + hourMs).toISOString(),
  }
  const { status, json } = await node.request({ as: 'mk_shop', path: merchantPath('PAY_OUT'), body })
  assert.is(status, 201)
  await cancelAsOperator(node, json.id)
  await node.until(async () => {
    if (receiver.received.length >= attempts) return true
    // The first attempt may still be under way: what comes of it is due a second later.
    if (receiver.received.length > 0) node.clock.advance(1_000)
    node.workers.send({ type: 'worker.wake', id: 'webhooks' })
    return false
  })
  return receiver.received.slice()
}

async function oneWebhook(): Promise<ReceivedWebhook> {
  const [webhook] = await webhooksOfOrder()
  if (webhook === undefined) throw new Error('no webhook came')
  return webhook
}

/** What the standard's own verifier says: the body as data, or the error's text. */
function verified(secret: string, { headers, body }: ReceivedWebhook): unknown {
  const texts = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
  try {
    return new Webhook(secret).verify(body, texts)
  } catch (error) {
    return error instanceof Error ? error.message : error
  }
}

const isGenuine = (secret: string, webhook: ReceivedWebhook) => typeof verified(secret, webhook) === 'object'

test('the published example of the standard has the published signature', () => {
  assert.is(standardSignature(published.message, published.secret), published.signature)
})

test('a secret is whsec_ and 32 bytes in base64, and never the same', () => {
  const [one, other] = [generateStandardSecret(), generateStandardSecret()]
  assert.match(one, /^whsec_[A-Za-z0-9+/]{43}=$/)
  assert.is.not(one, other)
})

test('two secrets sign until the former one ends, the present one first', () => {
  const [present, former] = [published.secret, generateStandardSecret()]
  const at = 1614265330_999
  const { id, body } = published.message
  const signed = (untilAt: number) =>
    standardHeaders({ id, body }, { present, former: { secret: former, untilAt } }, at)
  assert.equal(signed(at), {
    'Webhook-Timestamp': '1614265330',
    'Webhook-Signature': published.signature,
  })
  assert.is(
    signed(at + 1)['Webhook-Signature'],
    `${published.signature} ${standardSignature(published.message, former)}`,
  )
})

test('a merchant that has not asked for it gets our own headers alone', async () => {
  const { headers } = await oneWebhook()
  assert.ok(headers['message-hash'])
  assert.equal([headers['webhook-timestamp'], headers['webhook-signature']], [undefined, undefined])
})

test('the standard’s verifier accepts each attempt under one id, and nothing that was changed', async () => {
  const { secret, formerUntil } = await operator.ask(webhookRotateSecret, { merchant: 'Shop' })
  assert.is(formerUntil, null)
  answers.push(503)
  const webhooks = await webhooksOfOrder(2)
  assert.equal(
    webhooks.map((webhook) => isGenuine(secret, webhook)),
    [true, true],
  )
  const ids = webhooks.map(({ headers }) => headers['webhook-id'])
  const times = webhooks.map(({ headers }) => headers['webhook-timestamp'])
  assert.is(ids[0], ids[1])
  assert.is.not(times[0], times[1])
  const [webhook] = webhooks
  assert.ok(webhook?.headers['message-hash'])
  const changed = { ...webhook, body: webhook.body.replace('CANCELLED', 'COMPLETED') }
  assert.is(verified(secret, changed), 'No matching signature found')
  assert.is(verified(generateStandardSecret(), webhook), 'No matching signature found')
})

test('after a rotation both secrets verify, and after the overlap the new one alone', async () => {
  const first = await operator.ask(webhookRotateSecret, { merchant: 'Shop', overlapHours: 0 })
  const second = await operator.ask(webhookRotateSecret, { merchant: 'Shop' })
  assert.is(second.formerUntil, new Date(node.clock.now() + 24 * hourMs).toISOString())
  const during = await oneWebhook()
  assert.equal([isGenuine(first.secret, during), isGenuine(second.secret, during)], [true, true])
  const third = await operator.ask(webhookRotateSecret, { merchant: 'Shop', overlapHours: 0 })
  const after = await oneWebhook()
  assert.equal([isGenuine(second.secret, after), isGenuine(third.secret, after)], [false, true])
})

test('the secret outlives a change of the master key', async () => {
  const former = await operator.ask(webhookRotateSecret, { merchant: 'Shop' })
  const { secret } = await operator.ask(webhookRotateSecret, { merchant: 'Shop' })
  const newKeyFile = join(node.directory, 'new.key')
  writeFileSync(newKeyFile, generateMasterKey())
  await operator.ask(keyRewrap, { newKeyFile })
  const webhook = await oneWebhook()
  assert.equal([isGenuine(secret, webhook), isGenuine(former.secret, webhook)], [true, true])
})

test('a file begins and ends it, and tells the secret once', async () => {
  const applied = async (standardWebhooks: boolean, dryRun = false) =>
    operator.ask(apply, { merchants: [{ name: 'Shop', standardWebhooks }], dryRun })
  assert.equal((await applied(false)).changes, ['merchant Shop: webhooks not signed by Standard Webhooks'])
  assert.is((await oneWebhook()).headers['webhook-signature'], undefined)
  const dry = await applied(true, true)
  assert.equal(dry.differences[0]?.members, [
    { name: 'standardWebhooks', before: null, after: 'true', begins: { at: 'once' } },
  ])
  assert.is(dry.merchants[0]?.webhookSecret, undefined)
  const begun = await applied(true)
  assert.ok(isGenuine(begun.merchants[0]?.webhookSecret ?? '', await oneWebhook()))
  const again = await applied(true)
  assert.equal([again.changes, again.merchants[0]?.webhookSecret], [[], undefined])
})

test('it is told of the merchant, and ended by hand; ending it twice is a conflict', async () => {
  const shown = async () => (await operator.ask(merchantShow, { name: 'Shop' })).standardWebhooks
  assert.equal(await shown(), { since: new Date(node.clock.now()).toISOString(), formerUntil: null })
  await operator.ask(webhookDropSecret, { merchant: 'Shop' })
  assert.is(await shown(), null)
  const refused = await operator.refusal('webhook.dropSecret', { merchant: 'Shop' })
  assert.is(refused.code, 'conflict')
})

test.run()
