/** `ventanilla order …` */
import { type Command, Option } from 'commander'
import { orderCancel, orderConfirm, orderRelease } from '../../actors/orders/change-operations.ts'
import type { OrderSummary } from '../../actors/orders/documents.ts'
import { orderList } from '../../actors/orders/list-operations.ts'
import { orderShow } from '../../actors/orders/operations.ts'
import { orderCancelAll, type Sweep } from '../../actors/orders/sweep-operations.ts'
import { type OrderStatus, orderStatuses } from '../../machines/order.ts'
import { CommandError, exitCodes } from '../../node/exit-codes.ts'
import {
  addCommand,
  addGroup,
  addOperationCommand,
  addPageOptions,
  answer,
  type CommonOptions,
  given,
  more,
  type PageOptions,
  wholeNumber,
  withOperations,
} from '../command.ts'
import { shortTime, table } from '../table.ts'
import type { Terminal } from '../terminal.ts'
import { addQuarantineCommands } from './order-quarantine.ts'
import { grouped, orderText } from './order-text.ts'

interface ListOptions extends PageOptions {
  status?: OrderStatus
  merchant?: string
  merchantOrderId?: string
  provider?: string
  from?: string
  to?: string
}

interface ChangeOptions extends CommonOptions {
  reason: string
  revision?: number
  force?: boolean
}

interface CancelOptions extends ChangeOptions {
  credential?: string
  since?: string
}

interface ForProviderOptions extends ChangeOptions {
  forProvider: string
}

export function addOrderCommands(terminal: Terminal, program: Command): void {
  const order = addGroup(program, 'order', 'Look at orders, and settle them by hand.')
  addOperationCommand(
    terminal,
    order,
    'list',
    {
      summary: 'List orders, the newest first.',
      examples: [
        'order list',
        'order list --status READY --merchant "Demo Shop" --limit 20',
        'order list --provider "Demo Network" --from 2026-03-01 --to 2026-03-07',
        'order list --json',
      ],
      operation: orderList,
      input: (_, command) => {
        const { status, merchant, merchantOrderId, provider, from, to, limit, cursor } =
          command.opts<ListOptions>()
        return given({ status, merchant, merchantOrderId, provider, from, to, limit, cursor })
      },
      show: ({ orders, next }) => orderTable(orders) + more(next),
    },
    (command) =>
      addPageOptions(command)
        .addOption(new Option('--status <status>', 'only those with this status').choices(orderStatuses))
        .option('--merchant <name>', 'only those of this merchant')
        .option('--merchant-order-id <id>', "only the one with this id of the merchant's")
        .option(
          '--provider <name>',
          'only those that this provider holds or, when they ended, held: who has paid',
        )
        .option('--from <day>', 'only those made on this day (UTC) or later; or a time: 2026-03-01T12:00:00Z')
        .option('--to <day>', 'only those made on this day (UTC) at the latest; or before a time'),
  )
  addOperationCommand(terminal, order, 'show <id>', {
    summary: 'Show an order with its journal, its money and its webhooks.',
    examples: [
      'order show 5f0c2a9e-…',
      'order show "1234 5678 9012 345"',
      'order show 123456789012345 --field status',
    ],
    operation: orderShow,
    input: ([id = '']) => ({ id }),
    show: orderText,
  })
  addCancelCommand(terminal, order)
  addQuarantineCommands(terminal, order)
  addOperationCommand(
    terminal,
    order,
    'confirm <id>',
    {
      summary:
        'Confirm a payment for the provider that holds the order: its till is dead, the cash was handled.',
      examples: [
        'order confirm 5f0c2a9e-… --for-provider "Demo Network" --reason "receipt seen, till is dead"',
      ],
      operation: orderConfirm,
      input: forProvider,
      show: orderText,
    },
    addForProviderOptions,
  )
  addOperationCommand(
    terminal,
    order,
    'release <id>',
    {
      summary: 'Give an order back for the provider that holds it: its till is dead, no cash was handled.',
      examples: [
        'order release 5f0c2a9e-… --for-provider "Demo Network" --reason "customer left, till is dead"',
      ],
      operation: orderRelease,
      input: forProvider,
      show: orderText,
    },
    addForProviderOptions,
  )
}

/** One order, or all that a key has created since a time: a leaked one. */
function addCancelCommand(terminal: Terminal, order: Command): void {
  const command = addChangeOptions(
    addCommand(order, 'cancel [id]', {
      summary:
        'Cancel an order that is not final, or all that a key has created since a time; locked ones only with --force.',
      examples: [
        'order cancel 5f0c2a9e-… --reason "asked by the merchant"',
        'order cancel 5f0c2a9e-… --reason "till unreachable for a day" --force',
        'order cancel --credential mk_demo --since 2026-03-01T08:00:00Z --reason "the key has leaked"',
      ],
    }),
  )
    .option('--force', 'also while a provider holds it: its money then waits in suspense for you to resolve')
    .option('--credential <key>', 'all orders that this key has created, instead of one')
    .option(
      '--since <time>',
      'with --credential: created at this time or later; UTC unless it says otherwise',
    )
  command.action(async () => {
    const options = command.opts<CancelOptions>()
    const { reason, revision, force, credential, since } = options
    const [id] = command.args
    const isOne = id !== undefined && credential === undefined && since === undefined
    const isAll =
      id === undefined && credential !== undefined && since !== undefined && revision === undefined
    if (isOne) {
      const input = { id, reason, ...given({ revision, force }) }
      const document = await withOperations(terminal, options, (operations) =>
        operations.perform(orderCancel, input),
      )
      answer(terminal, options, document, orderText(document))
    } else if (isAll) {
      const input = { credential, since, reason, ...given({ force }) }
      const sweep = await withOperations(terminal, options, (operations) =>
        operations.perform(orderCancelAll, input),
      )
      answer(terminal, options, sweep, sweepText(sweep))
    } else {
      const problem = 'Say which: an id, perhaps with its --revision, or --credential together with --since.'
      throw new CommandError(exitCodes.usage, problem)
    }
  })
}

function addChangeOptions(command: Command): Command {
  return command
    .requiredOption('--reason <text>', 'why; kept in the journal')
    .option('--revision <number>', 'only if the order is still at the revision you saw', wholeNumber)
}

function addForProviderOptions(command: Command): Command {
  return addChangeOptions(command).requiredOption(
    '--for-provider <name>',
    'the provider that holds the order',
  )
}

function forProvider([id = '']: readonly string[], command: Command) {
  const { reason, revision, forProvider: provider } = command.opts<ForProviderOptions>()
  return { id, reason, provider, ...given({ revision }) }
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
}: Sweep): string {
  const summary = `${cancelled} cancelled, ${refused} refused of those that ${credential} of ${merchant} has created since ${shortTime(since)}.`
  const rows = table(orders, [
    { title: 'CODE', value: (order) => grouped(order.code) },
    { title: 'STATUS', value: (order) => order.status },
    { title: 'OUTCOME', value: (order) => order.outcome },
    { title: 'ID', value: (order) => order.id },
    { title: 'BECAUSE', value: (order) => order.problem },
  ])
  const live = `Whoever has ${credential} can go on creating orders: party freeze "${merchant}", or key revoke ${credential}.`
  return [
    orders.length === 0 ? '' : `${rows}\n`,
    `${summary}\n`,
    isMore ? 'There are more: run it again.\n' : '',
    mayCreateMore ? `${live}\n` : '',
  ].join('')
}
