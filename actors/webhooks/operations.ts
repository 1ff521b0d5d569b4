/** What an operator may ask about webhooks. */
import { formatInstant } from '../../machines/time.ts'
import { attemptsOfWebhook, webhookById, webhooksPage } from '../../persistence/queries/operations.ts'
import { partyById } from '../../persistence/queries/parties.ts'
import type { Row } from '../../persistence/store.ts'
import { choice, optional, text } from '../foundation/fields.ts'
import { defineOperation, OperationError } from '../foundation/operation.ts'
import { bothWays, pageFields, readPage } from '../foundation/paging.ts'
import { partyNames } from '../parties/names.ts'
import { findParty } from '../parties/operations.ts'

export interface WebhookSummary {
  id: string
  order: string
  merchant: string
  url: string
  /** Per order, from 1. */
  sequence: number
  /** Of the order, as the body tells it. */
  status: string
  state: string
  attempts: number
  /** What the last attempt ended with: `200`, `503`, `timeout` … */
  lastAnswer: string | null
  dueAt: string
  created: string
  settled: string | null
}

export type WebhookColumns = Pick<
  Row<'webhooks'>,
  | 'id'
  | 'order_id'
  | 'merchant_id'
  | 'url'
  | 'sequence'
  | 'order_status'
  | 'state'
  | 'attempts'
  | 'last_answer'
  | 'created_at'
  | 'due_at'
  | 'settled_at'
>

export function webhookSummary(webhook: WebhookColumns, merchant: string): WebhookSummary {
  return {
    id: webhook.id,
    order: webhook.order_id,
    merchant,
    url: webhook.url,
    sequence: webhook.sequence,
    status: webhook.order_status,
    state: webhook.state,
    attempts: webhook.attempts,
    lastAnswer: webhook.last_answer,
    dueAt: formatInstant(webhook.due_at),
    created: formatInstant(webhook.created_at),
    settled: webhook.settled_at === null ? null : formatInstant(webhook.settled_at),
  }
}

export const webhookStates = ['pending', 'delivered', 'dead', 'superseded'] as const

export const webhookList = defineOperation({
  name: 'webhook.list',
  summary: 'List webhooks, the newest first.',
  fields: {
    ...pageFields,
    ...bothWays,
    state: optional(choice(webhookStates, { option: ['--state <state>', 'only those in this state'] })),
    order: optional(
      text({ description: "An order's id.", option: ['--order <id>', 'only those of this order'] }),
    ),
    merchant: optional(
      text({
        description: "A merchant's name.",
        option: ['--merchant <name>', 'only those of this merchant'],
      }),
    ),
  },
  isRead: true,
  async run(
    { store },
    { state, order, merchant, ...page },
  ): Promise<{ webhooks: WebhookSummary[]; next: string | null }> {
    const merchantId = merchant === undefined ? undefined : (await findParty(store, merchant, 'merchant')).id
    const isFiltered = order !== undefined || state !== undefined || merchantId !== undefined
    const filters = isFiltered
      ? [{ state, orderId: order?.toLowerCase(), merchantId }]
      : webhookStates.map((each) => ({ state: each }))
    const { items, next } = await readPage<WebhookColumns>(
      page,
      (webhook) => ({ at: webhook.created_at, id: webhook.id }),
      filters.map((filter) => (request) => store.query(webhooksPage(filter, request), {})),
    )
    const nameOf = partyNames(store)
    const named = items.map(async (webhook) => webhookSummary(webhook, await nameOf(webhook.merchant_id)))
    return { webhooks: await Promise.all(named), next }
  },
})

export interface WebhookDocument extends WebhookSummary {
  contact: string
  /** The exact text that is sent; `null` once it was removed for its age. */
  body: string | null
  history: AttemptDocument[]
}

export interface AttemptDocument {
  attempt: number
  startedAt: string
  endedAt: string | null
  /** `started` while it is under way. */
  outcome: string
  /** Why there is no answer. */
  error: string | null
  status: number | null
  milliseconds: number | null
  address: string | null
  answer: string | null
  /** How many bytes of the answer were read. */
  bytes: number | null
  /** There were more. */
  isCut: boolean
  /** What it was signed with, and the Message-Date as it was sent. */
  key: string | null
  messageDate: string | null
}

export const webhookShow = defineOperation({
  name: 'webhook.show',
  summary: 'Show a webhook with its attempts.',
  fields: { id: text() },
  arguments: ['id'],
  isRead: true,
  // The body has what the merchant sent of its consumer, and an answer may repeat it.
  forViewers: (document: WebhookDocument) => ({
    ...document,
    body: null,
    history: document.history.map((attempt) => ({ ...attempt, answer: null })),
  }),
  async run({ store }, { id }): Promise<WebhookDocument> {
    const [webhook] = await store.query(webhookById, { id: id.toLowerCase() })
    if (webhook === undefined) {
      throw new OperationError('not_found', `There is no webhook ${id}.`, {
        hint: 'webhook list shows their ids.',
      })
    }
    const [merchant] = await store.query(partyById, { id: webhook.merchant_id })
    const attempts = await store.query(attemptsOfWebhook, { id: webhook.id })
    return {
      ...webhookSummary(webhook, merchant?.name ?? ''),
      contact: merchant?.contact ?? '',
      body: webhook.pruned_at === null ? webhook.body : null,
      history: attempts.map(attemptDocument),
    }
  },
})

function attemptDocument(attempt: Row<'webhook_attempts'>): AttemptDocument {
  return {
    attempt: attempt.attempt,
    startedAt: formatInstant(attempt.started_at),
    endedAt: attempt.ended_at === null ? null : formatInstant(attempt.ended_at),
    outcome: attempt.outcome,
    error: attempt.error,
    status: attempt.status,
    milliseconds: attempt.milliseconds,
    address: attempt.address,
    answer: attempt.answer,
    bytes: attempt.answer_bytes,
    isCut: attempt.is_cut === 1,
    key: attempt.credential_key,
    messageDate: attempt.message_date,
  }
}
