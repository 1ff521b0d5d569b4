/** The demo's story of local pay-outs: one that is paid, one that is cancelled, and a restart in between. */
import { formatMessageDate } from '../../actors/keys/signature.ts'
import { orderCancel } from '../../actors/orders/change-operations.ts'
import { orderShow } from '../../actors/orders/operations.ts'
import { merchantShow } from '../../actors/parties/merchants.ts'
import { providerShow } from '../../actors/parties/providers.ts'
import { formatInstant, type Instant } from '../../machines/time.ts'
import type { Terminal } from '../terminal.ts'
import { demoMerchant } from '../welcome.ts'
import { codeOnPage, dayMs, isAnswer, tell } from './answers.ts'
import type { Stage } from './stage.ts'
import { patiently, type World } from './world.ts'

const merchantPath = '/api/v1/merchants/orders/pay-out/'
const providerPath = '/api/v1/providers/orders/pay-out/'
const payment = { network_id: '0001', price: '500.00', price_currency: 'MXN' }
const cornerPayment = { ...payment, network_id: 'corner' }

interface Scene {
  stage: Stage
  world: World
  now(): Instant
  /** A valid creation body with this id of the shop's. */
  order(merchantOrderId: string): Record<string, unknown>
}

export async function playPayOut(stage: Stage, world: World, terminal: Terminal): Promise<void> {
  const expiry = formatInstant(terminal.clock.now() + dayMs)
  const scene: Scene = {
    stage,
    world,
    now: () => terminal.clock.now(),
    order: (merchantOrderId) => ({
      order_type: 'LocalCurrencyOrder',
      country: 'MX',
      price: '500.00',
      price_currency: 'MXN',
      description: 'Refund of a pair of shoes',
      merchant_order_id: merchantOrderId,
      notify_url: world.receiver.notifyUrl,
      return_url: 'https://shop.example/thanks',
      expiry,
      consumer_email: 'ana@example.com',
    }),
  }
  const id = await create(scene)
  const code = await readCode(scene, id)
  await lock(scene, code)
  await pay(scene, id, code)
  await tellTheShop(scene, id)
  await keepTheBooks(scene, id)
  await cancel(scene)
  await restart(scene, id)
}

async function create({ stage, world, order }: Scene): Promise<string> {
  stage.chapter('The shop creates an order')
  stage.say(
    'The Demo Shop owes Ana 500 pesos for a pair of shoes she sent back. Its server asks for a pay-out:',
  )
  const body = order('refund-1234')
  stage.show(`POST ${merchantPath}   signed with mk_demo's secret\n${JSON.stringify(body, null, 2)}`)
  const created = await world.request('POST', merchantPath, { as: 'mk_demo', body })
  tell(stage, created)
  stage.check(
    'a signed request creates the order: 201, CREATED',
    isAnswer(created, 201, 'CREATED'),
    created.text,
  )
  stage.check('the answer has no code: only Ana is to see it', !('code' in created.body), created.text)

  stage.say('A request whose signature is wrong gets nothing, and the same order cannot be created twice:')
  const forged = await world.request('POST', merchantPath, {
    as: 'mk_demo',
    body: order('forged'),
    forged: true,
  })
  stage.check('a wrong signature is refused: 403', forged.status === 403, forged.text)
  const again = await world.request('POST', merchantPath, { as: 'mk_demo', body })
  stage.check('the same merchant_order_id is refused: 400', again.status === 400, again.text)
  return String(created.body.id)
}

async function readCode({ stage, world }: Scene, id: string): Promise<string> {
  stage.chapter('Ana sees her code')
  stage.say(
    "The node reserves the 500 pesos and the operator's fee from the shop's deposit, and the order becomes READY.",
  )
  const isReady = await patiently(async () => {
    const read = await world.request('GET', `${merchantPath}${id}/`, { as: 'mk_demo' })
    return read.body.status === 'READY'
  })
  stage.check('the order becomes READY by itself', isReady)
  const { balances } = await world.operations.perform(merchantShow, { name: demoMerchant })
  const [pesos] = balances
  stage.check(
    "of the shop's 100,000.00 pesos 508.70 are reserved: the price, a fee of 7.50, and 1.20 of tax on it",
    pesos?.available === '99491.30' && pesos.reserved === '508.70',
    pesos,
  )
  const url = `${world.publicUrl}/checkout/${id}`
  stage.say('The shop sends Ana to the redirect_url. Her phone shows the code, big and as a QR code:')
  const code = codeOnPage(await world.page(url))
  stage.show(`${url}\n${code.replace(/(\d{4})(?=\d)/g, '$1 ')}`)
  stage.check('the checkout page shows a code of 15 digits', /^\d{15}$/.test(code), code)
  return code
}

async function lock({ stage, world }: Scene, code: string): Promise<void> {
  stage.chapter('A till locks the order')
  stage.say('At a counter of the Demo Network Ana reads her code out. The till looks it up and locks it:')
  const found = await world.request('GET', `${providerPath}${code}/`, { as: 'pk_demo' })
  stage.show(`GET ${providerPath}${code}/`)
  tell(stage, found)
  stage.check(
    'the till sees READY and 500.00 MXN',
    isAnswer(found, 200, 'READY') && found.body.price === '500.00',
    found.text,
  )
  const wrong = await world.request('POST', `${providerPath}${code}/start-payment/`, {
    as: 'pk_demo',
    body: { ...payment, price: '5000.00' },
  })
  stage.check('a till that asks for another price is refused: 400', wrong.status === 400, wrong.text)
  const started = await world.request('POST', `${providerPath}${code}/start-payment/`, {
    as: 'pk_demo',
    body: payment,
  })
  stage.show(`POST ${providerPath}${code}/start-payment/   ${JSON.stringify(payment)}`)
  tell(stage, started)
  stage.check(
    'start-payment locks it: 200, PAYMENT_STARTED',
    isAnswer(started, 200, 'PAYMENT_STARTED'),
    started.text,
  )

  stage.say('Ana is not paid twice, wherever else she shows the code:')
  const start = { as: 'pk_corner', body: cornerPayment }
  const other = await world.request('POST', `${providerPath}${code}/start-payment/`, start)
  stage.check('another provider cannot start it: 409', other.status === 409, other.text)
  const confirm = { as: 'pk_corner', body: cornerPayment }
  const stolen = await world.request('POST', `${providerPath}${code}/confirm-payment/`, confirm)
  stage.check('another provider cannot confirm it: 403', stolen.status === 403, stolen.text)
}

async function pay({ stage, world }: Scene, id: string, code: string): Promise<void> {
  stage.chapter('The cash is handed out')
  stage.say('The cashier counts out 500 pesos, and the till confirms:')
  const path = `${providerPath}${code}/confirm-payment/`
  const confirmed = await world.request('POST', path, { as: 'pk_demo', body: payment })
  stage.show(`POST ${path}`)
  tell(stage, confirmed)
  stage.check(
    'confirm-payment completes it: 200, COMPLETED',
    isAnswer(confirmed, 200, 'COMPLETED'),
    confirmed.text,
  )
  const again = await world.request('POST', path, { as: 'pk_demo', body: payment })
  stage.check(
    'a repeated confirmation gets the same answer, with the same paid',
    again.status === 200 && again.body.paid === confirmed.body.paid,
    again.text,
  )
  const read = await world.request('GET', `${merchantPath}${id}/`, { as: 'mk_demo' })
  stage.check('the shop reads COMPLETED', isAnswer(read, 200, 'COMPLETED'), read.text)
}

async function tellTheShop({ stage, world, now }: Scene, id: string): Promise<void> {
  stage.chapter('The shop is told')
  stage.say(
    "The node calls the shop's notify_url. The shop recomputes the signature before it believes a word:",
  )
  const webhooks = await world.webhooks(id, 1)
  const [webhook] = webhooks
  stage.show(webhook ? JSON.stringify(webhook.body, null, 2) : 'nothing came')
  stage.check(
    'one webhook came, COMPLETED, and its signature is right',
    webhooks.length === 1 && webhook?.verified === true && webhook.status === 'COMPLETED',
    webhooks,
  )
  const forgery = await fetch(world.receiver.notifyUrl, {
    method: 'POST',
    headers: {
      'Merchant-Key': 'mk_demo',
      'Message-Date': formatMessageDate(now()),
      'Message-Hash': '0'.repeat(64),
    },
    body: JSON.stringify({ id, status: 'COMPLETED' }),
  })
  stage.check('the shop refuses a forged webhook', forgery.status === 403, `HTTP ${forgery.status}`)
}

async function keepTheBooks({ stage, world }: Scene, id: string): Promise<void> {
  stage.chapter('The books')
  const order = await world.operations.perform(orderShow, { id })
  stage.say('Every step is in the journal, with who told the order what; refusals, too:')
  stage.show(
    order.journal.map((entry) => `${entry.actor}: ${entry.event} → ${entry.to}, ${entry.outcome}`).join('\n'),
  )
  stage.say('and every peso is in exactly one place:')
  stage.show(
    order.postings
      .map((it) => `${it.kind}: ${it.amount} ${it.currency} from ${it.from} to ${it.to}`)
      .join('\n'),
  )
  const refused = order.journal.filter((entry) => entry.outcome !== 'accepted').map((entry) => entry.outcome)
  stage.check(
    'the journal has the refusals of the other provider',
    ['locked_by_other', 'not_holder'].every((reason) => refused.includes(reason)),
    refused,
  )
  const { balances } = await world.operations.perform(providerShow, { name: 'Demo Network' })
  stage.check(
    'the Demo Network is owed 510.44: the 500.00 it paid, a commission of 9.00, and 1.44 of tax on it',
    balances[0]?.amount === '510.44',
    balances,
  )
}

async function cancel({ stage, world, order }: Scene): Promise<void> {
  stage.chapter('An order that is not wanted any more')
  stage.say('Only the operator can cancel an order, with a reason. Its money is available again:')
  const body = order('refund-1235')
  const created = await world.request('POST', merchantPath, { as: 'mk_demo', body })
  const id = String(created.body.id)
  stage.show(`ventanilla order cancel ${id} --reason "asked by the shop"`)
  const cancelled = await world.operations.perform(orderCancel, { id, reason: 'asked by the shop' })
  stage.check('the order is CANCELLED', cancelled.status === 'CANCELLED', cancelled.status)
  const [webhook] = await world.webhooks(id, 1)
  stage.check(
    'the shop is told: CANCELLED, with a right signature',
    webhook?.verified === true && webhook.status === 'CANCELLED',
    webhook,
  )
  const { balances } = await world.operations.perform(merchantShow, { name: demoMerchant })
  const [pesos] = balances
  stage.check(
    '99,491.30 pesos are available, and none are reserved: a cancelled order costs nothing',
    pesos?.available === '99491.30' && pesos.reserved === '0.00',
    pesos,
  )
}

async function restart({ stage, world }: Scene, id: string): Promise<void> {
  stage.chapter('The node is restarted')
  stage.say('What the node has answered is on the disk:')
  await world.restart()
  const read = await world.request('GET', `${merchantPath}${id}/`, { as: 'mk_demo' })
  stage.check('after the restart the order is COMPLETED still', isAnswer(read, 200, 'COMPLETED'), read.text)
  const { webhooks } = await world.operations.perform(orderShow, { id })
  stage.check(
    'and its one webhook is done: delivered with one attempt',
    webhooks.length === 1 && webhooks[0]?.state === 'delivered' && webhooks[0].attempts === 1,
    webhooks,
  )
}
