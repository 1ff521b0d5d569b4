/** The queue of effects: what each of the node's workers still has to do, and what it gave up. */
import {
  type QueueEntry,
  type QueueState,
  queueKinds,
  queueList,
  queueStates,
} from '../../../actors/operations/queue.ts'
import type { Cell, Tone } from '../blocks.ts'
import { count, orderLink, partyLink, shortLink, state as stateCell, time } from '../cells.ts'
import { choice } from '../forms.ts'
import type { Page } from '../page.ts'
import { capitalized, named } from '../readable.ts'
import type { Texts } from '../texts/index.ts'

const tones: Readonly<Record<QueueState, Tone>> = {
  pending: 'plain',
  leased: 'busy',
  retried: 'waiting',
  dead: 'bad',
}

const shown = 50

export const queuePage: Page = {
  path: /^\/queue$/,
  least: 'operator',
  room: 'Health',
  async render({ ask, query }) {
    const kind = queueKinds.find((known) => known === query.get('kind'))
    const state = queueStates.find((known) => known === query.get('state'))
    const { entries, more } = await ask(queueList, { ...(kind === undefined ? {} : { kind }), limit: 1000 })
    const seen = entries.filter((entry) => state === undefined || entry.state === state)
    const linkOf = (chosen: QueueState) =>
      `/queue?${new URLSearchParams({ ...(kind === undefined ? {} : { kind }), state: chosen })}`
    return {
      title: (texts) => texts.queue.queue,
      crumb: { href: '/health', text: (texts) => texts.common.health },
      liveSeconds: 5,
      blocks: [
        {
          kind: 'tiles',
          label: (texts) => texts.queue.queue,
          items: queueStates.map((each) => {
            const of = entries.filter((entry) => entry.state === each).length
            return {
              label: capitalized(named(each)),
              value: count(of),
              href: linkOf(each),
              tone: of === 0 ? 'plain' : tones[each],
            }
          }),
        },
        {
          kind: 'filters',
          action: '/queue',
          button: (texts) => texts.common.show,
          fields: [
            {
              name: 'kind',
              label: (texts) => texts.queue.task,
              type: 'select',
              value: kind ?? '',
              options: [['', ({ words }) => words.any], ...queueKinds.map(choice)],
            },
            {
              name: 'state',
              label: (texts) => texts.common.state,
              type: 'select',
              value: state ?? '',
              options: [['', ({ words }) => words.any], ...queueStates.map(choice)],
            },
          ],
        },
        ...(more || seen.length > shown
          ? [{ kind: 'text', text: (texts: Texts) => texts.queue.theFirstAreShown } as const]
          : []),
        {
          kind: 'table',
          label: (texts) => texts.queue.queue,
          list: 'queue',
          isList: true,
          empty: (texts) => texts.queue.nothingLeftToDo,
          columns: [
            { label: (texts) => texts.queue.task },
            { label: (texts) => texts.common.state },
            { label: (texts) => texts.queue.whose, isCut: true },
            { label: (texts) => texts.common.order },
            { label: (texts) => texts.queue.about },
            { label: (texts) => texts.webhooks.attempts, isRight: true },
            { label: (texts) => texts.queue.due },
            { label: (texts) => texts.queue.leasedUntil },
            { label: (texts) => texts.webhooks.lastAnswer, isCut: true },
          ],
          rows: seen
            .slice(0, shown)
            .map((entry) => [
              taskCell(entry),
              { ...stateCell(entry.state), tone: tones[entry.state] },
              whoseCell(entry),
              orderLink(entry.order),
              entry.what === null ? null : named(entry.what),
              String(entry.attempts),
              time(entry.dueAt),
              time(entry.leasedUntil),
              entry.lastAnswer,
            ]),
        },
      ],
    }
  },
}

function taskCell({ kind, id }: QueueEntry): Cell {
  const text = named(kind)
  if (kind !== 'webhook' && kind !== 'notification') return text
  return { ...shortLink(`/${kind}s/${id}`, id), text, isCode: false }
}

function whoseCell({ kind, whose }: QueueEntry): Cell {
  return kind === 'webhook' || kind === 'funding' || kind === 'expiry' ? partyLink('merchant', whose) : whose
}
