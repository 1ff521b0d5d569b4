/** The journal over all orders, in the order of commits. */
import { statement } from '../statement.ts'

export const latestJournal = statement<{ limit: number }>()('journal.latest', ({ db }, arg) =>
  db.selectFrom('journal').selectAll().orderBy('position', 'desc').limit(arg('limit')),
)

export const journalAfter = statement<{ after: number; limit: number }>()('journal.after', ({ db }, arg) =>
  db
    .selectFrom('journal')
    .selectAll()
    .where('position', '>', arg('after'))
    .orderBy('position')
    .limit(arg('limit')),
)
