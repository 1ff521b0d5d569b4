/** `ventanilla payment …` */
import type { Command } from 'commander'
import type {
  PaymentChange,
  PaymentDocument,
  PaymentSummary,
} from '../../actors/settlement/payment-documents.ts'
import { paymentList } from '../../actors/settlement/payment-list.ts'
import {
  paymentBook,
  paymentIdentify,
  paymentOrder,
  paymentReceive,
  paymentReturn,
  paymentSent,
  paymentShow,
} from '../../actors/settlement/payment-operations.ts'
import { paymentDue, paymentExport } from '../../actors/settlement/runs.ts'
import { addGroup, addOperationCommand, more } from '../command.ts'
import { dueText, postingsText } from '../settlement-text.ts'
import { fields, section, shortTime, table } from '../table.ts'
import type { Terminal } from '../terminal.ts'

export function addPaymentCommands(terminal: Terminal, program: Command): void {
  const payment = addGroup(program, 'payment', 'Pay whom the operator owes, and book what comes in.')
  addOperationCommand(terminal, payment, {
    operation: paymentDue,
    examples: [
      'payment due',
      'payment due --on 2026-12-31',
      'payment due --order --bank main --dry-run',
      'payment due --order --bank main',
    ],
    show: dueText,
  })
  addOperationCommand(terminal, payment, {
    operation: paymentExport,
    examples: ['payment export 0197… --field file > run.csv'],
    show: ({ file }) => file,
  })
  addOperationCommand(terminal, payment, {
    operation: paymentOrder,
    examples: [
      'payment order "Demo Shop" --bank main --amount 500.00 --reason "a part, as agreed" --dry-run',
    ],
    show: changeText,
  })
  addTellCommands(terminal, payment)
  addIncomingCommands(terminal, payment)
  addOperationCommand(terminal, payment, {
    operation: paymentList,
    examples: ['payment list', 'payment list --state sent', 'payment list --party "Demo Network"'],
    show: ({ payments, next }) => listText(payments) + more(next),
  })
  addOperationCommand(terminal, payment, {
    operation: paymentShow,
    examples: ['payment show 0197…'],
    show: paymentText,
  })
}

function addTellCommands(terminal: Terminal, payment: Command): void {
  addOperationCommand(terminal, payment, {
    operation: paymentSent,
    examples: ['payment sent 0197… --reason "uploaded at the bank"'],
    show: changeText,
  })
  addOperationCommand(terminal, payment, {
    operation: paymentBook,
    examples: ['payment book 0197… --reference "SPEI 4711" --reason "statement of the bank"'],
    show: changeText,
  })
  addOperationCommand(terminal, payment, {
    operation: paymentReturn,
    examples: ['payment return 0197… --reference "DEV 4711" --reason "the account is closed"'],
    show: changeText,
  })
}

function addIncomingCommands(terminal: Terminal, payment: Command): void {
  addOperationCommand(terminal, payment, {
    operation: paymentReceive,
    examples: [
      'payment receive "Demo Network" --bank main --reference "SPEI 12" --amount 428.14 --reason "statement of the bank"',
    ],
    show: ({ change, exception }) =>
      change === null ? `It fits nothing and waits: exception show ${exception}\n` : changeText(change),
  })
  addOperationCommand(terminal, payment, {
    operation: paymentIdentify,
    examples: ['payment identify 5f0c… --party "Demo Network" --reason "they sent the receipt"'],
    show: changeText,
  })
}

function changeText({ dryRun, payment, settles, postings }: PaymentChange): string {
  return (
    summaryText(payment, dryRun) +
    section('Settles', settlesText(settles)) +
    section(dryRun ? 'Would be booked' : 'Booked', postingsText(postings))
  )
}

function summaryText(payment: PaymentSummary, dryRun = false): string {
  return fields([
    ['payment', dryRun && payment.revision === 1 ? null : payment.id],
    ['party', payment.party],
    ['amount', `${payment.amount} ${payment.currency}, ${payment.direction}`],
    ['bank', payment.bank],
    ['bank reference', payment.bankReference],
    ['account', payment.account],
    ['run', payment.run],
    ['state', payment.state],
    ['ordered', `${shortTime(payment.ordered)} by ${payment.orderedBy}`],
    ['sent', payment.sent === null ? null : shortTime(payment.sent)],
    ['booked', payment.booked === null ? null : shortTime(payment.booked)],
    ['returned', payment.returned === null ? null : shortTime(payment.returned)],
    ['why', payment.reason],
    ['revision', payment.revision],
  ])
}

function settlesText(settles: PaymentChange['settles']): string {
  if (settles.length === 0) return ''
  return table(settles, [
    { title: 'STATEMENT', value: (it) => it.statement, right: true },
    { title: 'AMOUNT', value: (it) => it.amount, right: true },
  ])
}

function listText(payments: readonly PaymentSummary[]): string {
  if (payments.length === 0) return 'No payments.\n'
  return table(payments, [
    { title: 'PAYMENT', value: (it) => it.id },
    { title: 'PARTY', value: (it) => it.party },
    { title: 'WAY', value: (it) => it.direction },
    { title: 'AMOUNT', value: (it) => `${it.amount} ${it.currency}`, right: true },
    { title: 'STATE', value: (it) => it.state },
    { title: 'BANK', value: (it) => it.bank },
    { title: 'BANK REFERENCE', value: (it) => it.bankReference },
    { title: 'ORDERED', value: (it) => shortTime(it.ordered) },
  ])
}

function paymentText({ settles, events, ...payment }: PaymentDocument): string {
  const told = table(events, [
    { title: 'AT', value: (it) => shortTime(it.at) },
    { title: 'WHO', value: (it) => it.operator },
    { title: 'EVENT', value: (it) => it.event },
    { title: 'STATE', value: (it) => it.to },
    { title: 'WHY', value: (it) => it.reason },
  ])
  return summaryText(payment) + section('Settles', settlesText(settles)) + section('Told', told)
}
