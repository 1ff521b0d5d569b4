/** Protocol 17.1: each event there is comes from what causes it in a whole node, and arrives as a mail and as a webhook. */
import { readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { OperationError } from '../../actors/foundation/operation.ts'
import { type EventName, eventNames, type Notice } from '../../actors/notifications/events.ts'
import { createLevelWatch } from '../../actors/notifications/levels.ts'
import { statement } from '../../persistence/statement.ts'
import { addOperator, dispatchOf, onSqlite, visitorAs } from '../support/console.ts'
import { startMailServer, type TestMailServer } from '../support/mail-server.ts'
import { startTestNode, stopTestNode, type TestNode } from '../support/node.ts'
import { call, newOrder, orderIn } from '../support/orders.ts'
import { closedPort, type Receiver, startReceiver } from '../support/webhook-receivers.ts'

const hourMs = 3_600_000

let node: TestNode
let server: TestMailServer
let pager: Receiver
/** Of a shop that takes no webhook. */
let shut: Receiver
let look: () => Promise<unknown>

test.before(async () => {
  server = await startMailServer()
  pager = await startReceiver((response) => response.writeHead(200).end())
  shut = await startReceiver((response) => response.writeHead(404).end())
  const { directory = '', env = {} } = onSqlite()
  node = await startTestNode({
    directory,
    env: {
      ...env,
      VENTANILLA_MAIL_HOST: '127.0.0.1',
      VENTANILLA_MAIL_PORT: String(server.port),
      VENTANILLA_MAIL_SECURITY: 'none',
      VENTANILLA_MAIL_FROM: 'node@pay.example',
      VENTANILLA_BACKUPS_FOLDER: join(directory, 'backups'),
      VENTANILLA_CHAINS_STELLAR_TREASURY: 'GBBD47IF6LWK7P7MDEVSCWR7DPUWV3NY3DTQEVFL4NAT4AQH3ZLLFLA5',
      VENTANILLA_CHAINS_STELLAR_HORIZON: `http://127.0.0.1:${closedPort}`,
      VENTANILLA_CHAINS_STELLAR_POLLSECONDS: '0.1',
    },
  })
  await addOperator(node, 'ana', 'administrator')
  const { core, clock } = node
  const { store, condition, backups, surroundings, verification } = core
  // The node does so once a minute.
  const watch = createLevelWatch({ clock, condition, backups, surroundings, file: verification.file })
  look = () => watch(store)
  const url = `http://127.0.0.1:${pager.port}/hook`
  await ask('notification.channel.set', {
    name: 'mail',
    kind: 'email',
    to: 'ops@pay.example',
    language: 'es',
  })
  await ask('notification.channel.set', { name: 'pager', kind: 'webhook', url })
  await ask('notification.channel.set', { name: 'party', kind: 'email', to: 'party', language: 'pt' })
})

test.after(async () => {
  await stopTestNode(node)
  await Promise.all([server.close(), pager.close(), shut.close()])
})

const ask = (name: string, input: object) => dispatchOf(node)(name, input, 'ana')

/** What makes it happen. */
const causes: Readonly<Record<EventName, () => Promise<unknown>>> = {
  'exception.opened': async () => {
    const { id } = await orderIn(node, 'PAY_OUT', 'EXPIRED_LOCKED')
    await node.core.orders.expire(id)
  },
  'webhook.dead': async () => {
    const { id } = await newOrder(node, 'PAY_OUT', 'mk_shop', {
      notify_url: `http://127.0.0.1:${shut.port}/gone`,
    })
    await ask('order.cancel', { id, reason: 'Made twice' })
  },
  alarm: async () => {
    const order = await newOrder(node, 'PAY_OUT')
    for (let time = 0; time < 5; time++)
      for (const action of ['start', 'cancel'] as const) await call(node, order, action)
  },
  'node.degraded': async () => {
    const { folder } = await node.core.backups.make()
    for (const name of readdirSync(folder)) truncateSync(join(folder, name), 10)
    await node.core.backups.drill()
  },
  'clock.doubt': async () => {
    node.clock.jump(2 * hourMs)
    await node.core.clockWatch.look()
  },
  'chain.doubt': async () => {},
  'rate.doubt': async () => {
    const pair = {
      blockchains: ['STELLAR'],
      send: 'USDC',
      country: 'MX',
      target: 'MXN',
      rate: '17.25',
      feeBps: 100,
    }
    await node.apply({ rates: [{ ...pair, maxAgeSeconds: 60 }] })
    node.clock.advance(2 * 60_000)
    await node.apply({ providers: [{ name: 'Network A', networks: ['0001', 'a_shops', 'a_more'] }] })
  },
  'backup.missed': async () => {
    rmSync(join(node.directory, 'backups'), { recursive: true, force: true })
    writeFileSync(join(node.directory, 'backups'), 'no folder')
    await node.core.backups.make().catch(() => {})
  },
  'disk.low': async () => {
    // A disk that is full is nothing a test can have.
    Object.assign(node.core.surroundings, { disk: async () => ({ freeBytes: 1_000_000, syncMs: 1 }) })
  },
  'exposure.high': async () => {
    await ask('terms.setExposure', {
      provider: 'Network A',
      currency: 'MXN',
      limit: '1100.00',
      reason: 'test',
    })
    await orderIn(node, 'PAY_IN', 'COMPLETED')
  },
  'balance.low': () => newOrder(node, 'PAY_OUT'),
  'statement.closed': async () => {
    const settles = [{ currency: 'MXN', timeZone: 'America/Mexico_City', cutOff: '22:00', every: 'day' }]
    await node.apply({ merchants: [{ name: 'Shop', settles }] })
    await orderIn(node, 'PAY_OUT', 'COMPLETED')
    node.clock.advance(48 * hourMs)
  },
  'sign_in.new': () => visitorAs(node, 'ana'),
  'key.added': () => ask('key.rotate', { party: 'Shop' }),
  'account.changed': async () => {
    for (const account of ['CLABE 1', 'CLABE 2'])
      await node.apply({ merchants: [{ name: 'Shop', settles: [{ currency: 'MXN', account }] }] })
  },
  'approval.asked': async () => {
    await ask('approval.setThreshold', { currency: 'MXN', amount: '1.00', reason: 'agreed' })
    const deposit = { merchant: 'Shop', reference: 'SPEI 1', amount: '1.01', currency: 'MXN', reason: 'seen' }
    await assertAsked(ask('deposit.add', deposit))
  },
}

async function assertAsked(work: Promise<unknown>): Promise<void> {
  const error = await work.catch((thrown: unknown) => thrown)
  assert.ok(error instanceof OperationError && error.code === 'asked', String(error))
}

const notices = statement<Record<never, never>>()('test.notices', ({ db }) =>
  db.selectFrom('notifications').select(['id', 'kind', 'state', 'body_json']).orderBy('id'),
)

/** The ids under which an event was sent, by how. */
async function sentOf(event: EventName) {
  const rows = await node.core.store.query(notices, {})
  const told = rows.filter(({ body_json }) => {
    const { told: lines }: Notice = JSON.parse(body_json)
    return lines.some((line) => line.event === event && line.phase !== 'over')
  })
  const idOf = (kind: 'email' | 'webhook') =>
    told.find((row) => row.kind === kind && row.state === 'delivered')?.id
  return { mail: idOf('email'), hook: idOf('webhook') }
}

/** What is told to the party that it is about, too. */
const ofParties: readonly EventName[] = ['balance.low', 'statement.closed', 'account.changed']

// The clock in doubt last: then nothing ends by itself any more.
const order = [...eventNames].toSorted((a, b) => Number(a === 'clock.doubt') - Number(b === 'clock.doubt'))

for (const event of order) {
  test(`${event}: what causes it is told by mail and by webhook`, async () => {
    const channels = ['mail', 'pager', ...(ofParties.includes(event) ? ['party'] : [])]
    for (const channel of channels) {
      const below = event === 'balance.low' ? { below: '99999.00 MXN' } : {}
      await ask('notification.rule.set', { name: `${channel}-rule`, channel, events: event, ...below })
    }
    await causes[event]()
    await node.until(async () => {
      await look()
      const { mail, hook } = await sentOf(event)
      return mail !== undefined && hook !== undefined
    })
    const { mail = '', hook = '' } = await sentOf(event)
    const mails = server.heard.filter(({ raw }) => raw.includes(`<${mail}@pay.example>`))
    assert.is(mails.length, 1)
    const hooks = pager.received.filter(({ headers }) => headers['webhook-id'] === hook)
    assert.is(hooks.length, 1)
    const body: Notice = JSON.parse(hooks[0]?.body ?? '')
    assert.is(body.told[0]?.event, event)
  })
}

test('a merchant is told of its own balance and statement, with the lines as a file', async () => {
  const find = (subject: RegExp) => async () => {
    for (const [index, { to }] of server.heard.entries()) {
      if (!to.includes('ops@shop.example')) continue
      const mail = await server.read(index)
      if (subject.test(mail.subject ?? '')) return mail
    }
    return null
  }
  const [low, closed] = [find(/Saldo baixo de Shop/), find(/Extrato 1 de Shop/)]
  await node.until(async () => (await low()) !== null && (await closed()) !== null)
  const attached = (await closed())?.attachments ?? []
  assert.equal(
    attached.map(({ filename }) => filename),
    ['statement-MXN-1.csv'],
  )
  assert.equal((await low())?.attachments, [])
})

test.run()
