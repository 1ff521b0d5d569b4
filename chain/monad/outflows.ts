/** What left the treasury: all transfers of one token in one transaction are one outflow. */
import type { Outflow } from '../chain.ts'
import { readHeader, readTransaction, type TransferLog } from './answers.ts'
import { type Call, resultOf } from './json-rpc.ts'
import type { Memory } from './memory.ts'
import { blockCall, type MonadEndpoint } from './network.ts'
import { directTransfer } from './transfer-data.ts'

export async function outflowsOf(
  endpoint: MonadEndpoint,
  memory: Memory,
  transfers: readonly TransferLog[],
): Promise<readonly Outflow[]> {
  const sums = new Map<string, TransferLog[]>()
  for (const transfer of transfers) {
    const key = `${transfer.transactionId} ${transfer.token}`
    const together = sums.get(key) ?? []
    // A server may list a log twice.
    if (!together.some(({ index }) => index === transfer.index)) sums.set(key, [...together, transfer])
  }
  const groups = [...sums.values()]
  const calls = groups.flatMap(([transfer]) => (transfer === undefined ? [] : [callOf(transfer)]))
  const inputs = await memory.ask(endpoint, calls)
  const blocks = await memory.ask(
    endpoint,
    groups.flatMap(([transfer]) => (transfer === undefined ? [] : [blockCall(transfer.height)])),
  )
  return groups.flatMap((group, place): Outflow[] => {
    const [first, ...others] = group
    const [input, block] = [inputs[place], blocks[place]]
    if (first === undefined || input === undefined || block === undefined) return []
    const transaction = readTransaction(resultOf(input))
    const carried = transaction === null ? null : directTransfer(transaction.input, first.to)
    return [
      {
        blockchain: 'MONAD',
        transactionId: first.transactionId,
        index: `out.${first.token}`,
        height: first.height.toString(),
        at: first.at ?? readHeader(resultOf(block))?.at ?? null,
        assetId: first.token,
        amount: group.reduce((sum, { units }) => sum + units, 0n),
        to: others.every(({ to }) => to === first.to) ? first.to : null,
        references: carried?.reference == null ? [] : [carried.reference],
      },
    ]
  })
}

function callOf({ transactionId }: TransferLog): Call {
  return { method: 'eth_getTransactionByHash', params: [transactionId] }
}
