/**
 * The demo's story of foreign-currency orders: on each local blockchain a wallet of its own reads, signs and sends
 * what the node built, and the money that arrives is paid out in cash.
 */

import { orderShow } from '../../actors/orders/operations.ts'
import { exceptionList } from '../../actors/resolutions/operations.ts'
import { blockchainFacts } from '../../machines/blockchains.ts'
import { formatInstant } from '../../machines/time.ts'
import type { DecodedTransfer, LocalChain, LocalWallet } from '../../test/support/chains/local-chain.ts'
import type { Terminal } from '../terminal.ts'
import { codeOnPage, dayMs, isAnswer, tell } from './answers.ts'
import type { Networks } from './local-networks.ts'
import type { Stage } from './stage.ts'
import { patiently, type World } from './world.ts'

const merchantPath = '/api/v1/merchants/orders/pay-out/'
const providerPath = '/api/v1/providers/orders/pay-out/'

interface Scene {
  readonly stage: Stage
  readonly world: World
  readonly chain: LocalChain
  readonly name: string
  readonly wallet: LocalWallet
  readonly expiry: string
}

export async function playForeign(stage: Stage, world: World, networks: Networks, terminal: Terminal) {
  stage.chapter('Paid for on a blockchain')
  stage.say(
    'Eva earns dollars and wants pesos in her hand: she pays USDC from her own wallet, and no one else can.',
  )
  stage.say(
    'The networks run here, offline. They execute every transaction, and refuse what real ones refuse.',
  )
  const expiry = formatInstant(terminal.clock.now() + dayMs)
  for (const chain of networks.chains.values()) {
    const wallet = await chain.newWallet(units(chain, 200n))
    await play({ stage, world, chain, name: blockchainFacts[chain.blockchain].title, wallet, expiry })
  }
}

async function play(scene: Scene): Promise<void> {
  const { stage, name } = scene
  stage.chapter(`${name}: a quote, and an order of it`)
  const id = await order(scene, await quote(scene))
  const transaction = await readTransaction(scene, id)
  stage.chapter(`${name}: Eva's wallet signs`)
  const transfer = await sign(scene, id, transaction)
  await payOut(scene, id)
  await payAgain(scene, id, transfer)
}

async function quote({ stage, world, chain, name }: Scene): Promise<string> {
  const body = {
    blockchain: chain.blockchain,
    send: '100.00',
    send_currency: 'USDC',
    target_country: 'MX',
    target_currency: 'MXN',
  }
  stage.say(`What do 100 USDC on ${name} come to in pesos? The shop asks for a quote:`)
  stage.show(`POST /api/v1/merchants/quotes/   ${JSON.stringify(body)}`)
  const quoted = await world.request('POST', '/api/v1/merchants/quotes/', { as: 'mk_demo', body })
  tell(stage, quoted)
  const { fee, rate, order_price: price } = quoted.body
  // 100 less 0.50 and one per cent, at 17.25, to the next half peso below.
  stage.check(
    `${name}: the quote is (100 − 1.50) × 17.25, down to what a till can pay: 1699.00`,
    quoted.status === 201 && Number(fee) === 1.5 && Number(rate) === 17.25 && price === '1699.00',
    quoted.text,
  )
  return String(quoted.body.id)
}

async function order({ stage, world, chain, name, wallet, expiry }: Scene, quoteId: string): Promise<string> {
  const body = {
    order_type: 'ForeignCurrencyOrder',
    quote: quoteId,
    description: 'Salary of March',
    merchant_order_id: `salary-${chain.blockchain}`,
    notify_url: world.receiver.notifyUrl,
    return_url: 'https://shop.example/thanks',
    expiry,
    consumer_email: 'eva@example.com',
    wallet: wallet.address,
  }
  stage.show(
    `POST ${merchantPath}   ${JSON.stringify({ ...body, quote: '…', notify_url: '…', return_url: '…' })}`,
  )
  const created = await world.request('POST', merchantPath, { as: 'mk_demo', body })
  tell(stage, created)
  stage.check(
    `${name}: the order is CREATED, and has no transaction yet: nobody waits for a chain`,
    isAnswer(created, 201, 'CREATED') && created.body.transaction === '',
    created.text,
  )
  const again = await world.request('POST', merchantPath, {
    as: 'mk_demo',
    body: { ...body, merchant_order_id: `again-${chain.blockchain}` },
  })
  stage.check(`${name}: a quote buys one order only: 400`, again.status === 400, again.text)
  return String(created.body.id)
}

/** The webhook that says that it is ready. */
async function readTransaction({ stage, world, name }: Scene, id: string): Promise<string> {
  const [webhook] = await world.webhooks(id, 1)
  const body: { transaction?: unknown } = Object(webhook?.body)
  const transaction = String(body.transaction ?? '')
  stage.say('A moment later a webhook brings the unsigned transaction:')
  stage.show(
    transaction.length > 200
      ? `${transaction.slice(0, 200)}… (${transaction.length} characters)`
      : transaction,
  )
  stage.check(
    `${name}: the transaction comes in a webhook, CREATED, with a right signature`,
    webhook?.verified === true && webhook.status === 'CREATED' && transaction !== '',
    webhook,
  )
  return transaction
}

async function sign(scene: Scene, id: string, transaction: string): Promise<DecodedTransfer> {
  const { stage, world, chain, name, wallet } = scene
  const transfer = chain.decode(transaction)
  const { from, to, assetId, references, signatures } = transfer
  stage.say('Her wallet reads it with code of its own before it signs. It says:')
  stage.show(
    [
      `move   ${transfer.units} smallest units of ${assetId}`,
      `from   ${from}`,
      `to     ${to}`,
      `and carry the reference ${references.join(', ')}`,
      `besides ${transfer.others.length === 0 ? 'nothing' : transfer.others.join(', ')}`,
    ].join('\n'),
  )
  stage.check(
    `${name}: it moves exactly 100 of the configured token from her wallet to the treasury, and nothing else`,
    transfer.units === units(chain, 100n) &&
      assetId === chain.asset.id &&
      from === wallet.address &&
      to === chain.treasury &&
      transfer.others.every((other) => harmless.test(other)),
    transfer.others,
  )
  stage.check(`${name}: nobody has signed it: the node has no key to sign with`, signatures === 0, signatures)
  const before = await chain.balanceOf(chain.treasury, chain.asset.id)
  const transactionId = await submitFresh(scene, id)
  stage.show(`signed with her key, and broadcast: ${transactionId}`)
  const arrived = (await chain.balanceOf(chain.treasury, chain.asset.id)) - before
  stage.check(
    `${name}: the network executed it: the treasury has 100 more`,
    arrived === units(chain, 100n),
    `${arrived}`,
  )
  if (chain.finalizesLater) {
    const isOffered = async () => (await read(world, id)).body.transaction !== ''
    const isSilent = await patiently(async () => !(await isOffered()))
    stage.check(`${name}: money that is on its way is not asked for again`, isSilent)
    const { body } = await read(world, id)
    stage.check(
      `${name}: and is not believed before its block is final: CREATED`,
      body.status === 'CREATED',
      body,
    )
  }
  await chain.finalize()
  return transfer
}

/** What a transaction may hold beside its transfer: what it costs at most, the order's id, until when it is good. */
const harmless = /^(compute (limit|price) \d+|memo [0-9a-f-]{36}|time bounds)$/

/** Solana's are good for a minute: the shop asks for the order when its user is about to sign. */
async function submitFresh({ world, chain, wallet }: Scene, id: string): Promise<string> {
  const fresh = await read(world, id)
  return await chain.submit(String(fresh.body.transaction), wallet)
}

function read(world: World, id: string) {
  return world.request('GET', `${merchantPath}${id}/`, { as: 'mk_demo' })
}

async function payOut({ stage, world, name }: Scene, id: string): Promise<void> {
  stage.chapter(`${name}: the money is seen, and the cash is paid out`)
  const told = await world.webhooks(id, 2)
  stage.check(
    `${name}: once its block is final the order is READY, and the shop is told`,
    told[1]?.status === 'READY' && told[1].verified,
    told.map(({ status }) => status),
  )
  const code = codeOnPage(await world.page(`${world.publicUrl}/checkout/${id}`))
  stage.check(`${name}: only now the checkout page shows Eva her code`, /^\d{15}$/.test(code), code)
  const body = { network_id: '0001', price: '1699.00', price_currency: 'MXN' }
  for (const action of ['start', 'confirm']) {
    const path = `${providerPath}${code}/${action}-payment/`
    stage.show(`POST ${path}`)
    tell(stage, await world.request('POST', path, { as: 'pk_demo', body }))
  }
  const all = await world.webhooks(id, 3)
  stage.check(
    `${name}: the shop was told CREATED, READY and COMPLETED, in that order and once each`,
    all.map(({ status }) => status).join(' ') === 'CREATED READY COMPLETED' &&
      all.every(({ verified }) => verified),
    all.map(({ status }) => status),
  )
  const { postings } = await world.operations.perform(orderShow, { id })
  stage.say('In the books the USDC became the pesos that were paid out; each line is zero in sum:')
  stage.show(
    postings.map((it) => `${it.kind}: ${it.amount} ${it.currency} from ${it.from} to ${it.to}`).join('\n'),
  )
}

async function payAgain({ stage, world, chain, name, wallet }: Scene, id: string, transfer: DecodedTransfer) {
  stage.say('By mistake Eva sends the same money once more. It is not hers to lose:')
  const payment = await chain.pay(wallet, { units: transfer.units, references: transfer.references })
  await chain.finalize()
  const find = async () => {
    const { exceptions } = await world.operations.perform(exceptionList, {})
    return exceptions.find(({ transactionId }) => transactionId === payment)
  }
  await patiently(async () => (await find()) !== undefined)
  const found = await find()
  stage.show(
    found === undefined ? 'nothing' : `${found.kind}: ${found.amount} ${found.asset}. ${found.reason}`,
  )
  stage.check(
    `${name}: a second payment is put before the operator, with who sent it`,
    found?.kind === 'deposit_unmatched' && found.sender === wallet.address,
    found,
  )
  const { body } = await read(world, id)
  stage.check(`${name}: and changes nothing about the order: COMPLETED`, body.status === 'COMPLETED', body)
}

/** Whole tokens in the chain's smallest units. */
function units({ asset }: LocalChain, whole: bigint): bigint {
  return whole * 10n ** BigInt(asset.decimals)
}
