/** What was agreed on with a party: in force, coming and past, and the forms that change what is to come. */
import { merchantShow } from '../../../actors/parties/merchants.ts'
import type { PartyDocument } from '../../../actors/parties/operations.ts'
import { calendarList } from '../../../actors/terms/calendar-operations.ts'
import type {
  FeeDocument,
  FeeState,
  NetworkDocument,
  SettlesDocument,
  TermsDocument,
} from '../../../actors/terms/documents.ts'
import { termsShow } from '../../../actors/terms/operations.ts'
import type { Block, Cell, Tone } from '../blocks.ts'
import { amountOf, code, day, money, partyPath, time } from '../cells.ts'
import type { Page, PageRequest } from '../page.ts'
import { joined, named } from '../readable.ts'
import type { Texts } from '../texts/index.ts'
import type { View, Words } from '../view.ts'
import { draftColumn, draftLink, openedDraft } from './draft.ts'
import { termsOffers } from './terms-offers.ts'

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
      title: (texts) => texts.terms.termsOf(terms.name),
      crumb: { href: partyPath(terms.kind, terms.name), text: terms.name },
      blocks: [
        ...(await openedTerms(request, terms)),
        ...(terms.kind === 'merchant' ? feesOf(request, terms) : networksOf(request, terms)),
        ...settlementOf(request, terms),
        ...(terms.kind === 'merchant' ? [] : exposureOf(request, terms)),
      ],
    }
  },
}

/** What a form has to choose from is read only where one is open. */
async function openedTerms(request: PageRequest, terms: TermsDocument): Promise<Block[]> {
  if (request.query.get('form') === null) return []
  const { calendars } = await request.ask(calendarList, {})
  const pairs = terms.kind === 'merchant' ? (await request.ask(merchantShow, { name: terms.name })).pairs : []
  const offers = termsOffers(
    terms,
    pairs,
    calendars.map(({ name }) => name),
  )
  return openedDraft(request, '/terms', offers)
}

function changeLinks(request: PageRequest, key: string, text: Words): Block[] {
  const items = draftLink(request, '/terms', key, text)
  return items.length === 0 ? [] : [{ kind: 'links', items }]
}

function feesOf(request: PageRequest, { fees }: TermsDocument): Block[] {
  return [
    { kind: 'heading', text: (texts) => texts.terms.fees, note: (texts) => texts.terms.whatItsOrdersCostIt },
    feeTable(
      (texts: Texts) => texts.terms.fees,
      (texts: Texts) => texts.terms.nothingWasAgreedOnThere,
      fees.map((fee) => ({ of: `${fee.country} ${fee.currency}`, fee })),
    ),
    ...changeLinks(request, 'fee', ({ drafts }) => drafts.agreeOnAFee),
  ]
}

const tones: Readonly<Record<FeeState, Tone>> = { past: 'plain', 'in force': 'good', coming: 'waiting' }

function feeTable(label: Words, empty: Words, lines: readonly { of: string; fee: FeeDocument }[]): Block {
  return {
    kind: 'table',
    label,
    empty,
    columns: [
      { label: (texts) => texts.terms.for },
      { label: (texts) => texts.common.orders },
      { label: (texts) => texts.common.from },
      { label: (texts) => texts.common.state },
      { label: (texts) => texts.terms.fixed, isRight: true },
      { label: (texts) => texts.terms.ofThePrice, isRight: true },
      { label: (texts) => texts.terms.atLeast, isRight: true },
      { label: (texts) => texts.terms.atMost, isRight: true },
      { label: (texts) => texts.terms.taxOnIt, isRight: true },
    ],
    rows: lines.map(({ of, fee }): Cell[] => [
      of,
      named(fee.direction),
      { text: day(fee.from), title: fee.begins, isWhole: true },
      { text: named(fee.state), tone: tones[fee.state] },
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

function networksOf(request: PageRequest, { networks }: TermsDocument): Block[] {
  return [
    {
      kind: 'heading',
      text: (texts) => texts.common.networks,
      note: (texts) => texts.terms.whatTheCheckoutTellsOf,
    },
    {
      kind: 'table',
      label: (texts) => texts.common.networks,
      empty: (texts) => texts.common.itHasNone,
      columns: [
        { label: (texts) => texts.terms.network },
        { label: (texts) => texts.terms.where },
        { label: (texts) => texts.common.from, isRight: true },
        { label: (texts) => texts.common.to, isRight: true },
        { label: (texts) => texts.terms.counterFee, isRight: true },
        { label: (texts) => texts.terms.hours },
        { label: (texts) => texts.terms.texts },
        ...draftColumn(request),
      ],
      rows: networks.map((network) => [
        ...networkRow(network),
        ...draftLink(request, '/terms', `network-${network.id}`, ({ drafts }) => drafts.change),
      ]),
    },
    ...changeLinks(request, 'network', ({ drafts }) => drafts.addANetwork),
    { kind: 'heading', text: (texts) => texts.terms.commissions, note: (texts) => texts.terms.whatItEarns },
    feeTable(
      (texts: Texts) => texts.terms.commissions,
      (texts: Texts) => texts.terms.nothingWasAgreedOnThere2,
      networks.flatMap(({ id, commissions }) => commissions.map((fee) => ({ of: id, fee }))),
    ),
    ...changeLinks(request, 'commission', ({ drafts }) => drafts.agreeOnACommission),
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

function settlementOf(request: PageRequest, { settles }: TermsDocument): Block[] {
  return [
    {
      kind: 'heading',
      text: (texts) => texts.common.settlement,
      note: (texts) => texts.terms.itsDaysAndHowIt,
    },
    ...(settles.length === 0
      ? [
          {
            kind: 'text' as const,
            text: (texts: Texts) => texts.terms.nothingWasAgreedOnIt,
          },
        ]
      : settles.flatMap((it) => [
          ...settlesBlocks(it),
          ...changeLinks(request, `settles-${it.currency}`, ({ drafts }) =>
            drafts.changeSettlementOf(it.currency),
          ),
        ])),
    ...changeLinks(request, 'settles', ({ drafts }) =>
      settles.length === 0 ? drafts.agreeOnSettlement : drafts.anotherCurrency,
    ),
  ]
}

function settlesBlocks(it: SettlesDocument): Block[] {
  const every = typeof it.every === 'string' ? named(it.every) : joined(it.every.map(named))
  const due = ({ terms }: Texts, view: View) => {
    const text = terms.afterTheClose(view.counted(it.afterBankingDays))
    return it.calendar === null ? text : terms.byTheCalendar(text, it.calendar)
  }
  return [
    {
      kind: 'facts',
      items: [
        [(texts) => texts.common.currency, it.currency],
        [(texts) => texts.common.days, (texts) => texts.terms.untilIn(it.cutOff, it.timeZone)],
        [
          (texts) => texts.common.statements,
          it.every === 'day'
            ? (texts) => texts.terms.everyDay
            : it.every === 'request'
              ? (texts) => texts.terms.onRequest
              : every,
        ],
        [(texts) => texts.common.due, due],
        [(texts) => texts.terms.minimum, it.minimum && amountOf(it.minimum, it.currency)],
        [(texts) => texts.terms.keptBack, it.keep && amountOf(it.keep, it.currency)],
        [(texts) => texts.common.account, code(it.account)],
        [(texts) => texts.terms.accountSince, time(it.accountSince)],
        [(texts) => texts.terms.nextAccount, code(it.nextAccount)],
        [(texts) => texts.terms.nextAccountFrom, time(it.nextAccountFrom)],
      ],
    },
    {
      kind: 'table',
      label: (texts) => texts.terms.nextCutOffsOf(it.currency),
      empty: (texts) => texts.terms.noneIsPlanned,
      columns: [{ label: (texts) => texts.common.day }, { label: (texts) => texts.terms.ends }],
      rows: it.cutOffs.map(({ day: its, ends }) => [day(its), time(ends)]),
    },
  ]
}

function exposureOf(request: PageRequest, { exposure }: TermsDocument): Block[] {
  return [
    { kind: 'heading', text: (texts) => texts.common.exposure, note: (texts) => texts.terms.howMuchItMayOwe },
    {
      kind: 'table',
      label: (texts) => texts.common.exposure,
      empty: (texts) => texts.terms.itIsNotLimited,
      columns: [
        { label: (texts) => texts.common.limit, isRight: true },
        { label: (texts) => texts.terms.warnAt, isRight: true },
        ...draftColumn(request),
      ],
      rows: exposure.map(({ currency, limit, warnAtPercent }) => [
        money(limit, currency),
        `${warnAtPercent} %`,
        ...draftLink(request, '/terms', `exposure-${currency}`, ({ drafts }) => drafts.change),
      ]),
    },
    ...changeLinks(request, 'exposure', ({ drafts }) => drafts.limitItsExposure),
  ]
}
