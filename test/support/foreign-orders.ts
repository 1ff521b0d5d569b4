/** Foreign-currency orders in a world of orders: quotes, a chain that says what it is told, and what arrives on it. */
import { randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import { ChainDepositBook, type PageRecord } from '../../actors/chains/chain-deposits.ts'
import { recordBuilt } from '../../actors/chains/transactions.ts'
import type { MessageGuard } from '../../actors/orders/answers.ts'
import type { NewForeignOrder } from '../../actors/orders/foreign-creation.ts'
import type { OrderRegistry } from '../../actors/orders/registry.ts'
import { type Check, verify } from '../../actors/verification/verify.ts'
import type { ChainAdapter, Chains } from '../../chain/chain.ts'
import type { ChainDeposit } from '../../chain/chain-deposits.ts'
import type { Blockchain } from '../../machines/blockchains.ts'
import type { Instant } from '../../machines/time.ts'
import type { Reader, Row } from '../../persistence/store.ts'
import { commit, hourMs, journalKey, minuteMs, type OrderWorld, registryOf, shop } from './order-world.ts'

export const usdc = { symbol: 'USDC', id: 'the mint of USDC', decimals: 6 } as const
/** Others that orders can be paid in. */
const eurc = { symbol: 'EURC', id: 'the mint of EURC', decimals: 6 } as const
const stellarUsdc = { symbol: 'USDC', id: 'USDC of an issuer', decimals: 7 } as const
export const asset = 'USDC.SOLANA/6'
export const referenceKey = 'a key of references'
export const fundingWindowMs = 30 * minuteMs
export const wallet = 'wallet of Ana'

/** What an order of these tests asks for: 50 USDC, of which 1.50 are the fee, for 830.00 MXN and 0.25 left over. */
export const send = { minor: 50_000_000n, fee: 1_500_000n, price: 83_000n, rounding: 25n }

/** An adapter as far as orders ask for it: wallets are texts that begin with `wallet`. */
function fakeAdapter(blockchain: Blockchain, assets: ChainAdapter['assets'] = [usdc]): ChainAdapter {
  const unasked = () => Promise.reject(new Error('no order asks a chain for this'))
  return {
    blockchain,
    assets,
    keptFor: { network: 20_000, wallet: 20_000 },
    canonicalWallet: (address) => (address.trim().startsWith('wallet') ? address.trim() : null),
    readNetwork: unasked,
    readWallets: unasked,
    assemble: () => {
      throw new Error('no order asks a chain for this')
    },
    startCursor: unasked,
    deposits: unasked,
    unfinalizedChainDeposits: unasked,
    endpoints: 1,
    reader: () => {
      throw new Error('no order asks a chain for this')
    },
    refund: unasked,
    health: unasked,
    check: unasked,
    close: async () => {},
  }
}

export const chains: Chains = new Map([
  ['SOLANA', fakeAdapter('SOLANA', [usdc, eurc])],
  ['STELLAR', fakeAdapter('STELLAR', [stellarUsdc])],
  ['MONAD', fakeAdapter('MONAD')],
])

export interface ForeignPlay extends OrderWorld {
  /** A registry whose chains are on. */
  foreignOrders: OrderRegistry
  deposits: ChainDepositBook
  quote(changes?: Partial<Row<'quotes'>>): Promise<string>
  createForeign(changes?: Partial<NewForeignOrder>, guard?: MessageGuard): ReturnType<OrderRegistry['create']>
  /** A new order from a quote of its own. */
  foreign(changes?: Partial<NewForeignOrder>, quote?: Partial<Row<'quotes'>>): Promise<Row<'foreign_orders'>>
  /** The foreign side as it is. */
  side(orderId: string): Promise<Row<'foreign_orders'>>
  /** The first transaction is there. */
  build(orderId: string, text?: string): Promise<string>
  /** Reads a page from the chain, and that it is read up to now or to `scannedTo`. */
  read(
    deposits: readonly ChainDeposit[],
    scannedTo?: Instant | null,
    blockchain?: Blockchain,
  ): Promise<PageRecord>
  exceptions(kind: string): Promise<Row<'exceptions'>[]>
  /** Everything that has to hold, as `verify` has it: what does not. */
  problems(): Promise<Check[]>
}

export function playForeign(world: OrderWorld): ForeignPlay {
  const { store, clock } = world
  const context = { store, ...world.orders.context }
  const foreignOrders = registryOf(store, clock, () => world.expiry.mayExpire, {
    chains,
    referenceKey,
    fundingWindowMs,
  })
  const deposits = new ChainDepositBook(context)
  const quote = async (changes: Partial<Row<'quotes'>> = {}) => {
    const values = { ...newQuote(clock.now()), ...changes }
    await commit(store, [{ insert: 'quotes', values }])
    return values.id
  }
  const createForeign = async (changes: Partial<NewForeignOrder> = {}, guard?: MessageGuard) => {
    const quoteId = changes.quoteId ?? (await quote())
    const order = { ...newForeign(clock.now(), quoteId), ...changes }
    return foreignOrders.create(order, guard)
  }
  const side = async (orderId: string) => {
    const found = (await world.rows('foreign_orders')).find((one) => one.order_id === orderId)
    if (found === undefined) throw new Error(`There is no foreign order ${orderId}.`)
    return found
  }
  return {
    ...world,
    foreignOrders,
    deposits,
    quote,
    createForeign,
    side,
    async foreign(changes, quoted = {}) {
      const created = await createForeign({ ...changes, quoteId: await quote(quoted) })
      if (created.outcome !== 'created') throw new Error(created.outcome)
      return side(created.order.id)
    },
    async build(orderId, text = 'an unsigned transaction') {
      const { expected_minor, received_minor } = await side(orderId)
      const at = clock.now()
      return recordBuilt(context, {
        orderId,
        amount: expected_minor - received_minor,
        treasury: 'treasury',
        assembled: { transaction: text, signableUntil: at + 45_000, landsUntil: at + 120_000 },
      })
    },
    async read(page, scannedTo = clock.now(), blockchain = 'SOLANA') {
      const chain = chains.get(blockchain)
      if (chain === undefined) throw new Error(`There is no ${blockchain}.`)
      await deposits.begin(blockchain, '0')
      const from = (await deposits.cursor(blockchain))?.cursor ?? '0'
      const cursor = String(Number(from) + 1)
      return deposits.recordPage(chain, from, { deposits: page, cursor, more: false, scannedTo })
    },
    async exceptions(kind) {
      return (await world.rows('exceptions')).filter((one) => one.kind === kind)
    },
    async problems() {
      const { checks } = await verify({ reader: readerOf(world), journalKey })
      return checks.filter(({ ok }) => !ok)
    },
  }
}

/** Nothing is written while a test looks. */
function readerOf({ store }: OrderWorld): Reader {
  return {
    engine: store.engine,
    snapshot: (read) => read((statement, args) => store.query(statement, args)),
    async *damages() {
      yield []
    },
    async *brokenReferences() {
      yield []
    },
    close: async () => {},
  }
}

function newQuote(at: Instant): Row<'quotes'> {
  return {
    id: randomUUID(),
    merchant_id: shop.id,
    blockchain: 'SOLANA',
    send_currency: 'USDC',
    asset_id: usdc.id,
    asset_decimals: usdc.decimals,
    send_minor: send.minor,
    fee_minor: send.fee,
    target_country: 'MX',
    target_currency: 'MXN',
    order_price_minor: send.price,
    rounding_minor: send.rounding,
    rate: '17.12',
    rate_source: 'fixed',
    rate_at: at,
    evidence_json: '{}',
    created_at: at,
    expires_at: at + 5 * minuteMs,
    order_id: null,
  }
}

let made = 0

function newForeign(at: Instant, quoteId: string): NewForeignOrder {
  return {
    merchant: shop,
    orderType: 'ForeignCurrencyOrder',
    quoteId,
    wallet,
    merchantOrderId: `foreign-${++made}`,
    description: 'Money for Ana',
    notifyUrl: 'https://shop.example/hooks',
    returnUrl: 'https://shop.example/done',
    consumerEmail: 'ana@example.com',
    consumerPhoneNumber: '',
    expiryAt: at + 24 * hourMs,
  }
}

/** A deposit that funds an order in time, but for what is changed. */
export function chainDepositFor(
  { reference, wallet: sender, expected_minor, asset_id }: Row<'foreign_orders'>,
  at: Instant,
  changes: Partial<ChainDeposit> = {},
): ChainDeposit {
  return {
    blockchain: 'SOLANA',
    transactionId: randomUUID(),
    index: '0',
    height: '1000',
    at,
    assetId: asset_id,
    symbol: 'USDC',
    amount: expected_minor,
    sender,
    references: [reference],
    flags: [],
    evidence: {},
    ...changes,
  }
}

/** @param problems of `verify` */
export function assertSound(problems: readonly Check[], after = ''): void {
  assert.equal(problems, [], after)
}
