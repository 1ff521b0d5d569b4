/** The clock of a sandbox: how far ahead it is, what came about when it was moved, and the forms that move it. */
import {
  type SandboxClockDocument,
  sandboxClockAdvance,
  sandboxClockReset,
  sandboxClockShow,
} from '../../../actors/sandbox/clock-operations.ts'
import type { CameAbout } from '../../../actors/sandbox/kept-clock.ts'
import type { Block } from '../blocks.ts'
import { operationForm } from '../forms.ts'
import type { PageRequest } from '../page.ts'

export async function sandboxClockBlocks(request: PageRequest): Promise<Block[]> {
  if (!request.may(sandboxClockShow)) return []
  const clock = await request.ask(sandboxClockShow, {})
  return [
    ...lastMove(clock),
    ...(clock.advancing === null
      ? operationForm(request, sandboxClockAdvance, {
          title: (texts) => texts.node.sandboxClock,
          lead: (texts) => texts.node.sandboxClockLead,
          button: (texts) => texts.node.advanceClock,
          fields: ['by'],
        })
      : []),
    ...(clock.advancing === null && clock.aheadSeconds === 0
      ? []
      : operationForm(request, sandboxClockReset, {
          title: (texts) => texts.node.resetClock,
          lead: (texts) => texts.node.resetClockLead,
          button: (texts) => texts.node.resetClock,
          isDanger: true,
          fields: [],
        })),
  ]
}

const countedNames = [
  'ordersExpired',
  'simulations',
  'webhookAttempts',
  'statementsClosed',
  'approvalsExpired',
  'notifications',
  'exceptionsOpened',
  'ordersArchived',
] as const satisfies readonly (keyof CameAbout)[]

function lastMove({ last }: SandboxClockDocument): Block[] {
  if (last === null) return []
  const { from, to, cameAbout } = last
  return [
    {
      kind: 'heading',
      text: (texts, view) => texts.node.sandboxClockLast(view.time(from), view.time(to)),
    },
    {
      kind: 'facts',
      items: countedNames.map((name) => [
        (texts) => texts.node.cameAbout[name],
        (_, view) => view.number(cameAbout[name]),
      ]),
    },
  ]
}
