/** A network's file that somebody looks at: what each line comes to, and from then on whether it is applied. */
import { reconciliationApply, reconciliationProgress } from '../../../actors/reconciliation/operations.ts'
import type { RunDocument, RunState } from '../../../actors/reconciliation/run-document.ts'
import type { Block, Cell, Text, Tone } from '../blocks.ts'
import { count, money, orderLink } from '../cells.ts'
import { operationAction, operationForm } from '../forms.ts'
import type { Action, Page, PageRequest } from '../page.ts'
import { named } from '../readable.ts'
import { whyOf } from '../reasons.ts'
import type { Texts } from '../texts/index.ts'
import type { Said, View, Words } from '../view.ts'
import { told } from '../wording.ts'
import { dayPath } from './reconciliation.ts'
import { outcomes as outcomeNames } from './reconciliation-day.ts'

const titles: Readonly<Record<RunState, [title: Said, tone: Tone]>> = {
  reading: [(texts: Texts) => texts.report.itIsBeingRead, 'busy'],
  refused: [(texts: Texts) => texts.report.theFileIsRefusedAs, 'bad'],
  ready: [(texts: Texts) => texts.report.nothingIsChangedYet, 'waiting'],
  applying: [(texts: Texts) => texts.report.itIsBeingApplied, 'busy'],
  applied: [(texts: Texts) => texts.report.itIsApplied, 'good'],
  failed: [(texts: Texts) => texts.report.itCouldNotBeWorked, 'bad'],
}

export const reportPage: Page = {
  path: /^\/reconciliation\/files\/(?<run>[\w-]{1,40})$/,
  least: 'operator',
  room: 'Reconciliation',
  async render(request) {
    const document = await request.ask(reconciliationProgress, { run: request.params.run ?? '' })
    const isMoving = document.state === 'reading' || document.state === 'applying'
    return {
      title: (texts, view) => texts.report.reportOf(document.network, view.day(document.day)),
      crumb: { href: '/reconciliation', text: (texts) => texts.common.reconciliation },
      ...(isMoving ? { liveSeconds: 2 } : {}),
      blocks: [
        notice(document),
        ...tiles(document),
        ...sidesOf(document),
        ...applyForm(request, document),
        ...faults(document),
        ...differences(document),
        ...missing(document),
      ],
    }
  },
}

function notice(document: RunDocument): Block {
  const { state, read, stored, problem, unchanged, replaces, faultCount } = document
  const [title, tone] = titles[state]
  if (unchanged) {
    const lines = [(texts: Texts) => texts.report.theVerySameFileCounts]
    return { kind: 'notice', tone: 'good', title: (texts) => texts.report.nothingNew, lines }
  }
  const lines: Record<RunState, (Words | Text)[]> = {
    reading: [(texts, view) => texts.report.linesSoFar(view.counted(read))],
    refused: [(texts, view) => texts.report.linesAreWrongAskThe(view.counted(faultCount))],
    ready: [
      ...(document.judgedAnew ? [(texts: Texts) => texts.report.sameFileOtherTerms] : []),
      ...(replaces && !document.judgedAnew
        ? [
            (texts: Texts, view: View) =>
              texts.report.theDayHasAnotherReport(view.number(document.gone), view.number(document.appeared)),
          ]
        : []),
      ...(document.quarantined > 0
        ? [
            (texts: Texts, view: View) =>
              texts.report.itSpeaksOfQuarantinedOrders(view.counted(document.quarantined)),
          ]
        : []),
    ],
    applying: [(texts, view) => texts.report.ofLinesAreStored(view.number(stored), view.number(read))],
    applied: [],
    failed: [problem === null ? (texts: Texts) => texts.report.theLogSaysWhy : told(problem)],
  }
  return { kind: 'notice', tone, title, lines: lines[state] }
}

function tiles({ currency, paid, outcomes, state, network, day }: RunDocument): Block[] {
  if (state === 'refused' || state === 'reading') return []
  const counts = Object.entries(outcomes).map(([outcome, number]) => ({
    label: nameOf(outcome),
    value: count(number),
    tone: outcome === 'matched' ? ('good' as const) : ('bad' as const),
  }))
  const links: Block = {
    kind: 'links',
    items: [{ text: (texts) => texts.report.seeTheDay, href: dayPath(network, day) }],
  }
  return [
    {
      kind: 'tiles',
      label: (texts) => texts.report.linesByWhatTheyCome,
      items: [
        {
          label: (texts) => texts.report.payments,
          value: count(paid.count),
          note: money(paid.amount, currency).text,
        },
        ...counts,
      ],
    },
    ...(state === 'applied' ? [links] : []),
  ]
}

function differingOf(outcomes: RunDocument['outcomes']): number {
  return Object.entries(outcomes).reduce(
    (sum, [outcome, count]) => sum + (outcome === 'matched' ? 0 : count),
    0,
  )
}

/** As the day would have them. */
function sidesOf({ state, here, paid, currency }: RunDocument): Block[] {
  if (state === 'refused' || state === 'reading') return []
  const side = (label: Said, { count: number, amount }: RunDocument['here']) => ({
    label,
    value: money(amount, currency).text,
    note: ({ reconciliationDay: said }: Texts, view: View) => said.payments(view.counted(number)),
  })
  return [
    {
      kind: 'tiles',
      label: (texts) => texts.report.totals,
      items: [
        side((texts) => texts.reconciliationDay.bookedHere, here),
        side((texts) => texts.reconciliationDay.theNetworkSays, paid),
      ],
    },
  ]
}

/** What applying it would open, or leave waiting. */
function missing({ missing: lacking, state, unchanged, currency }: RunDocument): Block[] {
  if (state === 'refused' || state === 'reading' || unchanged) return []
  const all = lacking.count + lacking.awaited
  return [
    {
      kind: 'heading',
      text: (texts) => texts.report.ourPayments,
      note:
        all > lacking.shown.length
          ? (texts) => texts.report.theFirstOf2(lacking.shown.length, all)
          : `${all}`,
    },
    {
      kind: 'table',
      label: (texts) => texts.report.ourPayments,
      empty: (texts) => texts.report.tellsOfAll,
      columns: [
        { label: (texts) => texts.common.order },
        { label: (texts) => texts.exceptions.day },
        { label: (texts) => texts.common.here, isRight: true },
        { label: (texts) => texts.common.comesTo },
      ],
      rows: lacking.shown.map(({ order, day, ours, awaited }): Cell[] => [
        orderLink(order),
        (_, view) => view.day(day),
        money(ours, currency),
        awaited.length === 0
          ? { text: (texts) => texts.report.becomesException, tone: 'bad' }
          : {
              text: (texts, view) => texts.report.mayStillCome(awaited.map(view.day).join(', ')),
              tone: 'waiting',
            },
      ]),
    },
  ]
}

/** As on the page of the day. */
function nameOf(outcome: string): Said {
  return Object.entries(outcomeNames).find(([name]) => name === outcome)?.[1] ?? named(outcome)
}

function applyForm(
  request: PageRequest,
  { state, unchanged, run, outcomes, missing: lacking }: RunDocument,
): Block[] {
  const differing = differingOf(outcomes)
  if (state !== 'ready' || unchanged) return []
  return operationForm(request, reconciliationApply, {
    title: (texts) => texts.report.applyIt,
    lead: (texts, view) => texts.report.applyLead(view.counted(differing + lacking.count)),
    button: (texts) => texts.report.applyIt,
    fields: [],
    hidden: { run },
    isMain: true,
  })
}

function faults({ faults: found, faultCount }: RunDocument): Block[] {
  if (faultCount === 0) return []
  return [
    {
      kind: 'table',
      label: (texts) => texts.report.linesThatAreWrong,
      empty: (texts) => texts.common.none,
      columns: [
        { label: (texts) => texts.common.line, isRight: true },
        { label: (texts) => texts.report.whatIsWrong },
      ],
      rows: found.map(({ line, problem }) => [`${line}`, told(problem)]),
    },
    ...(faultCount > found.length
      ? [{ kind: 'text', text: (texts: Texts) => texts.report.theFirstOf(found.length, faultCount) } as const]
      : []),
  ]
}

function differences({ differences: found, outcomes, currency, state }: RunDocument): Block[] {
  if (state === 'refused' || state === 'reading') return []
  const all = differingOf(outcomes)
  return [
    {
      kind: 'heading',
      text: (texts) => texts.report.linesThatDiffer,
      note: all > found.length ? (texts) => texts.report.theFirstOf2(found.length, all) : `${all}`,
    },
    {
      kind: 'table',
      label: (texts) => texts.report.linesThatDiffer,
      empty: (texts) => texts.report.everyLineAgreesWithWhat,
      columns: [
        { label: (texts) => texts.common.line, isRight: true },
        { label: (texts) => texts.report.theNetworkNames },
        { label: (texts) => texts.report.itSays, isRight: true },
        { label: (texts) => texts.common.here, isRight: true },
        { label: (texts) => texts.common.order },
        { label: (texts) => texts.common.why },
      ],
      rows: found.map((one): Cell[] => [
        `${one.line}`,
        one.reference ?? one.named,
        one.theirs === null ? null : money(one.theirs, currency),
        one.ours === null ? null : money(one.ours, currency),
        orderLink(one.order),
        { text: whyOf(one.why), note: nameOf(one.outcome) },
      ]),
    },
  ]
}

export const reportActions: readonly Action[] = [
  operationAction(reconciliationApply, ({ run, state, network, day }) =>
    state === 'applied'
      ? { kind: 'go', to: dayPath(network, day) }
      : { kind: 'go', to: `/reconciliation/files/${run}`, isUnfinished: true },
  ),
]
