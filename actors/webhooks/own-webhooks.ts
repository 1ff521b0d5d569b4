/** What a merchant sees of its own webhooks, and what it may send again. */
import type { Instant } from '../../machines/time.ts'
import { attemptsOfWebhook, webhookById, webhooksPage } from '../../persistence/queries/operations.ts'
import { deadLettersOf } from '../../persistence/queries/webhooks.ts'
import type { WebhookState } from '../../persistence/schema-webhooks.ts'
import type { Row, Store } from '../../persistence/store.ts'
import { pageEndOf, readPage } from '../foundation/paging.ts'
import type { WebhookColumns } from './operations.ts'
import { type ResendOutcome, sendAgain } from './resend.ts'

export interface OwnWebhookFilter {
  state: WebhookState | null
  /** An order's id, lower case. */
  orderId: string | null
  limit: number
  cursor: string | null
}

/** The newest first; `null` when the cursor is not the `next` of an earlier page. */
export async function ownWebhooks(
  store: Pick<Store, 'query'>,
  merchantId: string,
  { state, orderId, limit, cursor }: OwnWebhookFilter,
): Promise<{ webhooks: WebhookColumns[]; next: string | null } | null> {
  if (cursor !== null && pageEndOf(cursor) === null) return null
  const filter = { merchantId, state: state ?? undefined, orderId: orderId ?? undefined }
  const { items, next } = await readPage<WebhookColumns>(
    { limit, ...(cursor === null ? {} : { cursor }) },
    ({ created_at, id }) => ({ at: created_at, id }),
    [(page) => store.query(webhooksPage(filter, page), {})],
  )
  return { webhooks: items, next }
}

export interface OwnWebhook {
  webhook: Row<'webhooks'>
  attempts: Row<'webhook_attempts'>[]
}

/** With every attempt, the first one first; `null` for another merchant's, as for one that does not exist. */
export async function ownWebhook(
  store: Pick<Store, 'query'>,
  merchantId: string,
  id: string,
): Promise<OwnWebhook | null> {
  const [webhook] = await store.query(webhookById, { id })
  if (webhook?.merchant_id !== merchantId) return null
  return { webhook, attempts: await store.query(attemptsOfWebhook, { id }) }
}

export interface AskedResends {
  merchantId: string
  /** Given up between these instants, both inclusive. */
  since: Instant
  until: Instant
}

export interface Resends {
  one(asked: { merchantId: string; id: string }): Promise<ResendOutcome>
  /** Dead letters, the first that were given up first; `hasMore` where as many were sent again as one request may. */
  many(asked: AskedResends): Promise<{ resent: number; hasMore: boolean }>
}

/** As many as are looked for at once, and as one request may send again. */
const atOnce = 64
const mostResent = 1024

export function createResends(store: Store): Resends {
  return {
    one: ({ merchantId, id }) => sendAgain(store, id, { merchantId }),
    async many({ merchantId, ...range }) {
      let resent = 0
      while (resent < mostResent) {
        const dead = await store.query(deadLettersOf, { merchantId, ...range, limit: atOnce })
        const from = resent
        const ended = await Promise.all(
          dead.map(({ id }, index) => sendAgain(store, id, { merchantId, position: from + index })),
        )
        resent += ended.filter((outcome) => typeof outcome !== 'string').length
        // What was sent again is dead no more, so that each page begins with the next ones.
        if (dead.length < atOnce || resent === from) return { resent, hasMore: false }
      }
      return { resent, hasMore: true }
    },
  }
}
