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
import { choice, filled, lookingForm, oneOf, oneOfParties, operationAction, operationForm } from '../forms.ts'
import type { Action, Page, PageRequest } from '../page.ts'
import { named } from '../readable.ts'
import type { Texts } from '../texts/index.ts'
import { dueTable } from './due.ts'
import { preview } from './posted.ts'
import { runShown } from './run.ts'

export const paymentsPage: Page = {
  path: /^\/payments$/,
  least: 'viewer',
  room: 'Payments',
  async render(request) {
    const { ask, query, lines } = request
    const chosen = statesOfPayments.find((one) => one === query.get('state'))
    const cursor = query.get('cursor') ?? ''
    const run = query.get('run') ?? ''
    const { payments, next } = await ask(paymentList, {
      limit: lines ?? 50,
      ...filled({ cursor, run }),
      ...(chosen === undefined ? {} : { state: chosen }),
    })
    return {
      title: (texts) => texts.common.payments,
      blocks: [
        {
          kind: 'links',
          items: [
            { text: (texts) => texts.common.linesOfTheBanks, href: '/bank' },
            { text: (texts) => texts.common.corrections, href: '/adjustments' },
            { text: (texts) => texts.common.conversions, href: '/conversions' },
          ],
        },
        ...(run === '' ? await dueBlocks(request) : runBlocks(request, run)),
        {
          kind: 'heading',
          text: run === '' ? (texts) => texts.common.payments : (texts) => texts.payments.paymentsOfTheRun,
        },
        ...(run === '' ? [filters(chosen)] : []),
        paymentsTable(payments),
        { kind: 'next', href: next === null ? null : linkTo('/payments', query, { cursor: next }) },
        ...(run === '' ? await forms(request) : []),
      ],
    }
  },
}

function filters(chosen: string | undefined): Block {
  const options: Field['options'] = [['', ({ words }) => words.all], ...statesOfPayments.map(choice)]
  const field: Field = {
    name: 'state',
    label: (texts) => texts.common.state,
    type: 'select',
    options,
    value: chosen ?? '',
  }
  return { kind: 'filters', action: '/payments', fields: [field], button: (texts) => texts.common.show }
}

async function dueBlocks(request: PageRequest): Promise<Block[]> {
  const { day, due, unfinished } = await request.ask(paymentOutstanding, {})
  return [
    {
      kind: 'heading',
      text: (texts) => texts.common.due,
      note: (texts, view) => texts.payments.upTo(view.day(day)),
    },
    dueTable(due),
    ...unfinished.flatMap(({ id }): Block[] => [
      {
        kind: 'notice',
        tone: 'waiting',
        title: (texts) => texts.payments.theRunWasCutOff(shortId(id)),
        lines: [(texts) => texts.payments.itPaysNothingTwice],
      },
      ...lookingForm(request, paymentDue, {
        title: (texts) => texts.payments.goOnWithTheRun(shortId(id)),
        fields: [],
        hidden: { order: 'yes', run: id },
      }),
    ]),
  ]
}

function runBlocks(request: PageRequest, run: string): Block[] {
  return [
    { kind: 'facts', items: [[(texts) => texts.common.run, code(run)]] },
    ...operationForm(request, paymentExport, {
      title: (texts) => texts.payments.makeTheFileForThe,
      lead: (texts) => texts.payments.theSameFileEachTime,
      button: (texts) => texts.payments.makeTheFile,
      fields: [],
      hidden: { run },
    }),
  ]
}

function paymentsTable(payments: readonly PaymentSummary[]): Block {
  return {
    kind: 'table',
    label: (texts) => texts.common.payments,
    list: 'payments',
    empty: (texts) => texts.payments.noPayments,
    columns: [
      { label: (texts) => texts.common.payment },
      { label: (texts) => texts.common.party, key: 'party' },
      { label: (texts) => texts.common.way, key: 'way' },
      { label: (texts) => texts.common.amount, key: 'amount', isRight: true },
      { label: (texts) => texts.common.state, key: 'state' },
      { label: (texts) => texts.common.bank, key: 'bank' },
      { label: (texts) => texts.common.bankReference, key: 'bank-reference' },
      { label: (texts) => texts.common.ordered, key: 'ordered' },
    ],
    rows: payments.map((payment) => [
      shortLink(`/payments/${payment.id}`, payment.id),
      partyLink(payment.kind, payment.party),
      named(payment.direction),
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
  const party = oneOfParties([...merchants, ...providers].map(({ name }) => name))
  const kind = {
    label: (texts: Texts) => texts.common.kind,
    hint: (texts: Texts) => texts.common.whereAMerchantAndA,
  }
  return [
    ...lookingForm(request, paymentDue, {
      title: (texts) => texts.payments.orderAllThatIsDue,
      lead: (texts) => texts.payments.everythingThatThisBankAccount,
      fields: ['on', 'bank'],
      adjusted: { bank },
      hidden: { order: 'yes' },
    }),
    ...lookingForm(request, paymentOrder, {
      title: (texts) => texts.payments.orderOnePayment,
      fields: ['party', 'kind', 'bank', 'amount', 'statement', 'reason'],
      adjusted: { bank, party, kind },
    }),
    ...lookingForm(request, paymentReceive, {
      title: (texts) => texts.payments.bookMoneyThatCameIn,
      lead: (texts) => texts.payments.ofAProviderItSettles,
      fields: ['party', 'kind', 'bank', 'reference', 'amount', 'valueDay', 'reason'],
      adjusted: { bank, party, kind },
    }),
  ]
}

const crumb = { href: '/payments', text: (texts: Texts) => texts.common.payments }

export const paymentsActions: readonly Action[] = [
  operationAction(paymentDue, runShown),
  operationAction(paymentOrder, ({ dryRun, payment, postings }) =>
    dryRun
      ? preview(postings, crumb, { doIt: (texts) => texts.payments.order })
      : { kind: 'go', to: `/payments/${payment.id}` },
  ),
  operationAction(paymentReceive, ({ change, exception }, { dryRun }) => {
    if (change === null)
      return dryRun === 'yes' || exception === null
        ? preview([], crumb, {
            more: [{ kind: 'text', text: (texts) => texts.payments.itFitsNothingItWould }],
          })
        : { kind: 'go', to: `/exceptions/${exception}` }
    return change.dryRun
      ? preview(change.postings, crumb)
      : { kind: 'go', to: `/payments/${change.payment.id}` }
  }),
  operationAction(paymentExport, ({ id, payments, total, currency, digest }) => ({
    kind: 'show',
    view: {
      title: (texts) => texts.payments.theFileForTheBank,
      crumb: { href: `/payments?run=${id}`, text: (texts) => texts.payments.theRun },
      blocks: [
        {
          kind: 'facts',
          items: [
            [(texts) => texts.common.payments, String(payments)],
            [(texts) => texts.payments.total, money(total, currency)],
            [(texts) => texts.payments.sha256, code(digest)],
          ],
        },
        {
          kind: 'links',
          items: [{ text: (texts) => texts.payments.downloadIt, href: `/payments/run.csv?run=${id}` }],
        },
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
