/** What a transaction took out of the treasury's token accounts: whichever way, its balances say it. Pure. */
import type { VersionedTransactionResponse } from '@solana/web3.js'
import type { Outflow } from '../chain.ts'
import { instructionsOf, keysOf, transferOf } from './credits.ts'

export interface OutflowsOptions {
  readonly signature: string
  /** The token accounts that are counted. */
  readonly accounts: ReadonlySet<string>
}

/** Transfers, burns, what a delegate took, and an account that was closed. */
export function outflowsOf(
  transaction: VersionedTransactionResponse,
  { signature, accounts }: OutflowsOptions,
): readonly Outflow[] {
  const { meta, slot, blockTime } = transaction
  if (meta === null || meta.err !== null) return []
  const keys = keysOf(transaction, meta)
  const nameOf = (index: number): string => keys[index]?.toBase58() ?? ''
  const lost = (meta.preTokenBalances ?? []).flatMap((before) => {
    if (!accounts.has(nameOf(before.accountIndex))) return []
    const after = meta.postTokenBalances?.find(({ accountIndex }) => accountIndex === before.accountIndex)
    const units = BigInt(before.uiTokenAmount.amount) - BigInt(after?.uiTokenAmount.amount ?? '0')
    return units > 0n ? [{ account: before.accountIndex, mint: before.mint, units }] : []
  })
  if (lost.length === 0) return []
  const transfers = instructionsOf(transaction, meta, keys).flatMap((one) => transferOf(one, keys))
  return lost.map(({ account, mint, units }) => {
    const outgoing = transfers.filter(
      ({ source, destination }) => source === account && destination !== account,
    )
    const [only, ...others] = outgoing
    const receiver =
      only === undefined || others.length > 0
        ? null
        : (meta.postTokenBalances?.find(({ accountIndex }) => accountIndex === only.destination)?.owner ??
          null)
    return {
      blockchain: 'SOLANA' as const,
      transactionId: signature,
      index: `out.${nameOf(account)}`,
      height: slot.toString(),
      at: typeof blockTime === 'number' ? blockTime * 1000 : null,
      assetId: mint,
      amount: units,
      to: receiver,
      references: [...new Set(outgoing.flatMap(({ references }) => references))],
    }
  })
}
