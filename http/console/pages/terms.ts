/** What was agreed on with a party: in force, coming and past, and the forms that change what is to come. */
import type { PartyDocument } from '../../../actors/parties/operations.ts'
import {
  termsSetCommission,
  termsSetExposure,
  termsSetFee,
  termsSetNetwork,
  termsSetSettlement,
} from '../../../actors/provisioning/terms-operations.ts'
import type {
  FeeDocument,
  FeeState,
  NetworkDocument,
  SettlesDocument,
  TermsDocument,
} from '../../../actors/terms/documents.ts'
import { termsShow } from '../../../actors/terms/operations.ts'
import { counted } from '../../../actors/terms/plan.ts'
import type { Block, Cell, Tone } from '../blocks.ts'
import { code, money, partyPath, time } from '../cells.ts'
import { oneOf, operationForm } from '../forms.ts'
import type { Page, PageRequest } from '../page.ts'
import { grouped } from '../readable.ts'

export function termsPath({ kind, name }: Pick<PartyDocument, 'kind' | 'name'>): string {
  return `/terms?${new URLSearchParams({ kind, party: name })}`
}

export const termsPage: Page = {
  path: /^\/terms$/,
  least: 'viewer',
  room: 'Parties',
  async render(request) {
    const kind = request.query.get('kind') === 'provider' ? 'provider' : 'merchant'
    const party = request.query.get('party') ?? ''
    const { parties } = await request.ask(termsShow, { party, kind })
    const [terms] = parties
    if (terms === undefined) throw new Error(`Nothing is shown of ${kind} ${party}.`)
    return {
      title: `Terms of ${terms.name}`,
      crumb: { href: partyPath(terms.kind, terms.name), text: terms.name },
      blocks: [
        ...(terms.kind === 'merchant' ? feesOf(request, terms) : networksOf(request, terms)),
        ...settlementOf(request, terms),
        ...(terms.kind === 'merchant' ? [] : exposureOf(request, terms)),
      ],
    }
  },
}

const newOnesHint =
  'It holds from its first day until another one begins. What has begun is never changed; the same day again changes what is still to come.'

function feesOf(request: PageRequest, { name, fees }: TermsDocument): Block[] {
  return [
    { kind: 'heading', text: 'Fees', note: 'what its orders cost it' },
    feeTable(
      'Fees',
      'Nothing was agreed on: there is no fee.',
      fees.map((fee) => ({ of: `${fee.country} ${fee.currency}`, fee })),
    ),
    ...operationForm(request, termsSetFee, {
      title: 'Agree on a fee',
      lead: newOnesHint,
      button: 'Set the fee',
      fields: [
        ...(['country', 'currency', 'direction', 'from', 'fixed', 'bps'] as const),
        ...(['min', 'max', 'taxBps', 'reason'] as const),
      ],
      adjusted: { from: { type: 'date' } },
      hidden: { merchant: name },
    }),
  ]
}

const tones: Readonly<Record<FeeState, Tone>> = { past: 'plain', 'in force': 'good', coming: 'waiting' }

function feeTable(label: string, empty: string, lines: readonly { of: string; fee: FeeDocument }[]): Block {
  return {
    kind: 'table',
    label,
    empty,
    columns: [
      { label: 'For' },
      { label: 'Orders' },
      { label: 'From' },
      { label: 'State' },
      { label: 'Fixed', isRight: true },
      { label: 'Of the price', isRight: true },
      { label: 'At least', isRight: true },
      { label: 'At most', isRight: true },
      { label: 'Tax on it', isRight: true },
    ],
    rows: lines.map(({ of, fee }): Cell[] => [
      of,
      fee.direction === 'PAY_IN' ? 'pay-in' : 'pay-out',
      { text: fee.from, title: fee.begins, isWhole: true },
      { text: fee.state, tone: tones[fee.state] },
      money(fee.fixed, fee.currency),
      percent(fee.bps),
      fee.min === null ? null : money(fee.min, fee.currency),
      fee.max === null ? null : money(fee.max, fee.currency),
      percent(fee.taxBps),
    ]),
  }
}

/** `250` is `2.5 %`. */
function percent(bps: number): string {
  return `${bps / 100} %`
}

function networksOf(request: PageRequest, { name, networks }: TermsDocument): Block[] {
  const ids = networks.map(({ id }) => id)
  return [
    { kind: 'heading', text: 'Networks', note: 'what the checkout tells of them' },
    {
      kind: 'table',
      label: 'Networks',
      empty: 'It has none.',
      columns: [
        { label: 'Network' },
        { label: 'Where' },
        { label: 'From', isRight: true },
        { label: 'To', isRight: true },
        { label: 'Counter fee', isRight: true },
        { label: 'Hours' },
        { label: 'Texts' },
      ],
      rows: networks.map(networkRow),
    },
    ...operationForm(request, termsSetNetwork, {
      title: 'Describe a network',
      lead: 'What stays empty stays as it is.',
      button: 'Describe it',
      fields: [
        ...(['network', 'name', 'country', 'currency', 'min', 'max', 'counterFee', 'hours'] as const),
        ...(['es', 'pt', 'en', 'reason'] as const),
      ],
      hidden: { provider: name },
    }),
    { kind: 'heading', text: 'Commissions', note: 'what it earns' },
    feeTable(
      'Commissions',
      'Nothing was agreed on: there is no commission.',
      networks.flatMap(({ id, commissions }) => commissions.map((fee) => ({ of: id, fee }))),
    ),
    ...operationForm(request, termsSetCommission, {
      title: 'Agree on a commission',
      lead: newOnesHint,
      button: 'Set the commission',
      fields: [
        ...(['network', 'direction', 'from', 'fixed', 'bps', 'min', 'max'] as const),
        ...(['taxBps', 'reason'] as const),
      ],
      adjusted: { from: { type: 'date' }, ...(ids.length === 0 ? {} : { network: oneOf(ids) }) },
      hidden: { provider: name },
    }),
  ]
}

function networkRow(network: NetworkDocument): Cell[] {
  const amount = (text: string | null) =>
    text === null || network.currency === null ? null : money(text, network.currency)
  const where = [network.country, network.currency].filter((it) => it !== null).join(' ')
  const texts = Object.keys(network.text).join(', ')
  return [
    { text: network.id, isCode: true, ...(network.name === null ? {} : { note: network.name }) },
    where === '' ? null : where,
    amount(network.min),
    amount(network.max),
    amount(network.counterFee),
    network.hours,
    texts === '' ? null : texts,
  ]
}

function settlementOf(request: PageRequest, { name, kind, settles }: TermsDocument): Block[] {
  return [
    { kind: 'heading', text: 'Settlement', note: 'its days, and how it is paid' },
    ...(settles.length === 0
      ? [
          {
            kind: 'text' as const,
            text: 'Nothing was agreed on: it has UTC days, and statements when an operator asks.',
          },
        ]
      : settles.flatMap(settlesBlocks)),
    ...operationForm(request, termsSetSettlement, {
      title: 'Agree on settlement',
      lead: 'What stays empty stays as it is. The day that runs keeps its end; another account counts after 24 hours.',
      button: 'Set it',
      fields: [
        ...(['currency', 'timeZone', 'cutOff', 'every', 'calendar', 'afterBankingDays', 'minimum'] as const),
        ...(kind === 'merchant' ? (['keep'] as const) : []),
        ...(['account', 'reason'] as const),
      ],
      hidden: { party: name, kind },
    }),
  ]
}

function settlesBlocks(it: SettlesDocument): Block[] {
  const every = typeof it.every === 'string' ? it.every : it.every.join(', ')
  const due = `${counted(it.afterBankingDays, 'banking day')} after the close`
  return [
    {
      kind: 'facts',
      items: [
        ['Currency', it.currency],
        ['Days', `until ${it.cutOff} in ${it.timeZone}`],
        ['Statements', every === 'day' ? 'every day' : every === 'request' ? 'on request' : every],
        ['Due', it.calendar === null ? due : `${due}, by the calendar ${it.calendar}`],
        ['Minimum', it.minimum && grouped(it.minimum)],
        ['Kept back', it.keep && grouped(it.keep)],
        ['Account', code(it.account)],
        ['Account since', time(it.accountSince)],
        ['Next account', code(it.nextAccount)],
        ['Next account from', time(it.nextAccountFrom)],
      ],
    },
    {
      kind: 'table',
      label: `Next cut-offs of ${it.currency}`,
      empty: 'None is planned.',
      columns: [{ label: 'Day' }, { label: 'Ends' }],
      rows: it.cutOffs.map(({ day, ends }) => [day, time(ends)]),
    },
  ]
}

function exposureOf(request: PageRequest, { name, exposure }: TermsDocument): Block[] {
  return [
    { kind: 'heading', text: 'Exposure', note: 'how much it may owe' },
    {
      kind: 'table',
      label: 'Exposure',
      empty: 'It is not limited.',
      columns: [
        { label: 'Limit', isRight: true },
        { label: 'Warn at', isRight: true },
      ],
      rows: exposure.map(({ currency, limit, warnAtPercent }) => [
        money(limit, currency),
        `${warnAtPercent} %`,
      ]),
    },
    ...operationForm(request, termsSetExposure, {
      title: 'Limit its exposure',
      button: 'Set the limit',
      fields: ['currency', 'limit', 'warnAtPercent', 'reason'],
      hidden: { provider: name },
    }),
  ]
}
