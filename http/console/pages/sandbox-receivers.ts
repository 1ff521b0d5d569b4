/** What a merchant's receivers were sent in a sandbox, and what came to its inbox. */
import {
  type DeliveryDocument,
  sandboxDeliveries,
  sandboxInbox,
} from '../../../actors/sandbox/receiver-operations.ts'
import type { Block, Cell } from '../blocks.ts'
import { linkTo, moment, orderLink, shortId, shortLink, state } from '../cells.ts'
import { filled } from '../forms.ts'
import { attemptTone } from '../meanings.ts'
import type { Page } from '../page.ts'
import { named } from '../readable.ts'
import { told } from '../wording.ts'
import { faultName, sandboxCrumb, sandboxPath } from './sandbox.ts'

const listed = 40

export const deliveriesPage: Page = {
  path: /^\/sandbox\/deliveries$/,
  least: 'operator',
  room: 'Sandbox',
  isSandboxOnly: true,
  async render({ ask, query }) {
    const merchant = query.get('merchant') ?? ''
    const asked = filled({ order: query.get('order') ?? '', cursor: query.get('cursor') ?? '' })
    const {
      merchant: name,
      deliveries,
      next,
    } = await ask(sandboxDeliveries, {
      merchant,
      ...asked,
      limit: listed,
    })
    const chosen = deliveries.find(({ id }) => id === query.get('delivery'))
    return {
      title: ({ sandbox }) => sandbox.deliveriesOf(name),
      crumb: [sandboxCrumb, { href: sandboxPath('merchant', name), text: name }],
      ...(query.has('cursor') || chosen !== undefined ? {} : { liveSeconds: 5 }),
      blocks: [
        { kind: 'text', text: ({ sandbox }) => sandbox.deliveriesLead },
        ...(chosen === undefined ? [] : chosenDelivery(chosen)),
        {
          kind: 'table',
          label: ({ sandbox }) => sandbox.deliveries,
          empty: ({ sandbox }) => sandbox.nothingSent,
          isList: true,
          columns: [
            { label: ({ sandbox }) => sandbox.delivery },
            { label: ({ common }) => common.outcome },
            { label: ({ sandbox }) => sandbox.fault },
            { label: ({ webhooks }) => webhooks.tells },
            { label: ({ common }) => common.order },
            { label: ({ webhooks }) => webhooks.no, isRight: true },
            { label: ({ webhooks }) => webhooks.url, isCut: true },
            { label: ({ common }) => common.sent },
          ],
          rows: deliveries.map((one): Cell[] => [
            {
              text: shortId(one.id),
              title: one.id,
              isCode: true,
              href: linkTo('/sandbox/deliveries', query, { delivery: one.id }),
            },
            outcomeCell(one),
            faultCell(one.fault),
            one.order === null ? ({ sandbox }) => sandbox.ping : stateOf(one.orderStatus),
            orderLink(one.order),
            String(one.attempt),
            one.url,
            moment(one.sent),
          ]),
        },
        {
          kind: 'next',
          href: next === null ? null : linkTo('/sandbox/deliveries', query, { cursor: next, delivery: '' }),
        },
      ],
    }
  },
}

function stateOf(status: string | null): Cell {
  return status === null ? null : state(status)
}

function outcomeCell({ outcome, status }: DeliveryDocument): Cell {
  return {
    text: (texts, view) => `${named(outcome)(texts, view)}${status === null ? '' : ` ${status}`}`,
    tone: attemptTone(outcome),
  }
}

/** `duplicate, the second`: its name, and the rest as it is. */
function faultCell(fault: string | null): Cell {
  if (fault === null) return null
  const [, name = fault, number = '', other = ''] = /^(\w+)(?: ([\d s]+))?(?:, (.+))?$/.exec(fault) ?? []
  return {
    text: (texts) =>
      [faultName(texts, name), number, other === '' ? '' : '2'].filter((part) => part !== '').join(' '),
    tone: 'waiting',
  }
}

/** One of them, in full. */
function chosenDelivery(one: DeliveryDocument): Block[] {
  const headers = Object.entries(one.headers).map(([name, value]) => `${name}: ${value}`)
  return [
    { kind: 'heading', text: ({ sandbox }) => sandbox.delivery },
    {
      kind: 'facts',
      items: [
        [({ common }) => common.outcome, outcomeCell(one)],
        [({ sandbox }) => sandbox.fault, faultCell(one.fault)],
        [({ common }) => common.why, one.wasSent ? one.error : ({ sandbox }) => sandbox.notSent],
        [({ common }) => common.order, orderLink(one.order)],
        [({ webhooks }) => webhooks.webhook, webhookCell(one)],
        [({ webhooks }) => webhooks.url, { text: one.url, isCode: true, isLong: true, copy: true }],
        [({ webhooks }) => webhooks.took, ({ webhooks }) => webhooks.ms(one.milliseconds)],
        [({ sandbox }) => sandbox.inbox, verdictCell(one.verdict)],
        [
          ({ webhooks }) => webhooks.answer,
          one.answer === null || one.answer === '' ? null : { text: one.answer, isCode: true, isLong: true },
        ],
      ],
    },
    { kind: 'heading', text: ({ sandbox }) => sandbox.headers, note: ({ sandbox }) => sandbox.asSent },
    { kind: 'source', label: ({ sandbox }) => sandbox.headers, text: headers.join('\n') },
    { kind: 'heading', text: ({ webhooks }) => webhooks.body },
    one.body === null
      ? { kind: 'text', text: ({ webhooks }) => webhooks.removedAfterTheRetentionTime }
      : { kind: 'source', label: ({ webhooks }) => webhooks.body, text: one.body },
  ]
}

function webhookCell({ webhook, order }: DeliveryDocument): Cell {
  return order === null
    ? { text: webhook, isCode: true, isLong: true }
    : { ...shortLink(`/webhooks/${webhook}`, webhook), copy: webhook }
}

function verdictCell(verdict: string | null): Cell {
  if (verdict === null) return null
  return verdict === 'verified'
    ? { text: ({ sandbox }) => sandbox.verified, tone: 'good' }
    : { ...told(verdict), tone: 'bad' }
}

export const inboxPage: Page = {
  path: /^\/sandbox\/inbox$/,
  least: 'operator',
  room: 'Sandbox',
  isSandboxOnly: true,
  async render({ ask, query }) {
    const { merchant, url, arrivals, next } = await ask(sandboxInbox, {
      merchant: query.get('merchant') ?? '',
      ...filled({ cursor: query.get('cursor') ?? '' }),
      limit: listed,
    })
    return {
      title: ({ sandbox }) => sandbox.inboxOf(merchant),
      crumb: [sandboxCrumb, { href: sandboxPath('merchant', merchant), text: merchant }],
      ...(query.has('cursor') ? {} : { liveSeconds: 5 }),
      blocks: [
        { kind: 'text', text: ({ sandbox }) => sandbox.inboxLead },
        { kind: 'facts', items: [['notify_url', { text: url, isCode: true, isLong: true, copy: true }]] },
        {
          kind: 'table',
          label: ({ sandbox }) => sandbox.inbox,
          empty: ({ sandbox }) => sandbox.nothingCame,
          isList: true,
          columns: [
            { label: ({ sandbox }) => sandbox.received },
            { label: ({ sandbox }) => sandbox.signature, isCut: true },
            { label: ({ webhooks }) => webhooks.tells },
            { label: ({ common }) => common.order },
            { label: ({ webhooks }) => webhooks.no, isRight: true },
            { label: ({ webhooks }) => webhooks.webhook },
          ],
          rows: arrivals.map((one): Cell[] => [
            moment(one.received),
            signatureCell(one),
            stateOf(one.orderStatus),
            orderLink(one.order),
            one.attempt,
            one.webhook === null
              ? null
              : one.order === null
                ? { text: shortId(one.webhook), title: one.webhook, isCode: true }
                : shortLink(`/webhooks/${one.webhook}`, one.webhook),
          ]),
        },
        { kind: 'next', href: next === null ? null : linkTo('/sandbox/inbox', query, { cursor: next }) },
      ],
    }
  },
}

function signatureCell({ problem, isStandard }: { problem: string | null; isStandard: boolean }): Cell {
  if (problem !== null) return { ...told(problem), tone: 'bad' }
  return {
    text: isStandard ? ({ sandbox }) => sandbox.verifiedTwice : ({ sandbox }) => sandbox.verified,
    tone: 'good',
  }
}
