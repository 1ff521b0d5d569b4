/** The demo's story of a pay-in: the same codes, locks and confirmations, and the cash goes the other way. */

import { orderShow } from '../../actors/orders/operations.ts'
import { merchantShow } from '../../actors/parties/merchants.ts'
import { providerShow } from '../../actors/parties/providers.ts'
import { formatInstant } from '../../machines/time.ts'
import type { Terminal } from '../terminal.ts'
import { demoMerchant } from '../welcome.ts'
import { codeOnPage, dayMs, isAnswer, tell } from './answers.ts'
import type { Stage } from './stage.ts'
import type { World } from './world.ts'

const merchantPath = '/api/v1/merchants/orders/pay-in/'
const providerPath = '/api/v1/providers/orders/pay-in/'
const payment = { network_id: '0001', price: '300.00', price_currency: 'MXN' }
const cornerPayment = { ...payment, network_id: 'corner' }

interface Balances {
  /** What the shop has available, in centavos. */
  shop: bigint
  /** What the network is owed; below zero it owes. */
  network: bigint
}

interface Scene {
  stage: Stage
  world: World
  before: Balances
}

export async function playPayIn(stage: Stage, world: World, terminal: Terminal): Promise<void> {
  const scene: Scene = { stage, world, before: await balances(world) }
  const expiry = formatInstant(terminal.clock.now() + dayMs)
  const { id, code } = await create(scene, expiry)
  await check(scene, id, code)
  await lock(scene, code)
  await collect(scene, id, code)
  await tellTheShop(scene, id)
  await keepTheBooks(scene, id)
}

async function create({ stage, world }: Scene, expiry: string): Promise<{ id: string; code: string }> {
  stage.chapter('The other way round: the shop asks for a pay-in')
  stage.say('Luis buys a jacket for 300 pesos and pays in cash, at a counter near him. The shop asks for it:')
  const body = {
    order_type: 'LocalCurrencyOrder',
    country: 'MX',
    price: '300.00',
    price_currency: 'MXN',
    description: 'A jacket',
    merchant_order_id: 'purchase-77',
    notify_url: world.receiver.notifyUrl,
    return_url: 'https://shop.example/thanks',
    expiry,
  }
  stage.show(`POST ${merchantPath}   signed with mk_demo's secret\n${JSON.stringify(body, null, 2)}`)
  const created = await world.request('POST', merchantPath, { as: 'mk_demo', body })
  tell(stage, created)
  stage.check(
    'a pay-in is READY at once, nothing has to be reserved for it: 201, PAY_IN',
    isAnswer(created, 201, 'READY') && created.body.direction === 'PAY_IN',
    created.text,
  )
  const code = String(created.body.code)
  stage.check('its answer has the code: here the shop shows it', /^\d{15}$/.test(code), created.text)
  return { id: String(created.body.id), code }
}

async function check({ stage, world }: Scene, id: string, code: string): Promise<void> {
  stage.chapter('Luis takes his code to a counter')
  const page = codeOnPage(await world.page(`${world.publicUrl}/checkout/${id}`))
  stage.check('the checkout page shows the same code', page === code, page)
  const found = await world.request('GET', `${providerPath}${code}/`, { as: 'pk_demo' })
  stage.show(`GET ${providerPath}${code}/`)
  tell(stage, found)
  stage.check(
    'the till sees READY, 300.00 MXN and what is bought',
    isAnswer(found, 200, 'READY') && found.body.price === '300.00' && found.body.description === 'A jacket',
    found.text,
  )
  const payOut = await world.request('GET', `/api/v1/providers/orders/pay-out/${code}/`, { as: 'pk_demo' })
  stage.check('nobody is handed cash for it: as a pay-out it is 404', payOut.status === 404, payOut.text)
}

async function lock({ stage, world }: Scene, code: string): Promise<void> {
  stage.chapter('A till locks the pay-in')
  const path = `${providerPath}${code}/start-payment/`
  const { price, ...priceless } = payment
  const incomplete = await world.request('POST', path, { as: 'pk_demo', body: priceless })
  stage.check('a start has to say the price: 400', incomplete.status === 400, incomplete.text)
  const started = await world.request('POST', path, { as: 'pk_demo', body: payment })
  stage.show(`POST ${path}   ${JSON.stringify(payment)}`)
  tell(stage, started)
  stage.check(
    `start-payment locks the pay-in of ${price} pesos: 200, PAYMENT_STARTED`,
    isAnswer(started, 200, 'PAYMENT_STARTED'),
    started.text,
  )
  stage.say('Luis does not pay twice, wherever else he shows the code:')
  const other = await world.request('POST', path, { as: 'pk_corner', body: cornerPayment })
  stage.check('another provider cannot start the pay-in: 403', other.status === 403, other.text)
}

async function collect({ stage, world, before }: Scene, id: string, code: string): Promise<void> {
  stage.chapter('The cash is collected')
  const { shop } = await balances(world)
  stage.check('until it is confirmed the shop has none of it', shop === before.shop, `${shop}`)
  stage.say('The cashier takes 300 pesos from Luis, and the till confirms:')
  const path = `${providerPath}${code}/confirm-payment/`
  const confirmed = await world.request('POST', path, { as: 'pk_demo', body: payment })
  stage.show(`POST ${path}`)
  tell(stage, confirmed)
  stage.check(
    'confirm-payment completes the pay-in: 200, COMPLETED, with the time of payment',
    isAnswer(confirmed, 200, 'COMPLETED') && typeof confirmed.body.paid === 'string',
    confirmed.text,
  )
  const read = await world.request('GET', `${merchantPath}${id}/`, { as: 'mk_demo' })
  stage.check(
    'the shop reads COMPLETED, paid at that time',
    isAnswer(read, 200, 'COMPLETED') && read.body.paid === confirmed.body.paid,
    read.text,
  )
}

async function tellTheShop({ stage, world }: Scene, id: string): Promise<void> {
  stage.chapter('The shop hands over the jacket')
  stage.say('It does so for a webhook whose signature it has recomputed, and for nothing else:')
  const webhooks = await world.webhooks(id, 1)
  const [webhook] = webhooks
  const body = webhook?.body
  stage.show(body ? JSON.stringify(body, null, 2) : 'nothing came')
  const isPayIn =
    typeof body === 'object' && body !== null && 'direction' in body && body.direction === 'PAY_IN'
  stage.check(
    'one webhook came, COMPLETED and PAY_IN, and its signature is right',
    webhooks.length === 1 && webhook?.verified === true && webhook.status === 'COMPLETED' && isPayIn,
    webhooks,
  )
}

async function keepTheBooks({ stage, world, before }: Scene, id: string): Promise<void> {
  stage.chapter('The books of the pay-in')
  const order = await world.operations.perform(orderShow, { id })
  stage.show(
    order.postings
      .map((it) => `${it.kind}: ${it.amount} ${it.currency} from ${it.from} to ${it.to}`)
      .join('\n'),
  )
  const after = await balances(world)
  stage.check(
    'the shop has 291.30 pesos more: 300.00 less a fee of 7.50 and 1.20 of tax',
    after.shop - before.shop === 291_30n,
    `${after.shop}`,
  )
  stage.check(
    'and the Demo Network, which has the cash, is owed 291.42 less: 300.00 less its commission of 7.40 and 1.18 of tax',
    before.network - after.network === 291_42n,
    `${after.network}`,
  )
}

async function balances({ operations }: World): Promise<Balances> {
  const shop = await operations.perform(merchantShow, { name: demoMerchant })
  const network = await operations.perform(providerShow, { name: 'Demo Network' })
  const minor = (amount = '0.00') => BigInt(amount.replace('.', ''))
  return { shop: minor(shop.balances[0]?.available), network: minor(network.balances[0]?.amount) }
}
