/** What the database still knows of an order that was archived. */
import { formatInstant } from '../../machines/time.ts'
import { archivedOrderById } from '../../persistence/queries/archive.ts'
import { partyById } from '../../persistence/queries/parties.ts'
import { text } from '../foundation/fields.ts'
import { defineOperation, OperationError } from '../foundation/operation.ts'
import { withHiddenCode } from '../orders/documents.ts'

export interface ArchivedRemains {
  id: string
  code: string
  merchant: string
  merchantOrderId: string
  direction: 'PAY_OUT' | 'PAY_IN'
  status: string
  created: string
  archived: string
  /** The file of the archive that has all of it. */
  file: string
  /** SHA-256 of its line there, in hex. */
  digest: string
  journalEntries: number
  /** When its personal data were erased; null while they are there. */
  erased: string | null
}

export const archiveShow = defineOperation({
  name: 'archive.show',
  summary: 'Show what is known of an archived order without its file.',
  fields: { id: text({ description: 'Its id.', minLength: 1, maxLength: 64 }) },
  arguments: ['id'],
  isRead: true,
  forViewers: (remains: ArchivedRemains) => withHiddenCode(remains),
  async run({ store }, { id }): Promise<ArchivedRemains> {
    const [row] = await store.query(archivedOrderById, { id: id.trim().toLowerCase() })
    if (row === undefined) throw new OperationError('not_found', `No order ${id} was archived.`)
    const [merchant] = await store.query(partyById, { id: row.merchant_id })
    return {
      id: row.id,
      code: row.code,
      merchant: merchant?.name ?? row.merchant_id,
      merchantOrderId: row.merchant_order_id,
      direction: row.direction,
      status: row.status,
      created: formatInstant(row.created_at),
      archived: formatInstant(row.archived_at),
      file: row.file,
      digest: row.digest,
      journalEntries: row.journal_count,
      erased: row.erased_at === null ? null : formatInstant(row.erased_at),
    }
  },
})
