/** `ventanilla sandbox …`: what there is in a sandbox alone. */
import type { Command } from 'commander'
import { type SimulatedDocument, sandboxSimulate } from '../../actors/sandbox/operations.ts'
import { addGroup, addOperationCommand } from '../command.ts'
import { fields } from '../table.ts'
import type { Terminal } from '../terminal.ts'

export function addSandboxCommands(terminal: Terminal, program: Command): void {
  const sandbox = addGroup(program, 'sandbox', 'Simulate what nobody does in a sandbox.')
  addOperationCommand(terminal, sandbox, {
    operation: sandboxSimulate,
    examples: ['sandbox simulate 0d3f4a52-7c59-4f0e-8a4e-5b1f5d1c9e10 confirm'],
    show: simulatedText,
  })
}

function simulatedText({ order, status, done }: SimulatedDocument): string {
  return fields([
    ['order', order],
    ['done', done.join(', ')],
    ['status', status],
  ])
}
