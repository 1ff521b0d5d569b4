/** The journal in the order of its entries, over all orders. */
import { sql } from 'kysely'
import { statement } from '../statement.ts'

/** Entries that come after a position and not after another, the oldest first; archived ones are at their places. */
export const journalHashes = statement<{ after: number; until: number; limit: number }>()(
  'anchor.hashes',
  ({ db }, arg) =>
    db
      .selectFrom('journal')
      .select(['position', 'hash'])
      .where('position', '>', arg('after'))
      .where('position', '<=', arg('until'))
      .unionAll(
        db
          .selectFrom('archived_entries')
          .select(['position', 'hash'])
          .where('position', '>', arg('after'))
          .where('position', '<=', arg('until')),
      )
      .orderBy('position')
      .limit(arg('limit')),
)

/** The newest entry: none that comes before it will ever be added. */
export const journalEnd = statement<Record<never, never>>()('anchor.end', ({ db, engine }) =>
  engine === 'sqlite'
    ? db.selectFrom('journal').select('position').orderBy('position', 'desc').limit(1)
    : db
        .selectFrom(sql<{ position: number }>`journal_end()`.as<'newest'>(sql`newest (position)`))
        .select('newest.position')
        .where('newest.position', 'is not', null),
)
