/** Answers of a Horizon that say something else than its network, and payments to its treasury. */
import { Memo } from '@stellar/stellar-sdk/base'
import type { GateRequest } from '../../support/chains/gate.ts'
import type { LocalStellar } from '../../support/chains/stellar/local.ts'
import { newReference } from '../asking.ts'

export function rewrite(chain: LocalStellar, change: ((path: string, answer: Answer) => void) | null): void {
  const apply = ({ path }: GateRequest, text: string): string => {
    const answer = JSON.parse(text)
    change?.(path, answer)
    return JSON.stringify(answer)
  }
  for (const gate of [chain.gate, chain.spareGate]) if (gate) gate.rewrite = change === null ? null : apply
}

export interface Answer {
  [member: string]: unknown
  _embedded?: { records: Record<string, unknown>[] }
}

export async function pay(chain: LocalStellar): Promise<string> {
  const wallet = await chain.newWallet(1n)
  const reference = newReference()
  chain.send(wallet, [chain.payment(1n)], { memo: Memo.hash(reference) })
  return reference
}
