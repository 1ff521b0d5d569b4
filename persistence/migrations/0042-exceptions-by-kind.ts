/** Alarms and settlement look for open exceptions of a kind, among tens of thousands of others. */
import type { Migration } from './migration.ts'

export const exceptionsByKind: Migration = {
  name: '0042-exceptions-by-kind',
  sqlite: 'CREATE INDEX exceptions_by_kind ON exceptions (state, kind, opened_at);',
}
