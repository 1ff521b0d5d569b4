/**
 * Payments held against postings and statements: each has moved its money as its state says, what is on its way is what is
 * ordered and not booked, and none settles more than it is (protocol 15.8).
 */
import { convertedInTransit } from '../../persistence/queries/conversions.ts'
import {
  allocationSums,
  inTransitSums,
  paymentPostingSums,
  paymentsAfter,
  statementAllocationSums,
} from '../../persistence/queries/payment-verification.ts'
import { allAccounts } from '../../persistence/queries/verification.ts'
import { accountId, type Reader, type Row } from '../../persistence/store.ts'

const paymentsPerPage = 5_000

export interface PaymentFindings {
  payments: number
  problems: string[]
}

export async function readPaymentFindings(reader: Reader): Promise<PaymentFindings> {
  const found: PaymentFindings = { payments: 0, problems: [] }
  found.problems.push(...(await transitProblems(reader)), ...(await statementProblems(reader)))
  for (let after = ''; ; ) {
    const page = await reader.snapshot(async (query) => {
      const payments = await query(paymentsAfter, { after, limit: paymentsPerPage })
      const range = { after, last: payments.at(-1)?.id ?? after }
      const moved = await query(paymentPostingSums, range)
      const settled = new Map(
        (await query(allocationSums, range)).map(({ source_id, sum_minor }) => [source_id, sum_minor]),
      )
      return { payments, moved: Map.groupBy(moved, ({ reference }) => reference), settled }
    })
    for (const payment of page.payments) {
      const moves = page.moved.get(payment.id) ?? []
      const problems = paymentProblems(payment, moves, page.settled.get(payment.id) ?? 0n)
      found.problems.push(...problems.map((problem) => `payment ${payment.id}: ${problem}`))
    }
    found.payments += page.payments.length
    const last = page.payments.at(-1)
    if (last === undefined) return found
    after = last.id
  }
}

async function transitProblems(reader: Reader): Promise<string[]> {
  return reader.snapshot(async (query) => {
    const expected = new Map<string, bigint>()
    for (const { party_id: ownerId, currency, sum_minor } of await query(inTransitSums, {}))
      expected.set(accountId({ kind: 'transit', ownerId, currency }), sum_minor)
    for (const { currency, sum_minor } of await query(convertedInTransit, {}))
      expected.set(accountId({ kind: 'transit', ownerId: '', currency }), -sum_minor)
    const held = (await query(allAccounts, {})).filter(({ kind }) => kind === 'transit')
    const known = new Map(held.map(({ id, balance_minor }) => [id, balance_minor]))
    return [...new Set([...expected.keys(), ...known.keys()])].flatMap((id) => {
      const [balance, said] = [known.get(id) ?? 0n, expected.get(id) ?? 0n]
      return balance === said ? [] : [`${id} has ${balance}, what is on its way comes to ${said}`]
    })
  })
}

async function statementProblems(reader: Reader): Promise<string[]> {
  const wrong = await reader.snapshot((query) => query(statementAllocationSums, {}))
  return wrong.map(
    ({ party_id, currency, number, allocated_minor, sum_minor }) =>
      `statement ${number} of ${party_id} in ${currency} has ${allocated_minor} settled, its allocations say ${sum_minor}`,
  )
}

type Moves = readonly { kind: string; sum_minor: bigint }[]

function paymentProblems(payment: Row<'payments'>, moves: Moves, settled: bigint): string[] {
  const { amount_minor: amount, direction, state } = payment
  const problems: string[] = []
  const sums = new Map(moves.map(({ kind, sum_minor }) => [kind, sum_minor]))
  const expected = expectedMoves(payment)
  for (const kind of new Set([...expected, ...sums.keys()])) {
    const [moved, said] = [sums.get(kind) ?? 0n, expected.includes(kind) ? amount : 0n]
    if (moved !== said)
      problems.push(`it is ${state}, and its postings ${kind} come to ${moved}, not to ${said}`)
  }
  const part = direction === 'out' ? settled : -settled
  if (part < 0n || part > amount) problems.push(`it settles ${settled} of statements, and is of ${amount}`)
  const rest =
    direction === 'in' && payment.party_account === 'provider' && state === 'booked' ? amount - part : 0n
  if (payment.rest_minor !== rest)
    problems.push(`${payment.rest_minor} of it settles nothing, and ${rest} is left of it`)
  if (state === 'returned' && settled !== 0n) problems.push(`it was returned, and settles ${settled}`)
  return problems
}

function expectedMoves({ direction, state, booked_at }: Row<'payments'>): string[] {
  const isReturned = state === 'returned'
  if (direction === 'in') return ['payment_receive', ...(isReturned ? ['payment_withdraw'] : [])]
  return [
    'payment_order',
    ...(booked_at === null ? [] : ['payment_book', ...(isReturned ? ['payment_bounce'] : [])]),
    ...(isReturned ? ['payment_restore'] : []),
  ]
}
