/** Where an attempt may go: names, their addresses, and what is not public. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { selfSignedCertificate } from '../../support/self-signed-certificate.ts'
import { message, publicOnly, webhookSending } from '../../support/webhook-sending.ts'

const { createSender, receiving, receivingRaw } = webhookSending(test)

test('DNS that changes between the check and the connection does not move the connection', async () => {
  const receiver = await receiving((response) => response.end())
  let asked = 0
  const resolve = () => Promise.resolve([asked++ === 0 ? '127.0.0.1' : '10.0.0.1'])
  const result = await createSender({ resolve }).send(message(`http://shop.test:${receiver.port}/`))
  assert.is(result.outcome, 'acknowledged')
  assert.is(result.address, '127.0.0.1')
  assert.is(asked, 1)
})

test('a name is resolved and judged again at each attempt, also when its connection was kept open', async () => {
  const identity = selfSignedCertificate(['shop.test'])
  const receiver = await receiving((response) => response.end(), identity)
  const addresses = ['127.0.0.1', '127.0.0.1', '10.0.0.1']
  const resolve = () => Promise.resolve(addresses.splice(0, 1))
  const sender = createSender({ resolve, certificates: [identity.cert] })
  const url = `https://shop.test:${receiver.port}/`
  const judging = { ...publicOnly, ports: [receiver.port] }
  assert.is((await sender.send(message(url))).outcome, 'acknowledged')
  assert.is((await sender.send(message(url, { rules: judging }))).outcome, 'forbidden')
  assert.is((await sender.send(message(url, { rules: judging }))).outcome, 'forbidden')
  assert.is(addresses.length, 0)
  assert.is(receiver.received.length, 1)
})

const addressesOfFamilies = [
  ['127.0.0.1'],
  ['10.1.2.3'],
  ['169.254.169.254'],
  ['100.64.0.1'],
  ['192.0.2.1'],
  ['198.18.0.1'],
  ['224.0.0.1'],
  ['240.0.0.1'],
  ['255.255.255.255'],
  ['0.0.0.0'],
  ['::'],
  ['::1'],
  ['fe80::1'],
  ['fd00:ec2::254'],
  ['ff02::1'],
  ['2001:db8::1'],
  ['::ffff:127.0.0.1'],
  ['::127.0.0.1'],
  ['64:ff9b::a9fe:a9fe'],
  ['2002:7f00:1::'],
  ['2001:0:808:808::80ff:fffe'],
  ['8.8.8.8', '10.0.0.1'],
  ['8.8.8.8', '1.1.1.1', '8.8.4.4', '9.9.9.9', '::1'],
]

for (const addresses of addressesOfFamilies)
  test(`a name that resolves to ${addresses.join(', ')} is forbidden, and nothing is sent`, async () => {
    const sender = createSender({ resolve: () => Promise.resolve(addresses) })
    const result = await sender.send(message('https://shop.test/', { rules: publicOnly }))
    assert.is(result.outcome, 'forbidden')
    assert.is(result.address, addresses.at(-1))
    assert.is(result.wasSent, false)
  })

test("a name that resolves to one of the node's own public addresses is forbidden", async () => {
  const sender = createSender({ resolve: () => Promise.resolve(['8.8.4.4']) })
  const own = { ...publicOnly, ownAddresses: () => ['8.8.4.4'] }
  assert.is((await sender.send(message('https://shop.test/', { rules: own }))).outcome, 'forbidden')
})

for (const url of [
  'https://0x7f.1/',
  'https://2130706433/',
  'https://[::ffff:127.0.0.1]/',
  'https://localhost/',
])
  test(`${url} is forbidden at delivery too, and no resolver is asked`, async () => {
    const sender = createSender({ resolve: () => Promise.reject(new Error('asked')) })
    const result = await sender.send(message(url, { rules: publicOnly }))
    assert.is(result.outcome, 'forbidden')
    assert.match(result.error ?? '', /public/)
  })

test('an exempt origin is delivered to although it is private', async () => {
  const receiver = await receiving((response) => response.end())
  const exempt = { ...publicOnly, exemptOrigins: [`http://127.0.0.1:${receiver.port}`] }
  const url = `http://127.0.0.1:${receiver.port}/webhooks`
  assert.is((await createSender().send(message(url, { rules: exempt }))).outcome, 'acknowledged')
  assert.is((await createSender().send(message(url, { rules: publicOnly }))).outcome, 'forbidden')
})

test('a name without an address, or that cannot be resolved, or not in time, fails DNS', async () => {
  const notFound = Object.assign(new Error('queryA ENOTFOUND shop.test'), { code: 'ENOTFOUND' })
  const answers: (() => Promise<string[]>)[] = [
    () => Promise.resolve([]),
    () => Promise.reject(notFound),
    () => new Promise(() => {}),
  ]
  for (const resolve of answers) {
    const result = await createSender({ resolve, limits: { dnsMs: 150 } }).send(message('https://shop.test/'))
    assert.is(result.outcome, 'dns')
    assert.is(result.wasSent, false)
  }
})

test('the next address of a name is tried when one does not connect', async () => {
  const receiver = await receiving((response) => response.end())
  // The discard prefix is not routed anywhere: a connection fails at once, or takes its share of the time.
  const resolve = () => Promise.resolve(['100::1', '127.0.0.1'])
  const sender = createSender({ resolve, limits: { connectMs: 2000 } })
  const result = await sender.send(message(`http://shop.test:${receiver.port}/`))
  assert.is(result.outcome, 'acknowledged')
  assert.is(result.address, '127.0.0.1')
})

test('the next address is not tried once the receiver may have seen the webhook', async () => {
  let connections = 0
  const receiver = await receivingRaw((socket) => {
    connections++
    socket.resetAndDestroy()
  })
  const sender = createSender({ resolve: () => Promise.resolve(['127.0.0.1', '127.0.0.1']) })
  const result = await sender.send(message(`http://shop.test:${receiver.port}/`))
  assert.is(result.outcome, 'connection')
  assert.is(connections, 1)
})

test.run()
