/** Webhooks: what merchants are told, attempt by attempt, and how to tell it again. */
import { webhookRetry } from '../../../actors/webhooks/delivery-operations.ts'
import {
  type WebhookDocument,
  webhookList,
  webhookShow,
  webhookStates,
} from '../../../actors/webhooks/operations.ts'
import type { Block } from '../blocks.ts'
import { linkTo, moment, orderLink, partyLink, shortId, state, time } from '../cells.ts'
import { filled, operationForm } from '../forms.ts'
import { attemptTone } from '../meanings.ts'
import type { Page, PageRequest } from '../page.ts'
import { webhookLink } from './time-line.ts'

export const webhooksPage: Page = {
  path: /^\/webhooks$/,
  least: 'viewer',
  room: 'Webhooks',
  async render({ ask, query }) {
    const chosen = webhookStates.find((known) => known === query.get('state'))
    const merchant = query.get('merchant')?.trim() ?? ''
    const { webhooks, next } = await ask(webhookList, {
      ...(chosen === undefined ? {} : { state: chosen }),
      ...filled({ merchant, cursor: query.get('cursor') ?? '' }),
      limit: 50,
    })
    return {
      title: 'Webhooks',
      ...(query.has('cursor') ? {} : { liveSeconds: 5 }),
      blocks: [
        {
          kind: 'filters',
          action: '/webhooks',
          button: 'Show',
          fields: [
            {
              name: 'state',
              label: 'State',
              type: 'select',
              value: chosen ?? '',
              options: [['', 'any'], ...webhookStates.map((name): [string, string] => [name, name])],
            },
            {
              name: 'merchant',
              label: 'Merchant',
              type: 'search',
              isOptional: true,
              value: merchant,
              maxLength: 100,
            },
          ],
        },
        {
          kind: 'table',
          label: 'Webhooks',
          empty: 'No matching webhooks.',
          isList: true,
          columns: [
            { label: 'Webhook' },
            { label: 'State' },
            { label: 'Tells' },
            { label: 'Order' },
            { label: 'Merchant', isCut: true },
            { label: 'URL', isCut: true },
            { label: 'Attempts', isRight: true },
            { label: 'Last answer' },
            { label: 'Created' },
            { label: 'Next attempt' },
          ],
          rows: webhooks.map((line) => [
            webhookLink(line),
            state(line.state),
            state(line.status),
            orderLink(line.order),
            partyLink('merchant', line.merchant),
            line.url,
            String(line.attempts),
            line.lastAnswer,
            time(line.created),
            line.state === 'pending' ? time(line.dueAt) : null,
          ]),
        },
        { kind: 'next', href: next === null ? null : linkTo('/webhooks', query, { cursor: next }) },
      ],
    }
  },
}

export const webhookPage: Page = {
  path: /^\/webhooks\/(?<id>[\w-]{1,64})$/,
  least: 'viewer',
  room: 'Webhooks',
  async render(request) {
    const shown = await request.ask(webhookShow, { id: request.params.id ?? '' })
    return {
      title: `Webhook ${shown.sequence} of order ${shortId(shown.order)}`,
      heading: `Webhook ${shown.sequence} to ${shown.merchant}`,
      crumb: { href: '/webhooks', text: 'Webhooks' },
      liveSeconds: 5,
      blocks: [factsOf(shown), ...retryForm(request, shown), ...historyOf(shown), ...bodyOf(request, shown)],
    }
  },
}

function factsOf(shown: WebhookDocument): Block {
  return {
    kind: 'facts',
    items: [
      ['State', state(shown.state)],
      ['Tells', state(shown.status)],
      ['Order', orderLink(shown.order)],
      ['Merchant', { ...partyLink('merchant', shown.merchant), note: shown.contact }],
      ['URL', { text: shown.url, isCode: true, isLong: true, copy: true }],
      ['Number in its order', String(shown.sequence)],
      ['Attempts', String(shown.attempts)],
      ['Last answer', shown.lastAnswer],
      ['Created', time(shown.created)],
      ['Next attempt', shown.state === 'pending' ? time(shown.dueAt) : null],
      ['Settled', time(shown.settled)],
      ['Webhook', { text: shown.id, isCode: true, copy: true }],
    ],
  }
}

function retryForm(request: PageRequest, shown: WebhookDocument): Block[] {
  const lead =
    shown.state === 'delivered'
      ? 'The merchant has received it, and will get it again.'
      : 'It is sent at once, and its attempts are counted anew.'
  return operationForm(request, webhookRetry, {
    title: 'Resend',
    lead,
    button: 'Send again',
    fields: [],
    hidden: { ids: shown.id },
  })
}

function historyOf({ history }: WebhookDocument): Block[] {
  return [
    { kind: 'heading', text: 'Attempts' },
    {
      kind: 'table',
      label: 'Attempts',
      empty: 'None yet.',
      columns: [
        { label: 'No.', isRight: true },
        { label: 'Started' },
        { label: 'Outcome' },
        { label: 'Status', isRight: true },
        { label: 'Took', isRight: true },
        { label: 'Address' },
        { label: 'Answer' },
      ],
      rows: [...history].reverse().map((line) => [
        String(line.attempt),
        moment(line.startedAt),
        {
          text: line.outcome,
          tone: attemptTone(line.outcome),
          ...(line.error === null ? {} : { note: line.error }),
        },
        line.status === null ? null : String(line.status),
        line.milliseconds === null ? null : `${line.milliseconds} ms`,
        { text: line.address ?? '–', ...(line.key === null ? {} : { note: `signed with ${line.key}` }) },
        line.answer === null || line.answer === ''
          ? null
          : { text: `${line.answer}${line.isCut ? '…' : ''}`, isCode: true },
      ]),
    },
  ]
}

function bodyOf({ may }: PageRequest, { body }: WebhookDocument): Block[] {
  const text = may(webhookRetry)
    ? 'Removed after the retention time.'
    : 'It names the consumer, so viewers do not see it.'
  return [
    { kind: 'heading', text: 'Body', note: 'exactly as it is sent' },
    body === null ? { kind: 'text', text } : { kind: 'source', label: 'Body', text: body },
  ]
}
