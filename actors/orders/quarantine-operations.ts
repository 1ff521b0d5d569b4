/** Orders that are quarantined since a backup was restored, and how an operator clears them. */

import { formatInstant } from '../../machines/time.ts'
import { partiesOfKind } from '../../persistence/queries/provisioning.ts'
import { clearQuarantine, quarantinedOrders } from '../../persistence/queries/quarantine.ts'
import { flag, optional, reason, text, texts, wholeNumber } from '../foundation/fields.ts'
import { defineOperation, OperationError } from '../foundation/operation.ts'
import type { OrderContext } from './operations.ts'
import { findOrder } from './operations.ts'
import { missingWords, quarantineWords } from './quarantine-words.ts'

const pageSize = 500

export interface QuarantinedDocument {
  /** `waitsFor`: the providers that have not said yet that they did not pay it. */
  orders: { id: string; code: string; status: string; quarantinedSince: string; waitsFor: string[] }[]
  /** The cursor of the page after this one; `null` when there is none. */
  next: string | null
}

export const orderQuarantined = defineOperation({
  name: 'order.quarantined',
  summary: 'List the orders that a restore has quarantined; providers cannot start them.',
  fields: {
    limit: optional(
      wholeNumber({ description: 'At most so many; all unless given.', minimum: 1, maximum: 1000 }),
    ),
    cursor: optional(text({ description: 'The `next` of the previous page.', maxLength: 64 })),
  },
  isRead: true,
  forViewers: ({ orders, next }: QuarantinedDocument) => ({
    orders: orders.map((order) => ({ ...order, code: '' })),
    next,
  }),
  async run({ store }: OrderContext, { limit, cursor = '' }): Promise<QuarantinedDocument> {
    const orders: QuarantinedDocument['orders'] = []
    const words = await quarantineWords(store, await store.query(partiesOfKind, { kind: 'provider' }))
    for (let after = cursor; ; ) {
      const page = await store.query(quarantinedOrders, { after, limit: limit ?? pageSize })
      for (const { id, code, status, quarantined_at } of page) {
        const since = quarantined_at ?? 0
        const waitsFor = missingWords(words, words.denials.get(id) ?? new Set(), since)
        orders.push({ id, code, status, quarantinedSince: formatInstant(since), waitsFor })
      }
      const last = page.at(-1)
      if (last === undefined || page.length < (limit ?? pageSize)) return { orders, next: null }
      if (limit !== undefined) return { orders, next: last.id }
      after = last.id
    }
  },
})

export const orderClear = defineOperation({
  name: 'order.clear',
  summary: 'Release orders from quarantine once the providers have said that they were not paid.',
  done: 'Providers can start it again.',
  fields: {
    ids: optional(
      texts({ description: 'Ids or codes.', minItems: 1, maxItems: 1000, form: { label: 'Order' } }),
    ),
    all: optional(
      flag({
        description: 'Every order that is quarantined.',
        option: ['--all', 'every order that is quarantined'],
      }),
    ),
    reason: reason('For the audit log.', {
      option: ['--reason <text>', 'why; kept in the audit log'],
      form: {
        label: 'How you know',
        control: 'area',
        hint: 'For example: it is not in the provider’s report. Kept in the audit log.',
      },
    }),
  },
  arguments: ['ids'],
  isRead: false,
  concluded: ({ cleared }: { cleared: string[] }) => `${cleared.length} orders`,
  async run(context: OrderContext, { ids, all = false }): Promise<{ cleared: string[] }> {
    if ((ids === undefined) === !all) throw new OperationError('invalid', 'Name orders, or say all.')
    const { store, orders } = context
    const wanted = ids ?? (await orderQuarantined.run(context, {})).orders.map(({ id }) => id)
    // All are known before the first is cleared.
    const found = await Promise.all(wanted.map(async (id) => (await findOrder(context, id)).id))
    const cleared: string[] = []
    for (const id of found) {
      if ((await store.execute(clearQuarantine, { id })).length === 0) continue
      cleared.push(id)
      // What fell due while it was quarantined.
      await orders.tryExpire(id)
    }
    return { cleared }
  },
})
