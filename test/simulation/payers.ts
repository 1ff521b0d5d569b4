/**
 * People who send money from abroad: the shop gets them a quote and an order, and they pay on the chain what the order's
 * transaction says; now and then something else, in parts, or too late.
 */
import type { Random } from '../durability/random.ts'
import { decodeTransfer } from '../support/chains/evm/decode.ts'
import type { SimulatedChain } from './chain.ts'
import type { ChainTruth } from './model/chain.ts'
import type { Truth } from './model/truth.ts'
import type { Network } from './network.ts'
import { type Answer, signed } from './requests.ts'
import { merchants } from './terms.ts'
import type { Witness } from './witness.ts'

const minuteMs = 60_000

export interface PayersOptions {
  random: Random
  truth: Truth
  chainTruth: ChainTruth
  chain: SimulatedChain
  network: Network
  witness: Witness
  now: () => number
  /** The time for a message: no two are the same. */
  stamp: () => number
  problem: (text: string) => void
  note: (text: string) => void
}

interface Remittance {
  number: number
  merchant: (typeof merchants)[number]
  wallet: string
  quote: string | null
  /** Once the order is there. */
  id: string | null
  isWaiting: boolean
  /** How often something was paid for it. */
  paid: number
}

export class Payers {
  readonly #options: PayersOptions
  readonly #open: Remittance[] = []
  #count = 0
  created = 0

  constructor(options: PayersOptions) {
    this.#options = options
  }

  /** Somebody new asks what it takes. */
  begin(): void {
    const { random, chain } = this.#options
    const merchant = merchants[random.below(merchants.length)] ?? merchants[0]
    const wallet = chain.light.newWallet()
    const begun = {
      number: ++this.#count,
      merchant,
      wallet,
      quote: null,
      id: null,
      isWaiting: false,
      paid: 0,
    }
    this.#open.push(begun)
    this.#quote(begun)
  }

  /** One of them does what comes next. */
  act(): void {
    const { random } = this.#options
    const idle = this.#open.filter(({ isWaiting }) => !isWaiting).slice(-4)
    const one = idle[random.below(Math.max(1, idle.length))]
    if (one === undefined) return
    if (one.quote === null) this.#quote(one)
    else if (one.id === null) this.#order(one)
    else this.#look(one, one.id)
  }

  #quote(one: Remittance): void {
    const { random } = this.#options
    const send = (1 + random.below(300)).toFixed(2)
    const document = {
      ...{ blockchain: 'MONAD', send, send_currency: 'USDC', target_country: 'MX', target_currency: 'MXN' },
    }
    this.#say(one, 'POST', '/api/v1/merchants/quotes/', document, (answer) => {
      if (answer.status === 201) one.quote = JSON.parse(answer.text).id
      else this.#expect(answer, [400, 403])
    })
  }

  #order(one: Remittance): void {
    const { random, now } = this.#options
    const { merchant, wallet, quote } = one
    const merchantOrderId = `${merchant.key.name}-remittance-${one.number}`
    const expiryAt = now() + (10 + random.below(random.chance(0.5) ? 60 : 3_000)) * minuteMs
    const document = {
      order_type: 'ForeignCurrencyOrder',
      quote,
      description: 'Salary',
      merchant_order_id: merchantOrderId,
      notify_url: `https://${merchant.name.toLowerCase()}.example/hooks`,
      return_url: `https://${merchant.name.toLowerCase()}.example/done`,
      expiry: new Date(expiryAt).toISOString(),
      consumer_email: 'ana@example.com',
      wallet,
    }
    this.#say(one, 'POST', '/api/v1/merchants/orders/pay-out/', document, (answer) => {
      // One that was made and not answered is never paid, and expires.
      if (answer.status !== 201) {
        this.#expect(answer, [400, 403, 409])
        // By a wrong clock of the node no message is of this time.
        if (answer.status !== 403) this.#forget(one)
        return
      }
      const { id, price } = JSON.parse(answer.text)
      one.id = id
      this.created += 1
      const { truth, witness } = this.#options
      const promise = { direction: 'PAY_OUT', price, expiryAt } as const
      truth.promised(id, { ...promise, merchant: merchant.name, merchantOrderId })
      witness.knows(id, 'PAY_OUT', expiryAt)
    })
  }

  #look(one: Remittance, id: string): void {
    this.#say(one, 'GET', `/api/v1/merchants/orders/pay-out/${id}/`, undefined, (answer) => {
      if (answer.status !== 200) return this.#expect(answer, [403])
      const { status, transaction } = JSON.parse(answer.text)
      if (status !== 'CREATED') return this.#forget(one)
      if (transaction !== '') this.#pay(one, id, transaction)
    })
  }

  #pay(one: Remittance, id: string, transaction: string): void {
    const { random, chain, chainTruth, problem, note } = this.#options
    const { from, to, units, references, others } = decodeTransfer(transaction, chain.chainId)
    const [reference] = references
    if (from !== one.wallet || to !== chain.light.treasury || reference === undefined || others.length > 0) {
      problem(`order ${id} offers ${transaction}`)
      return
    }
    chainTruth.offered(id, { reference, wallet: one.wallet })
    const fate = random.below(100)
    const wallet = fate < 4 ? chain.light.newWallet() : one.wallet
    const carried = fate >= 4 && fate < 8 ? null : reference
    const paid = fate >= 90 ? units + 1_000_000n : fate >= 75 ? units / 2n : units
    if (paid <= 0n) return
    note(`${wallet} pays ${paid} for ${id} in ${chain.pay(paid, { wallet, reference: carried })}`)
    one.paid += 1
    if (one.paid > 2 || random.chance(0.6)) this.#forget(one)
  }

  #say(
    one: Remittance,
    method: string,
    path: string,
    document: unknown,
    onAnswer: (answer: Answer) => void,
  ): void {
    const { network, stamp, note } = this.#options
    one.isWaiting = true
    network.send(signed(one.merchant.key, { method, path, at: stamp(), document }), (answer) => {
      one.isWaiting = false
      note(`remittance ${one.number} ${method} ${path}: ${answer?.status ?? 'no answer'}`)
      if (answer !== null) onAnswer(answer)
      // What was ordered and not answered may be there: its quote is used.
      else if (method === 'POST' && one.quote !== null) this.#forget(one)
    })
  }

  #expect({ status, text }: Answer, expected: readonly number[]): void {
    if (!expected.includes(status)) this.#options.problem(`a remittance was answered ${status} ${text}`)
  }

  #forget(one: Remittance): void {
    const at = this.#open.indexOf(one)
    if (at >= 0) this.#open.splice(at, 1)
  }
}
