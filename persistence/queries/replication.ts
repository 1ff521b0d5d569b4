/** Whether what is acknowledged is on more than one host. PostgreSQL alone has standbys. */
import { sql } from 'kysely'
import { statement } from '../statement.ts'

/** How many standbys follow the server, and which of them have to have a commit before it is acknowledged, '' for none. */
export const replication = statement<Record<never, never>>()('replication', ({ db, engine }) =>
  db.selectNoFrom(
    engine === 'postgres'
      ? [
          sql<number>`(SELECT count(*)::int FROM pg_stat_replication)`.as('standbys'),
          sql<string>`current_setting('synchronous_standby_names')`.as('synchronous'),
        ]
      : [sql<number>`0`.as('standbys'), sql<string>`''`.as('synchronous')],
  ),
)
