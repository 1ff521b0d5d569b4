/** The inspector, for developers: charts, workers, what orders are told, and an order played again step by step. */

import { OperationError } from '../../../actors/foundation/operation.ts'
import { journalList, machineList, orderReplay } from '../../../actors/inspection/operations.ts'
import type { ReplayStep } from '../../../actors/inspection/replay.ts'
import type { Block } from '../blocks.ts'
import { code, linkTo, shortId, shortLink, state, time } from '../cells.ts'
import type { Page, PageRequest } from '../page.ts'
import { named, word } from '../readable.ts'
import type { Texts } from '../texts/index.ts'
import type { Words } from '../view.ts'

/** It is the operator's to turn on, and in production the administrators' to look at. */
function assertOpen({ inspection, mode, operator }: PageRequest): NonNullable<PageRequest['inspection']> {
  if (inspection === null) {
    throw new OperationError('not_found', 'The inspector is off.', {
      hint: 'operator.inspector turns it on.',
    })
  }
  if (mode === 'production' && operator.role !== 'administrator') {
    throw new OperationError('forbidden', 'In production the inspector is for administrators.')
  }
  return inspection
}

export const inspectorPage: Page = {
  path: /^\/inspect\/?$/,
  least: 'operator',
  room: 'Inspector',
  async render(request) {
    const inspection = assertOpen(request)
    const { machines } = await request.ask(machineList, {})
    const { entries } = await request.ask(journalList, { limit: 30 })
    return {
      title: (texts) => texts.inspector.inspector,
      liveSeconds: 2,
      blocks: [
        { kind: 'links', items: [{ text: (texts) => texts.queue.queue, href: '/queue' }] },
        {
          kind: 'heading',
          text: (texts) => texts.inspector.events,
          note: (texts) => texts.common.theNewestFirst,
        },
        {
          kind: 'table',
          label: (texts) => texts.inspector.events,
          empty: (texts) => texts.common.nothingYet,
          isList: true,
          columns: [
            { label: (texts) => texts.common.at },
            { label: (texts) => texts.common.who },
            { label: (texts) => texts.common.event },
            { label: (texts) => texts.common.order },
            { label: (texts) => texts.inspector.became },
          ],
          rows: entries.map((line) => [
            time(line.at),
            code(line.actor),
            code(line.event),
            shortLink(`/inspect/orders/${line.order}?step=${line.sequence}`, line.order),
            line.outcome === 'accepted'
              ? state(line.to)
              : { text: (texts) => texts.inspector.refused(word(texts, line.outcome)), tone: 'bad' },
          ]),
        },
        {
          kind: 'heading',
          text: (texts) => texts.inspector.workers,
          note: (texts) => texts.inspector.liveActorsNeverStored,
        },
        {
          kind: 'table',
          label: (texts) => texts.inspector.workers,
          empty: (texts) => texts.inspector.noneRuns,
          columns: [
            { label: (texts) => texts.inspector.worker },
            { label: (texts) => texts.common.state },
            { label: (texts) => texts.common.failures, isRight: true },
            { label: (texts) => texts.common.seen },
          ],
          rows: inspection.workers().map((worker) => [
            code(worker.name),
            {
              text: named(worker.state),
              tone: worker.state === 'resting' ? 'bad' : worker.state === 'idle' ? 'plain' : 'busy',
            },
            String(worker.failures),
            code(
              Object.entries(worker.seen)
                .map(([name, times]) => `${name} ${times}`)
                .join(', '),
            ),
          ]),
        },
        { kind: 'heading', text: (texts) => texts.inspector.charts },
        {
          kind: 'table',
          label: (texts) => texts.inspector.charts,
          empty: '',
          columns: [
            { label: (texts) => texts.common.chart },
            { label: (texts) => texts.inspector.version, isRight: true },
            { label: (texts) => texts.inspector.events },
          ],
          rows: machines.map(({ name, version, events }) => [
            { text: name, href: `/inspect/machines/${name}`, isCode: true },
            version === null ? null : String(version),
            code(events.join(', ')),
          ]),
        },
        { kind: 'heading', text: (texts) => texts.inspector.anotherInspector },
        {
          kind: 'text',
          text: (texts) => texts.inspector.theSameAsMessagesOf,
        },
      ],
    }
  },
}

export const machinePage: Page = {
  path: /^\/inspect\/machines\/(?<name>\w+)$/,
  least: 'operator',
  room: 'Inspector',
  async render(request) {
    assertOpen(request)
    const { machines } = await request.ask(machineList, {})
    const machine = machines.find(({ name }) => name === request.params.name)
    const svg = request.drawing(request.params.name ?? '')
    if (machine === undefined)
      throw new OperationError('not_found', `There is no chart ${request.params.name}.`)
    return {
      title: machine.name,
      crumb: { href: '/inspect', text: (texts) => texts.inspector.inspector },
      blocks: [
        ...(svg === null
          ? []
          : [
              { kind: 'drawing', label: (texts: Texts) => texts.inspector.chart(machine.name), svg } as const,
            ]),
        {
          kind: 'facts',
          items: [
            [
              (texts) => texts.inspector.version,
              machine.version === null ? (texts) => texts.inspector.neverStored : String(machine.version),
            ],
            [(texts) => texts.inspector.events, code(machine.events.join(', '))],
          ],
        },
      ],
    }
  },
}

export const replayPage: Page = {
  path: /^\/inspect\/orders\/(?<id>[\w-]{1,64})$/,
  least: 'operator',
  room: 'Inspector',
  async render(request) {
    assertOpen(request)
    const path = `/inspect/orders/${request.params.id}`
    const shown = await request.ask(orderReplay, { id: request.params.id ?? '' })
    const { chart, steps } = shown
    const chosen =
      steps.find(({ sequence }) => String(sequence) === request.query.get('step')) ?? steps.at(-1)
    if (chosen === undefined) throw new OperationError('not_found', 'The order has no journal.')
    const link = (sequence: number, text: Words) => ({
      text,
      href: linkTo(path, request.query, { step: String(sequence) }),
    })
    const svg = request.drawing(chart, {
      status: chosen.to,
      ...(chosen.taken?.transition == null ? {} : { last: chosen.taken.transition }),
    })
    return {
      title: (texts) => texts.inspector.orderStepOf(shortId(shown.id), chosen.sequence, steps.length),
      crumb: { href: '/inspect', text: (texts) => texts.inspector.inspector },
      ...(request.query.has('step') ? {} : { liveSeconds: 2 }),
      blocks: [
        {
          kind: 'links',
          items: [
            ...(chosen.sequence > 1
              ? [link(chosen.sequence - 1, (texts: Texts) => texts.inspector.theStepBefore)]
              : []),
            ...(chosen.sequence < steps.length
              ? [link(chosen.sequence + 1, (texts: Texts) => texts.inspector.theNextStep)]
              : []),
            { text: (texts) => texts.common.live, href: path },
            { text: (texts) => texts.inspector.itsPage, href: `/orders/${shown.id}` },
          ],
        },
        ...stepBlocks(chosen),
        ...(svg === null
          ? []
          : [
              {
                kind: 'drawing',
                label: (texts: Texts) => texts.inspector.itIs(chart, word(texts, chosen.to)),
                svg,
              } as const,
            ]),
        ...guardBlocks(chosen),
        { kind: 'heading', text: (texts) => texts.inspector.context },
        {
          kind: 'source',
          label: (texts) => texts.inspector.context,
          text: JSON.stringify(chosen.context, null, 2),
        },
        { kind: 'heading', text: (texts) => texts.inspector.whoSaidWhat },
        {
          kind: 'table',
          label: (texts) => texts.inspector.steps,
          empty: '',
          columns: [
            { label: (texts) => texts.inspector.step },
            { label: (texts) => texts.common.at },
            { label: (texts) => texts.common.who },
            { label: (texts) => texts.common.event },
            { label: (texts) => texts.inspector.became },
            { label: (texts) => texts.inspector.effects },
          ],
          rows: steps.map((step) => [
            link(step.sequence, String(step.sequence)),
            time(step.at),
            code(step.actor),
            code(step.event),
            step.outcome === 'accepted'
              ? state(step.to)
              : { text: (texts) => texts.inspector.refused(word(texts, step.outcome)), tone: 'bad' },
            code(step.effects.join(', ')),
          ]),
        },
      ],
    }
  },
}

/** What the chart asked before it took one of the ways. */
function guardBlocks({ taken }: ReplayStep): Block[] {
  if (taken === null || taken.guards.length === 0) return []
  return [
    { kind: 'heading', text: (texts) => texts.inspector.guards },
    {
      kind: 'table',
      label: (texts) => texts.inspector.guards,
      empty: '',
      columns: [
        { label: (texts) => texts.inspector.guard },
        { label: (texts) => texts.inspector.wouldBecome },
        { label: (texts) => texts.inspector.says },
      ],
      rows: taken.guards.map(({ guard, to, passes }) => [
        code(guard),
        named(to),
        passes === null
          ? null
          : { text: ({ frame }) => (passes ? frame.yes : frame.no), tone: passes ? 'good' : 'plain' },
      ]),
    },
  ]
}

function stepBlocks(step: ReplayStep): Block[] {
  const differs: Block[] = step.differs
    ? [
        {
          kind: 'notice',
          tone: 'bad',
          title: (texts) => texts.inspector.todaysChartDecidesDifferentlyFrom,
          lines: [],
        },
      ]
    : []
  return [
    ...differs,
    {
      kind: 'facts',
      items: [
        [
          (texts) => texts.common.event,
          { text: step.event, note: { text: step.actor, isCode: true }, isCode: true },
        ],
        [
          (texts) => texts.inspector.became,
          step.outcome === 'accepted'
            ? state(step.to)
            : { text: (texts) => texts.inspector.refused(word(texts, step.outcome)), tone: 'bad' },
        ],
        [(texts) => texts.inspector.effects, code(step.effects.join(', '))],
        [(texts) => texts.inspector.possibleNext, code(step.next.join(', '))],
        [(texts) => texts.common.state, code(JSON.stringify(step.value))],
      ],
    },
  ]
}
