/** `ventanilla deposit …` */
import type { Command } from 'commander'
import { type DepositDocument, depositAdd, depositReverse } from '../../actors/operations/deposits.ts'
import { addGroup, addOperationCommand } from '../command.ts'
import { postingsText } from '../settlement-text.ts'
import { fields, section, shortTime } from '../table.ts'
import type { Terminal } from '../terminal.ts'

export function addDepositCommands(terminal: Terminal, program: Command): void {
  const deposit = addGroup(program, 'deposit', "Book merchants' deposits, and reverse mistakes.")
  addOperationCommand(terminal, deposit, {
    operation: depositAdd,
    examples: [
      'deposit add "Demo Shop" "wire 2026-03-01" --amount 50000.00 --currency MXN --reason "bank statement"',
    ],
    show: depositText,
  })
  addOperationCommand(terminal, deposit, {
    operation: depositReverse,
    examples: ['deposit reverse "Demo Shop" "wire 2026-03-01" --reason "it was another merchant\'s"'],
    show: depositText,
  })
}

function depositText(deposit: DepositDocument): string {
  const { currency, balance } = deposit
  const isOwed = Number(balance.debt) > 0
  const hint =
    `\nWhat arrives repays the debt first. Orders that are READY hold the reserve and can still be paid out: ` +
    `order list --merchant "${deposit.merchant}" --status READY\n`
  return fields([
    ['merchant', deposit.merchant],
    ['reference', deposit.reference],
    ['amount', `${deposit.amount} ${currency}`],
    ['bank', deposit.bank],
    ['booked', shortTime(deposit.at)],
    ['reversed', deposit.reversed === null ? null : shortTime(deposit.reversed)],
    ['available now', `${balance.available} ${currency}`],
    ['reserved', `${balance.reserved} ${currency}`],
    ['debt', `${balance.debt} ${currency}`],
  ]).concat(
    deposit.dryRun ? section('Would be booked', postingsText(deposit.postings)) : '',
    isOwed ? hint : '',
  )
}
