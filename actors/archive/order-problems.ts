/** Everything `verify` holds of one order: what enters the archive holds, and still holds whenever it is read there. */
import { feeProblems } from '../verification/fees.ts'
import { placeProblems } from '../verification/money.ts'
import type { OrderFacts } from '../verification/order-facts.ts'
import { journalProblems, orderProblems, webhookProblems } from '../verification/orders.ts'

export function problemsOf(facts: OrderFacts, journalKey: string): string[] {
  return [
    ...placeProblems(facts),
    ...feeProblems(facts),
    ...orderProblems(facts),
    ...journalProblems(facts, journalKey),
    ...webhookProblems(facts),
  ]
}
