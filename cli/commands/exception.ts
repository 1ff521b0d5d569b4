/** `ventanilla exception …` */
import type { Command } from 'commander'
import { exceptionKinds, isExceptionKind } from '../../actors/exceptions/kinds.ts'
import {
  type ExceptionDocument,
  exceptionList,
  exceptionResolve,
  exceptionShow,
} from '../../actors/resolutions/operations.ts'
import { exceptionRefund, type RefundDocument } from '../../actors/resolutions/refund-operations.ts'
import { addGroup, addOperationCommand, more } from '../command.ts'
import { postingsText } from '../settlement-text.ts'
import { fields, section, shortTime } from '../table.ts'
import type { Terminal } from '../terminal.ts'
import { amountOf, exceptionTable } from './exception-table.ts'
import { orderText } from './order-text.ts'

export function addExceptionCommands(terminal: Terminal, program: Command): void {
  const exception = addGroup(program, 'exception', 'Look at what needs an operator, and resolve it.')
  addOperationCommand(terminal, exception, {
    operation: exceptionList,
    summary: 'List exceptions, the newest first.',
    examples: ['exception list --state open', 'exception list --order 5f0c2a9e-… --json'],
    show: ({ exceptions, next }) =>
      (exceptions.length === 0 ? 'No exceptions.\n' : exceptionTable(exceptions)) + more(next),
  })
  addOperationCommand(terminal, exception, {
    operation: exceptionShow,
    examples: ['exception show 9d3e5b1f-…'],
    show: exceptionText,
  })
  addOperationCommand(terminal, exception, {
    operation: exceptionRefund,
    summary: `${exceptionRefund.summary} Sign it where the treasury’s keys are.`,
    examples: ['exception refund 9d3e5b1f-…', 'exception refund 9d3e5b1f-… --field transaction'],
    show: refundText,
  })
  addOperationCommand(terminal, exception, {
    operation: exceptionResolve,
    summary: 'Resolve an exception, with a reason. This cannot be undone.',
    examples: [
      'exception resolve 9d3e5b1f-… --as honour --reason "receipt seen" --evidence "receipt 4711"',
      'exception resolve 9d3e5b1f-… --as return --reason "the customer left without cash" --revision 1',
      'exception resolve 9d3e5b1f-… --as dismiss --reason "merchant told by telephone"',
    ],
    show: exceptionText,
  })
}

function refundText(refund: RefundDocument): string {
  return [
    fields([
      ['chain', refund.chain],
      ['to', refund.to],
      ['came by', refund.deposits.join(', ') || null],
      ['amount', `${refund.amount} ${refund.asset}`],
      ['asset', refund.assetId],
      ['sign and send before', shortTime(refund.signableUntil)],
    ]),
    section('Unsigned transaction', `${refund.transaction}\n`),
    section(
      'Then',
      `exception resolve ${refund.exception} --as refunded --reason … --evidence <its transaction on the chain>\n`,
    ),
  ].join('')
}

function resolutionText({ as, does, books }: ExceptionDocument['resolutions'][number]): string {
  const booked = books === null || books.length === 0 ? '' : postingsText(books).replace(/^(?=.)/gm, '  ')
  return `--as ${as.padEnd(8)}${does}\n${booked}`
}

function exceptionText(exception: ExceptionDocument): string {
  const { kind, orderDetails } = exception
  const tells = isExceptionKind(kind) ? `: ${exceptionKinds[kind].evidence}` : ''
  return [
    fields([
      ['id', exception.id],
      ['kind', kind],
      ['state', exception.state],
      ['reason', exception.reason],
      ['order', exception.order],
      ['chain', exception.chain],
      ['transaction', exception.transactionIds.join(', ') || null],
      ['amount', amountOf(exception)],
      ['sender', exception.sender],
      ['opened', shortTime(exception.openedAt)],
      ['resolved', exception.resolvedAt === null ? null : shortTime(exception.resolvedAt)],
      ['resolution', exception.resolution],
      ['by', exception.resolvedBy],
      ['because', exception.resolutionReason],
      ['in hand', exception.resolutionEvidence],
      ['revision', exception.revision],
    ]),
    section('Resolve', exception.resolutions.map(resolutionText).join('')),
    section(`Evidence${tells}`, `${JSON.stringify(exception.evidence, null, 2)}\n`),
    section('Its order', orderDetails === null ? '' : orderText(orderDetails)),
  ].join('')
}
