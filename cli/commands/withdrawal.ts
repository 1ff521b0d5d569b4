/** `ventanilla withdrawal …` */
import type { Command } from 'commander'
import { type WithdrawalDocument, withdrawalRequest } from '../../actors/settlement/withdrawal-operations.ts'
import { addGroup, addOperationCommand } from '../command.ts'
import { postingsText } from '../settlement-text.ts'
import { fields, section } from '../table.ts'
import type { Terminal } from '../terminal.ts'

export function addWithdrawalCommands(terminal: Terminal, program: Command): void {
  const withdrawal = addGroup(program, 'withdrawal', 'Withdrawals of merchants that are settled on request.')
  addOperationCommand(terminal, withdrawal, {
    operation: withdrawalRequest,
    examples: [
      'withdrawal request "Demo Shop" --currency MXN --reason "asked by mail" --dry-run',
      'withdrawal request "Demo Shop" --currency MXN --amount 1000.00 --reason "asked by mail"',
    ],
    show: withdrawalText,
  })
}

function withdrawalText(it: WithdrawalDocument): string {
  const facts = fields([
    [it.dryRun ? 'it would be' : 'set aside', `${it.amount} ${it.currency} for ${it.merchant}`],
    ['statement', `${it.statement}, ${it.from === it.to ? it.to : `${it.from} to ${it.to}`}`],
    ['lines', it.lines],
    ['due on', it.dueOn],
    ['account', it.account],
  ])
  return facts + section('Would be booked', it.dryRun ? postingsText(it.postings) : '')
}
