/** `ventanilla order quarantined` and `order clear`: after a restoration. */
import type { Command } from 'commander'
import { orderClear, orderQuarantined } from '../../actors/orders/quarantine-operations.ts'
import { counted, orderReport, type ReportDocument } from '../../actors/reports/operations.ts'
import {
  addCommand,
  addOperationCommand,
  addOptions,
  answer,
  type CommonOptions,
  withOperations,
  writtenInput,
} from '../command.ts'
import { readInputText } from '../input-file.ts'
import { shortTime, table } from '../table.ts'
import type { Terminal } from '../terminal.ts'
import { grouped } from './order-text.ts'

export function addQuarantineCommands(terminal: Terminal, order: Command): void {
  addOperationCommand(terminal, order, {
    operation: orderQuarantined,
    examples: ['order quarantined', 'order quarantined --json'],
    show: ({ orders }) =>
      orders.length === 0
        ? 'No order is quarantined.\n'
        : table(orders, [
            { title: 'CODE', value: ({ code }) => grouped(code) },
            { title: 'STATUS', value: ({ status }) => status },
            { title: 'QUARANTINED SINCE', value: ({ quarantinedSince }) => shortTime(quarantinedSince) },
            { title: 'ID', value: ({ id }) => id },
          ]),
  })
  addOperationCommand(terminal, order, {
    operation: orderClear,
    examples: [
      'order clear 5f0c2a9e-… 7d1b44c0-… --reason "not in the report of the network"',
      'order clear --all --reason "nothing was paid since the backup"',
    ],
    show: ({ cleared }) => `${cleared.length} orders can be started again.\n`,
  })
  addReportCommand(terminal, order)
}

function addReportCommand(terminal: Terminal, order: Command): void {
  const command = addCommand(order, 'report <file>', {
    summary: `${orderReport.summary} - reads standard input.`,
    examples: [
      'order report network.csv --provider "Demo Network" --dry-run',
      'order report network.csv --provider "Demo Network"',
    ],
  })
  addOptions(command, orderReport.fields)
  command.action(async () => {
    const options = command.opts<CommonOptions>()
    const [file = ''] = command.args
    const input = { ...writtenInput(orderReport, command), text: await readInputText(terminal, file) }
    const document = await withOperations(terminal, options, (operations) =>
      operations.perform(orderReport, input),
    )
    answer(terminal, options, document, reportText(document))
  })
}

function reportText({ lines, unmentioned, dryRun, provider }: ReportDocument): string {
  const waiting = lines.filter(({ waitsFor }) => waitsFor.length > 0)
  const names = [...new Set(waiting.flatMap(({ waitsFor }) => waitsFor))].join(', ')
  return [
    `${dryRun ? 'It would be' : 'Booked'}: ${counted(lines)}.\n`,
    waiting.length === 0
      ? ''
      : `${waiting.length} stay quarantined until these have reported, too: ${names}.\n`,
    unmentioned.length === 0
      ? ''
      : `\n${provider} does not mention these, which stay quarantined:\n${table(unmentioned, [
          { title: 'CODE', value: ({ code }) => grouped(code) },
          { title: 'STATUS', value: ({ status }) => status },
          { title: 'ID', value: ({ id }) => id },
        ])}`,
  ].join('')
}
