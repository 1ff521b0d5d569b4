/** `ventanilla webhook …` */
import type { Command } from 'commander'
import {
  type AttemptDocument,
  type WebhookDocument,
  webhookList,
  webhookShow,
} from '../../actors/webhooks/operations.ts'
import { addGroup, addOperationCommand, more } from '../command.ts'
import { fields, section, shortTime, table } from '../table.ts'
import type { Terminal } from '../terminal.ts'
import { addWebhookDeliveryCommands } from './webhook-delivery.ts'
import { webhookTable } from './webhook-table.ts'

export function addWebhookCommands(terminal: Terminal, program: Command): void {
  const webhook = addGroup(program, 'webhook', 'Look at webhooks, and send them again.')
  addOperationCommand(terminal, webhook, {
    operation: webhookList,
    summary: 'List webhooks, the newest first.',
    examples: [
      'webhook list',
      'webhook list --state dead --merchant "Demo Shop"',
      'webhook list --order 5f0c2a9e-… --json',
    ],
    show: ({ webhooks, next }) =>
      (webhooks.length === 0 ? 'No webhooks.\n' : webhookTable(webhooks)) + more(next),
  })
  addOperationCommand(terminal, webhook, {
    operation: webhookShow,
    summary: 'Show a webhook with its attempts and the exact body.',
    examples: ['webhook show 0b6d1c7a-…'],
    show: webhookText,
  })
  addWebhookDeliveryCommands(terminal, webhook)
}

function webhookText(webhook: WebhookDocument): string {
  const history = table(webhook.history, [
    { title: 'ATTEMPT', value: (attempt) => attempt.attempt, right: true },
    { title: 'STARTED', value: (attempt) => shortTime(attempt.startedAt) },
    { title: 'ENDED', value: (attempt) => shortTime(attempt.endedAt) },
    { title: 'OUTCOME', value: (attempt) => attempt.outcome },
    { title: 'STATUS', value: (attempt) => attempt.status },
    { title: 'MS', value: (attempt) => attempt.milliseconds, right: true },
    { title: 'BYTES', value: bytesOf, right: true },
    { title: 'ADDRESS', value: (attempt) => attempt.address },
    { title: 'KEY', value: (attempt) => attempt.key },
    { title: 'ANSWER', value: (attempt) => attempt.answer ?? attempt.error },
  ])
  return [
    fields([
      ['id', webhook.id],
      ['order', `${webhook.order}, number ${webhook.sequence}`],
      ['tells', webhook.status],
      ['state', webhook.state],
      ['merchant', webhook.contact === '' ? webhook.merchant : `${webhook.merchant}, ${webhook.contact}`],
      ['url', webhook.url],
      ['created', shortTime(webhook.created)],
      ['due', webhook.state === 'pending' ? shortTime(webhook.dueAt) : null],
      ['settled', webhook.settled === null ? null : shortTime(webhook.settled)],
      ['last answer', webhook.lastAnswer],
    ]),
    section('Attempts', webhook.history.length === 0 ? '' : history),
    section('Body', webhook.body === null ? 'Removed for its age.\n' : `${webhook.body}\n`),
  ].join('')
}

function bytesOf({ bytes, isCut }: AttemptDocument): string | null {
  return bytes === null ? null : `${bytes}${isCut ? '+' : ''}`
}
