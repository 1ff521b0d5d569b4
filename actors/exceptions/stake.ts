/** What of the ledger an exception holds: it waits in the suspense of its currency until somebody has resolved it. */

export interface AtStake {
  /** `null` where the ledger does not carry it: an unknown token, or more than it can. */
  currency: string | null
  /** Smallest units, decimal text; below zero where the treasury has lost it. */
  minor: string
}

/** What an exception's evidence says is at stake; `null` where it holds nothing of the ledger. */
export function stakeOf(evidenceJson: string): { currency: string; minor: bigint } | null {
  const { stake }: { stake?: AtStake } = JSON.parse(evidenceJson)
  if (stake === undefined || stake.currency === null) return null
  return { currency: stake.currency, minor: BigInt(stake.minor) }
}
