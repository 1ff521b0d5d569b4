/**
 * Writes the golden database of this version into `test/persistence/golden`: `node scripts/golden-database.ts`. It is what a node
 * leaves behind: orders of every kind and state, exceptions, webhooks, quotes and operators.
 *
 * A version that is released keeps its file as it is: later versions have to open what that one wrote.
 */
import { randomUUID } from 'node:crypto'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { constants, gzipSync } from 'node:zlib'
import { operatorAdd, operatorDisable } from '../actors/people/operations.ts'
import { exceptionList, exceptionResolve } from '../actors/resolutions/operations.ts'
import { webhookList } from '../actors/webhooks/operations.ts'
import { copySqliteDatabase } from '../persistence/index.ts'
import { unreachableSolana } from '../test/support/chains/unreachable.ts'
import { payOutBody, startTestNode, type TestNode, testParties } from '../test/support/node.ts'
import { type Operator, operatorOf } from '../test/support/operations.ts'
import { testRate } from '../test/support/order-requests.ts'
import { call, merchantPath, orderIn, type Situation } from '../test/support/orders.ts'
import { startReceiver } from '../test/support/webhook-receivers.ts'

const { version: presentVersion }: { version: string } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
)
const folder = new URL('../test/persistence/golden/', import.meta.url).pathname
/** Nobody's money is behind it: it is published with the file that it opens. */
const masterKey = Buffer.from('a key that protects nothing at a')

/** They come first, and take the clock to 12:24 with them: what expires them would expire the others, too. */
const ended: readonly Situation[] = ['EXPIRED', 'EXPIRED_LOCKED']
const staying: readonly Situation[] = ['READY', 'LOCKED', 'COMPLETED', 'CANCELLED', 'CANCELLED_LOCKED']

async function play(node: TestNode, operator: Operator, notifyUrl: string): Promise<void> {
  for (const direction of ['PAY_OUT', 'PAY_IN'] as const) {
    for (const situation of ended) {
      const order = await orderIn(node, direction, situation)
      await node.core.orders.expire(order.id)
      if (situation === 'EXPIRED_LOCKED') await call(node, order, 'confirm')
    }
  }
  await resolveOne(operator)
  for (const direction of ['PAY_OUT', 'PAY_IN'] as const) {
    for (const situation of staying) await orderIn(node, direction, situation)
  }
  await orderIn(node, 'PAY_OUT', 'CREATED')
  await deliver(node, operator, notifyUrl)
  await foreign(node)
  await operator.ask(operatorAdd, { name: 'ana', role: 'administrator' })
  await operator.ask(operatorAdd, { name: 'luis', role: 'viewer' })
  await operator.ask(operatorDisable, { name: 'luis' })
}

/** The other ones stay open. */
async function resolveOne(operator: Operator): Promise<void> {
  const { exceptions } = await operator.ask(exceptionList, { state: 'open' })
  const [exception] = exceptions
  if (exception === undefined) throw new Error('a late confirmation has opened no exception')
  const { id, revision } = exception
  await operator.ask(exceptionResolve, { id, as: 'honour', reason: 'receipt seen', revision })
}

async function deliver(node: TestNode, operator: Operator, notifyUrl: string): Promise<void> {
  const body = payOutBody({ notify_url: notifyUrl, expiry: '2026-03-02T12:00:00Z' })
  const made = await node.request({ as: 'mk_shop', path: merchantPath('PAY_IN'), body, at: 1 })
  const { id, code } = made.json
  await call(node, { direction: 'PAY_IN', code }, 'start')
  await call(node, { direction: 'PAY_IN', code }, 'confirm')
  await node.until(async () => {
    const { webhooks } = await operator.ask(webhookList, { order: id })
    return webhooks.some(({ state }) => state === 'delivered')
  })
}

/** Two quotes, and an order of one of them that waits for its chain. */
async function foreign(node: TestNode): Promise<void> {
  const quotes: string[] = []
  for (const send of ['20.00', '30.00']) {
    const body = {
      blockchain: 'SOLANA',
      send,
      send_currency: 'USDC',
      target_country: 'MX',
      target_currency: 'MXN',
    }
    const path = '/api/v1/merchants/quotes/'
    quotes.push((await node.request({ as: 'mk_shop', path, body })).json.id)
  }
  const body = {
    order_type: 'ForeignCurrencyOrder',
    quote: quotes[0],
    description: 'Salary',
    merchant_order_id: randomUUID(),
    notify_url: 'http://127.0.0.1:9/hooks',
    return_url: 'https://shop.example/done',
    expiry: '2026-03-02T12:00:00Z',
    consumer_email: 'ana@example.com',
    wallet: '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM',
  }
  const made = await node.request({ as: 'mk_shop', path: merchantPath('PAY_OUT'), body })
  if (made.status !== 201) throw new Error(`the order of a quote was refused: ${made.text}`)
}

const directory = mkdtempSync(join(tmpdir(), 'ventanilla-golden-'))
const receiver = await startReceiver((response) => response.writeHead(200).end())
try {
  const key = join(directory, 'node.db.key')
  writeFileSync(key, `${masterKey.toString('base64')}\n`, { mode: 0o600 })
  const node = await startTestNode({
    directory,
    env: unreachableSolana,
    parties: { ...testParties, rates: [testRate('SOLANA')] },
  })
  try {
    const operator = operatorOf({ ...node.core, clock: node.clock })
    await play(node, operator, `http://127.0.0.1:${receiver.port}/hooks`)
  } finally {
    await node.stop()
  }
  const small = join(directory, 'small.db')
  copySqliteDatabase(join(directory, 'node.db'), small)
  const target = join(folder, `${presentVersion}.db`)
  writeFileSync(`${target}.gz`, gzipSync(readFileSync(small), { level: constants.Z_BEST_COMPRESSION }))
  copyFileSync(key, `${target}.key`)
  copyFileSync(join(directory, 'node.db.anchors'), `${target}.anchors`)
} finally {
  await receiver.close()
  rmSync(directory, { recursive: true, force: true })
}
