/** A statement: its head, what it adds up, what settled it, and its lines. */
import type {
  StatementAllocation,
  StatementLine,
  StatementSummary,
} from '../../../actors/settlement/statement-documents.ts'
import { type StatementDocument, statementShow } from '../../../actors/settlement/statement-operations.ts'
import type { Block, Cell } from '../blocks.ts'
import { code, linkTo, money, orderLink, partyLink, shortLink, state, time } from '../cells.ts'
import type { Page } from '../page.ts'
import { grouped, words } from '../readable.ts'

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
  async render({ ask, query }) {
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
      title: `Statement ${shown.number} of ${shown.party}`,
      crumb: {
        href: `/statements?${new URLSearchParams({ kind: shown.kind, party: shown.party, currency: shown.currency })}`,
        text: `Statements of ${shown.party}`,
      },
      blocks: [
        ...notices(shown),
        ...filesOf(shown),
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
            title: 'It is not sealed yet',
            lines: [
              'Its amounts are fixed. Its lines are stored, and its party is told, once its number is kept outside the database.',
            ],
          } as const,
        ]),
    ...(postponedTo === null
      ? []
      : [
          {
            kind: 'notice',
            tone: 'plain',
            title: `It falls due on ${postponedTo}`,
            lines: [`Banks turned out to be closed on ${dueOn}.`],
          } as const,
        ]),
  ]
}

function filesOf(shown: StatementDocument): Block[] {
  if (shown.state !== 'sealed') return []
  const query = statementQuery(shown)
  return [
    {
      kind: 'links',
      items: [
        { text: 'Print it', href: `/statement/print?${query}` },
        { text: 'Table (CSV)', href: `/statement.csv?${query}` },
        { text: 'With its digest (JSON)', href: `/statement.json?${query}` },
      ],
    },
  ]
}

function factsOf(shown: StatementDocument): Block {
  const { currency, from, to, dueOn, postponedTo, due } = shown
  return {
    kind: 'facts',
    items: [
      ['State', state(shown.state)],
      ['Party', partyLink(shown.kind, shown.party)],
      ['Number', `${shown.number} in ${currency}`],
      ['Days', from === to ? from : `${from} to ${to}`],
      ['Zone', shown.timeZone],
      ['Closed', time(shown.closed)],
      ['Opening', money(shown.opening, currency)],
      ['Closing', money(shown.closing, currency)],
      ['Due', { ...money(due, currency), note: whoPays(due) }],
      ['Left of it', money(shown.open, currency)],
      ['Due on', dueOn ?? (isNothing(due) ? null : 'with a later statement')],
      ['Postponed to', postponedTo],
      ...(shown.kind === 'merchant' ? [['Set aside to be paid', money(shown.swept, currency)] as const] : []),
      ['Digest', code(shown.digest)],
      ['Digest before it', shown.previousDigest === '' ? 'it is the first' : code(shown.previousDigest)],
    ],
  }
}

function whoPays(due: string): string {
  if (isNothing(due)) return 'nothing is due'
  return due.startsWith('-') ? 'the party pays' : 'the operator pays'
}

function kindOf({ kind, direction }: Pick<StatementLine, 'kind' | 'direction'>): string {
  return direction === null ? words(kind) : `${words(direction)}, ${words(kind)}`
}

/** A withdrawal without sales has none; of others they are stored when it is sealed. */
function withoutLines(lines: number): string {
  return lines === 0 ? 'It has no lines: nothing came since the one before.' : 'Its lines are not stored yet.'
}

function sumsOf({ sums, currency, opening, closing, lines }: StatementDocument): Block[] {
  const blank: Cell = null
  return [
    { kind: 'heading', text: 'What it adds up', note: currency },
    {
      kind: 'table',
      label: 'What it adds up',
      empty: withoutLines(lines),
      columns: [
        { label: 'What' },
        { label: 'Lines', isRight: true },
        { label: 'Amount', isRight: true },
        { label: 'Fee', isRight: true },
        { label: 'Tax', isRight: true },
        { label: 'Balance', isRight: true },
      ],
      rows:
        sums.length === 0
          ? []
          : [
              ['opening', blank, blank, blank, blank, whole(opening)],
              ...sums.map((sum): Cell[] => [
                kindOf(sum),
                grouped(String(sum.lines)),
                whole(sum.amount),
                whole(sum.fee),
                whole(sum.tax),
                blank,
              ]),
              ['closing', blank, blank, blank, blank, whole(closing)],
            ],
    },
  ]
}

const whole = (amount: string): Cell => ({ text: grouped(amount), isWhole: true })

function settledOf(shown: StatementDocument): Block[] {
  const { settled, currency } = shown
  return [
    { kind: 'heading', text: 'What settled it' },
    {
      kind: 'table',
      label: 'What settled it',
      empty: 'Nothing yet.',
      columns: [{ label: 'At' }, { label: 'By' }, { label: 'Amount', isRight: true }],
      rows: settled.map((one) => [time(one.at), settledBy(one, shown), money(one.amount, currency)]),
    },
  ]
}

function settledBy({ source, of }: StatementAllocation, shown: StatementDocument): Cell {
  switch (source) {
    case 'payment':
      return { ...shortLink(`/payments/${of}`, of), note: 'payment' }
    case 'set_off':
      return {
        text: `statement ${of}`,
        href: statementPath({ ...shown, number: Number(of) }),
        note: 'set off',
      }
    case 'reversal':
      return { text: of, isCode: true, note: 'reversal' }
  }
}

function linesOf(
  { entries, currency, next, state: now, lines }: StatementDocument,
  query: URLSearchParams,
): Block[] {
  return [
    { kind: 'heading', text: 'Lines', id: 'lines', note: currency },
    {
      kind: 'table',
      label: 'Lines',
      empty: now === 'sealed' && lines > 0 ? 'No more lines.' : withoutLines(lines),
      columns: [
        { label: 'Line', isRight: true },
        { label: 'Day' },
        { label: 'At' },
        { label: 'What' },
        { label: 'Order' },
        { label: 'Amount', isRight: true },
        { label: 'Fee', isRight: true },
        { label: 'Tax', isRight: true },
        { label: 'Balance', isRight: true },
      ],
      rows: entries.map((line) => [
        String(line.line),
        {
          text: line.day,
          isWhole: true,
          ...(line.aboutDay === null ? {} : { note: `about ${line.aboutDay}` }),
        },
        time(line.at),
        { text: kindOf(line), ...(line.network === null ? {} : { note: `network ${line.network}` }) },
        orderOf(line),
        whole(line.amount),
        isNothing(line.fee) ? null : whole(line.fee),
        isNothing(line.tax) ? null : whole(line.tax),
        whole(line.balance),
      ]),
    },
    {
      kind: 'links',
      items:
        next === null
          ? []
          : [{ text: 'Next lines', href: `${linkTo('/statement', query, { after: String(next) })}#lines` }],
    },
  ]
}

function isNothing(amount: string): boolean {
  return /^[0.]*$/.test(amount)
}

/** A merchant's own id of the order, or what the line names. */
function orderOf({ order, reference }: StatementLine): Cell {
  if (order === null) return reference === null ? null : { text: reference, isLong: true }
  const link = orderLink(order)
  if (reference === null || link === null || typeof link === 'string') return link
  return { ...link, note: reference }
}
