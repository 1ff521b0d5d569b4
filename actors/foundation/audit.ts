/** Who did what, when, and how it ended. */
import { formatInstant } from '../../machines/time.ts'
import { auditPage } from '../../persistence/queries/operations.ts'
import type { Row } from '../../persistence/store.ts'
import type { Operation } from './operation.ts'
import { type PageInput, pageSchema, readPage } from './paging.ts'

export interface AuditEntry {
  at: string
  operator: string
  operation: string
  /** What was asked, without its secrets. */
  input: unknown
  /** `done`, `refused: …`, `failed`; `begun` where the node stopped before it ended. */
  outcome: string
}

interface AuditInput extends PageInput {
  operator?: string
  operation?: string
}

export const auditList: Operation<AuditInput, { entries: AuditEntry[]; next: string | null }> = {
  name: 'audit.list',
  summary: 'List what operators changed, or tried to, the newest first.',
  input: {
    type: 'object',
    properties: {
      operator: { type: 'string', description: 'Only what this one did.' },
      operation: { type: 'string', description: 'Only this operation, for example order.cancel.' },
      ...pageSchema,
    },
    additionalProperties: false,
  },
  isRead: true,
  role: 'operator',
  async run({ store }, { operator, operation, ...page }) {
    const { items, next } = await readPage<Row<'audit'>>(
      page,
      // In the order they were written: the clock may have been set back in between.
      ({ id }) => ({ at: id, id: '-' }),
      [({ after, limit }) => store.query(auditPage({ operator, operation, before: after?.at, limit }), {})],
    )
    return {
      entries: items.map(({ done_at, operator: who, operation: what, input_json, outcome }) => ({
        at: formatInstant(done_at),
        operator: who,
        operation: what,
        input: JSON.parse(input_json),
        outcome,
      })),
      next,
    }
  },
}
