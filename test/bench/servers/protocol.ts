/** What the bench and the servers it measures say to each other, and what both know. */
import type { Credential } from '../load.ts'

export type Question = { ask: 'codes'; limit: number } | { ask: 'memory' } | { ask: 'stop' }

export type Reply =
  | { told: 'ready'; port: number; startMs: number }
  | { told: 'codes'; codes: string[] }
  | { told: 'memory'; residentMb: number }

export const merchant: Credential = {
  header: 'Merchant-Key',
  key: 'mk_bench',
  secret: 'the secret of the merchant in the bench',
}

export const provider: Credential = {
  header: 'Provider-Key',
  key: 'pk_bench',
  secret: 'the secret of the provider in the bench',
}

export const networkId = '0001'

export function reply(message: Reply): void {
  process.send?.(message)
}
