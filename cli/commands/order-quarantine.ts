/** `ventanilla order quarantined`, `order clear` and `order report`: after a restoration. */
import type { Command } from 'commander'
import { orderClear, orderQuarantined } from '../../actors/orders/quarantine-operations.ts'
import { addOperationCommand } from '../command.ts'
import { shortTime, table } from '../table.ts'
import type { Terminal } from '../terminal.ts'
import { grouped } from './order-text.ts'
import { addReportCommand } from './reconcile.ts'

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
            { title: 'WAITS FOR', value: ({ waitsFor }) => waitsFor.join(', ') || null },
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
  // After a restore a report completes what is quarantined: the same as `reconcile`, under the name that says so.
  addReportCommand(terminal, order, {
    name: 'report <file>',
    summary:
      'Apply a network’s report of a day; quarantined orders are completed by it. - reads standard input.',
    examples: [
      'order report network.csv --provider "Demo Network" --day 2026-12-01 --dry-run',
      'order report network.csv --provider "Demo Network" --day 2026-12-01',
    ],
  })
}
