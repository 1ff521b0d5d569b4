/** An outage of all rates that a merchant of a sandbox has asked for. */
import type { Instant } from '../../machines/time.ts'
import { type Row, sharedRow } from '../../persistence/store.ts'

export const rateOutageMs = 5 * 60_000

/** The fact that keeps until when it lasts. */
export function rateOutageFact(merchantId: string): string {
  return `rate_outage:${merchantId}`
}

export function rateOutageRow(merchantId: string) {
  return sharedRow('facts', { name: rateOutageFact(merchantId) })
}

export function isRateOut(fact: Row<'facts'> | null, at: Instant): boolean {
  return fact !== null && at < Number(fact.value)
}
