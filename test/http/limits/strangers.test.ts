/** Who waits for a turn and who does not, and that nobody's body is touched before. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createLimits } from '../../../http/limits/limits.ts'
import { paceStrangers } from '../../../http/limits/strangers.ts'

const signed = { 'merchant-key': 'mk_a', 'message-date': '1', 'message-hash': 'f' }
const { 'message-hash': _, ...halfSigned } = signed

/** Strangers with a budget of two a minute each, whose turns come when the test says so. */
function start() {
  const limits = createLimits({ requestsPerMinute: 1, unauthenticatedPerMinute: 2 })
  const turns: { key: string; come: () => void }[] = []
  const served: string[] = []
  const turnToBeTold = (key: string) => new Promise<void>((come) => turns.push({ key, come }))
  const paced = paceStrangers(({ headers, url }) => served.push(`${headers.from} ${url}`), {
    limits: { ...limits, turnToBeTold, turnOfAll: (address) => turnToBeTold(`all ${address}`) },
    addresses: { of: ({ headers }) => headers.from ?? '' },
    clock: { now: () => 0 },
  })
  const response = { destroyed: false }
  const ask = (from: string, url = '/', headers: object = {}, answer = response) => {
    // Nothing but its head is there: whoever asked for the body would throw.
    const request = { url, headers: { ...headers, from } }
    paced.serve(request as unknown as IncomingMessage, answer as unknown as ServerResponse)
  }
  return { limits, paced, turns, served, ask }
}

test('beyond its budget an address is served when its turn comes, and another at once', async () => {
  const { turns, served, ask } = start()
  for (const url of ['/1', '/2', '/3']) ask('a', url)
  ask('b', '/1')
  assert.equal(served, ['a /1', 'a /2', 'b /1'])
  assert.equal(
    turns.map(({ key }) => key),
    ['a'],
  )
  turns[0]?.come()
  await new Promise(setImmediate)
  assert.equal(served.at(-1), 'a /3')
})

test('what claims to be signed does not wait; half of a claim is none', () => {
  const { turns, served, ask } = start()
  for (let count = 0; count < 5; count++) ask('a', '/api/v1/merchants/signed', signed)
  ask('a', '/api/v1/merchants/signed', { ...signed, 'merchant-key': undefined, 'provider-key': 'pk_a' })
  assert.is(served.length, 6)
  for (let count = 0; count < 3; count++) ask('a', '/api/v1/merchants/half', halfSigned)
  assert.equal([served.length, turns.length], [8, 1])
})

test('a claim counts only where a signature means something', () => {
  const { limits, turns, served, ask } = start()
  limits.accept('a', 'mk_a', 0)
  const elsewhere = ['/checkout/x', '/api/v1/docs', '/api/v1/merchants', '/x?/api/v1/merchants/y', '/healthz']
  for (const url of elsewhere) ask('a', url, signed)
  assert.equal([served, turns.length], [['a /healthz'], 4])
  const there = ['/api/v1/providers/orders/pay-in/1/', 'http://node/api/v1/merchants/quotes/']
  for (const url of there) ask('a', url, signed)
  assert.equal(
    served.slice(1),
    there.map((url) => `a ${url}`),
  )
})

test('after too many refused signatures a claim waits, unless its key has signed rightly from there', () => {
  const { limits, turns, served, ask } = start()
  limits.accept('a', 'mk_a', 0)
  for (let count = 0; count < 2; count++) limits.refusedSignature('a', 0)
  ask('a', '/api/v1/merchants/known', signed)
  ask('a', '/api/v1/merchants/unknown', { ...signed, 'merchant-key': 'mk_b' })
  ask('b', '/api/v1/merchants/elsewhere', signed)
  assert.equal(served, ['a /api/v1/merchants/known', 'b /api/v1/merchants/elsewhere'])
  assert.equal(
    turns.map(({ key }) => key),
    ['a'],
  )
})

test('however many addresses they have, strangers have one share; health and known keys are none of them', () => {
  const { turns, served, ask } = start()
  for (let address = 0; address < 502; address++) ask(`x${address}`)
  ask('y', '/api/v1/merchants/claim', signed)
  ask('a', '/healthz')
  assert.equal(served.slice(500), ['a /healthz'])
  assert.equal(
    turns.map(({ key }) => key),
    ['all x500', 'all x501', 'all y'],
  )
})

test('beside signed requests strangers wait for turns, and known keys, health and a first claim do not', () => {
  const { limits, turns, served, ask } = start()
  limits.accept('a', 'mk_a', 0)
  ask('b', '/checkout')
  ask('b', '/api/v1/merchants/claim', signed)
  limits.refusedSignature('b', 0)
  ask('b', '/api/v1/merchants/claim again', signed)
  ask('a', '/api/v1/merchants/known', signed)
  ask('b', '/healthz')
  assert.equal(served, ['b /api/v1/merchants/claim', 'a /api/v1/merchants/known', 'b /healthz'])
  assert.equal(
    turns.map(({ key }) => key),
    ['all b', 'all b'],
  )
})

const orderId = '0f8fad5b-d9cb-469f-a165-70867728950e'

test('who names an order that was shown goes straight in, thirty times a minute, wherever it is', () => {
  const { limits, turns, served, ask } = start()
  limits.accept('a', 'mk_a', 0)
  ask('b', `/checkout/${orderId}`)
  assert.equal(served, [])
  limits.noteOrder(orderId, 0)
  const urls = [`/checkout/${orderId.toUpperCase()}?lang=es`, `/checkout/${orderId}/events`]
  for (const url of urls) ask('b', url)
  assert.is(served.length, 2)
  for (let count = 2; count < 31; count++) ask(`x${count}`, `/checkout/${orderId}`)
  assert.equal([served.length, turns.length], [30, 2])
  for (const url of [`/${orderId}0`, `/a${orderId}`, `/checkout?id=${orderId}`, '/']) ask('c', url)
  assert.equal([served.length, turns.length], [30, 6])
})

test('health has turns of its own, so that a proxy’s address does not take the node out', () => {
  const { turns, served, ask } = start()
  for (let count = 0; count < 4; count++) ask('a')
  for (const url of ['/healthz', '/readyz', '/healthz']) ask('a', url)
  assert.equal(served, ['a /', 'a /', 'a /healthz', 'a /readyz'])
  assert.equal(
    turns.map(({ key }) => key),
    ['a', 'a', 'health a'],
  )
})

test('beyond its budget health waits for a turn of all as well', async () => {
  const { turns, ask } = start()
  for (let count = 0; count < 3; count++) ask('a', '/healthz')
  turns[0]?.come()
  await new Promise(setImmediate)
  assert.equal(
    turns.map(({ key }) => key),
    ['health a', 'all health a'],
  )
})

test('a node that stops serves all that wait once, and whoever has gone not at all', async () => {
  const { paced, turns, served, ask } = start()
  for (const url of ['/1', '/2', '/3']) ask('a', url)
  ask('a', '/gone', {}, { destroyed: true })
  paced.letAllIn()
  ask('a', '/4')
  for (const { come } of turns) come()
  await new Promise(setImmediate)
  assert.equal(served, ['a /1', 'a /2', 'a /3', 'a /4'])
})

test.run()
