/**
 * Simulations: a sandbox's orders live without shops, banks and wallets.
 *
 * Nothing here moves an order. Each step asks for what the real thing asks for: a provider's message through the registry,
 * an operator's deposit, a chain deposit through its book. Journal, webhooks and postings follow as they always do, and only
 * the actor's name tells that nobody stood at a counter.
 */
import { randomUUID } from 'node:crypto'
import type { Chains } from '../../chain/chain.ts'
import { formatPrice } from '../../machines/money.ts'
import type { RefusalReason } from '../../machines/refusals.ts'
import type { Instant } from '../../machines/time.ts'
import { recordFact } from '../../persistence/queries/node.ts'
import { waitingOfMerchant } from '../../persistence/queries/operations.ts'
import { balanceOfAccount, networkForSimulation } from '../../persistence/queries/sandbox.ts'
import { accountId, type Store } from '../../persistence/store.ts'
import type { ChainDepositBook } from '../chains/chain-deposits.ts'
import type { OrderWithConsumer } from '../orders/creation.ts'
import type { Actor } from '../orders/journal.ts'
import type { OrderRegistry } from '../orders/registry.ts'
import { orderRef, type Said, type Told } from '../orders/telling.ts'
import { createDirectory } from '../parties/party-limits.ts'
import { rateOutageFact, rateOutageMs } from '../quotes/outage.ts'
import { isDepositStep, simulatedDeposit } from './simulated-deposits.ts'
import type { SimulatedStep } from './steps.ts'

export interface SimulatingOptions {
  store: Store
  clock: { now(): Instant }
  orders: Pick<OrderRegistry, 'find' | 'tell' | 'fund'>
  book: Pick<ChainDepositBook, 'recordFound'>
  chains: Chains
  /** As an operator books a merchant's deposit; amounts as in answers. */
  addDeposit(deposit: {
    merchantId: string
    reference: string
    amount: string
    currency: string
  }): Promise<void>
}

export interface AskedSimulation {
  /** The simulation's own: carried out again, nothing happens twice. */
  id?: string
  orderId: string
  step: SimulatedStep
  /** The provider that acts; any that could, where it is not said. */
  providerId?: string | undefined
}

export type Simulated =
  | { ok: true; status: string; done: SimulatedStep[] }
  | { ok: false; reason: 'unknown_order' }
  /** `why` is a sentence. */
  | { ok: false; reason: 'refused'; why: string }

export type Simulate = (asked: AskedSimulation) => Promise<Simulated>

type Refusal = Extract<Simulated, { reason: 'refused' }>

const refused = (why: string): Refusal => ({ ok: false, reason: 'refused', why })

export function createSimulating(options: SimulatingOptions): Simulate {
  return async ({ id = randomUUID(), orderId, step, providerId }) => {
    if ((await options.orders.find(orderId)) === null) return { ok: false, reason: 'unknown_order' }
    const life = new SimulatedLife(options, { id, orderId, providerId })
    const refusal = await life.step(step)
    if (refusal !== null) return refusal
    return { ok: true, status: (await life.read()).order.status, done: life.done }
  }
}

/** One simulation of one order, and what it has brought about. */
class SimulatedLife {
  readonly done: SimulatedStep[] = []
  readonly #options: SimulatingOptions
  readonly #asked: { id: string; orderId: string; providerId: string | undefined }

  constructor(
    options: SimulatingOptions,
    asked: { id: string; orderId: string; providerId: string | undefined },
  ) {
    this.#options = options
    this.#asked = asked
  }

  async read(): Promise<OrderWithConsumer> {
    const found = await this.#options.orders.find(this.#asked.orderId)
    if (found === null) throw new Error(`Order ${this.#asked.orderId} is gone while it is simulated.`)
    return found
  }

  async step(step: SimulatedStep): Promise<Refusal | null> {
    const refusal = await this.#take(step)
    if (refusal === null) this.done.push(step)
    return refusal
  }

  async #take(step: SimulatedStep): Promise<Refusal | null> {
    if (isDepositStep(step)) return this.#deposit(step)
    switch (step) {
      case 'fund':
        return this.#fund()
      case 'start':
      case 'hold':
        return (await this.#ensure('READY')) ?? this.#tell('payment.start')
      case 'confirm':
        return (await this.#ensure('PAYMENT_STARTED')) ?? this.#tell('payment.confirm')
      case 'cancel':
        return this.#tell('payment.cancel')
      case 'rate_outage':
        return this.#rateOutage()
    }
  }

  /** What comes before, where it has not come: the real thing would need it, too. */
  async #ensure(status: 'READY' | 'PAYMENT_STARTED'): Promise<Refusal | null> {
    const { order } = await this.read()
    if (order.status === 'CREATED') {
      const refusal = await this.step('fund')
      if (refusal !== null) return refusal
    }
    const isReady = order.status === 'CREATED' || order.status === 'READY'
    return status === 'PAYMENT_STARTED' && isReady ? this.step('start') : null
  }

  async #fund(): Promise<Refusal | null> {
    const { order, foreign } = await this.read()
    if (order.status !== 'CREATED') return refused(`The order waits for no funds: it is ${order.status}.`)
    if (foreign !== null) return this.#deposit('deposit_exact')
    const { merchant_id: merchantId, currency } = order
    const missing = await this.#missingOf(merchantId, currency)
    if (missing > 0n) {
      const reference = `simulated-${this.#asked.id}`
      const amount = formatPrice(missing, currency)
      await this.#options.addDeposit({ merchantId, reference, amount, currency })
    }
    const funded = await this.#options.orders.fund({ orderId: order.id, merchantId, currency })
    if (funded === 'funded' || (await this.read()).order.status !== 'CREATED') return null
    return refused('The order could not be funded.')
  }

  /** Older orders are funded first. */
  async #missingOf(ownerId: string, currency: string): Promise<bigint> {
    const { store } = this.#options
    const waiting = await store.query(waitingOfMerchant, { merchantId: ownerId })
    const wanted = waiting.find((one) => one.currency === currency)?.waiting_minor ?? 0n
    const id = accountId({ kind: 'available', ownerId, currency })
    const [account] = await store.query(balanceOfAccount, { id })
    return BigInt(wanted) - (account?.balance_minor ?? 0n)
  }

  async #deposit(step: Parameters<typeof simulatedDeposit>[0]): Promise<Refusal | null> {
    const { foreign } = await this.read()
    const { chains, book, clock } = this.#options
    if (foreign === null) return refused('Only an order that is funded on a blockchain has deposits there.')
    const chain = chains.get(foreign.blockchain)
    if (chain === undefined) return refused(`${foreign.blockchain} is off.`)
    const made = { id: this.#asked.id, at: clock.now() }
    const deposits = [simulatedDeposit(step, foreign, chain.assets, made)]
    await book.recordFound(chain, { deposits, cursor: '', more: false, scannedTo: null })
    return null
  }

  async #tell(type: 'payment.start' | 'payment.confirm' | 'payment.cancel'): Promise<Refusal | null> {
    const { order } = await this.read()
    const { store, orders } = this.#options
    const { providerId: wanted } = this.#asked
    const holder = type === 'payment.start' ? null : order.lock_provider_id
    const [network] = await store.query(networkForSimulation({ providerId: wanted ?? holder }), {
      currency: order.currency,
      priceMinor: order.price_minor,
    })
    if (network === undefined)
      return refused(`No provider has a network for ${order.currency} and this price.`)
    const { provider_id: providerId, network_id: networkId } = network
    const terms = await createDirectory(store).network(networkId, providerId)
    const said: Said = { type, providerId, networkId }
    const told = await orders.tell({
      order: orderRef(order),
      actor: actorOf(providerId, network.name),
      ...said,
      ...(terms?.hasTerms === true ? ({ hasTerms: true } as const) : {}),
    })
    return refusalOf(told)
  }

  async #rateOutage(): Promise<Refusal | null> {
    const { order } = await this.read()
    const { store, clock } = this.#options
    const value = String(clock.now() + rateOutageMs)
    await store.execute(recordFact, { name: rateOutageFact(order.merchant_id), value })
    return null
  }
}

/** As the provider itself would be named in the journal, but for who has spoken for it. */
function actorOf(id: string, name: string): Extract<Actor, { credential: string }> {
  return { kind: 'provider', id, name: `${name} (simulated)`, credential: 'sandbox' }
}

function refusalOf(told: Told): Refusal | null {
  switch (told.outcome) {
    case 'accepted':
    case 'already_confirmed':
      return null
    case 'refused':
      return refused(whyRefused[told.reason](told.order.status))
    default:
      return refused(`The order could not be told: ${told.outcome}.`)
  }
}

const isHeld = () => 'Another provider holds the order.'
const byItsStatus = (status: string) =>
  `The status of the order is ${status}, which does not allow this step.`

const whyRefused: Record<RefusalReason, (status: string) => string> = {
  wrong_status: byItsStatus,
  not_due: byItsStatus,
  needs_force: byItsStatus,
  past_expiry: () => 'The order is past its expiry.',
  locked_by_caller: () => 'The provider holds the order already.',
  locked_by_other: isHeld,
  not_holder: isHeld,
  ended_while_locked: (status) =>
    `The order became ${status} while the provider held it: an operator settles its exception.`,
  provider_frozen: () => 'The provider is frozen.',
  merchant_frozen: () => 'The merchant of the order is frozen.',
  order_quarantined: () => 'The order is quarantined since a restore.',
  network_currency: () => 'The network of the provider is for another currency.',
  network_limits: () => 'The price is outside the limits of the provider’s network.',
  exposure_reached: () => 'The provider has reached the limit of what it may owe.',
  node_drained: () => 'The node is drained: nothing new is begun.',
}
