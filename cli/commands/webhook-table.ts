/** Webhooks as a table, in lists and beside their order. */
import type { WebhookSummary } from '../../actors/webhooks/operations.ts'
import { shortTime, table } from '../table.ts'

export function webhookTable(webhooks: readonly WebhookSummary[]): string {
  return table(webhooks, [
    { title: 'STATUS', value: (webhook) => webhook.status },
    { title: 'STATE', value: (webhook) => webhook.state },
    { title: 'ATTEMPTS', value: (webhook) => webhook.attempts, right: true },
    { title: 'LAST ANSWER', value: (webhook) => webhook.lastAnswer },
    { title: 'DUE', value: (webhook) => (webhook.state === 'pending' ? shortTime(webhook.dueAt) : null) },
    { title: 'MERCHANT', value: (webhook) => webhook.merchant },
    { title: 'ORDER', value: (webhook) => webhook.order },
    { title: 'URL', value: (webhook) => webhook.url },
    { title: 'ID', value: (webhook) => webhook.id },
  ])
}
