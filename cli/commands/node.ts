/** `ventanilla node …` */
import type { Command } from 'commander'
import { nodeAcceptRestore, nodeShowRestore } from '../../actors/anchors/restore-operations.ts'
import type { RestoreState } from '../../actors/anchors/restore-watch.ts'
import { nodeDrain, nodeShow, nodeUndrain } from '../../actors/condition/drain-operations.ts'
import type { DrainState } from '../../actors/condition/drain-watch.ts'
import { addGroup, addOperationCommand } from '../command.ts'
import { fields, shortTime } from '../table.ts'
import type { Terminal } from '../terminal.ts'

export function addNodeCommands(terminal: Terminal, program: Command): void {
  const node = addGroup(program, 'node', 'Drain the node for maintenance, and let it go on.')
  addOperationCommand(terminal, node, 'show', {
    summary: nodeShow.summary,
    examples: ['node show', 'node show --field state'],
    operation: nodeShow,
    input: () => ({}),
    show: drainText,
  })
  addOperationCommand(
    terminal,
    node,
    'drain',
    {
      summary: nodeDrain.summary,
      examples: ['node drain --reason "new disk"'],
      operation: nodeDrain,
      input: (_, command) => ({ reason: command.opts<{ reason: string }>().reason }),
      show: drainText,
    },
    (command) => command.requiredOption('--reason <text>', 'why; /readyz and the console tell it'),
  )
  addOperationCommand(terminal, node, 'undrain', {
    summary: nodeUndrain.summary,
    examples: ['node undrain'],
    operation: nodeUndrain,
    input: () => ({}),
    show: drainText,
  })
  addOperationCommand(terminal, node, 'show-restore', {
    summary: nodeShowRestore.summary,
    examples: ['node show-restore'],
    operation: nodeShowRestore,
    input: () => ({}),
    show: restoreText,
  })
  addOperationCommand(
    terminal,
    node,
    'accept-restore',
    {
      summary: nodeAcceptRestore.summary,
      examples: ['node accept-restore --reason "snapshot of 02:00, all providers have reported"'],
      operation: nodeAcceptRestore,
      input: (_, command) => ({ reason: command.opts<{ reason: string }>().reason }),
      show: restoreText,
    },
    (command) => command.requiredOption('--reason <text>', 'why; kept in the audit log'),
  )
}

function restoreText({ state, since, problem, anchors }: RestoreState): string {
  return fields([
    ['restore', state === 'none' ? 'none that nobody announced' : 'not accepted'],
    ['found', since === null ? null : shortTime(since)],
    ['because', problem],
    ['its anchors', anchors],
  ])
}

function drainText({ state, since, operator, reason }: DrainState): string {
  const told = state === 'open' ? 'open' : 'drained: no order, quote or payment is begun'
  return fields([
    ['state', told],
    ['since', since === null ? null : shortTime(since)],
    ['by', operator],
    ['because', reason],
  ])
}
