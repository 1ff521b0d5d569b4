/** The audit log is had for some days, of everybody, of one operator or of one operation, without reading the others. */
import type { Migration } from './migration.ts'

export const auditDays: Migration = {
  name: '0051-audit-days',
  sqlite: `
    CREATE INDEX audit_by_time ON audit (done_at, id);
    CREATE INDEX audit_by_operator_and_time ON audit (operator, done_at, id);
    CREATE INDEX audit_by_operation_and_time ON audit (operation, done_at, id);
  `,
}
