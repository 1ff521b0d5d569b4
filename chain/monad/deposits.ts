/** Final deposits page by page, and those of blocks that are not final yet. */
import type { ChainFailure, Deposit, DepositPage, Outcome } from '../chain.ts'
import { Repeats } from '../repeats.ts'
import {
  type BlockHeader,
  readHeader,
  readKnownHeader,
  readTransaction,
  type TransferLog,
} from './answers.ts'
import { BalanceCheck } from './balances.ts'
import { type BalanceVerdict, depositOf } from './credits.ts'
import { advance, type Cursor, readCursor, writeCursor } from './cursor.ts'
import { type Call, RpcFailed, resultOf } from './json-rpc.ts'
import { disagreementMs, isOlder, readNewTransfers, readTransfersFrom, type Transfers } from './logs.ts'
import { Memory } from './memory.ts'
import { blockCall, type MonadEndpoint, type MonadNetwork } from './network.ts'
import { outflowsOf } from './outflows.ts'

export class MonadDeposits {
  readonly #network: MonadNetwork
  readonly #repeats = new Repeats()
  readonly #memory = new Memory()

  constructor(network: MonadNetwork) {
    this.#network = network
  }

  async startCursor(): Promise<Outcome<string, ChainFailure>> {
    return await this.#network.askAtHead(async (_, { height, at }) =>
      writeCursor({ settled: { height, at }, read: height, marks: [], pages: 0 }),
    )
  }

  async page(cursorText: string): Promise<Outcome<DepositPage, ChainFailure>> {
    const cursor = readCursor(cursorText)
    this.#repeats.asked(cursorText)
    const outcome = await this.#network.askAtHead(async (endpoint, head) => {
      if (isOlder(head, cursor.settled))
        throw new RpcFailed(
          'inconsistent',
          `is behind: its last final block is ${head.height}, and ${cursor.settled.height} was read already.`,
        )
      if (head.height <= cursor.read) return nothingNew(cursor)
      try {
        return await this.#readPage(endpoint, cursor, head)
      } catch (error) {
        // One of the answers was wrong, and nobody knows which.
        if (error instanceof RpcFailed && error.kind === 'inconsistent') this.#memory.clear()
        throw error
      }
    })
    if (outcome.ok) this.#memory.clear()
    return outcome
  }

  async #readPage(endpoint: MonadEndpoint, cursor: Cursor, head: BlockHeader): Promise<DepositPage> {
    const transfers = await readTransfersFrom(this.#network, endpoint, head, cursor)
    if (transfers === null) return nothingNew(cursor)
    const to = this.#lastBlockOf(transfers)
    const inPage = ({ height }: TransferLog): boolean => height <= to
    const span = {
      from: transfers.from.height,
      to,
      incoming: transfers.incoming.filter(inPage),
      outgoing: transfers.outgoing.filter(inPage),
    }
    const unknown = span.incoming.filter((transfer) => !this.#repeats.isStored(idOf(transfer)))
    const check = new BalanceCheck(this.#network, endpoint, this.#memory)
    const verdict = unknown.length === 0 ? () => 'agrees' as const : await check.verdicts(span)
    const deposits = await this.#depositsOf(endpoint, unknown, verdict)
    const outgoing = span.outgoing.filter((transfer) => !this.#repeats.isStored(idOf(transfer)))
    const outflows = await outflowsOf(endpoint, this.#memory, outgoing)
    const end = { height: to, at: deposits.at(-1)?.at ?? transfers.to.at }
    const read = {
      head: transfers.head,
      to: to < transfers.to.height ? end : transfers.to,
      hasDeposits: deposits.length > 0 || outflows.length > 0,
    }
    const next = advance(cursor, read, disagreementMs)
    const page = {
      deposits,
      outflows,
      cursor: writeCursor(next),
      more: to < transfers.head.height,
      scannedTo: next.settled.at,
    }
    this.#repeats.handed(page.cursor, [...unknown, ...outgoing].map(idOf))
    return page
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
      if (this.#repeats.isStored(idOf(transfer))) continue
      if (transfer.height !== current) complete = current
      current = transfer.height
      transactions.add(transfer.transactionId)
      if (transactions.size > this.#network.pageSize && complete !== null) return complete
    }
    return to.height
  }

  async #depositsOf(
    endpoint: MonadEndpoint,
    transfers: readonly TransferLog[],
    verdict: (transfer: TransferLog) => BalanceVerdict,
  ): Promise<readonly Deposit[]> {
    const calls = detailCalls(transfers)
    const results = (await this.#memory.ask(endpoint, calls)).map(resultOf)
    const details = new Map(calls.map((call, index) => [JSON.stringify(call), results[index]]))
    return transfers.map((transfer) => {
      const transaction = readTransaction(details.get(JSON.stringify(transactionCall(transfer))) ?? null)
      if (transaction?.blockHash !== transfer.blockHash) throw disagreement(transfer)
      const at = transfer.at ?? timeOf(transfer, details.get(JSON.stringify(blockCall(transfer.height))))
      return depositOf(this.#network, { transfer, transaction, at, balance: verdict(transfer) })
    })
  }

  async unfinalized(): Promise<Outcome<readonly Deposit[], ChainFailure>> {
    return await this.#network.askAtHead(async (endpoint, head) => {
      const [latest] = await endpoint.rpc.results([blockCall('latest')])
      const newest = readKnownHeader(latest).height
      const from = Math.max(head.height + 1, newest - endpoint.logRange.blocks + 1)
      if (from > newest) return []
      const transfers = await readNewTransfers(this.#network, endpoint, { from, to: newest })
      const some = transfers.slice(0, this.#network.pageSize)
      const results = await endpoint.rpc.results(some.map(transactionCall))
      return some.flatMap((transfer, index) => {
        const transaction = readTransaction(results[index])
        // Blocks that are not final may be replaced between two questions.
        if (transaction?.blockHash !== transfer.blockHash) return []
        const credit = { transfer, transaction, at: transfer.at ?? head.at, balance: 'agrees' as const }
        return [depositOf(this.#network, credit)]
      })
    })
  }
}

/** The end of a pass, and nothing to tell: the next one begins where the blocks are settled. */
function nothingNew(cursor: Cursor): DepositPage {
  const next = { ...cursor, read: cursor.settled.height }
  return { deposits: [], cursor: writeCursor(next), more: false, scannedTo: cursor.settled.at }
}

function detailCalls(transfers: readonly TransferLog[]): readonly Call[] {
  const calls = transfers.flatMap((transfer) => [
    transactionCall(transfer),
    // Not every server puts the block's time into its logs, and blocks are large.
    ...(transfer.at === null ? [blockCall(transfer.height)] : []),
  ])
  return [...new Map(calls.map((call) => [JSON.stringify(call), call])).values()]
}

function transactionCall({ transactionId }: TransferLog): Call {
  return { method: 'eth_getTransactionByHash', params: [transactionId] }
}

function timeOf(transfer: TransferLog, block: unknown): number {
  const header = readHeader(block ?? null)
  if (header?.hash !== transfer.blockHash) throw disagreement(transfer)
  return header.at
}

function disagreement({ transactionId }: TransferLog): RpcFailed {
  return new RpcFailed(
    'inconsistent',
    `lists transaction ${transactionId} and does not serve it in that block (a pool whose members disagree).`,
  )
}

function idOf({ transactionId, index }: TransferLog): string {
  return `${transactionId}/${index}`
}
