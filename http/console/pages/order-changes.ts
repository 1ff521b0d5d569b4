/** What an operator may tell an order, on its page: each form shows what it would book as the order is now. */
import { type Operation, OperationError } from '../../../actors/foundation/operation.ts'
import { type ChangedOrder, orderChanges } from '../../../actors/orders/change-operations.ts'
import type { OrderDocument } from '../../../actors/orders/documents.ts'
import type { ShownPosting } from '../../../actors/orders/postings-shown.ts'
import type { Block } from '../blocks.ts'
import { shortId } from '../cells.ts'
import { formInput, offeredForms, operationAction } from '../forms.ts'
import type { Action, Done, PageRequest } from '../page.ts'
import { preview } from './posted.ts'

const changes: readonly Operation<unknown, ChangedOrder>[] = orderChanges

export async function changeForms(request: PageRequest, order: OrderDocument): Promise<Block[]> {
  const known = { id: order.id, revision: String(order.revision) }
  return offeredForms(request, changes, { shown: order, known, books: await booksOf(request, order, known) })
}

/** Those of each change that the order would take; by force where that is what it takes. */
async function booksOf(
  { ask, may, view }: PageRequest,
  order: OrderDocument,
  known: { id: string; revision: string },
): Promise<ReadonlyMap<string, readonly ShownPosting[]>> {
  const provider = order.lock?.provider ?? ''
  const asked = { ...known, provider, reason: '–', force: 'yes', dryRun: 'yes' }
  const books = new Map<string, readonly ShownPosting[]>()
  for (const change of changes) {
    if (!may(change) || change.offer?.(order) == null) continue
    try {
      const looked = await ask(change, formInput(change, asked, view.zone))
      books.set(change.name, looked.books ?? [])
    } catch (error) {
      // Whoever asks for it all the same is told why not.
      if (!(error instanceof OperationError)) throw error
    }
  }
  return books
}

function changed({ id, books }: ChangedOrder): Done {
  if (books === undefined) return { kind: 'go' }
  return preview(books, { href: `/orders/${id}`, text: ({ order }) => order.order(shortId(id)) })
}

export const orderActions: readonly Action[] = changes.map((change) => operationAction(change, changed))
