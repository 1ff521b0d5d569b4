/** `ventanilla bank …` */
import type { Command } from 'commander'
import { bankList, bankRecord } from '../../actors/settlement/bank-entries.ts'
import { addGroup, addOperationCommand, more } from '../command.ts'
import { postingsText } from '../settlement-text.ts'
import { fields, section, shortTime, table } from '../table.ts'
import type { Terminal } from '../terminal.ts'

export function addBankCommands(terminal: Terminal, program: Command): void {
  const bank = addGroup(program, 'bank', 'Book lines of the banks’ statements that are no party’s.')
  addOperationCommand(terminal, bank, {
    operation: bankRecord,
    examples: [
      'bank record --kind charge --bank main --reference "COM 11" --amount 35.00 --reason "monthly fee"',
      'bank record --kind unidentified --bank main --reference "SPEI 99" --amount 800.00 --reason "no name" --dry-run',
    ],
    show: ({ dryRun, line, exception, postings }) =>
      fields([
        ['line', `${line.reference} of ${line.bank}, ${line.direction}`],
        ['kind', line.kind],
        ['amount', `${line.amount} ${line.currency}`],
        ['exception', exception],
      ]) + section(dryRun ? 'Would be booked' : 'Booked', postingsText(postings)),
  })
  addOperationCommand(terminal, bank, {
    operation: bankList,
    examples: ['bank list', 'bank list --bank main'],
    show: ({ entries, next }) =>
      (entries.length === 0
        ? 'Nothing is booked.\n'
        : table(entries, [
            { title: 'BOOKED', value: (it) => shortTime(it.booked) },
            { title: 'BANK', value: (it) => it.bank },
            { title: 'WAY', value: (it) => it.direction },
            { title: 'REFERENCE', value: (it) => it.reference },
            { title: 'KIND', value: (it) => it.kind },
            { title: 'AMOUNT', value: (it) => `${it.amount} ${it.currency}`, right: true },
            { title: 'VALUE DAY', value: (it) => it.valueDay },
          ])) + more(next),
  })
}
