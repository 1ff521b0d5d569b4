/** A day of a network: what is booked here, what the network says, and what the bank has paid, side by side. */
import { chosenOutcomes, reconciliationDay } from '../../../actors/reconciliation/day-operations.ts'
import type { DayDocument, DayRow } from '../../../actors/reconciliation/days.ts'
import type { Block, Cell, Field } from '../blocks.ts'
import { linkTo, money, orderLink, partyLink, shortLink, time } from '../cells.ts'
import { filled } from '../forms.ts'
import type { Page } from '../page.ts'
import { grouped, words } from '../readable.ts'
import { dayPath, dayTones, readForm } from './reconciliation.ts'

type Outcome = (typeof chosenOutcomes)[number]

/** For people. */
const texts: Readonly<Record<Outcome, string>> = {
  differences: 'all differences',
  matched: 'matched',
  pending: 'not reported yet',
  only_ours: 'only here',
  only_theirs: 'only there',
  amount: 'another amount',
  day: 'another day',
  status: 'another status',
  twice: 'reported twice',
  reversed: 'taken back',
}

export const reconciliationDayPage: Page = {
  path: /^\/reconciliation\/days\/(?<network>[A-Za-z0-9_.-]{1,64})\/(?<day>\d{4}-\d\d-\d\d)$/,
  least: 'viewer',
  room: 'Reconciliation',
  async render(request) {
    const { ask, query, params } = request
    const { network = '', day = '' } = params
    const chosen = chosenOutcomes.find((one) => one === query.get('outcome'))
    const cursor = query.get('cursor') ?? ''
    const document = await ask(reconciliationDay, {
      network,
      day,
      limit: 100,
      ...filled({ cursor }),
      ...(chosen === undefined ? {} : { outcome: chosen }),
    })
    const path = dayPath(network, day)
    return {
      title: `${document.name ?? network}, ${day}`,
      crumb: { href: '/reconciliation', text: 'Reconciliation' },
      blocks: [
        ...facts(document),
        { kind: 'heading', text: 'Three sides' },
        sides(document),
        { kind: 'heading', text: 'Line by line' },
        filter(path, document, chosen),
        rows(document),
        {
          kind: 'next',
          href: document.next === null ? null : linkTo(path, query, { cursor: document.next }),
        },
        ...(await readForm(request, { provider: document.provider, network, day })),
      ],
    }
  },
}

function facts({ state, provider, report, open, toleratedDays }: DayDocument): Block[] {
  return [
    {
      kind: 'facts',
      items: [
        ['State', { text: state, tone: dayTones[state] }],
        ['Provider', partyLink('provider', provider)],
        ['To look at', `${open}`],
        [
          'Report',
          report === null
            ? 'none yet'
            : `${report.lines} lines, by ${report.source === 'api' ? 'its software' : report.by}`,
        ],
        ['Applied', time(report?.applied ?? null)],
        ['Tolerated', `${toleratedDays} ${toleratedDays === 1 ? 'day' : 'days'} before and after`],
      ],
    },
  ]
}

/** The bank's side is of statements: it pays many days at once. */
function sides({ totals, currency, statements }: DayDocument): Block {
  const bank = statements.map(({ number, due, settled, dueOn }) => ({
    label: `the bank, of statement ${number}`,
    value: `${grouped(settled)} ${currency}`,
    note: `of ${grouped(due)} ${currency}${dueOn === null ? '' : `, due on ${dueOn}`}`,
  }))
  return {
    kind: 'tiles',
    label: 'Three sides',
    items: [
      {
        label: 'booked here',
        value: `${grouped(totals.here.amount)} ${currency}`,
        note: `${totals.here.count} payments`,
      },
      {
        label: 'the network says',
        value: `${grouped(totals.network.amount)} ${currency}`,
        note: `${totals.network.count} payments`,
      },
      ...(bank.length === 0
        ? [{ label: 'the bank', value: '–', note: 'no statement tells of the day yet' }]
        : bank),
    ],
  }
}

function filter(path: string, { sums }: DayDocument, chosen: Outcome | undefined): Block {
  const count = (outcome: string) => sums.find((sum) => sum.outcome === outcome)?.count ?? 0
  const all = sums.reduce((sum, each) => sum + each.count, 0)
  const differing = all - count('matched') - count('pending')
  const options: Field['options'] = [
    ['', `all lines (${all})`],
    ['differences', `${texts.differences} (${differing})`],
    ...chosenOutcomes.flatMap((one): [string, string][] =>
      one === 'differences' || count(one) === 0 ? [] : [[one, `${texts[one]} (${count(one)})`]],
    ),
  ]
  const field: Field = { name: 'outcome', label: 'Show', type: 'select', options, value: chosen ?? '' }
  return { kind: 'filters', action: path, fields: [field], button: 'Show' }
}

function rows({ rows: found, currency, day }: DayDocument): Block {
  return {
    kind: 'table',
    label: 'Lines of the day',
    empty: 'None.',
    columns: [
      { label: 'Line', isRight: true },
      { label: 'Here', isRight: true },
      { label: 'The network says', isRight: true },
      { label: 'It names' },
      { label: 'Comes to' },
      { label: 'Exception' },
    ],
    rows: found.map((row): Cell[] => [
      row.line === null ? null : `${row.line}`,
      here(row, currency, day),
      there(row, currency),
      row.reference ?? row.named,
      outcomeCell(row),
      row.exception === null
        ? null
        : {
            ...shortLink(`/exceptions/${row.exception}`, row.exception),
            note: row.isOpen ? 'open' : 'settled',
          },
    ]),
  }
}

function here({ ours, oursDay, order }: DayRow, currency: string, day: string): Cell {
  const note = oursDay === null || oursDay === day ? '' : `on ${oursDay}`
  if (ours === null) return orderLink(order)
  const amount = {
    ...money(ours, currency),
    ...(order === null ? {} : { href: `/orders/${order}`, title: order }),
  }
  return note === '' ? amount : { ...amount, note }
}

function there({ theirs, kind, theirTime }: DayRow, currency: string): Cell {
  if (kind === null) return null
  const notes = [
    kind === 'paid' ? [] : [words(kind)],
    theirTime === null ? [] : [theirTime.slice(0, 16).replace('T', ' ')],
  ]
  const note = notes.flat().join(', ')
  if (theirs === null) return { text: words(kind), note }
  return note === '' ? money(theirs, currency) : { ...money(theirs, currency), note }
}

function outcomeCell({ outcome, reason, isOpen }: DayRow): Cell {
  const tone = outcome === 'matched' ? 'good' : outcome === 'pending' ? 'waiting' : isOpen ? 'bad' : 'plain'
  const text = { text: texts[outcome], tone } as const
  return reason === null ? text : { ...text, note: reason }
}
