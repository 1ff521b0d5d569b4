/**
 * The workers of the chains that are on: for each one that scans deposits, one that builds transactions and one that
 * watches what is not final yet; and one that looks after the health of all.
 */
import type { Logger } from 'pino'
import type { ChainAdapter, Chains, TransferRequest } from '../../chain/chain.ts'
import type { Blockchain } from '../../machines/blockchains.ts'
import type { Instant } from '../../machines/time.ts'
import { ordersAwaiting, ordersSeen, ordersToBuild } from '../../persistence/queries/foreign-orders.ts'
import type { Row, Store } from '../../persistence/store.ts'
import type { ClockWatch } from '../condition/clock-watch.ts'
import type { Condition } from '../condition/condition.ts'
import type { PassResult } from '../foundation/worker.ts'
import type { AdvanceContext } from '../orders/advance.ts'
import { UnreadableOrder } from '../orders/unreadable-order.ts'
import { createChainDepositScanner } from './chain-deposit-scanner.ts'
import type { ChainDepositBook } from './chain-deposits.ts'
import { createChainHealth } from './chain-health.ts'
import {
  type ChainPart,
  type ChainProblem,
  type ChainStanding,
  createChainStanding,
} from './chain-standing.ts'
import { ChainValues } from './chain-values.ts'
import { countedPass } from './counted-pass.ts'
import { LostPlaces } from './lost-places.ts'
import { openOrdersByTreasury, treasuriesNamed } from './named-treasuries.ts'
import { createSightings } from './sightings.ts'
import { createTransactionBuilder } from './transaction-builder.ts'
import { type FreshTransactions, missingOf, recordBuildRefused, recordBuilt } from './transactions.ts'
import { type ChainTreasuries, TreasuryReading } from './treasuries.ts'
import { TreasuryBooks } from './treasury-books.ts'
import { TreasuryCounter } from './treasury-counter.ts'
import { createTreasuryWatch } from './treasury-watch.ts'

const unreadableRetryMs = 60_000

export interface ChainWorkersOptions extends AdvanceContext {
  readonly store: Store
  readonly chains: Chains
  readonly book: ChainDepositBook
  /** Of each chain that is on. */
  treasuriesOf(blockchain: Blockchain): ChainTreasuries
  readonly clock: { now(): Instant }
  readonly condition: Condition
  readonly clockWatch: Pick<ClockWatch, 'hear'>
  readonly log: Logger
  /** The pause between two looks at a chain. */
  pollMs(blockchain: Blockchain): number
}

export interface ChainWorkers {
  /** What a GET shows, from what the builders keep. */
  readonly fresh: FreshTransactions
  readonly passes: readonly {
    /** Its name: `deposits:SOLANA`, … */
    readonly id: string
    readonly pass: () => Promise<PassResult>
    /** The longest pause; passes say themselves when they are due. */
    readonly pollMs: number
  }[]
}

const healthEveryMs = 30_000
const longestPauseMs = 120_000

/** Of more waiting orders than this on one chain only the newest are kept ready, and those that somebody asks for. */
const maxWaiting = 5_000

export function createChainWorkers(options: ChainWorkersOptions): ChainWorkers {
  const { chains, clock, condition, log, clockWatch } = options
  const parts = [...chains.values()].map((chain) => {
    const { blockchain } = chain
    const pauseMs = options.pollMs(blockchain)
    const standing = createChainStanding({ blockchain, clock, condition, log, pauseMs })
    const treasuries = options.treasuriesOf(blockchain)
    const values = new ChainValues(chain)
    return {
      chain,
      standing,
      treasury: treasuries.current.name,
      reading: new TreasuryReading(treasuries),
      values,
      pollMs: pauseMs,
    }
  })
  const standings = new Map(parts.map(({ chain, standing }) => [chain.blockchain, standing]))
  const partOf = new Map(parts.map((part) => [String(part.chain.blockchain), part]))
  const health = createChainHealth({ chains, standings, clockWatch })
  return {
    fresh: {
      assemble(order, missing, at) {
        const part = partOf.get(order.blockchain)
        // One that it has not named yet is written down before it is offered.
        if (part === undefined || !treasuriesNamed(order).includes(part.treasury)) return null
        const outcome = part.values.assemble(requestOf(order, missing), at)
        return outcome.ok ? outcome.value : null
      },
    },
    passes: [
      ...parts.flatMap((part) => passesOf(part, options)),
      ...(parts.length === 0
        ? []
        : [
            { id: 'chains', pass: health, pollMs: healthEveryMs },
            { id: 'treasuries', pass: createTreasuryWatch(options), pollMs: healthEveryMs },
          ]),
    ],
  }
}

interface ChainParts {
  readonly chain: ChainAdapter
  readonly standing: ChainStanding
  readonly values: ChainValues
  /** The name of the one that transactions name. */
  readonly treasury: string
  readonly reading: TreasuryReading
  readonly pollMs: number
}

function passesOf(parts: ChainParts, options: ChainWorkersOptions): ChainWorkers['passes'] {
  const { chain, standing, reading, pollMs } = parts
  const { store, clock, book } = options
  const { blockchain } = chain
  const sightings = createSightings({
    chain: reading,
    clock,
    standing,
    pollMs,
    isWatched: async (now) =>
      (await store.query(ordersAwaiting, { blockchain, now, limit: 1 })).length > 0 ||
      (await store.query(ordersSeen, { blockchain })).length > 0,
    mark: (seen) => book.markSeen(blockchain, seen),
  })
  const named = (part: ChainPart, pass: () => Promise<PassResult>) => ({
    id: `${part}:${blockchain}`,
    pollMs: longestPauseMs,
    async pass() {
      try {
        return await pass()
      } catch (error) {
        standing.failed(part, defect(error))
        throw error
      }
    },
  })
  return [
    named('deposits', chainDepositsPass(parts, options)),
    named('transactions', transactionsPass(parts, options)),
    named('sightings', sightings),
  ]
}

/** Reads on, and counts what is there in between. */
function chainDepositsPass(
  { chain, standing, reading, treasury, pollMs }: ChainParts,
  { store, clock, book, log }: ChainWorkersOptions,
) {
  const { blockchain } = chain
  const books = new TreasuryBooks(store, blockchain)
  const scanner = createChainDepositScanner({
    reading,
    lost: new LostPlaces({ store, chain, books, treasury }),
    clock,
    standing,
    pollMs,
    cursor: async () => (await book.cursor(blockchain))?.cursor ?? null,
    begin: (cursor) => book.begin(blockchain, cursor),
    async record(page, from) {
      await book.recordPage(chain, from, page)
    },
    async namedByOrders(strangers) {
      const named = await openOrdersByTreasury(store, blockchain)
      return strangers.filter((name) => named.has(name))
    },
    setting: `chains.${blockchain}.formerTreasuries`,
  })
  const counter = new TreasuryCounter({
    chain,
    clock,
    books,
    log,
    standing: {
      failed: (problem) => standing.failed('treasury', problem),
      answered: () => standing.answered('treasury'),
    },
    scannedTo: async () => (await book.cursor(blockchain))?.scanned_to_at ?? null,
    async record(read) {
      const page = reading.sorted(read)
      const { deposits, outflows } = await book.unknownOf(chain, page)
      await book.recordFound(chain, page)
      return deposits.length + outflows.length
    },
  })
  return countedPass({
    scan: scanner,
    counter,
    clock,
    hasBegun: async () => (await book.cursor(blockchain)) !== null,
    countFailed(error) {
      log.error({ err: error, chain: blockchain }, 'a count of the treasury failed')
      return standing.failed('treasury', defect(error))
    },
  })
}

function transactionsPass(
  { chain, standing, values, treasury, reading }: ChainParts,
  { store, clock, book, ...rest }: ChainWorkersOptions,
) {
  const { blockchain } = chain
  const builder = { ...rest, store }
  /** Built orders that do not name the present treasury yet: their transaction is made anew. */
  let misnamed: TransferRequest[] = []
  return createTransactionBuilder({
    values,
    clock,
    standing,
    async isRead() {
      const stored = await book.cursor(blockchain)
      return stored !== null && reading.isReadFrom(stored.cursor)
    },
    async waiting(now) {
      const orders = await store.query(ordersAwaiting, { blockchain, now, limit: maxWaiting })
      misnamed = orders
        .filter(
          (order) =>
            order.transaction_minor === missingOf(order) && !treasuriesNamed(order).includes(treasury),
        )
        .map((order) => requestOf(order))
      return orders.map((order) => requestOf(order))
    },
    async due(now, limit) {
      const due = await store.query(ordersToBuild, { blockchain, now, limit })
      const others = misnamed.splice(0, Math.max(0, limit - due.length))
      return [...due.map((order) => requestOf(order)), ...others]
    },
    async built({ orderId, amount }, assembled) {
      try {
        await recordBuilt(builder, { orderId, amount, assembled, treasury })
      } catch (error) {
        if (!(error instanceof UnreadableOrder)) throw error
        // Others wait for their transactions; this one is told of as an order that cannot be worked on.
        const refusal = { kind: 'values_stale', retryable: true, message: error.message } as const
        await recordBuildRefused(builder, { orderId, refusal, retryAt: clock.now() + unreadableRetryMs })
      }
    },
    refused: ({ orderId }, refusal, retryAt) => recordBuildRefused(builder, { orderId, refusal, retryAt }),
  })
}

/** What was thrown is nothing a network did; its worker tries again, and logs it in full. */
function defect(error: unknown): ChainProblem {
  const message = `This node fails: ${error instanceof Error ? error.message : String(error)}`
  return { kind: 'unavailable', endpoint: 'this node', message, retryAfterMs: null }
}

/** What the order's end user is to send now. */
function requestOf(order: Row<'foreign_orders'>, missing = missingOf(order)): TransferRequest {
  return {
    wallet: order.wallet,
    symbol: order.send_currency,
    orderId: order.order_id,
    reference: order.reference,
    amount: missing,
    deadline: order.funding_deadline_at,
  }
}
