/** Reads of what moved a party's position, over all of its statements. */
import { statement } from '../statement.ts'

type Nothing = Record<never, never>

interface Book {
  partyId: string
  currency: string
}

/** Days, both inclusive; null where there is no bound. */
export interface DayBounds {
  from: string | null
  to: string | null
}

/** The last statement whose lines are stored. */
export const lastSealed = statement<Book>()('movement.lastSealed', ({ db }, arg) =>
  db
    .selectFrom('statements')
    .select(['number', 'line_count'])
    .where('party_id', '=', arg('partyId'))
    .where('currency', '=', arg('currency'))
    .where('sealed_at', 'is not', null)
    .orderBy('number', 'desc')
    .limit(1),
)

/** The first statement that has a day or a later one, and the last that has one or an earlier one. */
export const firstStatementFrom = statement<Book & { day: string }>()(
  'movement.firstStatement',
  ({ db }, arg) =>
    db
      .selectFrom('statements')
      .select('number')
      .where('party_id', '=', arg('partyId'))
      .where('currency', '=', arg('currency'))
      .where('to_day', '>=', arg('day'))
      .orderBy('to_day')
      .limit(1),
)

export const lastStatementTo = statement<Book & { day: string }>()('movement.lastStatement', ({ db }, arg) =>
  db
    .selectFrom('statements')
    .select('number')
    .where('party_id', '=', arg('partyId'))
    .where('currency', '=', arg('currency'))
    .where('from_day', '<=', arg('day'))
    .orderBy('to_day', 'desc')
    .limit(1),
)

export interface SealedPlace {
  number: number
  line: number
}

/**
 * Stored lines behind a place, up to a statement, in their order.
 *
 * @param shown by account, the last number of what was told before it was stored: it is not told again
 */
export function sealedLines(
  { partyId, currency }: Book,
  { after, upTo, limit }: { after: SealedPlace; upTo: number; limit: number },
  { from, to }: DayBounds,
  shown: ReadonlyMap<string, number>,
) {
  return statement<Nothing>()('movement.sealedLines', ({ db }) => {
    let query = db
      .selectFrom('statement_lines')
      .selectAll()
      .where('party_id', '=', partyId)
      .where('currency', '=', currency)
      .where(({ eb, refTuple, tuple }) =>
        eb(refTuple('number', 'line'), '>', tuple(after.number, after.line)),
      )
      .where('number', '<=', upTo)
    if (from !== null) query = query.where('day', '>=', from)
    if (to !== null) query = query.where('day', '<=', to)
    if (shown.size > 0) {
      query = query.where(({ eb, or, and }) =>
        or(
          [...shown].map(([account, number]) =>
            and([eb('account_id', '=', account), eb('account_number', '>', number)]),
          ),
        ),
      )
    }
    return query.orderBy('number').orderBy('line').limit(limit)
  })
}
