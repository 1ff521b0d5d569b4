/** A network's file that somebody looks at: what each line comes to, and from then on whether it is applied. */
import { reconciliationApply, reconciliationProgress } from '../../../actors/reconciliation/operations.ts'
import type { RunDocument, RunState } from '../../../actors/reconciliation/report-runs.ts'
import type { Block, Cell, Tone } from '../blocks.ts'
import { money, orderLink } from '../cells.ts'
import { operationAction, operationForm } from '../forms.ts'
import type { Action, Page, PageRequest } from '../page.ts'
import { words } from '../readable.ts'
import { dayPath } from './reconciliation.ts'

const titles: Readonly<Record<RunState, [title: string, tone: Tone]>> = {
  reading: ['It is being read', 'busy'],
  refused: ['The file is refused as a whole', 'bad'],
  ready: ['Nothing is changed yet', 'waiting'],
  applying: ['It is being applied', 'busy'],
  applied: ['It is applied', 'good'],
  failed: ['It could not be worked on', 'bad'],
}

export const reportPage: Page = {
  path: /^\/reconciliation\/files\/(?<run>[\w-]{1,40})$/,
  least: 'operator',
  room: 'Reconciliation',
  async render(request) {
    const document = await request.ask(reconciliationProgress, { run: request.params.run ?? '' })
    const isMoving = document.state === 'reading' || document.state === 'applying'
    return {
      title: `Report of ${document.network}, ${document.day}`,
      crumb: { href: '/reconciliation', text: 'Reconciliation' },
      ...(isMoving ? { liveSeconds: 2 } : {}),
      blocks: [
        notice(document),
        ...tiles(document),
        ...applyForm(request, document),
        ...faults(document),
        ...differences(document),
      ],
    }
  },
}

function notice(document: RunDocument): Block {
  const { state, read, stored, problem, unchanged, replaces, faultCount } = document
  const [title, tone] = titles[state]
  if (unchanged) {
    const lines = ['The very same file counts for the day already: there is nothing to do.']
    return { kind: 'notice', tone: 'good', title: 'Nothing new', lines }
  }
  const lines: Record<RunState, string[]> = {
    reading: [`${read} lines so far.`],
    refused: [`${faultCount} lines are wrong. Ask the network for a corrected file: none of it counts.`],
    ready: [
      ...(replaces
        ? [
            `The day has another report, which this one takes the place of: ${document.gone} differences go, ${document.appeared} come.`,
          ]
        : []),
      ...(document.quarantined > 0
        ? [`It speaks of ${document.quarantined} quarantined orders: they are booked.`]
        : []),
    ],
    applying: [`${stored} of ${read} lines are stored.`],
    applied: [],
    failed: [problem ?? 'The log says why.'],
  }
  return { kind: 'notice', tone, title, lines: lines[state] }
}

function tiles({ currency, paid, outcomes, state, network, day }: RunDocument): Block[] {
  if (state === 'refused' || state === 'reading') return []
  const counts = Object.entries(outcomes).map(([outcome, count]) => ({
    label: words(outcome),
    value: `${count}`,
    tone: outcome === 'matched' ? ('good' as const) : ('bad' as const),
  }))
  const links: Block = { kind: 'links', items: [{ text: 'See the day', href: dayPath(network, day) }] }
  return [
    {
      kind: 'tiles',
      label: 'Lines by what they come to',
      items: [{ label: 'payments', value: `${paid.count}`, note: `${paid.amount} ${currency}` }, ...counts],
    },
    ...(state === 'applied' ? [links] : []),
  ]
}

function applyForm(request: PageRequest, { state, unchanged, run }: RunDocument): Block[] {
  if (state !== 'ready' || unchanged) return []
  return operationForm(request, reconciliationApply, {
    title: 'Apply it',
    lead: 'It counts for its day, and each difference becomes an exception.',
    button: 'Apply it',
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
      label: 'Lines that are wrong',
      empty: 'None.',
      columns: [{ label: 'Line', isRight: true }, { label: 'What is wrong' }],
      rows: found.map(({ line, problem }) => [`${line}`, problem]),
    },
    ...(faultCount > found.length
      ? [{ kind: 'text', text: `The first ${found.length} of ${faultCount}.` } as const]
      : []),
  ]
}

function differences({ differences: found, outcomes, currency, state }: RunDocument): Block[] {
  if (state === 'refused' || state === 'reading') return []
  const all = Object.entries(outcomes).reduce(
    (sum, [outcome, count]) => sum + (outcome === 'matched' ? 0 : count),
    0,
  )
  return [
    {
      kind: 'heading',
      text: 'Lines that differ',
      note: all > found.length ? `the first ${found.length} of ${all}` : `${all}`,
    },
    {
      kind: 'table',
      label: 'Lines that differ',
      empty: 'Every line agrees with what is booked.',
      columns: [
        { label: 'Line', isRight: true },
        { label: 'The network names' },
        { label: 'It says', isRight: true },
        { label: 'Here', isRight: true },
        { label: 'Order' },
        { label: 'Why' },
      ],
      rows: found.map((one): Cell[] => [
        `${one.line}`,
        one.reference ?? one.named,
        one.theirs === null ? null : money(one.theirs, currency),
        one.ours === null ? null : money(one.ours, currency),
        orderLink(one.order),
        { text: one.reason, note: words(one.outcome) },
      ]),
    },
  ]
}

export const reportActions: readonly Action[] = [
  operationAction(reconciliationApply, ({ run }) => ({
    kind: 'go',
    to: `/reconciliation/files/${run}`,
    isUnfinished: true,
  })),
]
