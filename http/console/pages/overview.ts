/** The first page: what needs attention on top, then what waits, and where the money is. */
import { type Overview, overview } from '../../../actors/operations/overview.ts'
import type { Block } from '../blocks.ts'
import { amountOf, count, orderLink, partyLink, time } from '../cells.ts'
import type { Page } from '../page.ts'
import { named, word } from '../readable.ts'
import type { Texts } from '../texts/index.ts'
import { told } from '../wording.ts'
import { comparedBlocks, morningBlocks } from './morning.ts'
import { quarantineNotice } from './quarantined.ts'

export const overviewPage: Page = {
  path: /^\/$/,
  least: 'viewer',
  room: 'Overview',
  async render(request) {
    const shown = await request.ask(overview, {})
    return {
      title: (texts) => texts.overview.overview,
      liveSeconds: 5,
      blocks: [
        ...(await quarantineNotice(request)),
        ...needs(shown, await morningBlocks(request)),
        ...waits(shown),
        ...moneyOf(shown),
      ],
    }
  },
}

const problem = (count: number, tone: 'bad' | 'waiting') => (count === 0 ? 'plain' : tone)

function needs(shown: Overview, morning: readonly Block[]): Block[] {
  const { status, reasons, clock, openExceptions, alarms, moreAlarms } = shown
  const isWell = openExceptions + alarms.length === 0 && status === 'ready'
  const troubles = Object.entries(reasons).map(([part, reason]) => told(`${part}: ${reason}`))
  return [
    ...(status === 'ready'
      ? []
      : [
          {
            kind: 'notice',
            tone: 'waiting',
            title: (texts: Texts) => texts.overview.theNodeIs(word(texts, status)),
            lines: troubles,
          } as const,
        ]),
    {
      kind: 'heading',
      text: (texts) => texts.common.needsAttention,
      ...(isWell ? { note: (texts) => texts.overview.nothingAtTheMoment } : {}),
    },
    {
      kind: 'tiles',
      label: (texts) => texts.common.needsAttention,
      items: [
        {
          label: (texts) => texts.overview.openExceptions,
          value: count(openExceptions),
          href: '/exceptions',
          tone: problem(openExceptions, 'bad'),
        },
        {
          label: (texts) => texts.overview.alarms,
          value: `${alarms.length}${moreAlarms ? '+' : ''}`,
          href: '#alarms',
          tone: problem(alarms.length, 'waiting'),
        },
        {
          label: (texts) => texts.overview.theNode,
          value: named(status),
          href: '/health',
          tone: status === 'ready' && clock === 'trusted' ? 'good' : 'waiting',
        },
      ],
    },
    ...morning,
    { kind: 'heading', text: (texts) => texts.overview.alarms2, id: 'alarms' },
    {
      kind: 'table',
      label: (texts) => texts.overview.alarms2,
      columns: [
        { label: (texts) => texts.common.since },
        { label: (texts) => texts.common.kind },
        { label: (texts) => texts.common.order },
        { label: (texts) => texts.common.provider },
        { label: (texts) => texts.common.what },
      ],
      rows: alarms.map((alarm) => [
        time(alarm.since),
        named(alarm.kind),
        orderLink(alarm.order),
        alarm.provider === null ? null : partyLink('provider', alarm.provider),
        told(alarm.message),
      ]),
      empty: (texts) => texts.overview.noOrderIsHeldToo,
    },
  ]
}

function waits({ orders, webhooks, waitingForFunds, days }: Overview): Block[] {
  return [
    { kind: 'heading', text: (texts) => texts.overview.ordersNow },
    {
      kind: 'tiles',
      label: (texts) => texts.overview.ordersByStatus,
      items: orders.map(({ status, payOut, payIn }) => ({
        label: named(status),
        value: count(payOut + payIn),
        note: (texts, view) => texts.overview.outIn(view.number(payOut), view.number(payIn)),
        href: `/orders?status=${status}`,
      })),
    },
    {
      kind: 'tiles',
      label: (texts) => texts.overview.queues,
      items: [
        {
          label: (texts) => texts.overview.ordersWaitForABalance,
          value: count(waitingForFunds),
          href: '/orders?status=CREATED',
        },
        {
          label: (texts) => texts.overview.deadWebhooks,
          value: count(webhooks.dead),
          note: (texts) => texts.overview.eachOpensAnException,
          href: '/webhooks?state=dead',
        },
        {
          label: (texts) => texts.overview.webhooksWaitToBeDelivered,
          value: count(webhooks.pending),
          href: '/webhooks?state=pending',
        },
      ],
    },
    {
      kind: 'heading',
      text: (texts) => texts.overview.theLastFourteenDays,
      note: (texts) => texts.overview.daysOfUtc,
    },
    ...comparedBlocks({ days }),
    {
      kind: 'bars',
      label: ({ overview: said }, view) =>
        said.ordersADay(
          days
            .map((it) =>
              said.ofDay(
                view.day(it.day),
                view.number(it.created),
                view.number(it.completed),
                view.number(it.failed),
              ),
            )
            .join('; '),
        ),
      unit: ({ morning }) => morning.orders,
      days: days.map(({ day, created, completed, failed }) => ({
        day,
        parts: [
          { name: named('created'), tone: 'plain', count: created },
          { name: named('COMPLETED'), tone: 'good', count: completed },
          { name: (texts) => texts.overview.cancelledOrExpired, tone: 'bad', count: failed },
        ],
      })),
    },
  ]
}

function moneyOf({ money }: Overview): Block[] {
  const kinds = [...new Set(money.flatMap(({ balances }) => balances.map(({ kind }) => kind)))]
  return [
    {
      kind: 'heading',
      text: (texts) => texts.overview.money,
      note: (texts) => texts.overview.overAllPartiesEachRow,
    },
    {
      kind: 'table',
      label: (texts) => texts.overview.moneyByCurrency,
      columns: [
        { label: (texts) => texts.common.currency },
        ...kinds.map((kind) => ({ label: named(kind), isRight: true })),
      ],
      rows: money.map(({ currency, balances }) => [
        currency,
        ...kinds.map((kind) => {
          const found = balances.find((balance) => balance.kind === kind)
          return found === undefined ? null : amountOf(found.amount, currency)
        }),
      ]),
      empty: (texts) => texts.overview.noMoneyHasMovedYet,
    },
  ]
}
