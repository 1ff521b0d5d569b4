/** What left the treasury: all transfers of one token in one transaction are one outflow. Pure. */
import type { Outflow } from '../chain-deposits.ts'
import type { EvmChain } from './chains.ts'
import type { ProvenTransaction } from './receipts.ts'
import { directTransfer } from './transfer-data.ts'

export function outflowsOf(
  { name }: EvmChain,
  { transactionId, transaction, height, at, outgoing }: ProvenTransaction,
): readonly Outflow[] {
  return [...Map.groupBy(outgoing, ({ token }) => token)].flatMap(([token, transfers]): Outflow[] => {
    const [first, ...others] = transfers
    if (first === undefined) return []
    const carried = directTransfer(transaction.input, first.to)
    return [
      {
        blockchain: name,
        transactionId,
        index: `out.${token}`,
        height: height.toString(),
        at,
        assetId: token,
        amount: transfers.reduce((sum, { units }) => sum + units, 0n),
        to: others.every(({ to }) => to === first.to) ? first.to : null,
        references: carried?.reference == null ? [] : [carried.reference],
      },
    ]
  })
}
