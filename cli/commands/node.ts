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
  const node = addGroup(program, 'node', 'Drain the node for maintenance, and accept a restore.')
  addOperationCommand(terminal, node, {
    operation: nodeShow,
    examples: ['node show', 'node show --field state'],
    show: drainText,
  })
  addOperationCommand(terminal, node, {
    operation: nodeDrain,
    examples: ['node drain --reason "new disk"'],
    show: drainText,
  })
  addOperationCommand(terminal, node, {
    operation: nodeUndrain,
    examples: ['node undrain'],
    show: drainText,
  })
  addOperationCommand(terminal, node, {
    operation: nodeShowRestore,
    examples: ['node show-restore'],
    show: restoreText,
  })
  addOperationCommand(terminal, node, {
    operation: nodeAcceptRestore,
    examples: ['node accept-restore --reason "snapshot of 02:00, all providers have reported"'],
    show: restoreText,
  })
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
  const told = state === 'open' ? 'open' : 'drained: no new orders, quotes or starts'
  return fields([
    ['state', told],
    ['since', since === null ? null : shortTime(since)],
    ['by', operator],
    ['because', reason],
  ])
}
