/** What a transaction took out of the treasury's token accounts: whichever way, its balances say it. Pure. */
import type { VersionedTransactionResponse } from '@solana/web3.js'
import type { Outflow } from '../chain-deposits.ts'
import { transferOf } from './credits.ts'
import { wholeTransaction } from './whole-transaction.ts'

export interface OutflowsOptions {
  readonly signature: string
  /** The token accounts that are counted. */
  readonly accounts: ReadonlySet<string>
}

/**
 * Transfers, burns, what a delegate took, and an account that was closed.
 *
 * @throws ChainFailed where the answer lacks what it takes to say so.
 */
export function outflowsOf(
  transaction: VersionedTransactionResponse,
  { signature, accounts }: OutflowsOptions,
): readonly Outflow[] {
  const whole = wholeTransaction(transaction, signature)
  if (whole === null) return []
  const { keys, balances, instructions, slot, at } = whole
  const nameOf = (index: number): string => keys[index]?.toBase58() ?? ''
  const lost = [...balances].flatMap(([account, { mint, before, after }]) => {
    const units = (before ?? 0n) - (after ?? 0n)
    return accounts.has(nameOf(account)) && units > 0n ? [{ account, mint, units }] : []
  })
  if (lost.length === 0) return []
  const transfers = instructions.flatMap((one) => transferOf(one, keys))
  return lost.map(({ account, mint, units }) => {
    const outgoing = transfers.filter(
      ({ source, destination }) => source === account && destination !== account,
    )
    const [only, ...others] = outgoing
    const receiver =
      only === undefined || others.length > 0 ? null : (balances.get(only.destination)?.owner ?? null)
    return {
      blockchain: 'SOLANA' as const,
      transactionId: signature,
      index: `out.${nameOf(account)}`,
      height: slot.toString(),
      at,
      assetId: mint,
      amount: units,
      to: receiver,
      references: [...new Set(outgoing.flatMap(({ references }) => references))],
    }
  })
}
