/** What the node still has to do, whichever of its workers does it: told from the rows that outlive each of them. */
import { formatInstant, type Instant } from '../../machines/time.ts'
import * as queue from '../../persistence/queries/queue.ts'
import type { Row, Store } from '../../persistence/store.ts'
import { choice, optional, wholeNumber } from '../foundation/fields.ts'
import { defineOperation } from '../foundation/operation.ts'
import { partyNames } from '../parties/names.ts'
import type { NodeContext } from './context.ts'

/** A webhook to be sent, a notification, a balance to be reserved, a transaction to be built, an order to be expired. */
export const queueKinds = ['webhook', 'notification', 'funding', 'transaction', 'expiry'] as const
export type QueueKind = (typeof queueKinds)[number]

/** Waits for its first attempt; is under way; is tried again; was given up, until somebody sends it again. */
export const queueStates = ['pending', 'leased', 'retried', 'dead'] as const
export type QueueState = (typeof queueStates)[number]

export interface QueueEntry {
  kind: QueueKind
  state: QueueState
  /** Of the webhook or the notification; of all others the order's. */
  id: string
  order: string | null
  /** The merchant's name, the channel or the blockchain. */
  whose: string
  /** The host, the status that is told, the purpose: what tells it from others. */
  what: string | null
  attempts: number
  /** ISO 8601; `null` for what is dead, and for what waits for money. */
  dueAt: string | null
  /** An attempt is under way until then, or its node has died. */
  leasedUntil: string | null
  lastAnswer: string | null
}

export interface Queue {
  entries: QueueEntry[]
  /** There are more than are shown. */
  more: boolean
}

/** Of each kind. */
const mostOfEach = 200

export const queueList = defineOperation({
  name: 'queue.list',
  summary: 'List what the node still has to do, and what it gave up, the longest due first.',
  examples: ['queue list', 'queue list --state dead', 'queue list --kind webhook --state retried'],
  fields: {
    kind: optional(choice(queueKinds, { option: ['--kind <kind>', 'only of this kind'] })),
    state: optional(choice(queueStates, { option: ['--state <state>', 'only those in this state'] })),
    limit: optional(
      wholeNumber({ description: 'At most so many; 200 unless given.', minimum: 1, maximum: 1000 }),
    ),
  },
  isRead: true,
  async run({ store, clock }: NodeContext, { kind, state, limit = mostOfEach }): Promise<Queue> {
    const now = clock.now()
    const wanted = kind === undefined ? queueKinds : [kind]
    const found = await Promise.all(wanted.map((each) => sources[each](store, now)))
    const entries = found
      .flatMap((each) => each.entries)
      .filter((entry) => state === undefined || entry.state === state)
      .toSorted((left, right) => order(left) - order(right))
    const more = found.some((each) => each.more) || entries.length > limit
    return { entries: entries.slice(0, limit), more }
  },
})

/** What is dead waits for somebody, and comes first. */
function order({ state, dueAt }: QueueEntry): number {
  if (state === 'dead') return -1
  return dueAt === null ? 0 : Date.parse(dueAt)
}

type Source = (store: Store, now: Instant) => Promise<Queue>

const limit = mostOfEach

const sources: Readonly<Record<QueueKind, Source>> = {
  async webhook(store) {
    const lists = [
      await store.query(queue.unsettledWebhooks, { limit }),
      await store.query(queue.leasedWebhooks, { limit }),
      await store.query(queue.deadWebhooks, { limit }),
    ]
    const rows = new Map(lists.flat().map((row) => [row.id, row]))
    const nameOf = partyNames(store)
    const entries = [...rows.values()].map(async (row): Promise<QueueEntry> => {
      const whose = await nameOf(row.merchant_id)
      return { ...sendingOf('webhook', row), order: row.order_id, whose, what: row.order_status }
    })
    return { entries: await Promise.all(entries), more: isFull(lists) }
  },
  async notification(store) {
    const lists = [
      await store.query(queue.unsettledNotifications, { kind: 'email', limit }),
      await store.query(queue.unsettledNotifications, { kind: 'webhook', limit }),
      await store.query(queue.deadNotifications, { limit }),
    ]
    const entries = lists.flat().map((row): QueueEntry => {
      return { ...sendingOf('notification', row), order: null, whose: row.channel, what: row.purpose }
    })
    return { entries, more: isFull(lists) }
  },
  async funding(store) {
    const rows = await store.query(queue.waitingFundings, { limit })
    const nameOf = partyNames(store)
    const entries = rows.map(async ({ order_id, merchant_id, created_at }) =>
      job('funding', order_id, await nameOf(merchant_id), { dueAt: formatInstant(created_at) }),
    )
    return { entries: await Promise.all(entries), more: isFull([rows]) }
  },
  async transaction(store) {
    const rows = await store.query(queue.transactionsToBuild, { limit })
    const entries = rows.map(({ order_id, blockchain, build_due_at, transaction_error }) =>
      job('transaction', order_id, blockchain, {
        state: transaction_error === null ? 'pending' : 'retried',
        dueAt: build_due_at === null ? null : formatInstant(build_due_at),
        lastAnswer: transaction_error,
      }),
    )
    return { entries, more: isFull([rows]) }
  },
  async expiry(store, now) {
    const rows = await store.query(queue.ordersPastDue, { now, limit })
    const nameOf = partyNames(store)
    const entries = rows.map(async ({ id, merchant_id, status, due_at }) =>
      job('expiry', id, await nameOf(merchant_id), {
        what: status,
        dueAt: due_at === null ? null : formatInstant(due_at),
      }),
    )
    return { entries: await Promise.all(entries), more: isFull([rows]) }
  },
}

function isFull(lists: readonly (readonly unknown[])[]): boolean {
  return lists.some(({ length }) => length >= limit)
}

type Sending = Pick<
  Row<'webhooks'>,
  'id' | 'state' | 'attempts' | 'due_at' | 'lease_until_at' | 'last_answer'
>

function sendingOf(kind: QueueKind, row: Omit<Sending, 'state'> & { state: string }) {
  const { id, attempts, due_at, lease_until_at, last_answer } = row
  const isDead = row.state === 'dead'
  const state: QueueState = isDead
    ? 'dead'
    : lease_until_at !== null
      ? 'leased'
      : attempts > 0
        ? 'retried'
        : 'pending'
  return {
    ...{ kind, state, id, attempts, lastAnswer: last_answer },
    dueAt: isDead ? null : formatInstant(due_at),
    leasedUntil: isDead || lease_until_at === null ? null : formatInstant(lease_until_at),
  }
}

/** What is done in the database alone is never leased: it is one commit. */
function job(kind: QueueKind, order: string, whose: string, more: Partial<QueueEntry>): QueueEntry {
  const nothing = { what: null, attempts: 0, dueAt: null, leasedUntil: null, lastAnswer: null }
  return { kind, state: 'pending', id: order, order, whose, ...nothing, ...more }
}
