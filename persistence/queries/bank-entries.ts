/** Reads of what was booked of the banks' statements. */
import { statement } from '../statement.ts'
import type { PageRequest } from './operations.ts'

/** The newest first. */
export function bankEntriesPage(
  { bank, subjectId }: { bank?: string | undefined; subjectId?: string | undefined },
  { after, limit }: PageRequest,
) {
  return statement<Record<never, never>>()('bank.page', ({ db }) => {
    let query = db.selectFrom('bank_entries').selectAll()
    if (bank !== undefined) query = query.where('bank', '=', bank)
    if (subjectId !== undefined) query = query.where('subject_id', '=', subjectId)
    if (after !== null) {
      const [name = '', direction, reference = ''] = after.id.split('/').map(decodeURIComponent)
      const way = direction === 'in' ? ('in' as const) : ('out' as const)
      query = query.where(({ eb, refTuple, tuple }) =>
        eb(
          refTuple('booked_at', 'bank', 'direction', 'reference'),
          '<',
          tuple(after.at, name, way, reference),
        ),
      )
    }
    return query
      .orderBy('booked_at', 'desc')
      .orderBy('bank', 'desc')
      .orderBy('direction', 'desc')
      .orderBy('reference', 'desc')
      .limit(limit)
  })
}
