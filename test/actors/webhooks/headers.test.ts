import { createHmac } from 'node:crypto'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { webhookHeaders } from '../../../actors/webhooks/headers.ts'

const webhook = {
  id: '0b7c4c4e-6a0e-4f0c-9a55-2c36d1d4a001',
  sequence: 2,
  url: 'https://shop.example:8443/avisos/ñ/?tenant=7#x',
  body: '{"description":"Café"}',
}
const credential = { key: 'mk_demo', secret: 's'.repeat(40) }
const at = Date.UTC(2026, 10, 27, 12, 0, 0, 7)

test('the headers are those of protocol 5 and 6, and those that let receivers drop repetitions', () => {
  const { 'Message-Hash': hash, ...headers } = webhookHeaders(webhook, 3, credential, at)
  assert.equal(headers, {
    'Content-Type': 'application/json',
    'Merchant-Key': 'mk_demo',
    'Message-Date': '1795780800.007',
    'Webhook-Id': webhook.id,
    'Webhook-Attempt': '3',
    'Webhook-Sequence': '2',
    'User-Agent': 'Ventanilla',
  })
  assert.match(hash ?? '', /^[0-9a-f]{64}$/)
})

test('the hash is the HMAC of key, date, POST, path without query, and body', () => {
  const headers = webhookHeaders(webhook, 1, credential, at)
  const signed = `mk_demo:1795780800.007:POST:/avisos/%C3%B1/:{"description":"Café"}`
  const expected = createHmac('sha256', credential.secret).update(signed, 'utf8').digest('hex')
  assert.is(headers['Message-Hash'], expected)
})

test('each attempt is signed anew', () => {
  const [first, second] = [at, at + 1000].map((it) => webhookHeaders(webhook, 1, credential, it))
  assert.is.not(first?.['Message-Date'], second?.['Message-Date'])
  assert.is.not(first?.['Message-Hash'], second?.['Message-Hash'])
})

test.run()
