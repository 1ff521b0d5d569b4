/** The inspector, for developers: charts, workers, what orders are told, and an order played again step by step. */

import { OperationError } from '../../../actors/foundation/operation.ts'
import { journalList, machineList, orderReplay } from '../../../actors/inspection/operations.ts'
import type { ReplayStep } from '../../../actors/inspection/replay.ts'
import type { Block } from '../blocks.ts'
import { code, linkTo, shortId, shortLink, state, time } from '../cells.ts'
import type { Page, PageRequest } from '../page.ts'
import { words } from '../readable.ts'

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
      title: 'Inspector',
      liveSeconds: 2,
      blocks: [
        { kind: 'heading', text: 'Events', note: 'the newest first' },
        {
          kind: 'table',
          label: 'Events',
          empty: 'Nothing yet.',
          columns: [
            { label: 'At' },
            { label: 'Who' },
            { label: 'Event' },
            { label: 'Order' },
            { label: 'Became' },
          ],
          rows: entries.map((line) => [
            time(line.at),
            line.actor,
            line.event,
            shortLink(`/inspect/orders/${line.order}?step=${line.sequence}`, line.order),
            line.outcome === 'accepted'
              ? state(line.to)
              : { text: `refused: ${words(line.outcome)}`, tone: 'bad' },
          ]),
        },
        { kind: 'heading', text: 'Workers', note: 'live actors, never stored' },
        {
          kind: 'table',
          label: 'Workers',
          empty: 'None runs.',
          columns: [
            { label: 'Worker' },
            { label: 'State' },
            { label: 'Failures', isRight: true },
            { label: 'Seen' },
          ],
          rows: inspection.workers().map((worker) => [
            worker.name,
            {
              text: worker.state,
              tone: worker.state === 'resting' ? 'bad' : worker.state === 'idle' ? 'plain' : 'busy',
            },
            String(worker.failures),
            Object.entries(worker.seen)
              .map(([name, count]) => `${words(name)} ${count}`)
              .join(', '),
          ]),
        },
        { kind: 'heading', text: 'Charts' },
        {
          kind: 'table',
          label: 'Charts',
          empty: '',
          columns: [{ label: 'Chart' }, { label: 'Version', isRight: true }, { label: 'Events' }],
          rows: machines.map(({ name, version, events }) => [
            { text: name, href: `/inspect/machines/${name}` },
            version === null ? null : String(version),
            events.join(', '),
          ]),
        },
        { kind: 'heading', text: 'Another inspector' },
        {
          kind: 'text',
          text:
            'The same, as messages of @statelyai/inspect, comes over a WebSocket of this listener at /inspect/ws, ' +
            'with this session’s cookie, or with the node’s token: ws://any:TOKEN@HOST:PORT/inspect/ws.',
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
      crumb: { href: '/inspect', text: 'Inspector' },
      blocks: [
        ...(svg === null ? [] : [{ kind: 'drawing', label: `Chart ${machine.name}`, svg } as const]),
        {
          kind: 'facts',
          items: [
            ['Version', machine.version === null ? 'never stored' : String(machine.version)],
            ['Events', machine.events.join(', ')],
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
    const link = (sequence: number, text: string) => ({
      text,
      href: linkTo(path, request.query, { step: String(sequence) }),
    })
    const svg = request.drawing(chart, {
      status: chosen.to,
      ...(chosen.from === null ? {} : { last: { event: chosen.event, from: chosen.from } }),
    })
    return {
      title: `Order ${shortId(shown.id)}, step ${chosen.sequence} of ${steps.length}`,
      crumb: { href: '/inspect', text: 'Inspector' },
      ...(request.query.has('step') ? {} : { liveSeconds: 2 }),
      blocks: [
        {
          kind: 'links',
          items: [
            ...(chosen.sequence > 1 ? [link(chosen.sequence - 1, '← the step before')] : []),
            ...(chosen.sequence < steps.length ? [link(chosen.sequence + 1, 'the next step →')] : []),
            { text: 'live', href: path },
            { text: 'its page', href: `/orders/${shown.id}` },
          ],
        },
        ...stepBlocks(chosen),
        ...(svg === null
          ? []
          : [{ kind: 'drawing', label: `${chart}: it is ${words(chosen.to)}`, svg } as const]),
        { kind: 'heading', text: 'Context' },
        { kind: 'source', label: 'Context', text: JSON.stringify(chosen.context, null, 2) },
        { kind: 'heading', text: 'Who said what' },
        {
          kind: 'table',
          label: 'Steps',
          empty: '',
          columns: [
            { label: 'Step' },
            { label: 'At' },
            { label: 'Who' },
            { label: 'Event' },
            { label: 'Became' },
            { label: 'Effects' },
          ],
          rows: steps.map((step) => [
            link(step.sequence, String(step.sequence)),
            time(step.at),
            step.actor,
            step.event,
            step.outcome === 'accepted'
              ? state(step.to)
              : { text: `refused: ${words(step.outcome)}`, tone: 'bad' },
            step.effects.join(', '),
          ]),
        },
      ],
    }
  },
}

function stepBlocks(step: ReplayStep): Block[] {
  const differs: Block[] = step.differs
    ? [
        {
          kind: 'notice',
          tone: 'bad',
          title: 'Today’s chart decides differently from the journal',
          lines: [],
        },
      ]
    : []
  return [
    ...differs,
    {
      kind: 'facts',
      items: [
        ['Event', { text: step.event, note: step.actor }],
        [
          'Became',
          step.outcome === 'accepted'
            ? state(step.to)
            : { text: `refused: ${words(step.outcome)}`, tone: 'bad' },
        ],
        ['Effects', step.effects.join(', ')],
        ['Possible next', step.next.join(', ')],
        ['State', code(JSON.stringify(step.value))],
      ],
    },
  ]
}
