/** Webhooks: what merchants are told, attempt by attempt, and how to tell it again. */
import { webhookRetry } from '../../../actors/webhooks/delivery-operations.ts'
import {
  type WebhookDocument,
  webhookList,
  webhookShow,
  webhookStates,
} from '../../../actors/webhooks/operations.ts'
import type { Block, Cell } from '../blocks.ts'
import {
  isOldestFirst,
  linkTo,
  moment,
  orderLink,
  partyLink,
  shortId,
  sortedBy,
  state,
  time,
} from '../cells.ts'
import { choice, filled, operationForm } from '../forms.ts'
import { attemptTone } from '../meanings.ts'
import type { Page, PageRequest } from '../page.ts'
import { named } from '../readable.ts'
import type { Texts } from '../texts/index.ts'
import type { Said } from '../view.ts'
import { webhookLink } from './time-line.ts'
import { byWholeNames } from './whole-names.ts'

export const webhooksPage: Page = {
  path: /^\/webhooks$/,
  least: 'viewer',
  room: 'Webhooks',
  async render(request) {
    const { ask, query, lines } = request
    const chosen = webhookStates.find((known) => known === query.get('state'))
    const merchant = query.get('merchant')?.trim() ?? ''
    const found = await byWholeNames(request, '/webhooks', { merchant: 'merchant' }, () =>
      ask(webhookList, {
        ...(chosen === undefined ? {} : { state: chosen }),
        ...filled({ merchant, cursor: query.get('cursor') ?? '' }),
        limit: lines ?? 40,
        ...(isOldestFirst(query) ? { oldestFirst: true } : {}),
      }),
    )
    if ('goTo' in found) return found
    const { webhooks, next } = found
    return {
      title: (texts) => texts.common.webhooks,
      ...(query.has('cursor') ? {} : { liveSeconds: 5 }),
      blocks: [
        {
          kind: 'filters',
          action: '/webhooks',
          button: (texts) => texts.common.show,
          fields: [
            {
              name: 'state',
              label: (texts) => texts.common.state,
              type: 'select',
              value: chosen ?? '',
              options: [['', ({ words }) => words.any], ...webhookStates.map(choice)],
            },
            {
              name: 'merchant',
              label: (texts) => texts.common.merchant,
              type: 'search',
              isOptional: true,
              value: merchant,
              maxLength: 100,
            },
          ],
        },
        {
          kind: 'table',
          label: (texts) => texts.common.webhooks,
          list: 'webhooks',
          empty: (texts) => texts.webhooks.noMatchingWebhooks,
          isList: true,
          columns: [
            { label: (texts) => texts.webhooks.webhook },
            { label: (texts) => texts.common.state, key: 'state' },
            { label: (texts) => texts.webhooks.tells, key: 'tells' },
            { label: (texts) => texts.common.order, key: 'order' },
            { label: (texts) => texts.common.merchant, key: 'merchant', isCut: true },
            { label: (texts) => texts.webhooks.url, key: 'url', isCut: true },
            { label: (texts) => texts.webhooks.attempts, key: 'attempts', isRight: true },
            { label: (texts) => texts.webhooks.lastAnswer, key: 'last-answer' },
            { label: (texts) => texts.common.created, key: 'created', sorted: sortedBy('/webhooks', query) },
            { label: (texts) => texts.webhooks.nextAttempt, key: 'next-attempt' },
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
      title: (texts) => texts.webhooks.webhookOfOrder(shown.sequence, shortId(shown.order)),
      heading: (texts) => texts.webhooks.webhookTo(shown.sequence, shown.merchant),
      crumb: { href: '/webhooks', text: (texts) => texts.common.webhooks },
      liveSeconds: 5,
      blocks: [factsOf(shown), ...retryForm(request, shown), ...historyOf(shown), ...bodyOf(request, shown)],
    }
  },
}

function factsOf(shown: WebhookDocument): Block {
  return {
    kind: 'facts',
    items: [
      [(texts) => texts.common.state, state(shown.state)],
      [(texts) => texts.webhooks.tells, state(shown.status)],
      [(texts) => texts.common.order, orderLink(shown.order)],
      [(texts) => texts.common.merchant, { ...partyLink('merchant', shown.merchant), note: shown.contact }],
      [(texts) => texts.webhooks.url, { text: shown.url, isCode: true, isLong: true, copy: true }],
      [(texts) => texts.webhooks.numberInItsOrder, String(shown.sequence)],
      [(texts) => texts.webhooks.attempts, String(shown.attempts)],
      [(texts) => texts.webhooks.lastAnswer, shown.lastAnswer],
      [(texts) => texts.common.created, time(shown.created)],
      [(texts) => texts.webhooks.nextAttempt, shown.state === 'pending' ? time(shown.dueAt) : null],
      [(texts) => texts.webhooks.settled, time(shown.settled)],
      [(texts) => texts.webhooks.webhook, { text: shown.id, isCode: true, copy: true }],
    ],
  }
}

function retryForm(request: PageRequest, shown: WebhookDocument): Block[] {
  const lead =
    shown.state === 'delivered'
      ? (texts: Texts) => texts.webhooks.theMerchantHasReceivedIt
      : (texts: Texts) => texts.webhooks.itIsSentAtOnce
  return operationForm(request, webhookRetry, {
    title: (texts) => texts.webhooks.resend,
    lead,
    button: (texts) => texts.common.sendAgain,
    fields: [],
    hidden: { ids: shown.id },
  })
}

function historyOf({ history }: WebhookDocument): Block[] {
  return [
    { kind: 'heading', text: (texts) => texts.webhooks.attempts },
    {
      kind: 'table',
      label: (texts) => texts.webhooks.attempts,
      empty: (texts) => texts.webhooks.noAttempts,
      columns: [
        { label: (texts) => texts.webhooks.no, isRight: true },
        { label: (texts) => texts.webhooks.started },
        { label: (texts) => texts.common.outcome },
        { label: (texts) => texts.common.status, isRight: true },
        { label: (texts) => texts.webhooks.took, isRight: true },
        { label: (texts) => texts.webhooks.address },
        { label: (texts) => texts.webhooks.answer },
      ],
      rows: history.toReversed().map((line): Cell[] => [
        String(line.attempt),
        moment(line.startedAt),
        {
          text: named(line.outcome),
          tone: attemptTone(line.outcome),
          ...(line.error === null ? {} : { note: line.error }),
        },
        line.status === null ? null : String(line.status),
        tookOf(line),
        {
          text: line.address ?? '–',
          ...keyOf(line),
        },
        line.answer === null || line.answer === ''
          ? null
          : { text: `${line.answer}${line.isCut ? '…' : ''}`, isCode: true },
      ]),
    },
  ]
}

type Attempt = WebhookDocument['history'][number]

function tookOf({ milliseconds }: Attempt): Cell {
  return milliseconds === null ? null : ({ webhooks }) => webhooks.ms(milliseconds)
}

function keyOf({ key }: Attempt): { note?: Said } {
  return key === null ? {} : { note: ({ webhooks }) => webhooks.signedWith(key) }
}

function bodyOf({ may }: PageRequest, { body }: WebhookDocument): Block[] {
  const text = may(webhookRetry)
    ? (texts: Texts) => texts.webhooks.removedAfterTheRetentionTime
    : (texts: Texts) => texts.webhooks.itNamesTheConsumerSo
  return [
    {
      kind: 'heading',
      text: (texts) => texts.webhooks.body,
      note: (texts) => texts.webhooks.exactlyAsItIsSent,
    },
    body === null
      ? { kind: 'text', text }
      : { kind: 'source', label: (texts) => texts.webhooks.body, text: body },
  ]
}
