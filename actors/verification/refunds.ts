/** What was claimed of pay-ins against the refunds that count: more is never given back than anybody knows of. */
import {
  endOfIds,
  refundablesAfter,
  refundClaimsBetween,
  refundExceptionsBetween,
  refundedBetween,
  refundedExceptionsBetween,
  refundsBetween,
} from '../../persistence/queries/refunds.ts'
import type { Reader, Row } from '../../persistence/store.ts'
import { holdsClaim, isPaidFor, newRefundable } from '../orders/refunds.ts'

type Ended = Pick<Row<'exceptions'>, 'order_id' | 'kind' | 'state' | 'resolution'>

/** What claims have booked of its cash. */
type Claimed = Row<'claimed_orders'> | null

/** A pay-in that something can be given back of, with what there is of it outside the archive. */
interface RefundFacts {
  payInId: string
  refundable: Row<'refundable'> | null
  payIn: Row<'orders'> | null
  payInExceptions: readonly Ended[]
  payInClaimed: Claimed
  refunds: readonly { order: Row<'orders'>; exceptions: readonly Ended[]; claimed: Claimed }[]
}

const perPage = 100

/** @returns how many pay-ins were looked at, and what is wrong with them, one sentence each */
export async function refundProblems(reader: Reader): Promise<{ payIns: number; problems: string[] }> {
  const problems: string[] = []
  let payIns = 0
  for (let after = ''; ; ) {
    const { page, last } = await readPage(reader, after)
    payIns += page.length
    problems.push(...page.flatMap(problemsOf))
    if (last === endOfIds) return { payIns, problems }
    after = last
  }
}

async function readPage(reader: Reader, after: string): Promise<{ page: RefundFacts[]; last: string }> {
  return reader.snapshot(async (query) => {
    const refundables = await query(refundablesAfter, { after, limit: perPage })
    // The last page goes to the end, so that a refund without such a row is found, too.
    const last = refundables.length < perPage ? endOfIds : (refundables.at(-1)?.pay_in_id ?? endOfIds)
    const range = { after, last }
    const refunds = Map.groupBy(await query(refundsBetween, range), ({ refund_of }) => refund_of ?? '')
    const exceptions = byOrder(await query(refundExceptionsBetween, range))
    const payIns = new Map((await query(refundedBetween, range)).map((one) => [one.id, one]))
    const payInExceptions = byOrder(await query(refundedExceptionsBetween, range))
    const claimed = new Map((await query(refundClaimsBetween, range)).map((one) => [one.order_id, one]))
    const known = new Map(refundables.map((one) => [one.pay_in_id, one]))
    const page = [...new Set([...known.keys(), ...refunds.keys()])].map((payInId) => ({
      payInId,
      refundable: known.get(payInId) ?? null,
      payIn: payIns.get(payInId) ?? null,
      payInExceptions: payInExceptions.get(payInId) ?? [],
      payInClaimed: claimed.get(payInId) ?? null,
      refunds: (refunds.get(payInId) ?? []).map((order) => ({
        order,
        exceptions: exceptions.get(order.id) ?? [],
        claimed: claimed.get(order.id) ?? null,
      })),
    }))
    return { page, last }
  })
}

function problemsOf(facts: RefundFacts): string[] {
  const { payInId, refundable, payIn, refunds } = facts
  const where = `pay-in ${payInId}: `
  if (refundable === null) return [`${where}it has refunds, and nothing says how much of it they claim`]
  const { merchant_id, currency, claimed_minor, excess_minor, archived_minor, credited_minor } = refundable
  const problems: string[] = []
  const counted = refunds
    .filter(({ order, exceptions, claimed }) => holdsClaim(order, exceptions, claimed))
    .reduce((sum, { order }) => sum + order.price_minor, archived_minor)
  if (counted !== claimed_minor + excess_minor)
    problems.push(`its refunds come to ${counted}, and ${claimed_minor + excess_minor} are claimed`)
  if (claimed_minor < 0n || claimed_minor > credited_minor)
    problems.push(`${claimed_minor} are claimed of the ${credited_minor} that were credited`)
  if (excess_minor > 0n && claimed_minor !== credited_minor)
    problems.push('more was paid than was credited, and yet something is left')
  for (const { order } of refunds) {
    const isIts = order.merchant_id === merchant_id && order.currency === currency
    if (!isIts || order.machine !== 'payOutLocal') problems.push(`order ${order.id} cannot be its refund`)
  }
  if (payIn !== null) problems.push(...payInProblems(payIn, facts, refundable))
  return problems.map((problem) => where + problem)
}

function payInProblems(
  payIn: Row<'orders'>,
  { payInExceptions, payInClaimed }: RefundFacts,
  refundable: Row<'refundable'>,
): string[] {
  if (payIn.direction !== 'PAY_IN' || !isPaidFor(payIn, payInExceptions, payInClaimed))
    return ['nothing was credited for it']
  const { claimed_minor, excess_minor, archived_minor } = refundable
  const expected = { ...newRefundable(payIn, payInClaimed), claimed_minor, excess_minor, archived_minor }
  return Object.entries(expected)
    .filter(([column, value]) => refundable[column as keyof typeof expected] !== value)
    .map(([column]) => `its ${column} is not what its order says`)
}

function byOrder(exceptions: readonly Ended[]): Map<string | null, Ended[]> {
  return Map.groupBy(exceptions, ({ order_id }) => order_id)
}
