/** `ventanilla adjustment …` */
import type { Command } from 'commander'
import type { AdjustmentDocument, RecordedAdjustment } from '../../actors/settlement/adjusting.ts'
import { adjustmentList, adjustmentRecord } from '../../actors/settlement/adjustment-operations.ts'
import { addGroup, addOperationCommand, more } from '../command.ts'
import { postingsText } from '../settlement-text.ts'
import { fields, section, shortTime, table } from '../table.ts'
import type { Terminal } from '../terminal.ts'

export function addAdjustmentCommands(terminal: Terminal, program: Command): void {
  const adjustment = addGroup(program, 'adjustment', 'Correct lines of parties’ statements.')
  addOperationCommand(terminal, adjustment, {
    operation: adjustmentRecord,
    examples: [
      'adjustment record "Demo Network" --because dispute --statement 3 --line 14 --currency MXN --amount 4.00 --tax 0.64 --reference "claim 88" --reason "the new commission held already" --dry-run',
      'adjustment record "Demo Shop" --because goodwill --order 0197… --currency MXN --amount 10.00 --reference "mail 12" --reason "the till was slow"',
    ],
    show: recordedText,
  })
  addOperationCommand(terminal, adjustment, {
    operation: adjustmentList,
    examples: ['adjustment list', 'adjustment list --party "Demo Shop"'],
    show: ({ adjustments, next }) =>
      (adjustments.length === 0
        ? 'Nothing was corrected.\n'
        : table(adjustments, [
            { title: 'BOOKED', value: (it) => shortTime(it.booked) },
            { title: 'PARTY', value: (it) => it.party },
            { title: 'REFERENCE', value: (it) => it.reference },
            { title: 'BECAUSE', value: (it) => it.kind },
            { title: 'AMOUNT', value: (it) => `${it.amount} ${it.currency}`, right: true },
            { title: 'TAX', value: (it) => it.tax, right: true },
            { title: 'CORRECTS', value: correctedText },
          ])) + more(next),
  })
}

function recordedText({
  dryRun,
  adjustment,
  lineTotal,
  lineCorrected,
  postings,
}: RecordedAdjustment): string {
  const { party, reference, amount, tax, currency } = adjustment
  return (
    fields([
      ['adjustment', dryRun ? null : adjustment.id],
      ['reference', `${reference} of ${party}`],
      ['amount', `${amount} ${currency}, tax ${tax}`],
      ['corrects', correctedText(adjustment)],
      ['the line', `${lineTotal} ${currency}, corrected by ${lineCorrected} with this`],
    ]) + section(dryRun ? 'Would be booked' : 'Booked', postingsText(postings))
  )
}

function correctedText({ statement, line, order }: AdjustmentDocument): string {
  return order === null ? `statement ${statement}, line ${line}` : `order ${order}`
}
