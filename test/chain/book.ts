/** What the node does with pages of deposits, without a node: stores cursor and credits, once each. */

import type { ChainAdapter, TransferRequest } from '../../chain/chain.ts'
import { type ChainDeposit, type ChainDepositPage, chainDepositIdentity } from '../../chain/chain-deposits.ts'
import { type FundableOrder, match, type Verdict } from '../../chain/matching.ts'
import { unrecorded } from '../../chain/recorded.ts'
import type { OrderStatus } from '../../machines/statuses.ts'
import type { LocalChain } from '../support/chains/local-chain.ts'

export class Book {
  readonly verdicts = new Map<string, Verdict>()
  readonly deposits = new Map<string, ChainDeposit>()
  readonly #orders = new Map<string, FundableOrder>()
  readonly #chain: LocalChain
  cursor: string
  scannedTo: number | null = null

  constructor(chain: LocalChain, cursor: string) {
    this.#chain = chain
    this.cursor = cursor
  }

  /** Another book that knows what this one does. */
  fork(): Book {
    const other = new Book(this.#chain, this.cursor)
    other.scannedTo = this.scannedTo
    for (const [id, order] of this.#orders) other.#orders.set(id, order)
    for (const [id, verdict] of this.verdicts) other.verdicts.set(id, verdict)
    for (const [id, deposit] of this.deposits) other.deposits.set(id, deposit)
    return other
  }

  open(request: TransferRequest): string {
    const { orderId, wallet, reference, amount, deadline } = request
    this.#orders.set(orderId, {
      id: orderId,
      blockchain: this.#chain.blockchain,
      assetId: this.#chain.asset.id,
      wallet,
      reference,
      expected: amount,
      received: 0n,
      status: 'CREATED',
      fundingDeadline: deadline,
    })
    return orderId
  }

  order(id: string): FundableOrder {
    const order = this.#orders.get(id)
    if (order === undefined) throw new Error(`no order ${id}`)
    return order
  }

  setStatus(id: string, status: OrderStatus): void {
    this.#orders.set(id, { ...this.order(id), status })
  }

  /** What was said of the deposits that name an order, in their order. */
  verdictsOf(id: string): readonly string[] {
    const { reference } = this.order(id)
    return [...this.deposits]
      .filter(([, deposit]) => deposit.references.includes(reference))
      .map(([identity]) => short(this.verdicts.get(identity)))
  }

  verdictOfTransaction(transactionId: string): readonly string[] {
    return [...this.deposits]
      .filter(([, deposit]) => deposit.transactionId === transactionId)
      .map(([identity]) => short(this.verdicts.get(identity)))
  }

  /** Reads until there is no more. The failure that ended it, or `null`. */
  async catchUp(adapter: ChainAdapter): Promise<string | null> {
    for (;;) {
      const page = await adapter.deposits(this.cursor)
      if (!page.ok) return page.failure.kind
      this.store(page.value)
      if (!page.value.more) return null
    }
  }

  /** What a step of the node commits at once. */
  store(page: ChainDepositPage): void {
    for (const [id, deposits] of Map.groupBy(page.deposits, ({ transactionId }) => transactionId)) {
      const known = [...this.deposits.values()].filter(({ transactionId }) => transactionId === id)
      for (const deposit of unrecorded(this.#chain.blockchain, deposits, known)) this.#take(deposit)
    }
    this.cursor = page.cursor
    this.scannedTo = page.scannedTo
  }

  #take(deposit: ChainDeposit): void {
    const identity = chainDepositIdentity(deposit)
    if (this.verdicts.has(identity)) return
    const orders = [...this.#orders.values()]
    const verdict = match(deposit, {
      byReference: orders.filter(({ reference }) => deposit.references.includes(reference)),
      byWallet: orders.filter(({ wallet, status }) => wallet === deposit.sender && status === 'CREATED'),
      archived: [],
    })
    this.verdicts.set(identity, verdict)
    this.deposits.set(identity, deposit)
    if (verdict.kind !== 'credit') return
    const order = this.order(verdict.orderId)
    const status = verdict.missing === 0n ? 'READY' : order.status
    this.#orders.set(order.id, { ...order, received: order.received + verdict.amount, status })
  }
}

function short(verdict: Verdict | undefined): string {
  if (verdict === undefined) return 'none'
  if (verdict.kind === 'ignore') return `ignore ${verdict.reason}`
  if (verdict.kind === 'exception') return `exception ${verdict.exception.reason}`
  const rest = verdict.exception === null ? '' : `, ${verdict.exception.reason} ${verdict.exception.amount}`
  return `credit ${verdict.amount}, missing ${verdict.missing}${rest}`
}
