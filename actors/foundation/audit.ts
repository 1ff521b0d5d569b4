/** Who did what, when, and how it ended. */
import { formatInstant } from '../../machines/time.ts'
import { auditPage } from '../../persistence/queries/operations.ts'
import type { Row } from '../../persistence/store.ts'
import { optional, text } from './fields.ts'
import { defineOperation } from './operation.ts'
import { pageFields, readPage } from './paging.ts'

export interface AuditEntry {
  at: string
  operator: string
  operation: string
  /** What was asked, without its secrets. */
  input: unknown
  /** `done`, `refused: …`, `failed`; `begun` where the node stopped before it ended. */
  outcome: string
}

export const auditList = defineOperation({
  name: 'audit.list',
  summary: 'List what operators changed or tried to change, the newest first.',
  fields: {
    ...pageFields,
    operator: optional(
      text({
        description: "Only this operator's.",
        option: ['--operator <name>', "only this operator's"],
      }),
    ),
    operation: optional(
      text({
        description: 'Only this operation, for example order.cancel.',
        option: ['--operation <name>', 'only this operation, for example order.cancel'],
      }),
    ),
  },
  isRead: true,
  async run(
    { store },
    { operator, operation, ...page },
  ): Promise<{ entries: AuditEntry[]; next: string | null }> {
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
})
