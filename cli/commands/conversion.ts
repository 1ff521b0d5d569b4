/** `ventanilla conversion …` */
import type { Command } from 'commander'
import {
  conversionList,
  conversionRecord,
  conversionSell,
} from '../../actors/settlement/conversion-operations.ts'
import type { ConversionChange } from '../../actors/settlement/converting.ts'
import { addGroup, addOperationCommand, more } from '../command.ts'
import { postingsText } from '../settlement-text.ts'
import { fields, section, shortTime, table } from '../table.ts'
import type { Terminal } from '../terminal.ts'

export function addConversionCommands(terminal: Terminal, program: Command): void {
  const conversion = addGroup(program, 'conversion', 'Sell what the treasuries hold for money at a bank.')
  addOperationCommand(terminal, conversion, {
    operation: conversionRecord,
    examples: ['conversion record 5f1c… --reason "to the exchange, order 88" --dry-run'],
    show: changeText,
  })
  addOperationCommand(terminal, conversion, {
    operation: conversionSell,
    examples: [
      'conversion sell 0197… --bank main --reference "SPEI 4711" --amount 17150.00 --fee-part 10.00 --reason "order 88" --dry-run',
    ],
    show: changeText,
  })
  addOperationCommand(terminal, conversion, {
    operation: conversionList,
    examples: ['conversion list'],
    show: ({ conversions, next }) =>
      (conversions.length === 0
        ? 'Nothing was converted.\n'
        : table(conversions, [
            { title: 'ID', value: (it) => it.id },
            { title: 'RECORDED', value: (it) => shortTime(it.recorded) },
            { title: 'AMOUNT', value: (it) => `${it.amount} ${it.asset}`, right: true },
            { title: 'STATE', value: (it) => it.state },
            { title: 'PROCEEDS', value: (it) => moneyText(it.proceeds, it.currency), right: true },
            { title: 'RESULT', value: (it) => moneyText(it.result, it.currency), right: true },
          ])) + more(next),
  })
}

function moneyText(amount: string | null, currency: string | null): string | null {
  return amount === null ? null : `${amount} ${currency}`
}

function changeText({ dryRun, conversion: it, postings }: ConversionChange): string {
  return (
    fields([
      ['conversion', dryRun && it.state === 'sent' ? null : it.id],
      ['transaction', `${it.transaction} on ${it.chain}`],
      ['amount', `${it.amount} ${it.asset}`],
      ['state', it.state],
      ['proceeds', moneyText(it.proceeds, it.currency)],
      ['booked at', moneyText(it.booked, it.currency)],
      [
        'of the fees',
        it.feePart === null ? null : `${it.feePart} ${it.asset}: ${moneyText(it.fee, it.currency)}`,
      ],
      ['result', moneyText(it.result, it.currency)],
    ]) + section(dryRun ? 'Would be booked' : 'Booked', postingsText(postings))
  )
}
