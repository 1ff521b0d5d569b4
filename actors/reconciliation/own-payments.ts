/** What was paid here through a network on a day: by the days of its provider's account, as statements have them. */
import { cashKinds } from '../../persistence/queries/reconciliation.ts'
import { creditsOfRange, debitsOfRange } from '../../persistence/queries/statements.ts'
import type { Query, Row, Store } from '../../persistence/store.ts'
import { lastNumberOf } from '../settlement/boundary.ts'
import { addDays, type Day } from '../terms/days.ts'

export interface OwnPayment {
  orderId: string
  minor: bigint
}

export interface DayOfNetwork {
  account: Row<'accounts'>
  networkId: string
  day: Day
}

const numbersPerPage = 500

/**
 * In pages. What was booked afterwards is left out: it came from a report, or somebody has said so. What is in the archive is left
 * out, too: nobody compares days that old.
 */
export async function* ownPayments(
  store: Pick<Store, 'query'>,
  { account, networkId, day }: DayOfNetwork,
): AsyncGenerator<OwnPayment[]> {
  const query: Query = (statement, args) => store.query(statement, args)
  const before = await lastNumberOf(query, account, { day: addDays(day, -1), since: 0 })
  const last = await lastNumberOf(query, account, { day, since: before })
  const kinds: readonly string[] = cashKinds
  for (let first = before + 1; first <= last; first += numbersPerPage) {
    const range = { account: account.id, first, last: Math.min(first + numbersPerPage - 1, last) }
    const sides = [
      ...(await store.query(debitsOfRange, range)),
      ...(await store.query(creditsOfRange, range)),
    ]
    const found = sides.flatMap(
      ({ kind, order_id: orderId, network_id, about_day, day: of, amount_minor: minor }) =>
        orderId !== null &&
        kinds.includes(kind) &&
        network_id === networkId &&
        about_day === null &&
        of === day
          ? [{ orderId, minor }]
          : [],
    )
    if (found.length > 0) yield found
  }
}
