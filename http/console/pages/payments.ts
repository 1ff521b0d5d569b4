/** What is due today, what is ordered, and the payments there were. */
import { merchantList } from '../../../actors/parties/merchants.ts'
import { providerList } from '../../../actors/parties/providers.ts'
import { type PaymentSummary, statesOfPayments } from '../../../actors/settlement/payment-documents.ts'
import { paymentList } from '../../../actors/settlement/payment-list.ts'
import { paymentOrder, paymentReceive } from '../../../actors/settlement/payment-operations.ts'
import {
  paymentDue,
  paymentExport,
  paymentFile,
  paymentOutstanding,
} from '../../../actors/settlement/runs.ts'
import { calendarList } from '../../../actors/terms/calendar-operations.ts'
import type { Block, Field } from '../blocks.ts'
import { code, linkTo, money, partyLink, shortId, shortLink, state, time } from '../cells.ts'
import { filled, oneOf, operationAction, operationForm } from '../forms.ts'
import type { Action, Page, PageRequest } from '../page.ts'
import { dueTable } from './due.ts'
import { preview } from './posted.ts'
import { runShown } from './run.ts'

export const paymentsPage: Page = {
  path: /^\/payments$/,
  least: 'viewer',
  room: 'Payments',
  async render(request) {
    const { ask, query } = request
    const chosen = statesOfPayments.find((one) => one === query.get('state'))
    const cursor = query.get('cursor') ?? ''
    const run = query.get('run') ?? ''
    const { payments, next } = await ask(paymentList, {
      limit: 50,
      ...filled({ cursor, run }),
      ...(chosen === undefined ? {} : { state: chosen }),
    })
    return {
      title: 'Payments',
      blocks: [
        {
          kind: 'links',
          items: [
            { text: 'Lines of the banks', href: '/bank' },
            { text: 'Corrections', href: '/adjustments' },
            { text: 'Conversions', href: '/conversions' },
          ],
        },
        ...(run === '' ? await dueBlocks(request) : runBlocks(request, run)),
        { kind: 'heading', text: run === '' ? 'Payments' : 'Payments of the run' },
        ...(run === '' ? [filters(chosen)] : []),
        paymentsTable(payments),
        { kind: 'next', href: next === null ? null : linkTo('/payments', query, { cursor: next }) },
        ...(run === '' ? await forms(request) : []),
      ],
    }
  },
}

function filters(chosen: string | undefined): Block {
  const options: Field['options'] = [['', 'all'], ...statesOfPayments.map((one) => [one, one] as const)]
  const field: Field = { name: 'state', label: 'State', type: 'select', options, value: chosen ?? '' }
  return { kind: 'filters', action: '/payments', fields: [field], button: 'Show' }
}

async function dueBlocks({ ask }: PageRequest): Promise<Block[]> {
  const { day, due, unfinished } = await ask(paymentOutstanding, {})
  return [
    { kind: 'heading', text: 'Due', note: `up to ${day}` },
    dueTable(due),
    ...unfinished.map(
      ({ id }): Block => ({
        kind: 'notice',
        tone: 'waiting',
        title: `The run ${shortId(id)} was cut off`,
        lines: [`Go on with it: payment due --order --run ${id}. It pays nothing twice.`],
      }),
    ),
  ]
}

function runBlocks(request: PageRequest, run: string): Block[] {
  return [
    { kind: 'facts', items: [['Run', code(run)]] },
    ...operationForm(request, paymentExport, {
      title: 'Make the file for the bank',
      lead: 'The same file each time. Once it is made, a payment in it can no longer be taken back unsent.',
      button: 'Make the file',
      fields: [],
      hidden: { run },
    }),
  ]
}

function paymentsTable(payments: readonly PaymentSummary[]): Block {
  return {
    kind: 'table',
    label: 'Payments',
    empty: 'None.',
    columns: [
      { label: 'Payment' },
      { label: 'Party' },
      { label: 'Way' },
      { label: 'Amount', isRight: true },
      { label: 'State' },
      { label: 'Bank' },
      { label: 'Bank reference' },
      { label: 'Ordered' },
    ],
    rows: payments.map((payment) => [
      shortLink(`/payments/${payment.id}`, payment.id),
      partyLink(payment.kind, payment.party),
      payment.direction,
      money(payment.amount, payment.currency),
      state(payment.state),
      payment.bank,
      payment.bankReference,
      time(payment.ordered),
    ]),
  }
}

/** What the forms choose from: bank accounts, and parties by name. */
async function forms(request: PageRequest): Promise<Block[]> {
  if (!request.may(paymentOrder)) return []
  const { banks } = await request.ask(calendarList, {})
  const { merchants } = await request.ask(merchantList, {})
  const { providers } = await request.ask(providerList, {})
  const bank = oneOf(banks.map(({ name }) => name))
  const party = oneOf([...new Set([...merchants, ...providers].map(({ name }) => name))])
  const kind = { label: 'Kind', hint: 'Where a merchant and a provider share the name.' }
  return [
    ...operationForm(request, paymentDue, {
      title: 'Order all that is due',
      lead: 'Everything that this bank account can pay, as one run with one file.',
      button: 'Order',
      fields: ['on', 'bank', 'dryRun'],
      adjusted: { bank },
      hidden: { order: 'yes' },
    }),
    ...operationForm(request, paymentOrder, {
      title: 'Order one payment',
      button: 'Order',
      fields: ['party', 'kind', 'bank', 'amount', 'statement', 'reason', 'dryRun'],
      adjusted: { bank, party, kind },
    }),
    ...operationForm(request, paymentReceive, {
      title: 'Book money that came in',
      lead: 'Of a provider it settles what it owes; of a merchant it is a deposit.',
      button: 'Book it',
      fields: ['party', 'kind', 'bank', 'reference', 'amount', 'valueDay', 'reason', 'dryRun'],
      adjusted: { bank, party, kind },
    }),
  ]
}

const crumb = { href: '/payments', text: 'Payments' }

export const paymentsActions: readonly Action[] = [
  operationAction(paymentDue, runShown),
  operationAction(paymentOrder, ({ dryRun, payment, postings }) =>
    dryRun ? preview(postings, crumb) : { kind: 'go', to: `/payments/${payment.id}` },
  ),
  operationAction(paymentReceive, ({ change, exception }, { dryRun }) => {
    if (change === null)
      return dryRun === 'yes' || exception === null
        ? preview([], crumb, [{ kind: 'text', text: 'It fits nothing: it would wait in suspense.' }])
        : { kind: 'go', to: `/exceptions/${exception}` }
    return change.dryRun
      ? preview(change.postings, crumb)
      : { kind: 'go', to: `/payments/${change.payment.id}` }
  }),
  operationAction(paymentExport, ({ id, payments, total, currency, digest }) => ({
    kind: 'show',
    view: {
      title: 'The file for the bank',
      crumb: { href: `/payments?run=${id}`, text: 'The run' },
      blocks: [
        {
          kind: 'facts',
          items: [
            ['Payments', String(payments)],
            ['Total', money(total, currency)],
            ['SHA-256', code(digest)],
          ],
        },
        { kind: 'links', items: [{ text: 'Download it', href: `/payments/run.csv?run=${id}` }] },
      ],
    },
  })),
]

export const runFile = {
  path: '/payments/run.csv',
  name: 'payments.csv',
  type: 'text/csv; charset=utf-8',
  async *read({ ask, query }: PageRequest): AsyncGenerator<string> {
    const { file } = await ask(paymentFile, { run: query.get('run') ?? '' })
    yield file
  },
}
