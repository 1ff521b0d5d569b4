/** What a sandbox shows of receivers and of requests: pages, the newest first. */
import type { OrderStatus } from '../../machines/statuses.ts'
import { arrivalsPage, deliveriesPage } from '../../persistence/queries/sandbox-receivers.ts'
import type { Row, Store } from '../../persistence/store.ts'
import { type Page, readPage } from '../foundation/paging.ts'
import type { AskedRequests, LoggedRequest } from './request-log.ts'

export type SandboxReads = Pick<Store, 'query'>

/** What is still known of the webhook, in whose row it is. */
interface OfWebhook {
  order_status: OrderStatus | null
  sequence: number | null
  body: string | null
  pruned_at: number | null
}

export type ShownDelivery = Row<'sandbox_deliveries'> & OfWebhook & { answer: string | null }
export type ShownArrival = Row<'inbox_arrivals'> & OfWebhook & { order_id: string | null }

/** A cursor is the `next` of an earlier page, or undefined. */
export interface AskedPage {
  limit?: number | undefined
  cursor?: string | undefined
}

const asked = ({ limit, cursor }: AskedPage) => ({
  ...(limit === undefined ? {} : { limit }),
  ...(cursor === undefined ? {} : { cursor }),
})

/** What was sent to a merchant's receivers. */
export function deliveriesOf(
  store: SandboxReads,
  { merchantId, orderId, ...page }: AskedPage & { merchantId: string; orderId?: string | undefined },
) {
  return readPage<ShownDelivery>(asked(page), ({ sent_at, id }) => ({ at: sent_at, id }), [
    (request) => store.query(deliveriesPage({ merchantId, orderId }, request), {}),
  ])
}

/** Of an order as long as its webhook has one: there it is removed for its age, and erased. */
export function bodyOf({
  ping_body,
  body,
  pruned_at,
}: Pick<ShownDelivery, 'ping_body' | 'body' | 'pruned_at'>): string | null {
  return ping_body ?? (pruned_at === null ? body : null)
}

/** What came to a merchant's inbox. */
export function arrivalsOf(store: SandboxReads, { merchantId, ...page }: AskedPage & { merchantId: string }) {
  return readPage<ShownArrival>(asked(page), ({ received_at, id }) => ({ at: received_at, id }), [
    (request) => store.query(arrivalsPage({ merchantId }, request), {}),
  ])
}

/** Of what nobody has signed none: it may have been anything, and the webhook's own says nothing of it. */
export function bodyArrived({ problem, pruned_at, body }: ShownArrival): string | null {
  return problem === null && pruned_at === null ? body : null
}

/** What the keys of a party have sent. */
export function requestsOf(
  read: (asked: AskedRequests) => Promise<readonly LoggedRequest[]>,
  { partyId, ...page }: AskedPage & { partyId: string },
): Promise<Page<LoggedRequest>> {
  return readPage(asked(page), ({ at, id }) => ({ at, id }), [
    async ({ after, limit }) => [...(await read({ partyId, limit, after }))],
  ])
}
