/**
 * What listed transactions did, by their receipts and by the headers of their blocks. A list of logs only says where
 * to look: money moves on what the transaction, its receipt and the final block at that height say alike.
 */
import type { Instant } from '../../machines/time.ts'
import { transferNames } from '../transfer-names.ts'
import {
  contentOf,
  type IncludedTransaction,
  type Receipt,
  readBlock,
  readReceipt,
  readTransaction,
  type TransferLog,
} from './answers.ts'
import { type Call, RpcFailed, resultOf } from './json-rpc.ts'
import { incomingOf, outgoingOf, transferFilter } from './logs.ts'
import type { Memory } from './memory.ts'
import { blockCall, type EvmEndpoint, type EvmNetwork } from './network.ts'

/** A transfer to the treasury, and what it is called for ever. */
export interface NamedTransfer extends TransferLog {
  readonly name: string
}

/** A transaction of a final block. */
export interface ProvenTransaction {
  readonly transactionId: string
  readonly transaction: IncludedTransaction
  readonly height: number
  /** Chain time of its block. */
  readonly at: Instant
  readonly incoming: readonly NamedTransfer[]
  readonly outgoing: readonly TransferLog[]
}

/**
 * The transactions of these listed transfers, each once and in their order.
 *
 * @throws RpcFailed (`inconsistent`) where the answers do not agree with each other.
 */
export async function prove(
  network: EvmNetwork,
  endpoint: EvmEndpoint,
  listed: readonly TransferLog[],
  memory: Memory,
): Promise<readonly ProvenTransaction[]> {
  const byTransaction = Map.groupBy(listed, ({ transactionId }) => transactionId)
  const calls = [...new Map(listed.flatMap(callsFor).map((call) => [JSON.stringify(call), call])).values()]
  const results = (await memory.ask(endpoint, calls)).map(resultOf)
  const answers = new Map(calls.map((call, index) => [JSON.stringify(call), results[index]]))
  const answerTo = (call: Call): unknown => answers.get(JSON.stringify(call)) ?? null
  return [...byTransaction.values()].map((transfers) => {
    const [first] = transfers
    if (first === undefined) throw new Error('a group of nothing')
    const transaction = readTransaction(answerTo(transactionCall(first)))
    const receipt = readReceipt(answerTo(receiptCall(first)), transferFilter(network))
    const block = readBlock(answerTo(blockCall(first.height)))
    assertAlike(network, first, { transaction, receipt, block })
    if (transaction === null || receipt === null || block === null) throw disagreement(network, first)
    const said = new Set(receipt.transfers.map((transfer) => contentOf(transfer).join(' ')))
    for (const transfer of transfers)
      if (transfer.blockHash !== receipt.blockHash || !said.has(contentOf(transfer).join(' ')))
        throw disagreement(network, transfer)
    return {
      transactionId: receipt.transactionId,
      transaction,
      height: receipt.height,
      at: block.at,
      incoming: named(incomingOf(network, receipt.transfers)),
      outgoing: outgoingOf(network, receipt.transfers),
    }
  })
}

interface Answers {
  readonly transaction: IncludedTransaction | null
  readonly receipt: Receipt | null
  readonly block: ReturnType<typeof readBlock>
}

function assertAlike(
  network: EvmNetwork,
  listed: TransferLog,
  { transaction, receipt, block }: Answers,
): void {
  const { transactionId, height, blockHash } = listed
  const isListed =
    receipt?.transactionId === transactionId &&
    receipt.isDone &&
    receipt.height === height &&
    receipt.blockHash === blockHash
  const isSame =
    transaction?.blockHash === blockHash &&
    transaction.from === receipt?.from &&
    transaction.to === receipt.to
  const isInBlock =
    block?.hash === blockHash && block.height === height && block.transactionIds.has(transactionId)
  if (!isListed || !isSame || !isInBlock) throw disagreement(network, listed)
}

export function named(transfers: readonly TransferLog[]): readonly NamedTransfer[] {
  const names = transferNames(transfers.map(contentOf))
  return transfers.map((transfer, index) => ({ ...transfer, name: names[index] ?? '' }))
}

function callsFor(transfer: TransferLog): readonly Call[] {
  return [transactionCall(transfer), receiptCall(transfer), blockCall(transfer.height)]
}

export function transactionCall({ transactionId }: TransferLog): Call {
  return { method: 'eth_getTransactionByHash', params: [transactionId] }
}

function receiptCall({ transactionId }: TransferLog): Call {
  return { method: 'eth_getTransactionReceipt', params: [transactionId] }
}

function disagreement(network: EvmNetwork, { transactionId }: TransferLog): RpcFailed {
  return new RpcFailed(
    'inconsistent',
    `lists transaction ${transactionId}, and its receipt, its block or the transaction itself say otherwise ` +
      `(a pool whose members disagree). It is asked again; add another endpoint to ${network.setting('rpc')}.`,
  )
}
