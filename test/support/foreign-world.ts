/** A node beside a local network, a merchant's receiver, and the parties of a foreign-currency order. */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AnyActorRef } from 'xstate'
import { type Blockchain, blockchains } from '../../machines/blockchains.ts'
import { chainDepositsOfOrder } from '../../persistence/queries/foreign-orders.ts'
import type { GateRequest } from './chains/gate.ts'
import type { LocalChain, LocalWallet } from './chains/local-chain.ts'
import { type Networks, signAndSend, startNetworks, unitsOf } from './chains/networks.ts'
import { type FakeClock, fakeClock } from './clock.ts'
import { startTestNode, type TestAnswer, type TestNode, testParties } from './node.ts'
import { testRate } from './order-requests.ts'
import { type Receiver, startReceiver } from './webhook-receivers.ts'

/** As the API shows it, in answers and webhooks. */
export interface ForeignOrder {
  readonly id: string
  readonly status: string
  readonly price: string
  readonly price_currency: string
  readonly quote: string
  readonly wallet: string
  readonly transaction: string
  readonly paid: string | null
}

export interface OrderOptions {
  readonly send?: string
  readonly wallet?: LocalWallet
  /** Beside what the order takes. */
  readonly extraUnits?: bigint
  readonly expiry?: string
}

export type ForeignWorldParts = Pick<
  ForeignWorld,
  'clock' | 'networks' | 'receiver' | 'directory' | 'blockchain' | 'node'
>

export const foreignParties = { ...testParties, rates: [testRate(...blockchains)] }

/** Tests wait by asking again and again. */
const env = { VENTANILLA_LIMITS_REQUESTSPERMINUTE: '1000000' }

export class ForeignWorld {
  readonly clock: FakeClock
  readonly networks: Networks
  readonly receiver: Receiver
  directory: string
  readonly blockchain: Blockchain
  node: TestNode

  constructor(made: ForeignWorldParts) {
    this.clock = made.clock
    this.networks = made.networks
    this.receiver = made.receiver
    this.directory = made.directory
    this.blockchain = made.blockchain
    this.node = made.node
  }

  get chain(): LocalChain {
    return this.networks.chain(this.blockchain)
  }

  /** Smallest units of the chain's asset. */
  units(amount: string): bigint {
    return unitsOf(this.chain, amount)
  }

  quote(send: string): Promise<TestAnswer> {
    return this.node.request({
      as: 'mk_shop',
      path: '/api/v1/merchants/quotes/',
      body: {
        blockchain: this.blockchain,
        send,
        send_currency: 'USDC',
        target_country: 'MX',
        target_currency: 'MXN',
      },
    })
  }

  /** A quote, and an order of it for a wallet that can pay it; as the creation answers it. */
  async order({ send = '20.00', extraUnits = 0n, ...options }: OrderOptions = {}): Promise<ForeignOrder> {
    const wallet = options.wallet ?? (await this.chain.newWallet(unitsOf(this.chain, send) + extraUnits))
    const quote = await this.quote(send)
    const made = await this.node.request({
      as: 'mk_shop',
      path: '/api/v1/merchants/orders/pay-out/',
      body: {
        order_type: 'ForeignCurrencyOrder',
        quote: quote.json.id,
        description: 'Salary',
        merchant_order_id: randomUUID(),
        notify_url: `http://127.0.0.1:${this.receiver.port}/hooks`,
        return_url: 'https://shop.example/done',
        expiry: options.expiry ?? new Date(this.clock.now() + 86_400_000).toISOString(),
        consumer_email: 'ana@example.com',
        wallet: wallet.address,
      },
    })
    if (made.status !== 201) throw new Error(made.text)
    return made.json
  }

  async read(id: string): Promise<ForeignOrder> {
    const answer = await this.node.request({ as: 'mk_shop', path: `/api/v1/merchants/orders/pay-out/${id}/` })
    return answer.json
  }

  /** Something has come for it and is final: it is credited, or put before a person. */
  async hasDeposit(id: string): Promise<void> {
    const { store } = this.node.core
    await this.node.until(async () => (await store.query(chainDepositsOfOrder, { orderId: id })).length > 0)
  }

  /** What the merchant was told of an order, oldest first. */
  told(id: string): readonly ForeignOrder[] {
    const bodies = this.receiver.received.filter(({ body }) => body.includes(id))
    return bodies.map(({ body }): ForeignOrder => JSON.parse(body)).filter((order) => order.id === id)
  }

  /** The webhook that says that the transaction is ready. */
  async built(id: string): Promise<ForeignOrder> {
    return await this.toldThat(id, ({ status, transaction }) => status === 'CREATED' && transaction !== '')
  }

  async toldThat(id: string, holds: (order: ForeignOrder) => boolean): Promise<ForeignOrder> {
    await this.node.until(async () => this.told(id).some(holds))
    const found = this.told(id).find(holds)
    if (found === undefined) throw new Error('it was there a moment ago')
    return found
  }

  /** An order whose transaction is ready, and the transaction as a wallet reads it. */
  async ready(options: OrderOptions = {}) {
    const { id, wallet } = await this.order(options)
    const order = await this.built(id)
    return { order, id, wallet: { address: wallet }, transfer: this.chain.decode(order.transaction) }
  }

  async sign(order: ForeignOrder): Promise<string> {
    const { transactionId } = await signAndSend(this.chain, { address: order.wallet }, order.transaction)
    return transactionId
  }

  /** Everything so far is final, and the node reads it. */
  async finalize(): Promise<void> {
    await this.pass(20_000)
  }

  /** Time goes by, on the chain too, and the node notices. */
  async pass(ms: number): Promise<void> {
    await this.follow(ms)
    this.wake()
  }

  /** Time goes by, and no node is woken. */
  async follow(ms: number): Promise<void> {
    this.clock.advance(ms)
    // A ledger follows the clock when it is looked at; anvil when it makes a block.
    this.chain.now()
    if (this.blockchain === 'MONAD') await this.chain.finalize()
  }

  wake(): void {
    for (const part of ['deposits', 'transactions', 'sightings', 'webhooks'])
      for (const id of [part, `${part}:${this.blockchain}`])
        this.node.workers.send({ type: 'worker.wake', id })
  }

  /** The pass of a worker of the chain that was woken last has ended. */
  async hasRun(part: string): Promise<void> {
    await this.node.until(async () => {
      const { children } = this.node.workers.getSnapshot()
      const worker: AnyActorRef | undefined = Object.entries(children).find(
        ([id]) => id === `${part}:${this.blockchain}`,
      )?.[1]
      return worker?.getSnapshot().value === 'idle'
    })
  }

  async statusIs(id: string, status: string): Promise<void> {
    await this.node.until(async () => (await this.node.core.orders.find(id))?.order.status === status)
  }

  /** The provider's till pays it out. */
  async payOut(id: string): Promise<void> {
    const found = await this.node.core.orders.find(id)
    for (const action of ['start', 'confirm']) {
      const path = `/api/v1/providers/orders/pay-out/${found?.order.code}/${action}-payment/`
      const { status, text } = await this.node.request({ as: 'pk_a', path, body: { network_id: '0001' } })
      if (status !== 200) throw new Error(text)
    }
  }

  async stopNode(): Promise<void> {
    await this.node.stop()
  }

  async startNode(): Promise<void> {
    const { clock, directory } = this
    this.node = await startTestNode({ clock, directory, parties: null, env })
  }

  /** What the settings of the next start say of the chain, beside the network's own. */
  set(changes: Record<string, unknown>): void {
    const { settings } = this.networks
    const chain = Object.assign({}, settings[this.blockchain], changes)
    writeSettings(this.directory, { ...settings, [this.blockchain]: chain })
  }

  /** A node with a new database in place of the one that is, on the same network. */
  async startAnew(): Promise<void> {
    await this.node.stop()
    rmSync(this.directory, { recursive: true, force: true })
    this.directory = newDirectory(this.networks)
    const { clock, directory } = this
    this.node = await startTestNode({ clock, directory, parties: foreignParties, env })
  }

  /** What was asked during an outage may fail after it, and is asked again some seconds later. */
  passUntil(holds: () => Promise<boolean>): Promise<void> {
    return this.node.until(async () => {
      if (await holds()) return true
      await this.pass(1_000)
      return false
    })
  }

  /** No endpoint answers (what `isCut` names), until what is returned is called. */
  cutOff(isCut: (request: GateRequest) => boolean = () => true): () => void {
    const gates = [this.chain.gate, this.chain.spareGate].filter((gate) => gate !== null)
    for (const gate of gates) gate.trouble = (request) => (isCut(request) ? 'cut' : null)
    return () => {
      for (const gate of gates) gate.trouble = null
    }
  }

  async close(): Promise<void> {
    await this.node.stop()
    await this.receiver.close()
    await this.networks.close()
    rmSync(this.directory, { recursive: true, force: true })
  }
}

export async function openForeignWorld(blockchain: Blockchain): Promise<ForeignWorld> {
  const clock = fakeClock()
  const networks = await startNetworks({ clock: () => clock.now(), only: [blockchain], pollSeconds: 0.1 })
  const receiver = await startReceiver((response) => response.end())
  const directory = newDirectory(networks)
  const node = await startTestNode({ clock, directory, parties: foreignParties, env })
  return new ForeignWorld({ clock, networks, receiver, directory, blockchain, node })
}

function newDirectory({ settings }: Networks): string {
  const directory = mkdtempSync(join(tmpdir(), 'ventanilla-foreign-'))
  writeSettings(directory, settings)
  return directory
}

function writeSettings(directory: string, chains: object): void {
  writeFileSync(join(directory, 'ventanilla.json'), JSON.stringify({ chains }))
}
