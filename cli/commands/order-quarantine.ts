/** `ventanilla order quarantined` and `order clear`: after a restoration. */
import type { Command } from 'commander'
import { orderClear, orderQuarantined } from '../../actors/orders/quarantine-operations.ts'
import { counted, orderReport, type ReportDocument } from '../../actors/reports/operations.ts'
import {
  addCommand,
  addOperationCommand,
  answer,
  type CommonOptions,
  given,
  withOperations,
} from '../command.ts'
import { readInputText } from '../input-file.ts'
import { shortTime, table } from '../table.ts'
import type { Terminal } from '../terminal.ts'
import { grouped } from './order-text.ts'

interface ClearOptions {
  all?: boolean
  reason: string
}

interface ReportOptions extends CommonOptions {
  provider: string
  reason?: string
  dryRun?: boolean
}

export function addQuarantineCommands(terminal: Terminal, order: Command): void {
  addOperationCommand(terminal, order, 'quarantined', {
    summary: orderQuarantined.summary,
    examples: ['order quarantined', 'order quarantined --json'],
    operation: orderQuarantined,
    input: () => ({}),
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
  addOperationCommand(
    terminal,
    order,
    'clear [ids...]',
    {
      summary: orderClear.summary,
      examples: [
        'order clear 5f0c2a9e-… 7d1b44c0-… --reason "not in the report of the network"',
        'order clear --all --reason "nothing was paid since the backup"',
      ],
      operation: orderClear,
      input: (ids, command) => {
        const { all, reason } = command.opts<ClearOptions>()
        return { ...given({ all }), ...(ids.length === 0 ? {} : { ids: [...ids] }), reason }
      },
      show: ({ cleared }) => `${cleared.length} orders can be paid again.\n`,
    },
    (command) =>
      command
        .option('--all', 'every order that is quarantined')
        .requiredOption('--reason <text>', 'why; kept in the audit log'),
  )
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
    .requiredOption('--provider <name>', 'whose report it is')
    .option('--reason <text>', 'for the journal; the report of the provider unless given')
    .option('--dry-run', 'say what it would do, and change nothing')
  command.action(async () => {
    const options = command.opts<ReportOptions>()
    const { provider, reason, dryRun } = options
    const [file = ''] = command.args
    const input = { provider, text: await readInputText(terminal, file), ...given({ reason, dryRun }) }
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
      : `${waiting.length} stay quarantined until these have said it, too: ${names}.\n`,
    unmentioned.length === 0
      ? ''
      : `\n${provider} does not speak of these, which stay quarantined:\n${table(unmentioned, [
          { title: 'CODE', value: ({ code }) => grouped(code) },
          { title: 'STATUS', value: ({ status }) => status },
          { title: 'ID', value: ({ id }) => id },
        ])}`,
  ].join('')
}
