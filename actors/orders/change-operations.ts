/** What an operator may tell an order; each is journalled under the operator's name. */

import type { RefusalReason } from '../../machines/refusals.ts'
import { finalStatuses } from '../../machines/statuses.ts'
import { formatInstant } from '../../machines/time.ts'
import { oneSpelling } from '../../machines/written-names.ts'
import { exceptionById } from '../../persistence/queries/operations.ts'
import { partyByName } from '../../persistence/queries/provisioning.ts'
import type { Row, Store } from '../../persistence/store.ts'
import { endedWhileLockedId } from '../exceptions/exception-id.ts'
import { dryRun, flag, type InputOf, optional, reason, text, wholeNumber } from '../foundation/fields.ts'
import { defineOperation, type Offer, type Operation, OperationError } from '../foundation/operation.ts'
import { partyNames } from '../parties/names.ts'
import { type OrderDocument, orderDocument } from './documents.ts'
import type { OrderContext } from './operations.ts'
import { findOrder, orderId } from './operations.ts'
import type { ShownPosting } from './postings-shown.ts'
import { type Message, orderRef, type Said, type Told } from './telling.ts'
import { wouldBook } from './would-book.ts'

const changeFields = {
  id: orderId,
  reason: reason('For the journal.', {
    option: ['--reason <text>', 'why; kept in the journal'],
    form: { label: 'Why', hint: 'Kept in the journal of the order.', control: 'area' },
  }),
  revision: optional(
    wholeNumber({
      description: 'As `order show` told it: the order is left alone if it has changed since.',
      minimum: 1,
      option: ['--revision <number>', 'only if the order is still at this revision'],
    }),
  ),
  dryRun,
}

type ChangeInput = InputOf<typeof changeFields>

export interface ChangedOrder extends OrderDocument {
  /** What would be booked, where it is only shown: the order is as before. */
  books?: ShownPosting[]
}

export const orderCancel = defineOperation({
  name: 'order.cancel',
  summary: 'Cancel an order that is not final.',
  done: 'The order is cancelled.',
  fields: {
    ...changeFields,
    force: optional(
      flag({
        description: 'Also while a provider holds it; its money then waits in suspense.',
        option: [
          '--force',
          'also while a provider holds it: its money then waits in suspense for you to resolve',
        ],
        form: {
          label: 'Also while a provider holds it: cash may have been handled, so its money waits in suspense',
        },
      }),
    ),
  },
  arguments: ['id'],
  isRead: false,
  offer(order: OrderDocument) {
    if (finalStatuses.includes(order.status)) return null
    const holder = holderOf(order)
    return {
      title: 'Cancel',
      lead: 'The merchant gets a webhook, and its money is available again.',
      button: 'Cancel the order',
      isDanger: true,
      fields: holder === null ? ['reason'] : ['reason', 'force'],
      labels: {
        force: `Even though ${holder} holds it: cash may have been handled, so its money waits in suspense`,
      },
    }
  },
  run: (context: OrderContext, input): Promise<ChangedOrder> =>
    change(context, input, 'cancelled', {
      type: 'operator.cancel',
      reason: input.reason,
      force: input.force ?? false,
    }),
})

const forProviderFields = {
  ...changeFields,
  provider: text({
    description: 'The name of the provider that holds the order.',
    option: ['--for-provider <name>', 'the provider that holds the order'],
  }),
}

type ForProviderInput = InputOf<typeof forProviderFields>

/** For a provider whose till is dead: the cash was handled. */
export const orderConfirm = defineOperation({
  name: 'order.confirm',
  summary:
    'Confirm a payment for the provider that holds the order, when its till is dead and the cash was handled.',
  examples: ['order confirm 5f0c2a9e-… --for-provider "Demo Network" --reason "receipt seen, till is dead"'],
  done: 'The payment is confirmed.',
  fields: forProviderFields,
  arguments: ['id'],
  isRead: false,
  offer: (order: OrderDocument) =>
    offerFor(order, 'Confirm', {
      lead: 'The cash was handled, but the till cannot say so. This completes the order and cannot be undone.',
      button: 'Confirm the payment',
    }),
  run: (context: OrderContext, input): Promise<ChangedOrder> =>
    changeFor(context, input, 'payment.confirm', 'confirmed'),
})

/** For a provider whose till is dead: the cash was not handled. */
export const orderRelease = defineOperation({
  name: 'order.release',
  summary: 'Release an order for the provider that holds it, when its till is dead and no cash was handled.',
  examples: ['order release 5f0c2a9e-… --for-provider "Demo Network" --reason "customer left, till is dead"'],
  done: 'The order is released.',
  fields: forProviderFields,
  arguments: ['id'],
  isRead: false,
  offer: (order: OrderDocument) =>
    offerFor(order, 'Release', {
      lead: 'No cash was handled, and the till cannot release the order. Another till can then start it.',
      button: 'Release the order',
    }),
  run: (context: OrderContext, input): Promise<ChangedOrder> =>
    changeFor(context, input, 'payment.cancel', 'released'),
})

/** Asked of one order, and answered with it: each is a command, and a form on the order's page. */
export const orderChanges = [orderConfirm, orderRelease, orderCancel] as const satisfies readonly Operation<
  unknown,
  ChangedOrder,
  OrderContext
>[]

function offerFor(order: OrderDocument, verb: string, words: Pick<Offer, 'lead' | 'button'>): Offer | null {
  const provider = holderOf(order)
  if (provider === null) return null
  return { ...words, title: `${verb} for ${provider}`, fields: ['reason'], known: { provider } }
}

/** Of an order that has ended, the lock says who held it then. */
function holderOf({ status, lock }: OrderDocument): string | null {
  return status === 'PAYMENT_STARTED' && lock !== null ? lock.provider : null
}

type Deed = 'cancelled' | 'confirmed' | 'released'

async function changeFor(
  context: OrderContext,
  input: ForProviderInput,
  type: 'payment.confirm' | 'payment.cancel',
  deed: Deed,
): Promise<ChangedOrder> {
  const kind = 'provider'
  const { provider: name } = input
  const [written] = await context.store.query(partyByName, { kind, name })
  const provider = written ?? (await context.store.query(partyByName, { kind, name: oneSpelling(name) }))[0]
  if (provider === undefined) {
    throw new OperationError('not_found', `There is no provider ${input.provider}.`, {
      hint: 'provider list shows their names.',
    })
  }
  return change(context, input, deed, { type, providerId: provider.id, reason: input.reason })
}

async function change(
  context: OrderContext,
  { id, revision, dryRun: isShown = false }: ChangeInput,
  deed: Deed,
  said: Said,
): Promise<ChangedOrder> {
  const found = await findOrder(context, id)
  const message: Message = {
    order: orderRef(found),
    actor: { kind: 'operator', name: context.operator },
    ...said,
    ...(revision === undefined ? {} : { revision }),
  }
  const { told, books } = isShown
    ? await lookAt(context, message)
    : { told: await context.orders.tell(message), books: [] }
  switch (told.outcome) {
    case 'accepted':
    case 'already_confirmed':
      if (isShown) return { ...(await orderDocument(context, found)), books }
      return orderDocument(context, told.order)
    case 'refused':
      throw await refusal(context, told.order, told.reason, deed)
    case 'changed_since':
      throw new OperationError(
        'conflict',
        `The order has changed since you looked: it is ${told.order.status} now (revision ${told.order.revision}).`,
        { hint: `Look again: order show ${told.order.id}` },
      )
    default:
      // It was there a moment ago, orders are never removed, and no message was kept that this could repeat.
      throw new Error(`Telling order ${found.id} ended in ${told.outcome}.`)
  }
}

/** What an order would answer to a message, and what would be booked for it; nothing is written. */
export async function lookAt(
  { store, orders }: OrderContext,
  message: Message,
): Promise<{ told: Told; books: ShownPosting[] }> {
  const looked = await wouldBook(store, (looking) => orders.over(looking).tell(message))
  // Telling an order is one step, which answers what is told.
  return 'postings' in looked
    ? { told: looked.answer as Told, books: looked.postings }
    : { told: looked.instead, books: [] }
}

async function refusal(
  context: OrderContext,
  order: Row<'orders'>,
  reason: RefusalReason,
  deed: Deed,
): Promise<OperationError> {
  const [message, hint] = await explainRefusal(context, order, reason, deed)
  return new OperationError('refused', message, { hint })
}

/** Why an order refused an operator, as a sentence, and what to do about it. */
export async function explainRefusal(
  { store }: Pick<OrderContext, 'store'>,
  order: Row<'orders'>,
  reason: RefusalReason,
  deed: Deed,
): Promise<[message: string, hint: string]> {
  const holder = order.lock_provider_id === null ? null : await partyNames(store)(order.lock_provider_id)
  if (reason === 'ended_while_locked') return explainEnd(store, order, holder ?? 'Nobody')
  return explain(order, reason, deed, holder ?? 'Nobody')
}

async function explainEnd(store: Store, order: Row<'orders'>, holder: string): Promise<[string, string]> {
  const end = `The order became ${order.status} while ${holder} held it`
  const [exception] = await store.query(exceptionById, { id: endedWhileLockedId(order.id) })
  if (exception?.state === 'resolved') {
    return [
      `${end}, and was resolved as ${exception.resolution}.`,
      `Look at it: exception show ${exception.id}`,
    ]
  }
  return [`${end}; its money waits in suspense.`, `Resolve its exception: exception list --order ${order.id}`]
}

function explain(
  order: Row<'orders'>,
  reason: Exclude<RefusalReason, 'ended_while_locked'>,
  deed: Deed,
  holder: string,
): [message: string, hint: string] {
  const look = `Look at it: order show ${order.id}`
  switch (reason) {
    case 'needs_force':
      return [
        `${holder} holds the order since ${formatInstant(order.locked_at ?? 0)}: cash may be on the counter.`,
        'Ask the provider whether the cash was handled, then order confirm or order release for it; ' +
          'with --force the order is cancelled and its money waits in suspense.',
      ]
    case 'not_holder':
      return [`The order cannot be ${deed} for this provider: ${holder} holds it.`, look]
    case 'wrong_status':
      return [`The order is ${order.status} and cannot be ${deed}.`, look]
    case 'past_expiry':
    case 'locked_by_caller':
    case 'locked_by_other':
    case 'not_due':
    case 'provider_frozen':
    case 'merchant_frozen':
    case 'order_quarantined':
    case 'network_currency':
    case 'network_limits':
    case 'exposure_reached':
    case 'node_drained':
      return [`The order is ${order.status} and cannot be ${deed} (${reason}).`, look]
  }
}
