import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import demoParties from '../../data/demo.json' with { type: 'json' }
import { fakeClock } from '../support/clock.ts'
import { payOutBody, startTestNode, stopTestNode, type TestNode } from '../support/node.ts'
import { type Ran, ventanilla } from '../support/terminal.ts'

let node: TestNode
let ids: { ready: string; locked: string; done: string }

test.before(async () => {
  node = await startTestNode()
  const make = async (id: string) => {
    const made = await node.request({
      as: 'mk_shop',
      path: '/api/v1/merchants/orders/pay-out/',
      body: payOutBody({ merchant_order_id: id }),
    })
    return String(made.json.id)
  }
  ids = { ready: await make('one'), locked: await make('two'), done: await make('three') }
  await node.until(
    async () => (await run('order', 'list', '--status', 'READY', '--json')).json.orders.length === 3,
  )
  for (const id of [ids.locked, ids.done]) {
    const code = (await run('order', 'show', id, '--field', 'code')).out.trim()
    const path = `/api/v1/providers/orders/pay-out/${code}`
    await node.request({ as: 'pk_a', path: `${path}/start-payment/`, body: { network_id: '0001' } })
    if (id === ids.done) {
      await node.request({ as: 'pk_a', path: `${path}/confirm-payment/`, body: { network_id: '0001' } })
    }
  }
})

test.after(() => stopTestNode(node))

/** Runs a command beside the node. */
function run(...args: string[]): Promise<Ran> {
  const { directory, clock } = node
  const env = { VENTANILLA_DATABASE: `sqlite:${join(directory, 'node.db')}` }
  return ventanilla({ cwd: directory, env, clock }, ...args)
}

/** A transcript without what differs from run to run. */
function steady(text: string): string {
  return text
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID')
    .replace(/\b\d{4} \d{4} \d{4} \d{3}\b/g, 'CODE')
    .replace(/127\.0\.0\.1:\d{4,5}(?=\/checkout)/, '127.0.0.1:PORT')
    .replace(/ +$/gm, '')
}

test('order list is a table of what a person recognises orders by', async () => {
  const { code, out } = await run('order', 'list')
  assert.is(code, 0)
  assert.equal(steady(out).trimEnd().split('\n').sort(), [
    "CODE                STATUS                 PRICE  MERCHANT  MERCHANT'S ID  CREATED               EXPIRY                ID",
    'CODE  COMPLETED        1000.00 MXN  Shop      three          2026-03-01 12:00:00Z  2026-03-03 12:00:00Z  ID',
    'CODE  PAYMENT_STARTED  1000.00 MXN  Shop      two            2026-03-01 12:00:00Z  2026-03-03 12:00:00Z  ID',
    'CODE  READY            1000.00 MXN  Shop      one            2026-03-01 12:00:00Z  2026-03-03 12:00:00Z  ID',
  ])
  const page = await run('order', 'list', '--limit', '2')
  assert.match(page.out, /\nThere are more: --cursor \S+\n$/)
})

test('order show tells the whole story', async () => {
  const { out } = await run('order', 'show', ids.done)
  assert.is(
    steady(out.slice(0, out.indexOf('\nWebhooks'))),
    `id                 ID
code               CODE
status             COMPLETED
merchant           Shop
merchant’s id      three
consumer’s e-mail  ana@example.com
price              1000.00 MXN
kind               payOutLocal, MX
description        Refund of order 1234
created            2026-03-01 12:00:00Z
expiry             2026-03-03 12:00:00Z
paid               2026-03-01 12:00:00Z
last held by       Network A, network 0001
since              2026-03-01 12:00:00Z
times locked       1
revision           4
checkout           http://127.0.0.1:PORT/checkout/ID
webhooks go to     http://127.0.0.1:9/hooks
returns to         https://shop.example/done

Journal
AT                    WHO                 EVENT            STATUS                       OUTCOME   DETAILS
2026-03-01 12:00:00Z  merchant:Shop       order.create     CREATED                      accepted
2026-03-01 12:00:00Z  funding             funds.reserve    CREATED → READY              accepted
2026-03-01 12:00:00Z  provider:Network A  payment.start    READY → PAYMENT_STARTED      accepted  provider: Network A, networkId: 0001
2026-03-01 12:00:00Z  provider:Network A  payment.confirm  PAYMENT_STARTED → COMPLETED  accepted  provider: Network A, networkId: 0001

Money
AT                    KIND          AMOUNT  FROM               TO
2026-03-01 12:00:00Z  reserve  1000.00 MXN  available of Shop  reserved of Shop
2026-03-01 12:00:00Z  settle   1000.00 MXN  reserved of Shop   provider of Network A
`,
  )
  assert.match(out, /\nWebhooks\nSTATUS +STATE .*\nCOMPLETED /)
})

test('one value of the document is printed bare', async () => {
  assert.is((await run('order', 'show', ids.done, '--field', 'lock.provider')).out, 'Network A\n')
  assert.is((await run('order', 'show', ids.done, '--field', 'journal.0.event')).out, 'order.create\n')
  assert.is((await run('order', 'show', ids.done, '--field', 'revision')).out, '4\n')
  const missing = await run('order', 'show', ids.done, '--field', 'lock.till')
  assert.equal([missing.code, missing.out, missing.err], [1, '', 'The answer has no lock.till.\n'])
})

test('a refusal is one sentence and a next step, on standard error', async () => {
  const { code, out, err } = await run('order', 'cancel', ids.locked, '--reason', 'till is dead')
  assert.equal([code, out], [1, ''])
  assert.is(
    err,
    'Network A holds the order since 2026-03-01T12:00:00.000Z: cash may be on the counter.\n' +
      'Ask the provider whether the cash was handled, then order confirm or order release for it; ' +
      'with --force the order is cancelled and its money waits in suspense.\n',
  )
  const asJson = await run('order', 'cancel', ids.locked, '--reason', 'till is dead', '--json')
  assert.is(asJson.code, 1)
  assert.equal(Object.keys(asJson.json), ['error'])
  assert.equal([asJson.json.error.code, asJson.json.error.details], ['refused', []])
})

test('orders are released, confirmed and cancelled from the command line', async () => {
  const why = ['--reason', 'till is dead']
  const forA = ['--for-provider', 'Network A', ...why]
  const released = await run('order', 'release', ids.locked, ...forA, '--revision', '3', '--json')
  assert.equal([released.code, released.json.status], [0, 'READY'])
  assert.is(released.json.journal.at(-1).actor, 'operator:ana')
  const path = `/api/v1/providers/orders/pay-out/${released.json.code}/start-payment/`
  await node.request({ as: 'pk_a', path, body: { network_id: '0001' }, at: 1 })
  const late = await run('order', 'confirm', ids.locked, ...forA, '--revision', '4', '--json')
  assert.equal([late.code, late.json.error.code], [1, 'conflict'])
  const confirmed = await run('order', 'confirm', ids.locked, ...forA)
  assert.match(confirmed.out, /^status {2,}COMPLETED$/m)
  const cancelled = await run('order', 'cancel', ids.ready, '--reason', 'double', '--json')
  assert.is(cancelled.json.status, 'CANCELLED')
})

test('what a forced cancel leaves behind is read as an exception', async () => {
  const body = payOutBody({ merchant_order_id: 'six' })
  const made = await node.request({ as: 'mk_shop', path: '/api/v1/merchants/orders/pay-out/', body })
  const id = String(made.json.id)
  const show = (field: string) => run('order', 'show', id, '--field', field)
  await node.until(async () => (await show('status')).out === 'READY\n')
  const path = `/api/v1/providers/orders/pay-out/${(await show('code')).out.trim()}/start-payment/`
  await node.request({ as: 'pk_a', path, body: { network_id: '0001' } })
  const cancelled = await run('order', 'cancel', id, '--reason', 'till is dead', '--force')
  assert.match(cancelled.out, /\nExceptions\nKIND .*\ncancelled_while_locked +open +2026-03-01 12:00:00Z /)
  const listed = await run('exception', 'list', '--order', id)
  assert.match(listed.out, /^KIND +STATE +OPENED .*\ncancelled_while_locked +open /)
  const exception = (
    await run('exception', 'list', '--state', 'open', '--field', 'exceptions.0.id')
  ).out.trim()
  const shown = await run('exception', 'show', exception)
  assert.match(shown.out, /^kind +cancelled_while_locked$/m)
  assert.match(shown.out, new RegExp(`^order +${id}$`, 'm'))
  assert.match(shown.out, /\nEvidence: who held the order and since when.*\n\{\n/)
})

test('every document of a running node is that of the stopped one', async () => {
  const commands = [
    ['order', 'list'],
    ['order', 'show', ids.done],
    ['exception', 'list'],
    ['merchant', 'list'],
    ['merchant', 'show', 'Shop'],
    ['provider', 'list'],
    ['provider', 'show', 'Network A'],
    ['rate', 'list'],
  ]
  await run('apply', '-', '--json')
  const beside = []
  for (const command of commands) beside.push(await run(...command, '--json'))
  await node.stop()
  try {
    for (const [index, command] of commands.entries()) {
      const alone = await run(...command, '--json')
      assert.is(alone.code, 0, command.join(' '))
      // Stopped, it has no port of its own.
      const expected = { ...beside[index]?.json }
      if (alone.json.checkoutUrl !== undefined) expected.checkoutUrl = alone.json.checkoutUrl
      assert.equal(alone.json, expected, command.join(' '))
    }
  } finally {
    node = await startTestNode({ directory: node.directory, clock: node.clock, parties: null })
  }
})

test('a dry run prints each member that a file would change, and a digest that applies just that', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'apply-test-'))
  const pairs = [{ country: 'MX', currency: 'MXN', min: '10.00', max: '500.00' }]
  const merchants = [
    { name: 'Kiosk', pairs, deposits: [{ currency: 'MXN', amount: '7.50', reference: 'one' }] },
  ]
  const world = { cwd: folder, env: {}, clock: fakeClock(), input: JSON.stringify({ merchants }) }
  const dry = await ventanilla(world, 'apply', '-', '--dry-run')
  assert.is(
    dry.out.replace(/[0-9a-f]{64}/, 'DIGEST'),
    `merchant Kiosk: created
merchant Kiosk: MX MXN enabled
  min            – → 10.00 MXN
  max            – → 500.00 MXN
  directions     – → PAY_OUT, PAY_IN
  cashIncrement  – → 0.01 MXN
merchant Kiosk: deposit one of 7.50 MXN booked
  amount     – → 7.50 MXN
  reference  – → one
  posting deposit: debit bank, credit available of Kiosk, 7.50 MXN

Nothing was changed. To apply exactly this: --digest DIGEST
`,
  )
  const json = (await ventanilla(world, 'apply', '-', '--dry-run', '--json')).json as { digest: string }
  assert.equal(Object.keys(json), ['differences', 'problems', 'digest'])
  const other = await ventanilla(world, 'apply', '-', '--digest', json.digest.replace(/^./, 'x'))
  assert.is(other.code, 1)
  const applied = await ventanilla(world, 'apply', '-', '--digest', json.digest)
  assert.equal([applied.code, applied.err], [0, ''])
  const again = await ventanilla(world, 'apply', '-', '--digest', json.digest)
  assert.match(again.err, /would come to something else now; nothing was changed/)
  const wrong = JSON.stringify({
    merchants: [{ name: 'Kiosk', contact: 'desk', pairs: [{ ...pairs[0], max: '5.00' }] }],
  })
  const refused = await ventanilla({ ...world, input: wrong }, 'apply', '-', '--dry-run')
  assert.equal(
    [refused.code, refused.out],
    [
      1,
      `merchant Kiosk: contact or limits set
  contact  – → desk

Refused, so that nothing of it would be changed
  merchants[0].pairs[0].max: is less than min
`,
    ],
  )
})

test('a file is applied from disk or standard input, and its secrets are shown once', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'apply-test-'))
  const world = { cwd: folder, env: {}, clock: fakeClock() }
  writeFileSync(join(folder, 'parties.json'), JSON.stringify(demoParties))
  const applied = await ventanilla(world, 'apply', 'parties.json')
  const [, secret = ''] = /^Demo Shop +mk_demo +(\S+)$/m.exec(applied.out) ?? []
  assert.match(secret, /^[\w-]{43}$/)
  assert.is(
    applied.out.replace(/\S{43}/g, 'SECRET'),
    `bank main: added
calendar mx-banks: added
calendar mx-banks: 1 closed day set
merchant Demo Shop: created
merchant Demo Shop: key mk_demo added
merchant Demo Shop: MX MXN enabled
merchant Demo Shop: settlement of MXN added, account CLABE …5678
merchant Demo Shop: coming days of MXN planned
merchant Demo Shop: fee of MX MXN on PAY_OUT from 2026-01-01 added
merchant Demo Shop: fee of MX MXN on PAY_IN from 2026-01-01 added
merchant Demo Shop: deposit opening of 100000.00 MXN booked at main
provider Demo Network: created
provider Demo Network: key pk_demo added
provider Demo Network: settlement of MXN added, account CLABE …1234
provider Demo Network: coming days of MXN planned
provider Demo Network: exposure limited to 200000.00 MXN
provider Demo Network: network 0001 registered
provider Demo Network: commission of network 0001 on PAY_OUT from 2026-01-01 added
provider Demo Network: commission of network 0001 on PAY_IN from 2026-01-01 added
provider Demo Network: network demo_shops registered
rate USDC to MX MXN on SOLANA: added
rate USDC to MX MXN on STELLAR: added
rate USDC to MX MXN on MONAD: added

Secrets, shown only once
PARTY         KEY      SECRET
Demo Shop     mk_demo  SECRET
Demo Network  pk_demo  SECRET
`,
  )
  const again = await ventanilla({ ...world, input: JSON.stringify(demoParties) }, 'apply', '-')
  assert.equal([again.code, again.out], [0, 'Nothing to change.\n'])
  const asJson = await ventanilla(world, 'apply', 'parties.json', '--json')
  assert.equal(asJson.json, {
    merchants: [{ name: 'Demo Shop', credentials: [{ key: 'mk_demo' }] }],
    providers: [{ name: 'Demo Network', credentials: [{ key: 'pk_demo' }] }],
  })
  const rates = await ventanilla(world, 'rate', 'list')
  assert.match(rates.out, /^SOLANA +USDC +MX MXN +17\.25 +0\.5 USDC \+ 100 bps +– +fixed .* yes$/m)
  const source = { url: 'http://127.0.0.1:9/ticker?key=s3cret', pointer: '/mxn' }
  const sourced = {
    blockchains: ['SOLANA'],
    send: 'USDC',
    country: 'MX',
    target: 'MXN',
    rate: '17.25',
    source,
  }
  await ventanilla({ ...world, input: JSON.stringify({ rates: [sourced] }) }, 'apply', '-')
  const unread = await ventanilla(world, 'rate', 'list')
  assert.match(unread.out, /^SOLANA +USDC +MX MXN +– .* 300 s +127\.0\.0\.1:9\/ticker .* NO$/m)
  assert.match(unread.out, /\nNot used:\n- USDC to MX MXN on SOLANA: no source has told a rate yet\n$/)
  const shown = await ventanilla(world, 'rate', 'show', 'SOLANA', 'USDC', 'MX', 'MXN')
  assert.match(shown.out, /^Used +NO: no source has told a rate yet$/m)
  assert.match(shown.out, /^Expected +17\.25$/m)
  assert.match(shown.out, /\nSources\nSOURCE .*\n127\.0\.0\.1:9\/ticker +– +– +– +– +0 +–\n$/)
  assert.not.match(unread.out + shown.out, /s3cret/)
  const none = await ventanilla(world, 'rate', 'show', 'SOLANA', 'USDC', 'PE', 'PEN')
  assert.equal(
    [none.code, none.err],
    [1, 'There is no rate of USDC to PE PEN on SOLANA.\n`rate list` lists the rates there are.\n'],
  )
  rmSync(folder, { recursive: true })
})

test('a wrong file names each bad place, a missing or broken one its cause', async () => {
  const bad = {
    merchants: [{ name: 'Kiosk', pairs: [{ country: 'MX', currency: 'MXN', min: 'abc', max: '5' }] }],
  }
  const folder = node.directory
  writeFileSync(join(folder, 'bad.json'), JSON.stringify(bad))
  writeFileSync(join(folder, 'broken.json'), '{\n  "merchants": [,]\n}')
  writeFileSync(join(folder, 'list.json'), '[]')
  const wrong = await run('apply', 'bad.json')
  assert.equal(
    [wrong.code, wrong.err],
    [
      1,
      'The file has one bad place; nothing was changed.\n' +
        '  merchants[0].pairs[0].min: "abc" is not an amount of MXN\n',
    ],
  )
  const asJson = await run('apply', 'bad.json', '--json')
  assert.equal(asJson.json.error.details, ['merchants[0].pairs[0].min: "abc" is not an amount of MXN'])
  const broken = await run('apply', 'broken.json')
  assert.equal([broken.code, broken.err], [1, 'broken.json: is not JSON: line 2, column 17\n'])
  assert.is((await run('apply', 'list.json')).err, 'list.json: must hold a JSON object\n')
  const missing = await run('apply', 'nowhere.json')
  assert.equal([missing.code, missing.err], [2, 'nowhere.json: no such file\n'])
})

test('parties are frozen and shown so', async () => {
  const frozen = await run('party', 'freeze', 'Network B', '--reason', 'key leaked')
  assert.match(frozen.out, /^state +frozen since 2026-03-01 12:00:00Z: key leaked$/m)
  assert.match((await run('provider', 'list')).out, /^Network B +frozen /m)
  const unfrozen = await run('party', 'unfreeze', 'Network B', '--reason', 'new key', '--json')
  assert.is(unfrozen.json.frozen, null)
  assert.match((await run('merchant', 'show', 'Shop')).out, /\nBalances\nCURRENCY +AVAILABLE .*\nMXN /)
  assert.match((await run('provider', 'show', 'Network A')).out, /^networks +0001, a_shops$/m)
})

test('webhooks are shown with their body, and lists that are empty say so', async () => {
  const listed = await run('webhook', 'list', '--order', ids.done, '--json')
  const [webhook] = listed.json.webhooks
  assert.equal(Object.keys(webhook), [
    ...['id', 'order', 'merchant', 'url', 'sequence', 'status', 'state', 'attempts', 'lastAnswer'],
    ...['dueAt', 'created', 'settled'],
  ])
  const shown = await run('webhook', 'show', webhook.id)
  assert.match(shown.out, /^url +http:\/\/127\.0\.0\.1:9\/hooks$/m)
  assert.match(shown.out, /\nBody\n\{"id":"/)
  assert.is((await run('exception', 'list', '--state', 'resolved')).out, 'No exceptions.\n')
  assert.is((await run('order', 'list', '--status', 'EXPIRED')).out, 'No orders.\n')
  const none = await run('exception', 'list', '--state', 'resolved', '--json')
  assert.equal(none.json, { exceptions: [], next: null })
})

test('settings that are wrong end a command with each line', async () => {
  const env = { VENTANILLA_HTTP_PORT: 'x', VENTANILLA_MODUS: 'sandbox' }
  const ran = await ventanilla({ cwd: node.directory, env }, 'order', 'list', '--json')
  assert.is(ran.code, 2)
  assert.is(ran.json.error.details.length, 2)
  assert.match(ran.err, /VENTANILLA_HTTP_PORT/)
  const config = await ventanilla({ cwd: node.directory }, 'order', 'list', '--config', 'nowhere.json')
  assert.match(config.err, /nowhere\.json: cannot be read: no such file/)
})

test('a field with control characters does not reach the terminal as such', async () => {
  const made = await node.request({
    as: 'mk_shop',
    path: '/api/v1/merchants/orders/pay-out/',
    body: payOutBody({ description: 'red \u001b[31mtext' }),
  })
  const { out } = await run('order', 'show', made.json.id)
  assert.match(out, /^description +red +\[31mtext$/m)
})

test.run()
