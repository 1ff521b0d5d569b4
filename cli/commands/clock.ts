/** `ventanilla clock …` */
import type { Command } from 'commander'
import { clockAccept, clockShow } from '../../actors/condition/clock-operations.ts'
import type { ClockState } from '../../actors/condition/clock-watch.ts'
import { addGroup, addOperationCommand } from '../command.ts'
import { fields, shortTime } from '../table.ts'
import type { Terminal } from '../terminal.ts'

export function addClockCommands(terminal: Terminal, program: Command): void {
  const clock = addGroup(program, 'clock', 'Look at the clock, and accept it when it is in doubt.')
  addOperationCommand(terminal, clock, {
    operation: clockShow,
    examples: ['clock show', 'clock show --field state'],
    show: clockText,
  })
  addOperationCommand(terminal, clock, {
    operation: clockAccept,
    summary: 'Accept the clock: what fell due meanwhile expires at once, and retries continue.',
    examples: ['date --utc && ventanilla clock accept'],
    show: clockText,
  })
}

function clockText({ state, reason, since, now, lastTrusted }: ClockState): string {
  return fields([
    ['state', state === 'trusted' ? 'trusted' : 'in doubt: nothing expires, and no retry is given up'],
    ['because', reason],
    ['since', since === null ? null : shortTime(since)],
    ['it is now', shortTime(now)],
    ['last time not in doubt', shortTime(lastTrusted)],
  ])
}
