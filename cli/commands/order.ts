/** `ventanilla order …` */
import type { Command } from 'commander'
import { optional } from '../../actors/foundation/fields.ts'
import { type ChangedOrder, orderCancel, orderChanges } from '../../actors/orders/change-operations.ts'
import type { OrderSummary } from '../../actors/orders/documents.ts'
import { orderList } from '../../actors/orders/list-operations.ts'
import { orderShow } from '../../actors/orders/operations.ts'
import { orderCancelAll, type Sweep, sweepFields } from '../../actors/orders/sweep-operations.ts'
import { CommandError, exitCodes } from '../../node/exit-codes.ts'
import {
  addCommand,
  addGroup,
  addOperationCommand,
  addOptions,
  answer,
  type CommonOptions,
  more,
  withOperations,
  writtenInput,
} from '../command.ts'
import { postingsText } from '../settlement-text.ts'
import { shortTime, table } from '../table.ts'
import type { Terminal } from '../terminal.ts'
import { addOrderEvidenceCommand } from './evidence.ts'
import { addQuarantineCommands } from './order-quarantine.ts'
import { grouped, orderText } from './order-text.ts'

interface CancelOptions extends CommonOptions {
  revision?: number
  credential?: string
  since?: string
}

export function addOrderCommands(terminal: Terminal, program: Command): void {
  const order = addGroup(program, 'order', 'Look at orders, and resolve them by hand.')
  addOperationCommand(terminal, order, {
    operation: orderList,
    summary: 'List orders, the newest first.',
    examples: [
      'order list',
      'order list --status READY --merchant "Demo Shop" --limit 20',
      'order list --provider "Demo Network" --from 2026-03-01 --to 2026-03-07',
      'order list --json',
    ],
    show: ({ orders, next }) => orderTable(orders) + more(next),
  })
  addOperationCommand(terminal, order, {
    operation: orderShow,
    summary: 'Show an order with its journal, its money and its webhooks.',
    examples: [
      'order show 5f0c2a9e-…',
      'order show "1234 5678 9012 345"',
      'order show 123456789012345 --field status',
    ],
    show: orderText,
  })
  addCancelCommand(terminal, order)
  addQuarantineCommands(terminal, order)
  addOrderEvidenceCommand(terminal, order)
  for (const operation of orderChanges) {
    if (operation !== orderCancel) addOperationCommand(terminal, order, { operation, show: changeText })
  }
}

/** One order, or all that a key has created since a time: a leaked one. */
function addCancelCommand(terminal: Terminal, order: Command): void {
  const command = addCommand(order, 'cancel [id]', {
    summary:
      'Cancel an open order, or all that a key has created since a given time; locked ones only with --force.',
    examples: [
      'order cancel 5f0c2a9e-… --reason "asked by the merchant"',
      'order cancel 5f0c2a9e-… --reason "till unreachable for a day" --force',
      'order cancel --credential mk_demo --since 2026-03-01T08:00:00Z --reason "the key has leaked" --dry-run',
    ],
  })
  const { credential, since } = sweepFields
  addOptions(command, orderCancel.fields)
  addOptions(command, { credential: optional(credential), since: optional(since) })
  command.action(async () => {
    const options = command.opts<CancelOptions>()
    const { revision, credential, since } = options
    const [id] = command.args
    const isOne = id !== undefined && credential === undefined && since === undefined
    const isAll =
      id === undefined && credential !== undefined && since !== undefined && revision === undefined
    if (isOne) {
      const document = await withOperations(terminal, options, (operations) =>
        operations.perform(orderCancel, writtenInput(orderCancel, command)),
      )
      answer(terminal, options, document, changeText(document))
    } else if (isAll) {
      const sweep = await withOperations(terminal, options, (operations) =>
        operations.perform(orderCancelAll, writtenInput(orderCancelAll, command)),
      )
      answer(terminal, options, sweep, sweepText(sweep))
    } else {
      const problem = 'Give an id, optionally with --revision; or --credential with --since.'
      throw new CommandError(exitCodes.usage, problem)
    }
  })
}

function changeText(order: ChangedOrder): string {
  const { books } = order
  return books === undefined ? orderText(order) : `${wouldBeBooked(books)}\n${orderText(order)}`
}

function wouldBeBooked(books: ChangedOrder['books'] = []): string {
  return books.length === 0 ? 'Nothing would be booked.\n' : `Would be booked:\n${postingsText(books)}`
}

function orderTable(orders: readonly OrderSummary[]): string {
  if (orders.length === 0) return 'No orders.\n'
  return table(orders, [
    { title: 'CODE', value: (order) => grouped(order.code) },
    { title: 'STATUS', value: (order) => order.status },
    { title: 'PRICE', value: (order) => `${order.price} ${order.currency}`, right: true },
    { title: 'MERCHANT', value: (order) => order.merchant },
    { title: "MERCHANT'S ID", value: (order) => order.merchantOrderId },
    { title: 'CREATED', value: (order) => shortTime(order.created) },
    { title: 'EXPIRY', value: (order) => shortTime(order.expiry) },
    { title: 'ID', value: (order) => order.id },
  ])
}

function sweepText({
  orders,
  merchant,
  credential,
  since,
  cancelled,
  refused,
  more: isMore,
  mayCreateMore,
  dryRun,
  books,
}: Sweep): string {
  const deed = dryRun ? 'would be cancelled' : 'cancelled'
  const summary = `${cancelled} ${deed}, ${refused} refused of those that ${credential} of ${merchant} has created since ${shortTime(since)}.`
  const rows = table(orders, [
    { title: 'CODE', value: (order) => grouped(order.code) },
    { title: 'STATUS', value: (order) => order.status },
    { title: 'OUTCOME', value: (order) => order.outcome },
    { title: 'ID', value: (order) => order.id },
    { title: 'BECAUSE', value: (order) => order.problem },
  ])
  const live = `Whoever has ${credential} can still create orders: party freeze "${merchant}", or key revoke ${credential}.`
  return [
    orders.length === 0 ? '' : `${rows}\n`,
    `${summary}\n`,
    dryRun ? wouldBeBooked(books) : '',
    isMore ? 'There are more: run it again.\n' : '',
    mayCreateMore ? `${live}\n` : '',
  ].join('')
}
