/** What an integration has done, as its deliveries show it. */

import { attemptsOfWebhook } from '../../persistence/queries/operations.ts'
import { directionOfOrder } from '../../persistence/queries/orders.ts'
import type { Store } from '../../persistence/store.ts'
import type { MessageAbout } from '../webhooks/sender.ts'
import type { MerchantStep } from './go-live-steps.ts'
import type { SentRequest } from './sandbox-sender.ts'

/** Statuses by which a receiver says that it does not believe who has sent something. */
const unbelieving: readonly (number | null)[] = [400, 401, 403]

/**
 * @param isOwn whether the receiver is the merchant's own, not an inbox of this node: what an inbox does says nothing of an integration
 */
export async function stepsSeen(
  store: Pick<Store, 'query'>,
  { orderId, webhookId, attempt, status }: MessageAbout,
  sent: SentRequest,
  isOwn: boolean,
): Promise<MerchantStep[]> {
  if (sent.fault === 'bad_signature') {
    return isOwn && unbelieving.includes(sent.status) ? ['bad_signature_refused'] : []
  }
  const isTaken = sent.was_sent === 1 && (sent.status === 200 || sent.status === 201)
  if (!isTaken) return []
  if (!isOwn) return ['webhook_verified']
  const steps: MerchantStep[] = ['webhook_verified']
  if (sent.fault === 'duplicate, the second') steps.push('duplicate_acknowledged')
  if (orderId === null) return steps
  steps.push('webhook_acknowledged')
  if (status === 'EXPIRED') steps.push('expiry_acknowledged')
  if (status === 'CANCELLED') steps.push('cancellation_acknowledged')
  if (status === 'COMPLETED') {
    const [order] = await store.query(directionOfOrder, { id: orderId })
    steps.push(order?.direction === 'PAY_IN' ? 'pay_in_completed' : 'pay_out_completed')
  }
  if (attempt > 1) {
    const before = (await store.query(attemptsOfWebhook, { id: webhookId })).find(
      (one) => one.attempt === attempt - 1,
    )
    steps.push(before?.outcome === 'acknowledged' ? 'duplicate_acknowledged' : 'retry_acknowledged')
  }
  return steps
}
