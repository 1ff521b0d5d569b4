/**
 * Numbers of statements that the anchors know and the database does not: they were given, and parties may have been told of them, in a
 * database that an older one is in the place of now. They are recorded as lost and never given again.
 */
import type { Instant } from '../../machines/time.ts'
import { type Row, row, type Store, type Write } from '../../persistence/store.ts'
import { type ClosedNumber, parseAnchor } from './anchor.ts'

/** The greatest number of each party and currency in the lines of an anchors' file. */
export async function closedNumbers(lines: AsyncIterable<string>): Promise<ClosedNumber[]> {
  const greatest = new Map<string, ClosedNumber>()
  for await (const line of lines) {
    for (const closed of parseAnchor(line)?.statements ?? []) {
      const key = `${closed[0]}\n${closed[1]}`
      if (closed[2] > (greatest.get(key)?.[2] ?? 0)) greatest.set(key, closed)
    }
  }
  return [...greatest.values()]
}

/** Done twice it changes nothing. Of a party that the database does not know there is no book. */
export async function recordLostStatements(
  store: Store,
  numbers: readonly ClosedNumber[],
  at: Instant,
): Promise<void> {
  for (const [partyId, currency, number] of numbers) {
    const key = { party_id: partyId, currency }
    const result = await store.step({
      rows: { party: row('parties', { id: partyId }), book: row('statement_books', key) },
      decide: ({ party, book }) => ({
        answer: null,
        writes: party === null ? [] : lossesOf(book, { ...key, number, at }),
      }),
    })
    if (result.outcome === 'violated') throw new Error(`Lost statements violated ${result.constraint}.`)
  }
}

function lossesOf(
  book: Row<'statement_books'> | null,
  { party_id, currency, number, at }: { party_id: string; currency: string; number: number; at: Instant },
): Write[] {
  const key = { party_id, currency }
  const last = book?.last_number ?? 0
  const lost = Array.from({ length: Math.max(0, number - last) }, (_, index) => last + 1 + index)
  if (lost.length === 0) return []
  return [
    book === null
      ? { insert: 'statement_books', values: { ...key, last_number: number, closed_day: '', closed_at: at } }
      : { update: 'statement_books', key, set: { last_number: number } },
    ...lost.map(
      (one): Write => ({ insert: 'lost_statements', values: { ...key, number: one, recorded_at: at } }),
    ),
  ]
}
