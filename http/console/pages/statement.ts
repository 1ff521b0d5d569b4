/** A statement: its head, what it adds up, what settled it, and its lines. */

import { adjustmentRecord } from '../../../actors/settlement/adjustment-operations.ts'
import type {
  StatementAllocation,
  StatementLine,
  StatementSummary,
} from '../../../actors/settlement/statement-documents.ts'
import { type StatementDocument, statementShow } from '../../../actors/settlement/statement-operations.ts'
import type { Block, Cell } from '../blocks.ts'
import {
  amountOf,
  code,
  count,
  day,
  days,
  linkTo,
  money,
  orderLink,
  partyLink,
  shortLink,
  state,
  time,
} from '../cells.ts'
import type { Page, PageRequest } from '../page.ts'
import { joined, named } from '../readable.ts'
import type { Texts } from '../texts/index.ts'
import type { Said, View } from '../view.ts'
import { correctionPath } from './adjustments.ts'

type Named = Pick<StatementSummary, 'kind' | 'party' | 'currency' | 'number'>

export function statementPath(named: Named): string {
  return `/statement?${statementQuery(named)}`
}

export function statementQuery({ kind, party, currency, number }: Named): string {
  return String(new URLSearchParams({ kind, party: party.toWellFormed(), currency, number: String(number) }))
}

const linesShown = 100

export const statementPage: Page = {
  path: /^\/statement$/,
  least: 'viewer',
  room: 'Settlement',
  async render(request) {
    const { ask, query } = request
    const given = (name: string) => query.get(name) ?? ''
    const kind = (['merchant', 'provider'] as const).find((one) => one === given('kind'))
    const after = /^\d{1,9}$/.test(given('after')) ? Number(given('after')) : 0
    const shown = await ask(statementShow, {
      party: given('party'),
      currency: given('currency'),
      number: given('number'),
      after,
      limit: linesShown,
      ...(kind === undefined ? {} : { kind }),
    })
    return {
      title: (texts) => texts.statement.statementOf(shown.number, shown.party),
      crumb: {
        href: `/statements?${new URLSearchParams({ kind: shown.kind, party: shown.party, currency: shown.currency })}`,
        text: (texts) => texts.statement.statementsOf(shown.party),
      },
      blocks: [
        ...notices(shown),
        ...filesOf(request, shown),
        factsOf(shown),
        ...sumsOf(shown),
        ...settledOf(shown),
        ...linesOf(shown, query),
      ],
    }
  },
}

function notices({ state: now, postponedTo, dueOn }: StatementDocument): Block[] {
  return [
    ...(now === 'sealed'
      ? []
      : [
          {
            kind: 'notice',
            tone: 'waiting',
            title: (texts: Texts) => texts.statement.itIsNotSealedYet,
            lines: [(texts: Texts) => texts.statement.itsAmountsAreFixedIts],
          } as const,
        ]),
    ...(postponedTo === null || dueOn === null
      ? []
      : [
          {
            kind: 'notice',
            tone: 'plain',
            title: (texts: Texts, view: View) => texts.statement.itFallsDueOn(view.day(postponedTo)),
            lines: [(texts: Texts, view: View) => texts.statement.banksTurnedOutToBe(view.day(dueOn))],
          } as const,
        ]),
  ]
}

function filesOf({ may }: PageRequest, shown: StatementDocument): Block[] {
  if (shown.state !== 'sealed') return []
  const query = statementQuery(shown)
  const { party, kind, currency, number } = shown
  const correction = correctionPath({ party, kind, currency, statement: String(number) })
  return [
    {
      kind: 'links',
      items: [
        { text: (texts) => texts.statement.printIt, href: `/statement/print?${query}` },
        { text: (texts) => texts.statement.tableCsv, href: `/statement.csv?${query}` },
        { text: (texts) => texts.statement.withItsDigestJson, href: `/statement.json?${query}` },
        ...(may(adjustmentRecord)
          ? [
              {
                text: (texts: Texts) => texts.adjustments.correctALine,
                href: correction,
                isAct: true,
              } as const,
            ]
          : []),
      ],
    },
  ]
}

function factsOf(shown: StatementDocument): Block {
  const { currency, from, to, dueOn, postponedTo, due } = shown
  return {
    kind: 'facts',
    items: [
      [(texts) => texts.common.state, state(shown.state)],
      [(texts) => texts.common.party, partyLink(shown.kind, shown.party)],
      [(texts) => texts.common.number, (texts) => texts.statement.in(shown.number, currency)],
      [(texts) => texts.common.days, days(from, to)],
      [(texts) => texts.common.zone, shown.timeZone],
      [(texts) => texts.common.closed, time(shown.closed)],
      [(texts) => texts.common.opening, money(shown.opening, currency)],
      [(texts) => texts.common.closing, money(shown.closing, currency)],
      [(texts) => texts.common.due, { ...money(due, currency), note: whoPays(due) }],
      [(texts) => texts.common.leftOfIt, money(shown.open, currency)],
      [
        (texts) => texts.common.dueOn,
        day(dueOn) ?? (isNothing(due) ? null : (texts) => texts.statement.withALaterStatement),
      ],
      [(texts) => texts.statement.postponedTo, day(postponedTo)],
      ...(shown.kind === 'merchant'
        ? [[(texts: Texts) => texts.common.setAsideToBePaid, money(shown.swept, currency)] as const]
        : []),
      [(texts) => texts.statement.digest, code(shown.digest)],
      [
        (texts) => texts.statement.digestBeforeIt,
        shown.previousDigest === '' ? (texts) => texts.statement.itIsTheFirst : code(shown.previousDigest),
      ],
    ],
  }
}

function whoPays(due: string): Said {
  if (isNothing(due)) return (texts: Texts) => texts.statement.nothingIsDue
  return due.startsWith('-')
    ? (texts: Texts) => texts.statement.thePartyPays
    : (texts: Texts) => texts.statement.theOperatorPays
}

function kindOf({ kind, direction }: Pick<StatementLine, 'kind' | 'direction'>): Said {
  return direction === null ? named(kind) : joined([named(direction), named(kind)])
}

/** A withdrawal without sales has none; of others they are stored when it is sealed. */
function withoutLines(lines: number): Said {
  return lines === 0
    ? (texts: Texts) => texts.statement.itHasNoLinesNothing
    : (texts: Texts) => texts.statement.itsLinesAreNotStored
}

function sumsOf({ sums, currency, opening, closing, lines }: StatementDocument): Block[] {
  const blank: Cell = null
  return [
    { kind: 'heading', text: (texts) => texts.statement.whatItAddsUp, note: currency },
    {
      kind: 'table',
      label: (texts) => texts.statement.whatItAddsUp,
      empty: withoutLines(lines),
      columns: [
        { label: (texts) => texts.common.what },
        { label: (texts) => texts.common.lines, isRight: true },
        { label: (texts) => texts.common.amount, isRight: true },
        { label: (texts) => texts.common.fee, isRight: true },
        { label: (texts) => texts.common.tax, isRight: true },
        { label: (texts) => texts.statement.balance, isRight: true },
      ],
      rows:
        sums.length === 0
          ? []
          : [
              [named('opening'), blank, blank, blank, blank, amountOf(opening, currency)],
              ...sums.map((sum): Cell[] => [
                kindOf(sum),
                count(sum.lines),
                amountOf(sum.amount, currency),
                amountOf(sum.fee, currency),
                amountOf(sum.tax, currency),
                blank,
              ]),
              [named('closing'), blank, blank, blank, blank, amountOf(closing, currency)],
            ],
    },
  ]
}

function settledOf(shown: StatementDocument): Block[] {
  const { settled, currency } = shown
  return [
    { kind: 'heading', text: (texts) => texts.statement.whatSettledIt },
    {
      kind: 'table',
      label: (texts) => texts.statement.whatSettledIt,
      empty: (texts) => texts.common.nothingYet,
      columns: [
        { label: (texts) => texts.common.at },
        { label: (texts) => texts.common.by },
        { label: (texts) => texts.common.amount, isRight: true },
      ],
      rows: settled.map((one) => [time(one.at), settledBy(one, shown), money(one.amount, currency)]),
    },
  ]
}

function settledBy({ source, of }: StatementAllocation, shown: StatementDocument): Cell {
  switch (source) {
    case 'payment':
      return { ...shortLink(`/payments/${of}`, of), note: (texts) => texts.statement.payment }
    case 'set_off':
      return {
        text: (texts) => texts.statement.statement(of),
        href: statementPath({ ...shown, number: Number(of) }),
        note: (texts) => texts.statement.setOff,
      }
    case 'reversal':
      return { text: of, isCode: true, note: (texts) => texts.statement.reversal }
  }
}

function linesOf(
  { entries, currency, next, state: now, lines }: StatementDocument,
  query: URLSearchParams,
): Block[] {
  return [
    { kind: 'heading', text: (texts) => texts.common.lines, id: 'lines', note: currency },
    {
      kind: 'table',
      label: (texts) => texts.common.lines,
      empty: now === 'sealed' && lines > 0 ? (texts) => texts.statement.noMoreLines : withoutLines(lines),
      columns: [
        { label: (texts) => texts.common.line, isRight: true },
        { label: (texts) => texts.common.day },
        { label: (texts) => texts.common.at },
        { label: (texts) => texts.common.what },
        { label: (texts) => texts.common.order },
        { label: (texts) => texts.common.amount, isRight: true },
        { label: (texts) => texts.common.fee, isRight: true },
        { label: (texts) => texts.common.tax, isRight: true },
        { label: (texts) => texts.statement.balance, isRight: true },
      ],
      rows: entries.map((line): Cell[] => [
        count(line.line),
        { text: day(line.day), isWhole: true, ...aboutOf(line) },
        time(line.at),
        { text: kindOf(line), ...networkOf(line) },
        orderOf(line),
        amountOf(line.amount, currency),
        isNothing(line.fee) ? null : amountOf(line.fee, currency),
        isNothing(line.tax) ? null : amountOf(line.tax, currency),
        amountOf(line.balance, currency),
      ]),
    },
    {
      kind: 'links',
      items:
        next === null
          ? []
          : [
              {
                text: (texts) => texts.statement.nextLines,
                href: `${linkTo('/statement', query, { after: String(next) })}#lines`,
              },
            ],
    },
  ]
}

function aboutOf({ aboutDay }: StatementLine): { note?: Said } {
  if (aboutDay === null) return {}
  return { note: ({ statement }, view) => statement.about(view.day(aboutDay)) }
}

function networkOf({ network }: StatementLine): { note?: Said } {
  return network === null ? {} : { note: ({ statement }) => statement.network(network) }
}

function isNothing(amount: string): boolean {
  return /^[0.]*$/.test(amount)
}

/** A merchant's own id of the order, or what the line names. */
function orderOf({ order, reference }: StatementLine): Cell {
  if (order === null) return reference === null ? null : { text: reference, isLong: true }
  const link = orderLink(order)
  return link === null || reference === null ? link : { ...link, note: reference }
}
