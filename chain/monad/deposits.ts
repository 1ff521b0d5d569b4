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
import { type Cursor, readCursor, writeCursor } from './cursor.ts'
import { type Call, RpcFailed, resultOf } from './json-rpc.ts'
import { readNewTransfers, readTransfersFrom, type Transfers } from './logs.ts'
import { Memory } from './memory.ts'
import { blockCall, type MonadEndpoint, type MonadNetwork } from './network.ts'

/**
 * The newest final blocks are read again until this many follow them: half a minute, by which the back ends of
 * a pool may disagree. With what comes between two looks it fits into the 100 blocks of the public endpoints.
 */
const disagreementBlocks = 75

export class MonadDeposits {
  readonly #network: MonadNetwork
  readonly #repeats = new Repeats()
  readonly #memory = new Memory()

  constructor(network: MonadNetwork) {
    this.#network = network
  }

  async startCursor(): Promise<Outcome<string, ChainFailure>> {
    return await this.#network.askAtHead(async (_, { height, at }) =>
      writeCursor({ settled: height, read: height, readTo: at, pages: 0 }),
    )
  }

  async page(cursorText: string): Promise<Outcome<DepositPage, ChainFailure>> {
    const cursor = readCursor(cursorText)
    this.#repeats.asked(cursorText)
    const outcome = await this.#network.askAtHead(async (endpoint, head) => {
      if (cursor.settled - head.height > disagreementBlocks)
        throw new RpcFailed(
          'inconsistent',
          `is behind: its last final block is ${head.height}, and ${cursor.settled} was read already.`,
        )
      if (head.height <= cursor.read) return nothingNew(cursor)
      return await this.#readPage(endpoint, cursor, head)
    })
    if (outcome.ok) this.#memory.clear()
    return outcome
  }

  async #readPage(endpoint: MonadEndpoint, cursor: Cursor, head: BlockHeader): Promise<DepositPage> {
    const transfers = await readTransfersFrom(this.#network, endpoint, head, cursor.read + 1)
    const to = this.#lastBlockOf(transfers)
    const inPage = ({ height }: TransferLog): boolean => height <= to
    const incoming = transfers.incoming.filter(inPage)
    const unknown = incoming.filter((transfer) => !this.#repeats.isStored(idOf(transfer)))
    const check = new BalanceCheck(this.#network, endpoint, this.#memory)
    const verdict =
      unknown.length === 0
        ? () => 'agrees' as const
        : await check.verdicts({
            from: transfers.from.height,
            to,
            incoming,
            outgoing: transfers.outgoing.filter(inPage),
          })
    const deposits = await this.#depositsOf(endpoint, unknown, verdict)
    const next = advance(cursor, head, transfers, to, deposits.length > 0)
    const page = { deposits, cursor: writeCursor(next), more: to < head.height, scannedTo: next.readTo }
    this.#repeats.handed(page.cursor, unknown.map(idOf))
    return page
  }

  /** Blocks are not divided: one with more transactions than a page has is a page of its own. */
  #lastBlockOf({ to, incoming }: Transfers): number {
    const transactions = new Set<string>()
    const first = incoming.find((transfer) => !this.#repeats.isStored(idOf(transfer)))
    for (const transfer of incoming) {
      if (this.#repeats.isStored(idOf(transfer))) continue
      transactions.add(transfer.transactionId)
      if (transactions.size > this.#network.pageSize && transfer.height > (first?.height ?? 0))
        return transfer.height - 1
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
  const next = { ...cursor, read: cursor.settled }
  return { deposits: [], cursor: writeCursor(next), more: false, scannedTo: cursor.readTo }
}

/**
 * Blocks are settled when they have been read while so many others followed. Only a page that begins where the
 * settled blocks end can settle more of them: what an earlier page read, it read at an earlier head.
 */
function advance(
  cursor: Cursor,
  head: BlockHeader,
  transfers: Transfers,
  to: number,
  hasDeposits: boolean,
): Cursor {
  const isNext = cursor.read === cursor.settled
  const settled = isNext
    ? Math.max(cursor.settled, Math.min(to, head.height - disagreementBlocks))
    : cursor.settled
  // Everything before the page's first block is stored, and everything in it if all of it is settled.
  const readTo = settled === transfers.to.height ? transfers.to.at : transfers.from.at
  return {
    settled,
    read: to < head.height ? to : settled,
    readTo: isNext ? Math.max(cursor.readTo, readTo) : cursor.readTo,
    pages: cursor.pages + (hasDeposits ? 1 : 0),
  }
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
