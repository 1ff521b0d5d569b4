/** Refusals of this chain in words that merchants and operators may read. */
import type { BuildRefusal, BuildRefusalKind, ChainFailure, Outcome } from '../chain.ts'

export function refused(
  kind: BuildRefusalKind,
  retryable: boolean,
  message: string,
): Outcome<never, BuildRefusal> {
  return { ok: false, failure: { kind, retryable, message } }
}

export function walletInvalid(wallet: string): Outcome<never, BuildRefusal> {
  return refused('wallet_invalid', false, `The wallet ${wallet} is not an address that can sign on Solana.`)
}

export function assetUnknown(symbol: string): Outcome<never, BuildRefusal> {
  return refused('asset_unknown', false, `The asset ${symbol} is not one of this node on Solana.`)
}

/** Says which way the chain could not be read, and not which endpoint: merchants read it too. */
export function unreadable(failure: ChainFailure): Outcome<never, BuildRefusal> {
  return refused('rpc_unavailable', true, `Solana cannot be read at the moment (${failure.kind}).`)
}
