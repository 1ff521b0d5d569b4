/** A day of a network: what is booked here, what the network says, and what the bank has paid, side by side. */
import { chosenOutcomes, reconciliationDay } from '../../../actors/reconciliation/day-operations.ts'
import type { BridgeStep, Decided } from '../../../actors/reconciliation/day-sums.ts'
import type { DayDocument, DayRow } from '../../../actors/reconciliation/days.ts'
import type { Block, Cell, Field, Text, Tone } from '../blocks.ts'
import { count, day as dayCell, linkTo, money, orderLink, partyLink, shortLink, time } from '../cells.ts'
import { filled } from '../forms.ts'
import type { Page, PageRequest } from '../page.ts'
import { joined, named } from '../readable.ts'
import { whyOf } from '../reasons.ts'
import type { Texts } from '../texts/index.ts'
import type { Said, View, Words } from '../view.ts'
import { dayPath, dayTones, readForm } from './reconciliation.ts'

type Outcome = (typeof chosenOutcomes)[number]

/** For people. */
export const outcomes: Readonly<Record<Outcome, Said>> = {
  differences: (texts: Texts) => texts.reconciliationDay.allDifferences,
  matched: named('matched'),
  pending: (texts: Texts) => texts.reconciliationDay.notReportedYet,
  only_ours: (texts: Texts) => texts.reconciliationDay.onlyHere,
  only_theirs: (texts: Texts) => texts.reconciliationDay.onlyThere,
  amount: (texts: Texts) => texts.reconciliationDay.anotherAmount,
  day: (texts: Texts) => texts.reconciliationDay.anotherDay,
  status: (texts: Texts) => texts.reconciliationDay.anotherStatus,
  twice: (texts: Texts) => texts.reconciliationDay.reportedTwice,
  reversed: (texts: Texts) => texts.reconciliationDay.takenBack,
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
      title: joined([document.name ?? network, dayCell(day)]),
      crumb: { href: '/reconciliation', text: (texts) => texts.common.reconciliation },
      blocks: [
        {
          kind: 'links',
          items: [{ text: (texts: Texts) => texts.claims.claims, href: '/claims' }],
        },
        ...nextSteps(request, document),
        ...facts(document),
        { kind: 'heading', text: (texts) => texts.reconciliationDay.threeSides },
        sides(document),
        ...bridge(document),
        { kind: 'heading', text: (texts) => texts.reconciliationDay.lineByLine },
        filter(path, document, chosen),
        rows(document),
        {
          kind: 'next',
          href: document.next === null ? null : linkTo(path, query, { cursor: document.next }),
        },
        ...(document.state === 'open'
          ? []
          : readForm(request, { network, day }, [], {
              title: (texts) => texts.reconciliationDay.sendAnother,
            })),
      ],
    }
  },
}

/** What the day waits for, and where one goes on. */
function nextSteps(request: PageRequest, document: DayDocument): Block[] {
  const { state, open, pending, awaited, network, name, day, isOfFormerTerms } = document
  const terms: (Said | Text)[] = [
    ...(isOfFormerTerms ? [(texts: Texts) => texts.reconciliationDay.formerTerms] : []),
    ...document.nearby.map((other) => ({
      text: ({ reconciliationDay: said }: Texts, view: View) =>
        said.otherDay(view.day(other.day), view.counted(other.open)),
      href: dayPath(network, other.day),
    })),
  ]
  const notice = (tone: Tone, title: Said, lines: readonly (Said | Text)[] = []): Block => ({
    kind: 'notice',
    tone,
    title,
    lines: [...lines, ...terms],
  })
  switch (state) {
    case 'open':
      return [
        notice('waiting', (texts) => texts.reconciliationDay.notHereYet, [
          (texts) => texts.reconciliationDay.sendIt,
        ]),
        ...readForm(request, { network, day }, [], { isMain: true }),
      ]
    case 'imported': {
      if (awaited.length === 0) return [notice('busy', (texts) => texts.reconciliationDay.isFinishing)]
      const waits: Said = ({ reconciliationDay: said }, view) =>
        said.waitsFor(view.counted(pending), name ?? network, awaited.map(view.day).join(', '))
      const uploads = awaited.map(
        (one): Text => ({
          text: (texts, view) => texts.reconciliationDay.sendReportOf(view.day(one)),
          href: dayPath(network, one),
        }),
      )
      return [notice('waiting', (texts) => texts.reconciliationDay.waits, [waits, ...uploads])]
    }
    case 'differences':
      return [
        notice('bad', (texts, view) => texts.reconciliationDay.toSettle(view.counted(open)), [
          (texts) => texts.reconciliationDay.openEach,
        ]),
      ]
    case 'reconciled':
      return [notice('good', (texts) => texts.reconciliationDay.agrees)]
  }
}

function facts({ state, provider, report, open, toleratedDays }: DayDocument): Block[] {
  return [
    {
      kind: 'facts',
      items: [
        [(texts) => texts.common.state, { text: named(state), tone: dayTones[state] }],
        [(texts) => texts.common.provider, partyLink('provider', provider)],
        [(texts) => texts.reconciliationDay.toLookAt, count(open)],
        [
          (texts) => texts.reconciliationDay.report,
          report === null
            ? (texts) => texts.reconciliationDay.noneYet
            : ({ reconciliationDay: said }, view) =>
                report.source === 'api'
                  ? said.linesBySoftware(view.counted(report.lines))
                  : said.linesBy(view.counted(report.lines), report.by),
        ],
        [(texts) => texts.reconciliationDay.applied, time(report?.applied ?? null)],
        [
          (texts) => texts.reconciliationDay.tolerated,
          (texts, view) => texts.reconciliationDay.beforeAndAfter(view.counted(toleratedDays)),
        ],
      ],
    },
  ]
}

/** The bank's side is of statements: it pays many days at once. */
function sides({ totals, currency, statements }: DayDocument): Block {
  const bank = statements.map(({ number, due, settled, dueOn }) => ({
    label: (texts: Texts) => texts.reconciliationDay.theBankOfStatement(number),
    value: money(settled, currency).text,
    href: '/bank#statement',
    note: ({ reconciliationDay: said }: Texts, view: View) =>
      dueOn === null
        ? said.of(view.money(due, currency))
        : said.ofDueOn(view.money(due, currency), view.day(dueOn)),
  }))
  return {
    kind: 'tiles',
    label: (texts) => texts.reconciliationDay.threeSides,
    items: [
      {
        label: (texts) => texts.reconciliationDay.bookedHere,
        value: money(totals.here.amount, currency).text,
        note: (texts, view) => texts.reconciliationDay.payments(view.counted(totals.here.count)),
      },
      {
        label: (texts) => texts.reconciliationDay.theNetworkSays,
        value: money(totals.network.amount, currency).text,
        note: (texts, view) => texts.reconciliationDay.payments(view.counted(totals.network.count)),
      },
      ...(bank.length === 0
        ? [
            {
              label: (texts: Texts) => texts.reconciliationDay.theBank,
              value: '–',
              href: '/bank#statement',
              note: (texts: Texts) => texts.reconciliationDay.noStatementTellsOfThe,
            },
          ]
        : bank),
    ],
  }
}

/** What lies between the sums of both sides, and what became of it. */
function bridge({ bridge: found, totals, currency }: DayDocument): Block[] {
  if (found === null || found.steps.length === 0) return []
  return [
    {
      kind: 'table',
      label: (texts) => texts.reconciliationDay.bridge,
      empty: (texts) => texts.common.none,
      columns: [
        { label: (texts) => texts.reconciliationDay.bridge },
        { label: (texts) => texts.common.amount, isRight: true },
        { label: (texts) => texts.reconciliationDay.whatBecame },
      ],
      rows: [
        [(texts) => texts.reconciliationDay.bookedHere, money(totals.here.amount, currency), null],
        ...found.steps.map((step): Cell[] => [
          bridgeName(step),
          money(step.amount, currency),
          joined(step.decided.map((one) => decided(one, currency))),
        ]),
        [
          (texts) => texts.reconciliationDay.unexplained,
          { ...money(found.unexplained, currency), tone: /[1-9]/.test(found.unexplained) ? 'bad' : 'good' },
          null,
        ],
        [(texts) => texts.reconciliationDay.theNetworkSays, money(totals.network.amount, currency), null],
      ],
    },
  ]
}

function bridgeName({ outcome, count: number }: BridgeStep): Said {
  const name: Said =
    outcome === 'elsewhere'
      ? (texts) => texts.reconciliationDay.toldElsewhere
      : outcome === 'matched'
        ? outcomes.day
        : outcomes[outcome]
  return numbered(name, number)
}

function decided({ as, count: number, claimed }: Decided, currency: string): Said {
  return (texts, view) => {
    const said = texts.reconciliationDay
    const decisions: Readonly<Record<string, string>> = said.decisions
    const became = `${view.number(number)} ${decisions[as] ?? named(as)(texts, view)}`
    return claimed === null ? became : `${became} (${said.claimed(view.money(claimed, currency))})`
  }
}

function filter(path: string, { sums }: DayDocument, chosen: Outcome | undefined): Block {
  const countOf = (outcome: string) => sums.find((sum) => sum.outcome === outcome)?.count ?? 0
  const all = sums.reduce((sum, each) => sum + each.count, 0)
  const differing = all - countOf('matched') - countOf('pending')
  const options: Field['options'] = [
    ['', (texts, view) => texts.reconciliationDay.allLines(view.number(all))],
    ['differences', numbered(outcomes.differences, differing)],
    ...chosenOutcomes.flatMap((one): [string, Said][] =>
      one === 'differences' || countOf(one) === 0 ? [] : [[one, numbered(outcomes[one], countOf(one))]],
    ),
  ]
  const field: Field = {
    name: 'outcome',
    label: (texts) => texts.common.show,
    type: 'select',
    options,
    value: chosen ?? '',
  }
  return { kind: 'filters', action: path, fields: [field], button: (texts) => texts.common.show }
}

function rows({ rows: found, currency, day }: DayDocument): Block {
  return {
    kind: 'table',
    label: (texts) => texts.reconciliationDay.linesOfTheDay,
    list: 'day',
    empty: (texts) => texts.reconciliationDay.noLines,
    columns: [
      { label: (texts) => texts.common.line, isRight: true },
      { label: (texts) => texts.common.here, isRight: true },
      { label: (texts) => texts.reconciliationDay.theNetworkSays2, isRight: true },
      { label: (texts) => texts.reconciliationDay.itNames },
      { label: (texts) => texts.common.comesTo },
      { label: (texts) => texts.common.exception },
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
            note: row.isOpen
              ? (texts) => texts.reconciliationDay.open
              : (texts) => texts.reconciliationDay.settled,
          },
    ]),
  }
}

function here({ ours, oursDay, order }: DayRow, currency: string, day: string): Cell {
  const note =
    oursDay === null || oursDay === day
      ? ''
      : (texts: Texts, view: View) => texts.reconciliationDay.on(view.day(oursDay))
  if (ours === null) return orderLink(order)
  const amount = {
    ...money(ours, currency),
    ...(order === null ? {} : { href: `/orders/${order}`, title: order }),
  }
  return note === '' ? amount : { ...amount, note }
}

function there({ theirs, kind, theirTime }: DayRow, currency: string): Cell {
  if (kind === null) return null
  const notes: Words[] = [
    ...(kind === 'paid' ? [] : [named(kind)]),
    ...(theirTime === null ? [] : [(_: Texts, view: View) => view.time(theirTime)]),
  ]
  const note = joined(notes)
  return theirs === null ? { text: named(kind), note } : { ...money(theirs, currency), note }
}

function outcomeCell({ outcome, why, isOpen }: DayRow): Cell {
  const tone = outcome === 'matched' ? 'good' : outcome === 'pending' ? 'waiting' : isOpen ? 'bad' : 'plain'
  const text = { text: outcomes[outcome], tone } as const
  return why === null ? text : { ...text, note: whyOf(why) }
}

function numbered(text: Said, number: number): Said {
  return (texts, view) => `${text(texts, view)} (${view.number(number)})`
}
