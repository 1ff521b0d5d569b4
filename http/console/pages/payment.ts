/** One payment: what it settles, what it was told, and what the bank says of it. */
import { OperationError } from '../../../actors/foundation/operation.ts'
import type { PaymentChange, PaymentDocument } from '../../../actors/settlement/payment-documents.ts'
import {
  paymentBook,
  paymentReturn,
  paymentSent,
  paymentShow,
} from '../../../actors/settlement/payment-operations.ts'
import type { Block } from '../blocks.ts'
import { code, money, partyLink, shortId, shortLink, state, time } from '../cells.ts'
import { bookingForm, operationAction, operationForm } from '../forms.ts'
import type { Action, Done, Page, PageRequest } from '../page.ts'
import type { Texts } from '../texts/index.ts'
import type { Words } from '../view.ts'
import { preview, wouldBe } from './posted.ts'
import { whatItWasTold } from './what-told.ts'

export const paymentPage: Page = {
  path: /^\/payments\/(?<id>[0-9a-f-]{36})$/,
  least: 'viewer',
  room: 'Payments',
  async render(request) {
    const payment = await request.ask(paymentShow, { id: request.params.id ?? '' })
    const { id, currency, run, reason } = payment
    return {
      title: (texts) => texts.payment.payment(shortId(id)),
      crumb: { href: '/payments', text: (texts) => texts.common.payments },
      blocks: [
        {
          kind: 'facts',
          items: [
            [(texts) => texts.common.state, state(payment.state)],
            [(texts) => texts.common.payment, code(id)],
            [
              payment.direction === 'out'
                ? (texts) => texts.common.goesTo
                : (texts) => texts.common.comesFrom,
              partyLink(payment.kind, payment.party),
            ],
            [(texts) => texts.common.amount, money(payment.amount, currency)],
            [(texts) => texts.common.bank, payment.bank],
            [(texts) => texts.common.bankReference, payment.bankReference],
            [(texts) => texts.common.account, payment.account],
            [(texts) => texts.common.run, run === null ? null : shortLink(`/payments?run=${run}`, run)],
            [(texts) => texts.common.ordered, time(payment.ordered)],
            [(texts) => texts.common.sent, time(payment.sent)],
            [(texts) => texts.common.booked, time(payment.booked)],
            [(texts) => texts.payment.returned, time(payment.returned)],
            [(texts) => texts.common.because, reason],
          ],
        },
        { kind: 'heading', text: (texts) => texts.payment.whatItSettles },
        {
          kind: 'table',
          label: (texts) => texts.payment.whatItSettles,
          empty: (texts) => texts.payment.nothing,
          columns: [
            { label: (texts) => texts.common.statement },
            { label: (texts) => texts.common.amount, isRight: true },
          ],
          rows: payment.settles.map(({ statement, amount }) => [String(statement), money(amount, currency)]),
        },
        ...(await tellForms(request, payment)),
        ...whatItWasTold(
          payment.events.map(({ at, operator, event, to, reason: why }) => [
            time(at),
            operator,
            code(event),
            state(to),
            why,
          ]),
        ),
      ],
    }
  },
}

/** @param request may say the bank's line that is to be booked, as a statement proposes it */
async function tellForms(
  request: PageRequest,
  { id, direction, state: now, revision }: PaymentDocument,
): Promise<Block[]> {
  const proposed = request.query.get('reference')
  const valueDay = request.query.get('valueDay') ?? ''
  const hidden = { id, revision: String(revision) }
  const isOpen = now === 'ordered' || now === 'sent'
  return [
    ...(now === 'ordered'
      ? operationForm(request, paymentSent, {
          title: (texts) => texts.payment.theBankHasIt,
          button: (texts) => texts.common.sent,
          fields: ['reference', 'reason'],
          hidden,
        })
      : []),
    ...(isOpen
      ? bookingForm(request, paymentBook, await booksOf(request, paymentBook, id), {
          title: (texts) => texts.payment.theBankHasBookedIt,
          button: (texts) => texts.common.bookIt,
          fields: ['reference', 'valueDay', 'reason'],
          adjusted: {
            reference: { value: proposed ?? '' },
            valueDay: { type: 'date', value: valueDay },
          },
          hidden,
          ...(proposed === null ? {} : { isMain: true }),
        })
      : []),
    ...(now === 'returned'
      ? []
      : bookingForm(request, paymentReturn, await booksOf(request, paymentReturn, id), {
          title:
            direction === 'out'
              ? (texts) => texts.payment.itCameBackOrWas
              : (texts) => texts.payment.theBankTookItBack,
          lead: (texts) => texts.payment.whatItSettledIsDue,
          button: (texts) => texts.payment.returnIt,
          isDanger: true,
          fields: now === 'booked' ? ['reference', 'valueDay', 'reason'] : ['reason'],
          hidden,
        })),
  ]
}

/** Whatever the bank calls it. */
async function booksOf(
  request: PageRequest,
  operation: typeof paymentBook | typeof paymentReturn,
  id: string,
) {
  if (!request.may(operation)) return null
  const books = await wouldBe(request, operation, { id, reference: '–', reason: '–' })
  return books instanceof OperationError ? null : books
}

function told({ dryRun, payment, postings }: PaymentChange, doIt?: Words): Done {
  const path = `/payments/${payment.id}`
  const crumb = { href: path, text: (texts: Texts) => texts.payment.thePayment }
  if (dryRun) return preview(postings, crumb, doIt === undefined ? {} : { doIt })
  return { kind: 'go', to: path }
}

export const paymentActions: readonly Action[] = [
  operationAction(paymentSent, (change) => told(change)),
  operationAction(paymentBook, (change) => told(change)),
  operationAction(paymentReturn, (change) => told(change, (texts) => texts.payment.returnIt)),
]
