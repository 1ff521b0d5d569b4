/** Final deposits page by page, and those of blocks that are not final yet. */

import type { ChainFailure, Outcome } from '../chain.ts'
import { type ChainDeposit, type ChainDepositPage, chainDepositIdentity } from '../chain-deposits.ts'
import { Doubts } from '../doubts.ts'
import { Repeats } from '../repeats.ts'
import { type BlockHeader, readKnownHeader, readTransaction, type TransferLog } from './answers.ts'
import { BalanceCheck, type Span } from './balances.ts'
import { chainDepositOf } from './credits.ts'
import { advance, type Cursor, readCursor, writeCursor } from './cursor.ts'
import { RpcFailed } from './json-rpc.ts'
import { isOlder, readNewTransfers, readTransfersFrom, type Transfers } from './logs.ts'
import { Memory } from './memory.ts'
import { blockCall, type EvmEndpoint, type EvmNetwork } from './network.ts'
import { outflowsOf } from './outflows.ts'
import { named, type ProvenTransaction, prove, transactionCall } from './receipts.ts'

export class EvmChainDeposits {
  readonly #network: EvmNetwork
  readonly #repeats = new Repeats()
  readonly #memory = new Memory()
  readonly #doubts: Doubts

  constructor(network: EvmNetwork) {
    this.#network = network
    this.#doubts = new Doubts(network.clock)
  }

  async startCursor(): Promise<Outcome<string, ChainFailure>> {
    return await this.#network.askAtHead(async (_, { height, at }) =>
      writeCursor({ settled: { height, at }, read: height, marks: [], pages: 0 }),
    )
  }

  async page(cursorText: string): Promise<Outcome<ChainDepositPage, ChainFailure>> {
    const cursor = readCursor(cursorText)
    this.#repeats.asked(cursorText)
    const outcome = await this.#network.askAtHead(async (endpoint, head) => {
      if (isOlder(this.#network.chain, head, cursor.settled))
        throw new RpcFailed(
          'inconsistent',
          `is behind: its last final block is ${head.height}, and ${cursor.settled.height} was read already.`,
        )
      if (head.height <= cursor.read) return nothingNew(cursor)
      try {
        return await this.#readPage(endpoint, cursor, head)
      } catch (error) {
        // One of the answers was wrong, and nobody knows which. Only what was not answered yet is asked for alone.
        if (error instanceof RpcFailed && error.kind !== 'rate_limited') this.#memory.clear()
        throw error
      }
    })
    if (outcome.ok) this.#memory.clear()
    return outcome
  }

  async #readPage(endpoint: EvmEndpoint, cursor: Cursor, head: BlockHeader): Promise<ChainDepositPage> {
    const transfers = await readTransfersFrom(this.#network, endpoint, head, cursor)
    if (transfers === null) return nothingNew(cursor)
    const to = this.#lastBlockOf(transfers)
    const inPage = ({ height }: TransferLog): boolean => height <= to
    const listed = [...transfers.incoming, ...transfers.outgoing].filter(inPage)
    const unknown = new Set(
      listed.filter((transfer) => !this.#isStored(transfer)).map(({ transactionId }) => transactionId),
    )
    const heights = new Set(
      listed.filter(({ transactionId }) => unknown.has(transactionId)).map(({ height }) => height),
    )
    // The balances are those of blocks: whatever else is listed of one is proved with it.
    const inBlocks = listed.filter(({ height }) => heights.has(height))
    const proven = await prove(this.#network, endpoint, inBlocks, this.#memory)
    const news = proven.filter(({ transactionId }) => unknown.has(transactionId))
    const span = {
      from: transfers.from.height,
      to,
      incoming: transfers.incoming.filter(inPage),
      outgoing: transfers.outgoing.filter(inPage),
    }
    const deposits = await this.#chainDepositsOf(endpoint, news, proven, span)
    const outflows = news.flatMap((transaction) => outflowsOf(this.#network.chain, transaction))
    const last = proven.find(({ height }) => height === to)
    const end = { height: to, at: last?.at ?? transfers.to.at }
    const read = {
      head: transfers.head,
      to: to < transfers.to.height ? end : transfers.to,
      hasChainDeposits: deposits.length > 0 || outflows.length > 0,
    }
    const next = advance(cursor, read, this.#network.chain.disagreementMs)
    const page = {
      deposits,
      outflows,
      cursor: writeCursor(next),
      more: to < transfers.head.height,
      scannedTo: next.settled.at,
    }
    this.#repeats.handed(page.cursor, [...unknown])
    return page
  }

  #isStored({ transactionId }: TransferLog): boolean {
    return this.#repeats.isStored(transactionId)
  }

  /**
   * The last block, or that behind which the next one would be too much for a page. Blocks are not divided:
   * one with more transactions than a page has is a page of its own.
   */
  #lastBlockOf({ to, incoming }: Transfers): number {
    const transactions = new Set<string>()
    let complete: number | null = null
    let current: number | null = null
    for (const transfer of incoming) {
      if (this.#isStored(transfer)) continue
      if (transfer.height !== current) complete = current
      current = transfer.height
      transactions.add(transfer.transactionId)
      if (transactions.size > this.#network.pageSize && complete !== null) return complete
    }
    return to.height
  }

  async #chainDepositsOf(
    endpoint: EvmEndpoint,
    news: readonly ProvenTransaction[],
    proven: readonly ProvenTransaction[],
    listed: Span,
  ): Promise<readonly ChainDeposit[]> {
    if (news.every(({ incoming }) => incoming.length === 0)) return []
    const check = new BalanceCheck(this.#network, endpoint, this.#memory)
    const verdict = await check.verdicts(listed, proven)
    const deposits = news.flatMap(({ transaction, at, incoming }) =>
      incoming.map((transfer) =>
        chainDepositOf(this.#network, { transfer, transaction, at, balance: verdict(transfer) }),
      ),
    )
    this.#doubtUnexplained(endpoint, deposits)
    return deposits
  }

  /** Blocks whose balances do not fit may be blocks of which an answer left something out. */
  #doubtUnexplained({ rpc }: EvmEndpoint, deposits: readonly ChainDeposit[]): void {
    const unexplained = deposits.filter(({ flags }) => flags.includes('unexplained'))
    const inDoubt = unexplained.filter((deposit) => {
      const said = [deposit.amount, deposit.sender].join(' ')
      return !this.#doubts.isBelieved(chainDepositIdentity(deposit), rpc.host, said)
    })
    const [first] = inDoubt
    if (first !== undefined)
      throw new RpcFailed(
        'inconsistent',
        `tells of transfers in block ${first.height} that the treasury's balance does not bear out. ` +
          `It is asked again; add another endpoint to ${this.#network.setting('rpc')}.`,
      )
    for (const deposit of unexplained) this.#doubts.settle(chainDepositIdentity(deposit))
  }

  async unfinalized(): Promise<Outcome<readonly ChainDeposit[], ChainFailure>> {
    return await this.#network.askAtHead(async (endpoint, head) => {
      const [latest] = await endpoint.rpc.results([blockCall('latest')])
      const newest = readKnownHeader(latest).height
      const from = Math.max(head.height + 1, newest - endpoint.logRange.blocks + 1)
      if (from > newest) return []
      const transfers = await readNewTransfers(this.#network, endpoint, { from, to: newest })
      const some = named(transfers.slice(0, this.#network.pageSize))
      const results = await endpoint.rpc.results(some.map(transactionCall))
      return some.flatMap((transfer, index) => {
        const transaction = readTransaction(results[index])
        // Blocks that are not final may be replaced between two questions.
        if (transaction?.blockHash !== transfer.blockHash) return []
        const credit = { transfer, transaction, at: transfer.at ?? head.at, balance: 'agrees' as const }
        return [chainDepositOf(this.#network, credit)]
      })
    })
  }
}

/** The end of a pass, and nothing to tell: the next one begins where the blocks are settled. */
function nothingNew(cursor: Cursor): ChainDepositPage {
  const next = { ...cursor, read: cursor.settled.height }
  return { deposits: [], cursor: writeCursor(next), more: false, scannedTo: cursor.settled.at }
}
