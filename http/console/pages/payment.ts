/** One payment: what it settles, what it was told, and what the bank says of it. */

import type { PaymentChange, PaymentDocument } from '../../../actors/settlement/payment-documents.ts'
import {
  paymentBook,
  paymentReturn,
  paymentSent,
  paymentShow,
} from '../../../actors/settlement/payment-operations.ts'
import type { Block } from '../blocks.ts'
import { code, money, partyLink, shortId, shortLink, state, time } from '../cells.ts'
import { operationAction, operationForm } from '../forms.ts'
import type { Action, Done, Page, PageRequest } from '../page.ts'
import { preview } from './posted.ts'

export const paymentPage: Page = {
  path: /^\/payments\/(?<id>[0-9a-f-]{36})$/,
  least: 'viewer',
  room: 'Payments',
  async render(request) {
    const payment = await request.ask(paymentShow, { id: request.params.id ?? '' })
    const { id, currency, run, reason } = payment
    return {
      title: `Payment ${shortId(id)}`,
      crumb: { href: '/payments', text: 'Payments' },
      blocks: [
        {
          kind: 'facts',
          items: [
            ['State', state(payment.state)],
            ['Payment', code(id)],
            [payment.direction === 'out' ? 'To' : 'From', partyLink(payment.kind, payment.party)],
            ['Amount', money(payment.amount, currency)],
            ['Bank', payment.bank],
            ['Bank reference', payment.bankReference],
            ['Account', payment.account],
            ['Run', run === null ? null : shortLink(`/payments?run=${run}`, run)],
            ['Ordered', time(payment.ordered)],
            ['Sent', time(payment.sent)],
            ['Booked', time(payment.booked)],
            ['Returned', time(payment.returned)],
            ['Because', reason],
          ],
        },
        { kind: 'heading', text: 'What it settles' },
        {
          kind: 'table',
          label: 'What it settles',
          empty: 'Nothing.',
          columns: [{ label: 'Statement' }, { label: 'Amount', isRight: true }],
          rows: payment.settles.map(({ statement, amount }) => [String(statement), money(amount, currency)]),
        },
        ...tellForms(request, payment),
        { kind: 'heading', text: 'What it was told' },
        {
          kind: 'table',
          label: 'What it was told',
          empty: 'Nothing.',
          columns: [
            { label: 'At' },
            { label: 'Who' },
            { label: 'Event' },
            { label: 'State' },
            { label: 'Why' },
          ],
          rows: payment.events.map(({ at, operator, event, to, reason: why }) => [
            time(at),
            operator,
            code(event),
            state(to),
            why,
          ]),
        },
      ],
    }
  },
}

function tellForms(request: PageRequest, { id, direction, state: now, revision }: PaymentDocument): Block[] {
  const hidden = { id, revision: String(revision) }
  const isOpen = now === 'ordered' || now === 'sent'
  return [
    ...(now === 'ordered'
      ? operationForm(request, paymentSent, {
          title: 'The bank has it',
          button: 'Sent',
          fields: ['reference', 'reason', 'dryRun'],
          hidden,
        })
      : []),
    ...(isOpen
      ? operationForm(request, paymentBook, {
          title: 'The bank has booked it',
          button: 'Book it',
          fields: ['reference', 'valueDay', 'reason', 'dryRun'],
          hidden,
        })
      : []),
    ...(now === 'returned'
      ? []
      : operationForm(request, paymentReturn, {
          title: direction === 'out' ? 'It came back, or was not sent' : 'The bank took it back',
          lead: 'What it settled is due again.',
          button: 'Return it',
          isDanger: true,
          fields: now === 'booked' ? ['reference', 'valueDay', 'reason', 'dryRun'] : ['reason', 'dryRun'],
          hidden,
        })),
  ]
}

function told({ dryRun, payment, postings }: PaymentChange): Done {
  const path = `/payments/${payment.id}`
  if (dryRun) return preview(postings, { href: path, text: 'The payment' })
  return { kind: 'go', to: path }
}

export const paymentActions: readonly Action[] = [
  operationAction(paymentSent, told),
  operationAction(paymentBook, told),
  operationAction(paymentReturn, told),
]
