/** What proves who somebody is has a revision: a session counts for the one that it began with, and for no other. */
import type { Migration } from './migration.ts'

export const peopleRevisions: Migration = {
  name: '0045-people-revisions',
  sqlite: `
    ALTER TABLE people ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE sessions ADD COLUMN person_revision INTEGER NOT NULL DEFAULT 0;
    -- Those of before a password that a node was killed behind: they did not count, and would from now on.
    DELETE FROM sessions WHERE created_at < (SELECT password_at FROM people WHERE name = sessions.person_name);
  `,
}
