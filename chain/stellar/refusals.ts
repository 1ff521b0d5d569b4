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
  return refused('wallet_invalid', false, `The address ${wallet} is not an account (G…) that can sign here.`)
}

export function assetUnknown(asset: string): Outcome<never, BuildRefusal> {
  return refused('asset_unknown', false, `The asset ${asset} is not one of this node on Stellar.`)
}

export function amountInvalid(units: bigint, asset: string): Outcome<never, BuildRefusal> {
  return refused('amount_invalid', false, `An amount of ${units} units of ${asset} cannot be sent.`)
}

/** Says which way the chain could not be read, and not which endpoint: merchants read it too. */
export function unreadable(failure: ChainFailure): Outcome<never, BuildRefusal> {
  return refused('rpc_unavailable', true, `Stellar cannot be read at the moment (${failure.kind}).`)
}
