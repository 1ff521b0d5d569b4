/** Settlement today: what is due and overdue, to whom, what is on its way, how much is at stake, and what closes next. */
import { merchantList } from '../../../actors/parties/merchants.ts'
import { providerList } from '../../../actors/parties/providers.ts'
import { paymentOutstanding } from '../../../actors/settlement/runs.ts'
import {
  type ClosingDocument,
  settlementResume,
  statementClose,
} from '../../../actors/settlement/statement-operations.ts'
import { type OpenTotal, type SettlementToday, settlementToday } from '../../../actors/settlement/today.ts'
import type { Block, Cell } from '../blocks.ts'
import { count, day, days, money, partyLink, state, time } from '../cells.ts'
import { lookingForm, oneOfParties, operationAction, operationForm } from '../forms.ts'
import type { Action, Done, Page, PageRequest } from '../page.ts'
import { named } from '../readable.ts'
import type { Texts } from '../texts/index.ts'
import type { Said } from '../view.ts'
import { dueTable } from './due.ts'
import { postingsBlock } from './posted.ts'
import { statementPath } from './statement.ts'
import { withdrawalForm } from './withdrawal.ts'

export const settlementPage: Page = {
  path: /^\/settlement$/,
  least: 'viewer',
  room: 'Settlement',
  async render(request) {
    const today = await request.ask(settlementToday, {})
    const { due, day: upTo } = await request.ask(paymentOutstanding, {})
    return {
      title: (texts) => texts.common.settlement,
      blocks: [
        {
          kind: 'links',
          items: [
            { text: (texts) => texts.common.statements, href: '/statements' },
            { text: (texts) => texts.common.payments, href: '/payments' },
            { text: (texts) => texts.common.linesOfTheBanks, href: '/bank' },
            { text: (texts) => texts.common.calendarsAndBanks, href: '/calendars' },
          ],
        },
        ...stopped(request, today),
        {
          kind: 'heading',
          text: (texts) => texts.settlement.today,
          note: (texts, view) => texts.settlement.utc(view.day(upTo)),
        },
        tiles(today),
        {
          kind: 'heading',
          text: (texts) => texts.common.due,
          note: (texts) => texts.settlement.upToTodayToWhom,
        },
        dueTable(due),
        ...openBlocks(today),
        ...transitBlocks(today),
        ...exposureBlocks(today),
        ...closesBlocks(today),
        ...(await closeForm(request)),
        ...withdrawalForm(request, today),
      ],
    }
  },
}

function stopped(request: PageRequest, { stoppedSince }: SettlementToday): Block[] {
  if (stoppedSince === null) return []
  return [
    {
      kind: 'notice',
      tone: 'bad',
      title: (texts) => texts.settlement.settlementIsStoppedSinceA,
      lines: [(texts) => texts.settlement.noDayIsClosedAnd],
    },
    ...operationForm(request, settlementResume, {
      title: (texts) => texts.settlement.resumeSettlement,
      lead: (texts) => texts.settlement.onlyOnceEveryEntryOf,
      button: (texts) => texts.common.resume,
      isDanger: true,
      fields: ['reason'],
    }),
  ]
}

function tiles({ open, transit, exposure, unsealed }: SettlementToday): Block {
  const countOf = (since: OpenTotal['since']) =>
    open.filter((one) => one.since === since).reduce((sum, { statements }) => sum + statements, 0)
  const [overdue, today] = [countOf('overdue'), countOf('today')]
  const warned = exposure.filter(({ warns }) => warns).length
  const underWay = transit.reduce((sum, { payments }) => sum + payments, 0)
  return {
    kind: 'tiles',
    label: (texts) => texts.settlement.settlementToday,
    items: [
      {
        label: (texts) => texts.settlement.statementsOverdue,
        value: count(overdue),
        href: '/statements?state=overdue',
        tone: overdue === 0 ? 'plain' : 'bad',
      },
      {
        label: (texts) => texts.settlement.fallDueToday,
        value: count(today),
        tone: today === 0 ? 'plain' : 'waiting',
        href: '#open',
      },
      { label: (texts) => texts.settlement.paymentsOnTheirWay, value: count(underWay), href: '#transit' },
      {
        label: (texts) => texts.settlement.providersNearTheirLimit,
        value: count(warned),
        href: '#exposure',
        tone: warned === 0 ? 'plain' : 'waiting',
      },
      {
        label: (texts) => texts.settlement.statementsNotSealedYet,
        value: count(unsealed),
        href: '/statements?state=closing',
      },
    ],
  }
}

const sinces: readonly OpenTotal['since'][] = ['overdue', 'today', 'later', 'carried']

function openBlocks({ open }: SettlementToday): Block[] {
  const sides = [...new Set(open.map(({ currency, side }) => `${currency} ${side}`))]
  return [
    {
      kind: 'heading',
      text: (texts) => texts.settlement.open,
      id: 'open',
      note: (texts) => texts.settlement.whatIsLeftOfAll,
    },
    {
      kind: 'table',
      label: (texts) => texts.settlement.open,
      empty: (texts) => texts.settlement.nothingIsOpen,
      columns: [
        { label: (texts) => texts.common.currency },
        { label: (texts) => texts.settlement.toDo },
        { label: (texts) => texts.settlement.overdue, isRight: true },
        { label: (texts) => texts.settlement.today, isRight: true },
        { label: (texts) => texts.settlement.later, isRight: true },
        { label: (texts) => texts.settlement.carried, isRight: true },
      ],
      rows: sides.map((key): Cell[] => {
        const of = open.filter(({ currency, side }) => `${currency} ${side}` === key)
        const [currency = '', side = ''] = key.split(' ')
        const cells = sinces.map((since): Cell => {
          const found = of.find((one) => one.since === since)
          if (found === undefined) return null
          const { amount, first } = found
          if (first === null || since === 'today') return money(amount, currency)
          const note: Said = ({ settlement }, view) =>
            since === 'overdue' ? settlement.since(view.day(first)) : settlement.from(view.day(first))
          return { ...money(amount, currency), note }
        })
        return [currency, named(side), ...cells]
      }),
    },
  ]
}

function transitBlocks({ transit }: SettlementToday): Block[] {
  return [
    {
      kind: 'heading',
      text: (texts) => texts.settlement.onTheirWay,
      id: 'transit',
      note: (texts) => texts.settlement.paymentsThatNoBankHas,
    },
    {
      kind: 'table',
      label: (texts) => texts.settlement.onTheirWay,
      empty: (texts) => texts.settlement.noPaymentIsOnIts,
      columns: [
        { label: (texts) => texts.common.state },
        { label: (texts) => texts.common.payments, isRight: true },
        { label: (texts) => texts.common.amount, isRight: true },
        { label: (texts) => texts.settlement.firstOrdered },
      ],
      rows: transit.map((one) => [
        { ...state(one.state), href: `/payments?state=${one.state}` },
        String(one.payments),
        money(one.amount, one.currency),
        time(one.first),
      ]),
    },
  ]
}

function exposureBlocks({ exposure }: SettlementToday): Block[] {
  return [
    {
      kind: 'heading',
      text: (texts) => texts.common.exposure,
      id: 'exposure',
      note: (texts) => texts.settlement.whatProvidersOweHoldOr,
    },
    {
      kind: 'table',
      label: (texts) => texts.common.exposure,
      empty: (texts) => texts.settlement.noProviderHasALimit,
      columns: [
        { label: (texts) => texts.common.provider },
        { label: (texts) => texts.common.used, isRight: true },
        { label: (texts) => texts.common.limit, isRight: true },
        { label: (texts) => texts.settlement.ofIt },
      ],
      rows: exposure.map((one) => [
        partyLink('provider', one.provider),
        money(one.used, one.currency),
        money(one.limit, one.currency),
        {
          text: one.percent === null ? (texts) => texts.settlement.allOfIt : `${one.percent} %`,
          note: (texts) => texts.settlement.warnsFromOn(one.warnAtPercent),
          ...(one.warns ? { tone: 'waiting' as const } : {}),
        },
      ]),
    },
  ]
}

function closesBlocks({ closes }: SettlementToday): Block[] {
  return [
    {
      kind: 'heading',
      text: (texts) => texts.settlement.closingNext,
      note: (texts) => texts.settlement.byThemselvesAsTheTerms,
    },
    {
      kind: 'table',
      label: (texts) => texts.settlement.closingNext,
      empty: (texts) => texts.settlement.nothingClosesByItselfNo,
      columns: [
        { label: (texts) => texts.common.at },
        { label: (texts) => texts.common.party },
        { label: (texts) => texts.common.currency },
        { label: (texts) => texts.common.day },
        { label: (texts) => texts.common.zone },
      ],
      rows: closes.map((one) => [
        time(one.at),
        partyLink(one.kind, one.party),
        one.currency,
        day(one.day),
        one.timeZone,
      ]),
    },
  ]
}

async function closeForm(request: PageRequest): Promise<Block[]> {
  if (!request.may(statementClose)) return []
  const { merchants } = await request.ask(merchantList, {})
  const { providers } = await request.ask(providerList, {})
  return lookingForm(request, statementClose, {
    title: (texts) => texts.settlement.closeTheDayOfAnAccount,
    lead: (texts) => texts.settlement.todaysDayEndsWithIt,
    fields: ['party', 'kind', 'currency'],
    adjusted: {
      party: oneOfParties([...merchants, ...providers].map(({ name }) => name)),
      kind: { label: (texts) => texts.common.kind, hint: (texts) => texts.common.whereAMerchantAndA },
      currency: { hint: (texts) => texts.settlement.forExampleMxn, maxLength: 3 },
    },
  })
}

const crumb = { href: '/settlement', text: (texts: Texts) => texts.common.settlement }

function closed(closing: ClosingDocument): Done {
  const { party, kind, currency, day: upTo, dryRun, statement } = closing
  if (statement === null) {
    const text: Said = ({ settlement }, view) => settlement.hasNoLineInSince(party, currency, view.day(upTo))
    return {
      kind: 'show',
      doIt: null,
      view: { title: (texts) => texts.settlement.noStatement, crumb, blocks: [{ kind: 'text', text }] },
    }
  }
  const { number, from, to, lines, opening, closing: end, due, dueOn, swept, postings } = statement
  if (!dryRun) return { kind: 'go', to: statementPath({ kind, party, currency, number }) }
  return {
    kind: 'show',
    doIt: (texts) => texts.settlement.closeTheDay,
    view: {
      title: (texts) => texts.settlement.statementAsItWouldBe(number),
      crumb,
      blocks: [
        {
          kind: 'text',
          text: (texts) => texts.settlement.nothingWasClosedGoBack,
        },
        {
          kind: 'facts',
          items: [
            [(texts) => texts.common.party, partyLink(kind, party)],
            [(texts) => texts.common.days, days(from, to)],
            [(texts) => texts.common.lines, String(lines)],
            [(texts) => texts.common.opening, money(opening, currency)],
            [(texts) => texts.common.closing, money(end, currency)],
            [(texts) => texts.common.due, money(due, currency)],
            [(texts) => texts.common.dueOn, day(dueOn)],
            ...(kind === 'merchant'
              ? [[(texts: Texts) => texts.common.setAsideToBePaid, money(swept, currency)] as const]
              : []),
          ],
        },
        postingsBlock(postings),
      ],
    },
  }
}

export const settlementActions: readonly Action[] = [operationAction(statementClose, closed)]
