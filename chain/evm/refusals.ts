/** Refusals of this chain in words that merchants and operators may read. */

import type { BuildRefusal, BuildRefusalKind, ChainFailureKind, Outcome } from '../chain.ts'
import type { EvmChain } from './chains.ts'

export function refused(
  kind: BuildRefusalKind,
  retryable: boolean,
  message: string,
): Outcome<never, BuildRefusal> {
  return { ok: false, failure: { kind, retryable, message } }
}

export function walletInvalid({ title }: EvmChain, wallet: string): Outcome<never, BuildRefusal> {
  return refused('wallet_invalid', false, `The wallet ${wallet} is not an address that can sign on ${title}.`)
}

export function assetUnknown({ title }: EvmChain, name: string): Outcome<never, BuildRefusal> {
  return refused('asset_unknown', false, `${name} is not an asset of this node on ${title}.`)
}

export function amountInvalid(amount: bigint, name: string): Outcome<never, BuildRefusal> {
  return refused('amount_invalid', false, `An amount of ${amount} units of ${name} cannot be sent.`)
}

/** Says which way the chain could not be read, and not which endpoint: merchants read it too. */
export function unreadableChain({ title }: EvmChain, kind: ChainFailureKind): Outcome<never, BuildRefusal> {
  return refused('rpc_unavailable', true, `${title} cannot be read at the moment (${kind}).`)
}
