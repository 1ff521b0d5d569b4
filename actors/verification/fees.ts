/** What an order costs and earns: as its terms say of its price, and as its journal says it was agreed on. */
import { feeOf } from '../../machines/fees.ts'
import type { OrderEvent } from '../../machines/order.ts'
import type { Row } from '../../persistence/store.ts'
import { commissionAfter, noCommission } from '../orders/fees.ts'
import { feeTermsOf } from '../terms/in-force.ts'
import type { OrderFacts } from './order-facts.ts'

/** What is wrong with an order's fee and commission, one sentence each. */
export function feeProblems(facts: OrderFacts): string[] {
  const { order } = facts
  const problems = [
    ...amountProblems(facts, 'fee', order.fee_terms_id, [order.fee_minor, order.fee_tax_minor]),
    ...amountProblems(facts, 'commission', order.commission_terms_id, [
      order.commission_minor,
      order.commission_tax_minor,
    ]),
  ]
  const agreed = agreedCommission(facts)
  const isAgreed =
    agreed.commission_terms_id === order.commission_terms_id &&
    agreed.commission_minor === order.commission_minor &&
    agreed.commission_tax_minor === order.commission_tax_minor
  return isAgreed ? problems : [...problems, 'its commission is not what its journal says']
}

function amountProblems(
  { order, terms }: OrderFacts,
  kind: Row<'fee_terms'>['kind'],
  id: string | null,
  [amountMinor, taxMinor]: readonly [bigint, bigint],
): string[] {
  if (id === null) return amountMinor + taxMinor === 0n ? [] : [`it has a ${kind}, and no terms for it`]
  // Of an order in the archive, whose terms are elsewhere.
  if (terms === null) return []
  const found = terms.get(id)
  if (found === undefined) return [`the terms of its ${kind} are gone`]
  const isAbout =
    kind === 'fee' ? found.party_id === order.merchant_id : found.party_id === order.lock_provider_id
  if (
    found.kind !== kind ||
    !isAbout ||
    found.currency !== order.currency ||
    found.direction !== order.direction
  )
    return [`the terms of its ${kind} are about something else`]
  const expected = feeOf(feeTermsOf(found), order.price_minor)
  if (expected.feeMinor === amountMinor && expected.taxMinor === taxMinor) return []
  return [
    `its ${kind} is ${amountMinor} and ${taxMinor} of tax, its terms say ${expected.feeMinor} and ${expected.taxMinor}`,
  ]
}

/** Nobody can change it there without the journal's key. */
function agreedCommission({ order, journal }: OrderFacts) {
  let agreed: ReturnType<typeof commissionAfter> = noCommission
  for (const { event_json, entry_at, outcome } of journal) {
    if (outcome !== 'accepted') continue
    const event: OrderEvent = { ...JSON.parse(event_json), at: entry_at }
    const isReleased = event.type === 'payment.cancel'
    agreed = commissionAfter(agreed, event, !isReleased)
  }
  // An order that nobody holds, or has held at its end, has none.
  return order.lock_provider_id === null ? noCommission : agreed
}
