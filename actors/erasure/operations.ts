/** Erases a consumer's personal data: of one order, or of all that are theirs. */
import { archivedOrdersAfter } from '../../persistence/queries/archive.ts'
import { consumersAfter } from '../../persistence/queries/orders.ts'
import { optional, reason, text } from '../foundation/fields.ts'
import { defineOperation, OperationError } from '../foundation/operation.ts'
import { consumerDigest, spelling } from '../orders/consumer-digest.ts'
import { findArchivedOrder, findOrder, type OrderContext } from '../orders/operations.ts'
import { eraseArchivedOrder, eraseOrder } from './erase.ts'

export interface ErasureDocument {
  /** Ids of orders whose data were there, and are not any more. */
  erased: string[]
  /** Those whose data had been erased before. */
  before: string[]
  /** Those that have not ended: ask again once they have. */
  open: { order: string; status: string }[]
}

export const personalErase = defineOperation({
  name: 'personal.erase',
  summary: "Erase a consumer's e-mail address and telephone number from the database and the archive.",
  done: 'The personal data are erased.',
  fields: {
    order: optional(
      text({
        description: "The order's id, or its code.",
        minLength: 1,
        maxLength: 64,
        option: ['--order <id>', 'the order, by its id or code'],
      }),
    ),
    consumer: optional(
      text({
        description:
          'An e-mail address or a telephone number, as the merchant sent it: all orders that have it.',
        minLength: 1,
        maxLength: 254,
        pattern: '\\S',
        option: ['--consumer <text>', 'all orders with this e-mail address or telephone number'],
        form: { label: 'E-mail or telephone number' },
      }),
    ),
    reason: reason('For the audit log; do not name the person.', {
      option: ['--reason <text>', 'why; kept in the audit log, so do not name the person'],
      form: { label: 'Why', hint: 'Kept in the audit log: do not name the person.' },
    }),
  },
  isRead: false,
  audited: ({ consumer, ...input }) => (consumer === undefined ? input : { ...input, consumer: '***' }),
  concluded: ({ erased }: ErasureDocument) => `${erased.length} orders`,
  async run(context: OrderContext, { order, consumer }): Promise<ErasureDocument> {
    if ((order === undefined) === (consumer === undefined))
      throw new OperationError('invalid', 'Give an order or a consumer.')
    const document: ErasureDocument = { erased: [], before: [], open: [] }
    if (consumer !== undefined) await eraseConsumer(context, consumer, document)
    else {
      await eraseNamed(context, order ?? '', document)
      const [open] = document.open
      if (open !== undefined) throw stillOpen(open.status)
    }
    return document
  },
})

function stillOpen(status: string): OperationError {
  return new OperationError('refused', `The order is ${status}: its consumer's data is still needed.`, {
    hint: 'Erase them once it has ended.',
  })
}

async function eraseNamed(context: OrderContext, idOrCode: string, document: ErasureDocument) {
  const archived = await findArchivedOrder(context.store, idOrCode)
  if (archived === null) return eraseOne(context, (await findOrder(context, idOrCode)).id, document)
  note(document, archived.id, await eraseArchivedOrder(context.store, archived.id))
}

async function eraseOne(context: OrderContext, id: string, document: ErasureDocument): Promise<void> {
  const { store, journalKey, operator } = context
  const erased = await eraseOrder({ store, journalKey, operator: { kind: 'operator', name: operator } }, id)
  if (erased.ok) return note(document, id, erased)
  switch (erased.reason) {
    case 'open':
      document.open.push({ order: id, status: erased.status })
      return
    case 'being_sent':
      throw new OperationError('conflict', `A webhook of order ${id} is being sent at this moment.`, {
        hint: 'Try again in a minute; what was erased stays erased.',
      })
    case 'gone':
      // Archived since it was found: it is there now.
      return eraseNamed(context, id, document)
  }
}

function note(document: ErasureDocument, id: string, { isNew }: { isNew: boolean }): void {
  document[isNew ? 'erased' : 'before'].push(id)
}

/** Read without keeping the node from answering. */
const pageSize = 1000

/** An e-mail has an index of its digest, a telephone number none; erasing is rare, and reads all, page by page. */
async function eraseConsumer(context: OrderContext, consumer: string, document: ErasureDocument) {
  const { store, journalKey } = context
  const digest = consumerDigest(journalKey, consumer)
  const spelled = spelling(consumer)
  const isTheirs = (value: string) => spelling(value) === spelled
  for (let after = ''; ; ) {
    const page = await store.query(consumersAfter, { after, limit: pageSize })
    for (const { order_id, email, phone_number } of page) {
      if (isTheirs(email) || isTheirs(phone_number)) await eraseOne(context, order_id, document)
    }
    const last = page.at(-1)
    if (last === undefined) break
    after = last.order_id
  }
  for (let after = ''; ; ) {
    const page = await store.query(archivedOrdersAfter, { after, limit: pageSize })
    for (const { id, email_digest, phone_digest } of page) {
      if (email_digest === digest || phone_digest === digest)
        note(document, id, await eraseArchivedOrder(store, id))
    }
    const last = page.at(-1)
    if (last === undefined) break
    after = last.id
  }
}
