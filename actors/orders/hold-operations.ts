/** Orders that are held since a backup was restored, and how an operator lets them go. */

import { formatInstant } from '../../machines/time.ts'
import { heldOrders, releaseHold } from '../../persistence/queries/holds.ts'
import type { Operation } from '../foundation/operation.ts'
import { OperationError } from '../foundation/operation.ts'
import type { OrderContext } from './operations.ts'
import { findOrder } from './operations.ts'

const pageSize = 500

interface HeldInput {
  limit?: number
  cursor?: string
}

export interface HeldDocument {
  orders: { id: string; code: string; status: string; heldSince: string }[]
  /** The cursor of the page after this one; `null` when there is none. */
  next: string | null
}

export const orderHeld: Operation<HeldInput, HeldDocument, OrderContext> = {
  name: 'order.held',
  summary: 'List the orders that were open in a backup that was restored: no payment of them is started.',
  input: {
    type: 'object',
    properties: {
      limit: {
        type: 'integer',
        minimum: 1,
        maximum: 1000,
        description: 'At most so many; all unless given.',
      },
      cursor: { type: 'string', maxLength: 64, description: 'The `next` of the page before.' },
    },
    additionalProperties: false,
  },
  isRead: true,
  forViewers: ({ orders, next }) => ({ orders: orders.map((order) => ({ ...order, code: '' })), next }),
  async run({ store }, { limit, cursor = '' }) {
    const orders: HeldDocument['orders'] = []
    for (let after = cursor; ; ) {
      const page = await store.query(heldOrders, { after, limit: limit ?? pageSize })
      for (const { id, code, status, held_at } of page) {
        orders.push({ id, code, status, heldSince: formatInstant(held_at ?? 0) })
      }
      const last = page.at(-1)
      if (last === undefined || page.length < (limit ?? pageSize)) return { orders, next: null }
      if (limit !== undefined) return { orders, next: last.id }
      after = last.id
    }
  },
}

interface UnholdInput {
  ids?: string[]
  all?: boolean
  reason: string
}

export const orderUnhold: Operation<UnholdInput, { released: string[] }, OrderContext> = {
  name: 'order.unhold',
  summary: 'Let providers start payments of held orders again: the provider says that they were not paid.',
  input: {
    type: 'object',
    properties: {
      ids: {
        type: 'array',
        items: { type: 'string' },
        minItems: 1,
        maxItems: 1000,
        description: 'Ids or codes.',
      },
      all: { type: 'boolean', description: 'Every order that is held.' },
      reason: {
        type: 'string',
        minLength: 1,
        maxLength: 500,
        pattern: '\\S',
        description: 'For the audit log.',
      },
    },
    required: ['reason'],
    additionalProperties: false,
  },
  isRead: false,
  role: 'operator',
  concluded: ({ released }) => `${released.length} orders`,
  async run(context, { ids, all = false }) {
    if ((ids === undefined) === !all) throw new OperationError('invalid', 'Name orders, or say all.')
    const { store, orders } = context
    const wanted = ids ?? (await orderHeld.run(context, {})).orders.map(({ id }) => id)
    // All are known before the first is let go.
    const found = await Promise.all(wanted.map(async (id) => (await findOrder(context, id)).id))
    const released: string[] = []
    for (const id of found) {
      if ((await store.execute(releaseHold, { id })).length === 0) continue
      released.push(id)
      // What fell due while it was held.
      await orders.tryExpire(id)
    }
    return { released }
  },
}
