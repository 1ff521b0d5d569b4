/** `ventanilla order …` */
import { type Command, Option } from 'commander'
import { orderCancel, orderConfirm, orderRelease } from '../../actors/operations/order-changes.ts'
import type { JournalLine, OrderDocument, OrderSummary } from '../../actors/operations/order-documents.ts'
import { orderList, orderShow } from '../../actors/operations/orders.ts'
import { type OrderStatus, orderStatuses } from '../../machines/order.ts'
import {
  addGroup,
  addOperationCommand,
  addPageOptions,
  type CommonOptions,
  given,
  more,
  type PageOptions,
  wholeNumber,
} from '../command.ts'
import { fields, section, shortTime, table } from '../table.ts'
import type { Terminal } from '../terminal.ts'
import { exceptionTable } from './exception.ts'
import { webhookTable } from './webhook.ts'

interface ListOptions extends PageOptions {
  status?: OrderStatus
  merchant?: string
  merchantOrderId?: string
}

interface ChangeOptions extends CommonOptions {
  reason: string
  revision?: number
  force?: boolean
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
        'order list --json',
      ],
      operation: orderList,
      input: (_, command) => {
        const { status, merchant, merchantOrderId, limit, cursor } = command.opts<ListOptions>()
        return given({ status, merchant, merchantOrderId, limit, cursor })
      },
      show: ({ orders, next }) => orderTable(orders) + more(next),
    },
    (command) =>
      addPageOptions(command)
        .addOption(new Option('--status <status>', 'only those with this status').choices(orderStatuses))
        .option('--merchant <name>', 'only those of this merchant')
        .option('--merchant-order-id <id>', "only the one with this id of the merchant's"),
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
  addOperationCommand(
    terminal,
    order,
    'cancel <id>',
    {
      summary: 'Cancel an order that is not final; a locked one only with --force.',
      examples: [
        'order cancel 5f0c2a9e-… --reason "asked by the merchant"',
        'order cancel 5f0c2a9e-… --reason "till unreachable for a day" --force',
      ],
      operation: orderCancel,
      input: ([id = ''], command) => {
        const { reason, revision, force } = command.opts<ChangeOptions>()
        return { id, reason, ...given({ revision, force }) }
      },
      show: orderText,
    },
    (command) =>
      addChangeOptions(command).option(
        '--force',
        'also while a provider holds it: its money then waits in suspense for you to resolve',
      ),
  )
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

/** As people read a code out. */
function grouped(code: string): string {
  return code.replace(/(\d{4})(?=\d)/g, '$1 ')
}

function orderText(order: OrderDocument): string {
  const { lock } = order
  const holder = lock && `${lock.provider} through ${lock.network}, since ${shortTime(lock.since)}`
  return [
    fields([
      ['id', order.id],
      ['code', grouped(order.code)],
      ['status', order.status],
      ['price', `${order.price} ${order.currency}`],
      ['kind', order.kind],
      ['merchant', `${order.merchant}, ${order.merchantOrderId}`],
      ['description', order.description],
      ['created', shortTime(order.created)],
      ['expiry', shortTime(order.expiry)],
      ['paid', order.paid === null ? null : shortTime(order.paid)],
      [order.status === 'PAYMENT_STARTED' ? 'held by' : 'last held by', holder],
      ['revision', order.revision],
    ]),
    section(
      'Journal',
      table(order.journal, [
        { title: 'AT', value: (entry) => shortTime(entry.at) },
        { title: 'WHO', value: (entry) => entry.actor },
        { title: 'EVENT', value: (entry) => entry.event },
        {
          title: 'STATUS',
          value: (entry) => (entry.from === null ? entry.to : `${entry.from} → ${entry.to}`),
        },
        { title: 'OUTCOME', value: (entry) => entry.outcome },
        { title: 'DETAILS', value: detailsOf },
      ]),
    ),
    section('Money', order.postings.length === 0 ? '' : postingTable(order)),
    section('Webhooks', order.webhooks.length === 0 ? '' : webhookTable(order.webhooks)),
    section('Exceptions', order.exceptions.length === 0 ? '' : exceptionTable(order.exceptions)),
  ].join('')
}

function postingTable({ postings }: OrderDocument): string {
  return table(postings, [
    { title: 'AT', value: (posting) => shortTime(posting.at) },
    { title: 'KIND', value: (posting) => posting.kind },
    { title: 'AMOUNT', value: (posting) => `${posting.amount} ${posting.currency}`, right: true },
    { title: 'FROM', value: (posting) => posting.from },
    { title: 'TO', value: (posting) => posting.to },
  ])
}

/** A creation's stand above the journal. */
function detailsOf({ event, details }: JournalLine): string {
  if (event === 'order.create') return ''
  return Object.entries(details)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ')
}
