/** `ventanilla order held` and `order unhold`: after a restoration. */
import type { Command } from 'commander'
import { orderHeld, orderUnhold } from '../../actors/operations/order-holds.ts'
import { addOperationCommand, given } from '../command.ts'
import { shortTime, table } from '../table.ts'
import type { Terminal } from '../terminal.ts'
import { grouped } from './order-text.ts'

interface UnholdOptions {
  all?: boolean
  reason: string
}

export function addHoldCommands(terminal: Terminal, order: Command): void {
  addOperationCommand(terminal, order, 'held', {
    summary: orderHeld.summary,
    examples: ['order held', 'order held --json'],
    operation: orderHeld,
    input: () => ({}),
    show: ({ orders }) =>
      orders.length === 0
        ? 'No order is held.\n'
        : table(orders, [
            { title: 'CODE', value: ({ code }) => grouped(code) },
            { title: 'STATUS', value: ({ status }) => status },
            { title: 'HELD SINCE', value: ({ heldSince }) => shortTime(heldSince) },
            { title: 'ID', value: ({ id }) => id },
          ]),
  })
  addOperationCommand(
    terminal,
    order,
    'unhold [ids...]',
    {
      summary: orderUnhold.summary,
      examples: [
        'order unhold 5f0c2a9e-… 7d1b44c0-… --reason "not in the report of the network"',
        'order unhold --all --reason "nothing was paid since the backup"',
      ],
      operation: orderUnhold,
      input: (ids, command) => {
        const { all, reason } = command.opts<UnholdOptions>()
        return { ...given({ all }), ...(ids.length === 0 ? {} : { ids: [...ids] }), reason }
      },
      show: ({ released }) => `${released.length} orders can be paid again.\n`,
    },
    (command) =>
      command
        .option('--all', 'every order that is held')
        .requiredOption('--reason <text>', 'why; kept in the audit log'),
  )
}
