/** Payments, statements and claims that an anchor tells of are in the database, as they were; or it is recorded that they were lost. */
import { currencyName, formatPrice } from '../../machines/money.ts'
import { formatInstant } from '../../machines/time.ts'
import { eventsOfClaim } from '../../persistence/queries/claims.ts'
import { exceptionById } from '../../persistence/queries/operations.ts'
import { lostPayment, paymentById } from '../../persistence/queries/payments.ts'
import { lostStatement, statementByNumber } from '../../persistence/queries/statements.ts'
import type { Query, Reader } from '../../persistence/store.ts'
import {
  type Anchor,
  type AnchoredClaim,
  type ClosedNumber,
  countBeside,
  type OrderedAmount,
} from './anchor.ts'
import { lastApprovalNumber } from './approval-numbers.ts'
import { claimLostId } from './lost-claims.ts'
import { stateToAnchor } from './mark-anchored.ts'

/** @returns what is wrong, one sentence each. */
export async function besideProblems(reader: Reader, anchor: Anchor): Promise<string[]> {
  if (countBeside(anchor) === 0) return []
  return reader.snapshot((query) => unknownBeside(query, anchor))
}

/** The same of one state of the database. */
export async function unknownBeside(
  query: Query,
  { at, payments, statements, claims, approval }: Anchor,
): Promise<string[]> {
  const by = `its anchor of ${formatInstant(at)}`
  const problems: (string | null)[] = []
  for (const payment of payments) problems.push(await paymentProblem(query, payment, by))
  for (const closed of statements) problems.push(await statementProblem(query, closed, by))
  for (const claim of claims) problems.push(await claimProblem(query, claim, by))
  const last = await lastApprovalNumber(query)
  if (approval > last) problems.push(`approval ${approval}: ${by} knows it, the database ends with ${last}`)
  return problems.filter((problem) => problem !== null)
}

async function paymentProblem(query: Query, ordered: OrderedAmount, by: string): Promise<string | null> {
  const [id, partyId, currency, amount, bank] = ordered
  const told = toldOf({ party_id: partyId, currency, amount_minor: BigInt(amount), bank })
  const [payment] = await query(paymentById, { id })
  const [found] = payment === undefined ? await query(lostPayment, { id }) : [payment]
  if (found === undefined) {
    return `payment ${id}: ${by} knows ${told}, the database does not, and it is not recorded as lost`
  }
  const here = toldOf(found)
  return here === told ? null : `payment ${id}: ${by} knows ${told}, the database ${here}`
}

function toldOf({
  party_id,
  currency,
  amount_minor,
  bank,
}: {
  party_id: string
  currency: string
  amount_minor: bigint
  bank: string
}): string {
  return `${formatPrice(amount_minor, currency)} ${currencyName(currency)} from ${bank} to ${party_id}`
}

async function claimProblem(query: Query, claim: AnchoredClaim, by: string): Promise<string | null> {
  const events = await query(eventsOfClaim, { claimId: claim.id })
  if (events.some(({ hash, to_state }) => hash === claim.head && stateToAnchor(to_state) === claim.state))
    return null
  const [lost] = await query(exceptionById, { id: claimLostId(claim) })
  if (lost !== undefined) return null
  return `claim ${claim.number}: ${by} knows that it is ${claim.state}, the database does not, and it is not recorded as lost`
}

async function statementProblem(
  query: Query,
  [partyId, currency, number]: ClosedNumber,
  by: string,
): Promise<string | null> {
  const key = { partyId, currency, number }
  const [found] = await query(statementByNumber, key)
  const [known] = found === undefined ? await query(lostStatement, key) : [found]
  if (known !== undefined) return null
  return `statement ${number} of ${partyId} in ${currency}: ${by} knows it, the database does not, and it is not recorded as lost`
}
