/** `ventanilla sandbox clock …` */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from 'commander'
import {
  type SandboxClockDocument,
  sandboxClockAdvance,
  sandboxClockReset,
  sandboxClockShow,
} from '../../actors/sandbox/clock-operations.ts'
import type { CameAbout } from '../../actors/sandbox/kept-clock.ts'
import {
  addCommand,
  addGroup,
  addOperationCommand,
  answer,
  type CommonOptions,
  withOperations,
  writtenInput,
} from '../command.ts'
import type { Operations } from '../connect.ts'
import { fields, section, shortTime } from '../table.ts'
import type { Terminal } from '../terminal.ts'

export function addSandboxClockCommands(terminal: Terminal, sandbox: Command): void {
  const clock = addGroup(sandbox, 'clock', 'Look at the clock of the sandbox, and move it ahead.')
  addOperationCommand(terminal, clock, { operation: sandboxClockShow, show: clockText })
  addAdvanceCommand(terminal, clock)
  addOperationCommand(terminal, clock, { operation: sandboxClockReset, show: clockText })
}

/** Waits until the node has moved it; one that is cut off only waits no longer. */
function addAdvanceCommand(terminal: Terminal, clock: Command): void {
  const { summary, examples = [] } = sandboxClockAdvance
  const command = addCommand(clock, 'advance <by>', { summary, examples })
  command.action(async () => {
    const options = command.opts<CommonOptions>()
    const document = await withOperations(terminal, options, async (operations) => {
      const begun = await operations.perform(sandboxClockAdvance, writtenInput(sandboxClockAdvance, command))
      return operations.publicUrl === null ? begun : moved(terminal, operations, begun)
    })
    answer(terminal, options, document, clockText(document))
  })
}

const lookEveryMs = 300

async function moved(
  terminal: Terminal,
  operations: Operations,
  begun: SandboxClockDocument,
): Promise<SandboxClockDocument> {
  let shown = begun
  while (shown.advancing !== null) {
    const { percent, to } = shown.advancing
    if (terminal.isTerminal)
      terminal.err(`\r${shortTime(shown.now)}, ${percent} % of the way to ${shortTime(to)} `)
    await sleep(lookEveryMs)
    shown = await operations.perform(sandboxClockShow, {})
  }
  if (terminal.isTerminal) terminal.err('\r\x1b[K')
  return shown
}

function clockText({ now, real, ahead, aheadSeconds, advancing, last }: SandboxClockDocument): string {
  const shown = fields([
    ['it is now', shortTime(now)],
    ['in the world', shortTime(real)],
    ['ahead by', aheadSeconds === 0 ? 'nothing' : ahead],
    [
      'moving to',
      advancing && `${shortTime(advancing.to)} (${advancing.percent} %), as ${advancing.by} asked`,
    ],
    ['', advancing && 'What falls due comes about while the node runs.'],
  ])
  if (last === null) return shown
  const title = `Moved from ${shortTime(last.from)} to ${shortTime(last.to)}${last.isWhole ? '' : ', and stopped there'}:`
  return shown + section(title, cameAboutText(last.cameAbout))
}

function cameAboutText(came: CameAbout): string {
  const counted: readonly (readonly [string, number])[] = [
    ['orders expired', came.ordersExpired],
    ['simulations carried out', came.simulations],
    ['webhook attempts', came.webhookAttempts],
    ['statements closed', came.statementsClosed],
    ['approvals expired', came.approvalsExpired],
    ['notifications', came.notifications],
    ['exceptions opened', came.exceptionsOpened],
    ['orders archived', came.ordersArchived],
  ]
  const some = counted.filter(([, count]) => count > 0)
  return some.length === 0 ? 'Nothing fell due.\n' : fields(some)
}
