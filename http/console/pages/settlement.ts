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
import { money, partyLink, state, time } from '../cells.ts'
import { oneOf, operationAction, operationForm } from '../forms.ts'
import type { Action, Done, Page, PageRequest } from '../page.ts'
import { dueTable } from './due.ts'
import { statementPath } from './statement.ts'
import { withdrawalForm } from './withdrawal.ts'

export const settlementPage: Page = {
  path: /^\/settlement$/,
  least: 'viewer',
  room: 'Settlement',
  async render(request) {
    const today = await request.ask(settlementToday, {})
    const { due, day } = await request.ask(paymentOutstanding, {})
    return {
      title: 'Settlement',
      blocks: [
        {
          kind: 'links',
          items: [
            { text: 'Statements', href: '/statements' },
            { text: 'Payments', href: '/payments' },
            { text: 'Lines of the banks', href: '/bank' },
            { text: 'Calendars and banks', href: '/calendars' },
          ],
        },
        ...stopped(request, today),
        { kind: 'heading', text: 'Today', note: `${day}, UTC` },
        tiles(today),
        { kind: 'heading', text: 'Due', note: 'up to today, to whom and from whom' },
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
      title: 'Settlement is stopped since a backup was restored',
      lines: [
        'No day is closed and no payment is ordered until what banks and networks report since the backup is booked.',
      ],
    },
    ...operationForm(request, settlementResume, {
      title: 'Resume settlement',
      lead: 'Only once every entry of the banks since the backup is booked: what is not would be paid again.',
      button: 'Resume',
      isDanger: true,
      fields: ['reason'],
    }),
  ]
}

function tiles({ open, transit, exposure, unsealed }: SettlementToday): Block {
  const count = (since: OpenTotal['since']) =>
    open.filter((one) => one.since === since).reduce((sum, { statements }) => sum + statements, 0)
  const [overdue, today] = [count('overdue'), count('today')]
  const warned = exposure.filter(({ warns }) => warns).length
  const underWay = transit.reduce((sum, { payments }) => sum + payments, 0)
  return {
    kind: 'tiles',
    label: 'Settlement today',
    items: [
      {
        label: 'statements overdue',
        value: String(overdue),
        href: '/statements?state=overdue',
        tone: overdue === 0 ? 'plain' : 'bad',
      },
      {
        label: 'fall due today',
        value: String(today),
        tone: today === 0 ? 'plain' : 'waiting',
        href: '#open',
      },
      { label: 'payments on their way', value: String(underWay), href: '#transit' },
      {
        label: 'providers near their limit',
        value: String(warned),
        href: '#exposure',
        tone: warned === 0 ? 'plain' : 'waiting',
      },
      { label: 'statements not sealed yet', value: String(unsealed), href: '/statements?state=closing' },
    ],
  }
}

const sinces: readonly OpenTotal['since'][] = ['overdue', 'today', 'later', 'carried']

function openBlocks({ open }: SettlementToday): Block[] {
  const sides = [...new Set(open.map(({ currency, side }) => `${currency} ${side}`))]
  return [
    { kind: 'heading', text: 'Open', id: 'open', note: 'what is left of all statements' },
    {
      kind: 'table',
      label: 'Open',
      empty: 'Nothing is open.',
      columns: [
        { label: 'Currency' },
        { label: 'To do' },
        { label: 'Overdue', isRight: true },
        { label: 'Today', isRight: true },
        { label: 'Later', isRight: true },
        { label: 'Carried', isRight: true },
      ],
      rows: sides.map((key): Cell[] => {
        const of = open.filter(({ currency, side }) => `${currency} ${side}` === key)
        const [currency = '', side = ''] = key.split(' ')
        const cells = sinces.map((since): Cell => {
          const found = of.find((one) => one.since === since)
          if (found === undefined) return null
          const note =
            found.first === null ? '' : since === 'overdue' ? `since ${found.first}` : `from ${found.first}`
          return { ...money(found.amount, currency), ...(since === 'today' || note === '' ? {} : { note }) }
        })
        return [currency, side, ...cells]
      }),
    },
  ]
}

function transitBlocks({ transit }: SettlementToday): Block[] {
  return [
    { kind: 'heading', text: 'On their way', id: 'transit', note: 'payments that no bank has booked yet' },
    {
      kind: 'table',
      label: 'On their way',
      empty: 'No payment is on its way.',
      columns: [
        { label: 'State' },
        { label: 'Payments', isRight: true },
        { label: 'Amount', isRight: true },
        { label: 'First ordered' },
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
      text: 'Exposure',
      id: 'exposure',
      note: 'what providers owe, hold or may owe; at the limit their pay-ins are refused',
    },
    {
      kind: 'table',
      label: 'Exposure',
      empty: 'No provider has a limit.',
      columns: [
        { label: 'Provider' },
        { label: 'Used', isRight: true },
        { label: 'Limit', isRight: true },
        { label: 'Of it' },
      ],
      rows: exposure.map((one) => [
        partyLink('provider', one.provider),
        money(one.used, one.currency),
        money(one.limit, one.currency),
        {
          text: one.percent === null ? 'all of it' : `${one.percent} %`,
          note: `warns from ${one.warnAtPercent} % on`,
          ...(one.warns ? { tone: 'waiting' as const } : {}),
        },
      ]),
    },
  ]
}

function closesBlocks({ closes }: SettlementToday): Block[] {
  return [
    { kind: 'heading', text: 'Closing next', note: 'by themselves, as the terms have it' },
    {
      kind: 'table',
      label: 'Closing next',
      empty: 'Nothing closes by itself: no party has terms of settlement.',
      columns: [
        { label: 'At' },
        { label: 'Party' },
        { label: 'Currency' },
        { label: 'Day' },
        { label: 'Zone' },
      ],
      rows: closes.map((one) => [
        time(one.at),
        partyLink(one.kind, one.party),
        one.currency,
        one.day,
        one.timeZone,
      ]),
    },
  ]
}

async function closeForm(request: PageRequest): Promise<Block[]> {
  if (!request.may(statementClose)) return []
  const { merchants } = await request.ask(merchantList, {})
  const { providers } = await request.ask(providerList, {})
  const names = [...new Set([...merchants, ...providers].map(({ name }) => name))]
  return operationForm(request, statementClose, {
    title: 'Close an account now',
    lead: "Today's day ends with it: what comes now belongs to the next one.",
    button: 'Close it',
    fields: ['party', 'kind', 'currency', 'dryRun'],
    adjusted: {
      party: oneOf(names),
      kind: { label: 'Kind', hint: 'Where a merchant and a provider share the name.' },
      currency: { hint: 'For example MXN', maxLength: 3 },
    },
  })
}

const crumb = { href: '/settlement', text: 'Settlement' }

function closed(closing: ClosingDocument): Done {
  const { party, kind, currency, day, dryRun, statement } = closing
  if (statement === null) {
    const text = `${party} has no line in ${currency} since its last statement: there is none up to ${day}.`
    return { kind: 'show', view: { title: 'No statement', crumb, blocks: [{ kind: 'text', text }] } }
  }
  const { number, from, to, lines, opening, closing: end, due, dueOn, swept } = statement
  if (!dryRun) return { kind: 'go', to: statementPath({ kind, party, currency, number }) }
  return {
    kind: 'show',
    view: {
      title: `Statement ${number} as it would be`,
      crumb,
      blocks: [
        {
          kind: 'text',
          text: 'Nothing was closed. Go back and send the form without its last box to close the account.',
        },
        {
          kind: 'facts',
          items: [
            ['Party', partyLink(kind, party)],
            ['Days', from === to ? from : `${from} to ${to}`],
            ['Lines', String(lines)],
            ['Opening', money(opening, currency)],
            ['Closing', money(end, currency)],
            ['Due', money(due, currency)],
            ['Due on', dueOn],
            ...(kind === 'merchant' ? [['Set aside to be paid', money(swept, currency)] as const] : []),
          ],
        },
      ],
    },
  }
}

export const settlementActions: readonly Action[] = [operationAction(statementClose, closed)]
