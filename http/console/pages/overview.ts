/** The first page: what needs attention on top, then what waits, and where the money is. */
import { type Overview, overview } from '../../../actors/operations/overview.ts'
import type { Block } from '../blocks.ts'
import { orderLink, partyLink, time } from '../cells.ts'
import type { Page } from '../page.ts'
import { grouped, words } from '../readable.ts'
import { quarantineNotice } from './quarantined.ts'

export const overviewPage: Page = {
  path: /^\/$/,
  least: 'viewer',
  room: 'Overview',
  async render(request) {
    const shown = await request.ask(overview, {})
    return {
      title: 'Overview',
      liveSeconds: 5,
      blocks: [...(await quarantineNotice(request)), ...needs(shown), ...waits(shown), ...moneyOf(shown)],
    }
  },
}

const problem = (count: number, tone: 'bad' | 'waiting') => (count === 0 ? 'plain' : tone)

function needs(shown: Overview): Block[] {
  const { status, reasons, clock, openExceptions, alarms, moreAlarms } = shown
  const isWell = openExceptions + alarms.length === 0 && status === 'ready'
  const troubles = Object.entries(reasons).map(([part, reason]) => `${part}: ${reason}`)
  return [
    ...(status === 'ready'
      ? []
      : [{ kind: 'notice', tone: 'waiting', title: `The node is ${status}`, lines: troubles } as const]),
    { kind: 'heading', text: 'Needs attention', ...(isWell ? { note: 'nothing at the moment' } : {}) },
    {
      kind: 'tiles',
      label: 'Needs attention',
      items: [
        {
          label: 'open exceptions',
          value: String(openExceptions),
          href: '/exceptions',
          tone: problem(openExceptions, 'bad'),
        },
        {
          label: 'alarms',
          value: `${alarms.length}${moreAlarms ? '+' : ''}`,
          href: '#alarms',
          tone: problem(alarms.length, 'waiting'),
        },
        {
          label: 'the node',
          value: status,
          href: '/health',
          tone: status === 'ready' && clock === 'trusted' ? 'good' : 'waiting',
        },
      ],
    },
    { kind: 'heading', text: 'Alarms', id: 'alarms' },
    {
      kind: 'table',
      label: 'Alarms',
      columns: [
        { label: 'Since' },
        { label: 'Kind' },
        { label: 'Order' },
        { label: 'Provider' },
        { label: 'What' },
      ],
      rows: alarms.map((alarm) => [
        time(alarm.since),
        words(alarm.kind),
        orderLink(alarm.order),
        alarm.provider === null ? null : partyLink('provider', alarm.provider),
        alarm.message,
      ]),
      empty: 'No order is held too long or released too often.',
    },
  ]
}

function waits({ orders, webhooks, waitingForFunds, days }: Overview): Block[] {
  return [
    { kind: 'heading', text: 'Orders now' },
    {
      kind: 'tiles',
      label: 'Orders by status',
      items: orders.map(({ status, payOut, payIn }) => ({
        label: words(status),
        value: grouped(String(payOut + payIn)),
        note: `${grouped(String(payOut))} out, ${grouped(String(payIn))} in`,
        href: `/orders?status=${status}`,
      })),
    },
    {
      kind: 'tiles',
      label: 'Queues',
      items: [
        {
          label: 'orders wait for a balance',
          value: grouped(String(waitingForFunds)),
          href: '/orders?status=CREATED',
        },
        {
          label: 'dead webhooks',
          value: grouped(String(webhooks.dead)),
          note: 'each opens an exception',
          href: '/webhooks?state=dead',
        },
        {
          label: 'webhooks wait to be delivered',
          value: grouped(String(webhooks.pending)),
          href: '/webhooks?state=pending',
        },
      ],
    },
    { kind: 'heading', text: 'The last fourteen days' },
    {
      kind: 'bars',
      label: `Orders a day: ${days.map((it) => `${it.day}: ${it.created} created, ${it.completed} completed, ${it.failed} cancelled or expired`).join('; ')}`,
      days: days.map(({ day, created, completed, failed }) => ({
        day,
        parts: [
          { name: 'created', tone: 'plain', count: created },
          { name: 'completed', tone: 'good', count: completed },
          { name: 'cancelled or expired', tone: 'bad', count: failed },
        ],
      })),
    },
  ]
}

function moneyOf({ money }: Overview): Block[] {
  const kinds = [...new Set(money.flatMap(({ balances }) => balances.map(({ kind }) => kind)))]
  return [
    { kind: 'heading', text: 'Money', note: 'over all parties; each row adds up to zero' },
    {
      kind: 'table',
      label: 'Money by currency',
      columns: [{ label: 'Currency' }, ...kinds.map((label) => ({ label, isRight: true }))],
      rows: money.map(({ currency, balances }) => [
        currency,
        ...kinds.map((kind) => {
          const found = balances.find((balance) => balance.kind === kind)
          return found === undefined ? null : grouped(found.amount)
        }),
      ]),
      empty: 'No money has moved yet.',
    },
  ]
}
