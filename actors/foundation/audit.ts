/** Who did what, when, and how it ended. */
import { formatInstant } from '../../machines/time.ts'
import { auditOfDays, auditPage, type PageEnd } from '../../persistence/queries/operations.ts'
import type { Row } from '../../persistence/store.ts'
import { spanOf } from './day-span.ts'
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
    from: optional(
      text({
        description: 'Done on this day (UTC) or later; ISO 8601, a time too. The newest first by its time.',
        option: [
          '--from <day>',
          'only what was done on or after this day (UTC) or time (2026-03-01T12:00:00Z)',
        ],
      }),
    ),
    to: optional(
      text({
        description: 'Done on this day (UTC) at the latest; with a time, before it.',
        option: ['--to <day>', 'only what was done on or before this day (UTC), or before this time'],
      }),
    ),
  },
  isRead: true,
  async run(
    { store },
    { operator, operation, from, to, ...page },
  ): Promise<{ entries: AuditEntry[]; next: string | null }> {
    const filter = { operator, operation, ...spanOf({ from, to }) }
    const { items, next } =
      from === undefined && to === undefined
        ? await readPage<Row<'audit'>>(
            page,
            // In the order they were written: the clock may have been set back in between.
            ({ id }) => ({ at: id, id: '-' }),
            [({ after, limit }) => store.query(auditPage(filter, { before: after?.at, limit }), {})],
          )
        : await readPage<Row<'audit'>>(
            page,
            ({ done_at, id }) => ({ at: done_at, id: String(id).padStart(idDigits, '0') }),
            [(request) => store.query(auditOfDays(filter, { ...request, after: endOf(request.after) }), {})],
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

/** Of one length, ids as texts are in the order of their numbers. */
const idDigits = 16

/** The cursor may be of a list without days, whose ids are none. */
function endOf(after: PageEnd | null): PageEnd | null {
  return after === null || /^\d{16}$/.test(after.id) ? after : { at: after.at, id: '0' }
}
