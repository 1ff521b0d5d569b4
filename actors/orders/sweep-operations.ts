/** A key has leaked: what was created with it since then is cancelled, each order in its own step. */

import type { Direction } from '../../machines/order.ts'
import { type OrderStatus, openStatuses } from '../../machines/statuses.ts'
import { formatInstant, type Instant, parseInstant } from '../../machines/time.ts'
import { ordersOfCredential } from '../../persistence/queries/operations.ts'
import { credentialByKey } from '../../persistence/queries/parties.ts'
import { ownerOfKey } from '../../persistence/queries/provisioning.ts'
import type { Row, Store } from '../../persistence/store.ts'
import { dryRun, flag, type InputOf, optional, reason, text } from '../foundation/fields.ts'
import { defineOperation, OperationError } from '../foundation/operation.ts'
import { explainRefusal, lookAt } from './change-operations.ts'
import type { OrderContext } from './operations.ts'
import { type ShownPosting, summedPostings } from './postings-shown.ts'
import type { Message, OrderRef } from './telling.ts'

export const sweepFields = {
  credential: text({
    description: 'The key that created them.',
    option: ['--credential <key>', 'every order that this key has created, instead of one'],
    form: { label: 'Key' },
  }),
  since: text({
    description: 'ISO 8601; UTC unless it says otherwise.',
    option: [
      '--since <time>',
      'with --credential: created at this time or later (UTC unless it has an offset)',
    ],
    form: { label: 'Made since (UTC)', control: 'datetime-local' },
  }),
  reason: reason('For the journals.', {
    option: ['--reason <text>', 'why; kept in the journal'],
    form: { label: 'Why', hint: 'Kept in the journals of the orders.' },
  }),
  force: optional(
    flag({
      description: 'Also those that a provider holds; their money waits in suspense.',
      option: ['--force', 'also those that a provider holds: their money then waits in suspense'],
      form: {
        label:
          'Also those that a provider holds: cash may have been handled, so their money waits in suspense',
      },
    }),
  ),
  dryRun,
}

type SweepInput = InputOf<typeof sweepFields>

export interface SweptOrder {
  id: string
  code: string
  /** After it, or as it would be. */
  status: string
  outcome: 'cancelled' | 'refused'
  /** Why it was refused. */
  problem: string | null
}

export interface Sweep {
  credential: string
  merchant: string
  since: string
  cancelled: number
  refused: number
  orders: SweptOrder[]
  /** There were more than one call takes: ask again. */
  more: boolean
  /** Whoever has the key can go on creating orders: it is live, and its merchant is not frozen. */
  mayCreateMore: boolean
  /** It was only looked at. */
  dryRun: boolean
  /** What would be booked, where it was only looked at: one line for all that go from one account to another. */
  books: ShownPosting[]
}

/** In this order: an order moves from one to the next while the sweep goes on. */
const directions: readonly Direction[] = ['PAY_OUT', 'PAY_IN']
const pageSize = 64
const maxOrders = 10_000

export const orderCancelAll = defineOperation({
  name: 'order.cancelAll',
  summary: 'Cancel every order that is not final and was created with a key since a time.',
  fields: sweepFields,
  isRead: false,
  concluded: ({ cancelled, refused }: Sweep) => `${cancelled} cancelled, ${refused} refused`,
  async run(context: OrderContext, input): Promise<Sweep> {
    const since = parseInstant(input.since)
    if (since === null) {
      throw new OperationError(
        'invalid',
        `since: "${input.since}" is not a time such as 2026-03-01T12:00:00Z.`,
      )
    }
    const { store } = context
    const [owner] = await store.query(ownerOfKey, { key: input.credential })
    if (owner === undefined || owner.kind !== 'merchant') {
      throw new OperationError('not_found', `There is no merchant's key ${input.credential}.`, {
        hint: 'key list shows the keys of a party.',
      })
    }
    const swept = new Map<string, Swept>()
    let isNew = true
    // What a provider has given back meanwhile is READY again: until a pass finds nothing new.
    while (isNew && swept.size < maxOrders) isNew = await sweepOnce(context, input, owner.id, since, swept)
    const orders = [...swept.values()].map(({ order }) => order)
    const [live] = await store.query(credentialByKey, { key: input.credential })
    const cancelled = orders.filter(({ outcome }) => outcome === 'cancelled').length
    return {
      credential: input.credential,
      merchant: owner.name,
      since: formatInstant(since),
      cancelled,
      refused: orders.length - cancelled,
      orders,
      more: isNew,
      mayCreateMore: live !== undefined && live.frozen_at === null,
      dryRun: input.dryRun ?? false,
      books: summedPostings([...swept.values()].flatMap(({ books }) => books)),
    }
  },
})

interface Swept {
  order: SweptOrder
  books: readonly ShownPosting[]
}

/** @returns whether there were orders that were not tried before. */
async function sweepOnce(
  context: OrderContext,
  input: SweepInput,
  merchantId: string,
  since: Instant,
  swept: Map<string, Swept>,
): Promise<boolean> {
  const before = swept.size
  for (const status of openStatuses) {
    for (const direction of directions) {
      for await (const page of pagesOf(context.store, input.credential, {
        merchantId,
        direction,
        status,
        since,
      })) {
        const fresh = page.filter(({ id }) => !swept.has(id))
        const ended = await Promise.all(fresh.map((order) => cancelOne(context, order, input)))
        for (const one of ended) swept.set(one.order.id, one)
        if (swept.size >= maxOrders) return true
      }
    }
  }
  return swept.size > before
}

async function* pagesOf(
  store: Store,
  credentialKey: string,
  { since, ...place }: { merchantId: string; direction: Direction; status: OrderStatus; since: Instant },
): AsyncGenerator<OrderRef[]> {
  let [afterAt, afterId] = [since, '']
  for (;;) {
    const page = await store.query(ordersOfCredential, {
      ...place,
      credentialKey,
      from: since,
      afterAt,
      afterId,
      limit: pageSize,
    })
    const last = page.at(-1)
    if (last === undefined) return
    yield page
    ;[afterAt, afterId] = [last.created_at, last.id]
  }
}

async function cancelOne(
  context: OrderContext,
  order: OrderRef,
  { reason, force = false, dryRun: isShown = false }: SweepInput,
): Promise<Swept> {
  const message: Message = {
    order,
    actor: { kind: 'operator', name: context.operator },
    type: 'operator.cancel',
    reason,
    force,
  }
  const { told, books } = isShown
    ? await lookAt(context, message)
    : { told: await context.orders.tell(message), books: [] }
  if (told.outcome === 'accepted') return { order: sweptOrder(told.order, null), books }
  if (told.outcome !== 'refused') throw new Error(`Cancelling order ${order.id} ended in ${told.outcome}.`)
  const [problem] = await explainRefusal(context, told.order, told.reason, 'cancelled')
  return { order: sweptOrder(told.order, problem), books: [] }
}

function sweptOrder({ id, code, status }: Row<'orders'>, problem: string | null): SweptOrder {
  return { id, code, status, outcome: problem === null ? 'cancelled' : 'refused', problem }
}
