/**
 * A database of many orders as a busy node has them: several merchants and networks, pay-ins and pay-outs, most paid, some cancelled
 * or expired, some whose webhooks nobody took or whose cash nobody has explained; statements of each day. The console's test world
 * is put on top of it, so that whatever opens pages there can open them among a million orders.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { statement } from '../../persistence/statement.ts'
import { fakeClock } from '../support/clock.ts'
import { dispatchOf } from '../support/console.ts'
import { payOutBody, secretOf, startTestNode, type TestNode } from '../support/node.ts'
import { call, cancelAsOperator, merchantPath } from '../support/orders.ts'
import { fill } from './filling.ts'

const day = 86_400_000
/** Before the test world's own time. */
const endsAt = Date.UTC(2026, 2, 1, 11)
const beganAt = endsAt - 61 * day

/** As long as names are given. */
export const longName =
  'Comercializadora de Abarrotes, Ultramarinos y Electrodomésticos del Bajío, Sociedad Anónima de Capital Variable'

/** Long ones, and such as other scripts have. */
const merchants = [
  'Abarrotes del Bajío',
  longName,
  'Tienda 🌮 Feliz',
  'متجر النور للإلكترونيات',
  'Farmácias São João',
  'Zapatería Ñandú',
  'Juegos en Línea',
  'Préstamos Rápidos',
]
const networks = ['Tiendas Unidas', 'Cajeros del Norte', 'Correos', 'Puntos de Pago de la Confederación']

const merchantKey = (index: number) => `mk_mix${index}`
const networkKey = (index: number) => `pk_mix${index}`
const networkId = (index: number) => `9${String(index).padStart(3, '0')}`

const settles = [{ currency: 'MXN', timeZone: 'UTC', every: 'day', account: 'CLABE 000000000000001234' }]

const parties = {
  merchants: merchants.map((name, index) => ({
    name,
    contact: `ops@m${index}.example`,
    credentials: [{ key: merchantKey(index), secret: secretOf(merchantKey(index)) }],
    pairs: [{ country: 'MX', currency: 'MXN', min: '10.00', max: '50000.00' }],
    // As much as is ever paid out, and an amount of as many digits as there are.
    deposits: [{ currency: 'MXN', amount: '1234567890123456.78', reference: `opening ${index}` }],
    settles,
  })),
  providers: networks.map((name, index) => ({
    name,
    credentials: [{ key: networkKey(index), secret: secretOf(networkKey(index)) }],
    networks: [networkId(index)],
    settles,
  })),
}

/** @param folder gets `node.db`, with its key and its anchors beside it */
export async function prepareMix(folder: string, count: number): Promise<void> {
  const receiver = createServer((request, response) => {
    request.resume()
    response.writeHead(request.url === '/gone' ? 404 : 200).end('thanks')
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  const { port } = receiver.address() as AddressInfo
  const node = await startTestNode({ directory: folder, clock: fakeClock(beganAt), parties })
  try {
    await makeOriginals(node, `http://127.0.0.1:${port}`)
  } finally {
    await node.stop()
    receiver.close()
    receiver.closeAllConnections()
  }
  await fill(folder, count, endsAt)
  await closeDays(folder)
}

/** What has ended is closed: a statement of each party and day. */
async function closeDays(folder: string): Promise<void> {
  const node = await startTestNode({ directory: folder, clock: fakeClock(endsAt + 1), parties: null })
  const closed = async () => (await node.core.store.query(openDays, { day: '2026-02-27' })).length === 0
  try {
    while (!(await closed())) await new Promise((resolve) => setTimeout(resolve, 1000))
  } finally {
    await node.stop()
  }
}

const openDays = statement<{ day: string }>()('bench.openDays', ({ db }, arg) =>
  db
    .selectFrom('settlement_terms')
    .leftJoin('statement_books', (join) =>
      join
        .onRef('statement_books.party_id', '=', 'settlement_terms.party_id')
        .onRef('statement_books.currency', '=', 'settlement_terms.currency'),
    )
    .select('settlement_terms.party_id')
    .where((is) => is.or([is('closed_day', 'is', null), is('closed_day', '<', arg('day'))])),
)

type Ending = 'paid' | 'cancelled' | 'expired' | 'undelivered' | 'stranded'

/** Of a merchant's orders, one of which each of these becomes. */
const endings: readonly Ending[] = [
  ...Array.from({ length: 12 }, () => 'paid' as const),
  'cancelled',
  'expired',
]
const prices = ['120.00', '1000.00', '349.90', '2500.00', '18750.00', '64.50']

interface Wanted {
  merchant: number
  /** Of the merchant's orders. */
  index: number
  ending: Ending
}

async function makeOriginals(node: TestNode, receiver: string): Promise<void> {
  for (const merchant of merchants.keys()) {
    for (const [index, ending] of endings.entries())
      await makeOne(node, receiver, { merchant, index, ending })
  }
  for (const [index, ending] of (['undelivered', 'stranded'] as const).entries())
    await makeOne(node, receiver, { merchant: 6, index: 90 + 2 * index, ending })
  node.clock.advance(3_600_000)
  const ask = dispatchOf(node)
  await node.until(async () => {
    for (const { id } of await node.core.store.query(unfinished, {})) await node.core.orders.expire(id)
    const { webhooks } = (await ask('webhook.list', { state: 'pending' }, 'bench')) as { webhooks: unknown[] }
    return webhooks.length === 0 && (await node.core.store.query(unfinished, {})).length === 0
  })
}

const unfinished = statement()('bench.unfinished', ({ db }) =>
  db.selectFrom('orders').select('id').where('status', 'not in', ['COMPLETED', 'CANCELLED', 'EXPIRED']),
)

async function makeOne(node: TestNode, receiver: string, { merchant, index, ending }: Wanted): Promise<void> {
  const direction = index % 3 === 2 ? 'PAY_IN' : 'PAY_OUT'
  const price = prices[(merchant + index) % prices.length] ?? ''
  const network = (merchant + index) % networks.length
  const created = await node.request({
    as: merchantKey(merchant),
    path: merchantPath(direction),
    body: payOutBody({
      price,
      merchant_order_id: `M${merchant}-${index}`,
      description: `Pedido ${merchant}${index} de la tienda en línea`,
      notify_url: `${receiver}/${ending === 'undelivered' ? 'gone' : 'ok'}`,
      expiry: new Date(node.clock.now() + 1_800_000).toISOString(),
      consumer_email: `cliente${merchant}.${index}@correo.example`,
    }),
  })
  if (created.status !== 201) throw new Error(`An order was refused: ${created.text}`)
  const { id } = created.json
  const find = async () => (await node.core.orders.find(id))?.order
  await node.until(async () => (await find())?.status === 'READY')
  const order = { id, direction, code: (await find())?.code ?? '' } as const
  const body = { network_id: networkId(network), price, price_currency: 'MXN' }
  if (ending === 'cancelled') await cancelAsOperator(node, id)
  if (ending !== 'paid' && ending !== 'undelivered' && ending !== 'stranded') return
  for (const step of ending === 'stranded' ? (['start'] as const) : (['start', 'confirm'] as const)) {
    const told = await call(node, order, step, networkKey(network), body)
    if (told.status !== 200) throw new Error(`An order was not brought into its place: ${told.text}`)
  }
}
