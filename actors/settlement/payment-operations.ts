/** What an operator may ask of payments: order one, tell it what the bank says, book what came in, look. */
import { partyById } from '../../persistence/queries/parties.ts'
import type { Row } from '../../persistence/store.ts'
import { auditReason, dryRun, optional, text, wholeNumber } from '../foundation/fields.ts'
import { amountFromZero } from '../foundation/money-reading.ts'
import { defineOperation, type OperationContext, OperationError } from '../foundation/operation.ts'
import { findParty, partyKind } from '../parties/operations.ts'
import { anchorOrdered, type PaymentContext } from './anchored.ts'
import { findUnidentified, readLine, record } from './bank-entries.ts'
import { findBank, openStake } from './bank-lines.ts'
import { orderPayment } from './ordering.ts'
import {
  findPayment,
  type PaymentChange,
  type PaymentDocument,
  paymentDocument,
} from './payment-documents.ts'
import { hasPlace, receivePayment } from './receiving.ts'
import { tell } from './telling-payments.ts'
import {
  amount,
  bank,
  bankReference,
  readAmount,
  readDay,
  readReference,
  seenRevision,
  valueDay,
} from './written.ts'

const party = text({
  description: 'The name of a merchant or a provider.',
  minLength: 1,
  form: { label: 'Party' },
})
const paymentId = text({ description: "A payment's id.", minLength: 1 })

const concluded = ({ payment, dryRun: isShown }: PaymentChange) =>
  `${payment.amount} ${payment.currency} ${payment.party}, ${payment.state}${isShown ? ', only shown' : ''}`

export const paymentOrder = defineOperation({
  name: 'payment.order',
  summary: 'Order a payment to a party: what it is owed is on its way, and due no more.',
  done: 'The payment is ordered.',
  fields: {
    party,
    kind: partyKind,
    bank,
    amount: optional({
      ...amount,
      form: { label: 'Amount', control: 'amount', hint: 'All that is due, unless it is given.' },
    }),
    currency: optional(
      text({
        description: 'Unless given, that of the bank account.',
        pattern: '^[A-Z]{3}$',
        option: ['--currency <currency>', 'what it is owed in; unless given, that of the bank account'],
        form: { label: 'Currency', hint: 'That of the bank account, unless it is given.', maxLength: 3 },
      }),
    ),
    statement: optional(
      wholeNumber({
        description: 'The number of the one statement it is for; unless given, the oldest come first.',
        minimum: 1,
        option: ['--statement <number>', 'for this one of its statements alone'],
        form: { label: 'Statement', hint: 'Its number, where it is for one alone.', maxLength: 9 },
      }),
    ),
    due: optional(
      text({
        description: 'What was shown as due: nothing is ordered if it has changed since.',
        maxLength: 40,
        option: ['--due <amount>', 'only if this is still what is due'],
      }),
    ),
    lost: optional(
      text({
        description:
          'A payment that a restore has lost and the bank has paid: it is ordered again as what it was, to be booked.',
        maxLength: 64,
        option: ['--lost <payment>', 'as this one, which a restore has lost and the bank has paid'],
        form: {
          label: 'Lost payment',
          hint: 'Its id, where a restore has lost it and the bank has paid it.',
          maxLength: 64,
        },
      }),
    ),
    reason: auditReason,
    dryRun,
  },
  arguments: ['party'],
  isRead: false,
  concluded,
  async run(context: PaymentContext, input): Promise<PaymentChange> {
    const { store, operator } = context
    const found = await findParty(store, input.party, input.kind)
    const from = await findBank(store, input.bank)
    const currency = input.currency ?? from.currency
    const { amount: asked, due: seen } = input
    const ordered = await orderPayment(store, {
      party: found,
      currency,
      amountMinor: asked === undefined ? null : readAmount('amount', asked, currency),
      bank: from,
      statement: input.statement,
      dueSeen: seen === undefined ? undefined : readAmount('due', seen, currency, amountFromZero),
      lost: input.lost,
      operator,
      reason: input.reason,
      dryRun: input.dryRun ?? false,
    })
    if (input.dryRun !== true) await anchorOrdered(context)
    if (ordered.outcome === 'ordered') return ordered.change
    throw new Error('A payment of no run was ordered before.')
  },
})

export const paymentReceive = defineOperation({
  name: 'payment.receive',
  summary: 'Book money that came in: it settles what a provider owes, and is a deposit of a merchant.',
  done: 'It is booked.',
  fields: {
    party,
    kind: partyKind,
    reference: bankReference,
    bank,
    amount,
    valueDay,
    reason: auditReason,
    dryRun,
  },
  arguments: ['party'],
  isRead: false,
  concluded: (received: ReceivedPayment) =>
    received.change === null ? `unidentified, exception ${received.exception}` : concluded(received.change),
  async run(context, input): Promise<ReceivedPayment> {
    const { store } = context
    const from = await findParty(store, input.party, input.kind)
    const line = await readLine(context, input, 'in')
    const { currency } = line.bank
    if (await hasPlace(store, from, currency)) {
      return { change: await receivePayment(store, from, line), exception: null }
    }
    const hint = `${from.name} sent it, it seems, and is not enabled for ${currency}.`
    const { exception } = await record(context, line, 'unidentified', hint)
    return { change: null, exception }
  },
})

export interface ReceivedPayment {
  /** Null where it fits nothing, and waits in suspense. */
  change: PaymentChange | null
  exception: string | null
}

export const paymentIdentify = defineOperation({
  name: 'payment.identify',
  summary:
    'Say whose unidentified money is: it is booked as a payment of that party, and its exception settled.',
  done: 'It is booked.',
  fields: {
    exception: text({ description: 'Its exception.', minLength: 1, form: { label: 'Exception' } }),
    party: { ...party, option: ['--party <name>', 'whose it is'] as const },
    kind: partyKind,
    reason: auditReason,
    dryRun,
  },
  arguments: ['exception'],
  isRead: false,
  concluded,
  async run(context, input): Promise<PaymentChange> {
    const { store, operator } = context
    const exception = await findUnidentified(store, input.exception)
    const owner = await findParty(store, input.party, input.kind)
    const {
      bank: name,
      reference,
      direction,
    }: { bank: string; reference: string; direction: 'in' | 'out' } = JSON.parse(exception.evidence_json)
    const from = await findBank(store, name)
    if (direction !== 'in' || !(await hasPlace(store, owner, from.currency))) {
      const why =
        direction === 'in' ? `${owner.name} is not enabled for ${from.currency}` : 'it left the bank'
      throw new OperationError('refused', `It cannot be booked as a payment of ${owner.name}: ${why}.`)
    }
    return identify({ ...context, operator }, { exception, owner, from, reference, input })
  },
})

async function identify(
  { store, operator }: OperationContext,
  about: {
    exception: Row<'exceptions'>
    owner: Row<'parties'>
    from: Row<'banks'>
    reference: string
    input: { reason: string; dryRun?: boolean }
  },
): Promise<PaymentChange> {
  const { exception: seen, owner, from, reference, input } = about
  const { minor } = openStake(seen, seen.id)
  return receivePayment(
    store,
    owner,
    {
      bank: from,
      direction: 'in',
      reference,
      amountMinor: minor,
      valueDay: undefined,
      reason: input.reason,
      operator,
      dryRun: input.dryRun ?? false,
    },
    seen,
  )
}

export const paymentSent = defineOperation({
  name: 'payment.sent',
  summary: 'Say that the bank has a payment.',
  done: 'It is recorded as sent.',
  fields: {
    id: paymentId,
    reference: optional(bankReference),
    reason: auditReason,
    revision: seenRevision,
    dryRun,
  },
  arguments: ['id'],
  isRead: false,
  concluded,
  async run(context: PaymentContext, input): Promise<PaymentChange> {
    const { store, operator } = context
    const { anchored_at } = await findPayment(store, input.id)
    if (anchored_at === null) await anchorOrdered(context)
    return tell(store, { ...toldOf(input), type: 'payment.send', operator })
  },
})

export const paymentBook = defineOperation({
  name: 'payment.book',
  summary: 'Say that the bank has booked a payment, and how it calls it.',
  done: 'It is booked.',
  fields: {
    id: paymentId,
    reference: optional(bankReference),
    valueDay,
    reason: auditReason,
    revision: seenRevision,
    dryRun,
  },
  arguments: ['id'],
  isRead: false,
  concluded,
  run: ({ store, operator }, input): Promise<PaymentChange> =>
    tell(store, { ...toldOf(input), type: 'payment.book', operator }),
})

export const paymentReturn = defineOperation({
  name: 'payment.return',
  summary: 'Say that a payment came back, or was not sent at all: what it settled is due again.',
  done: 'It is returned.',
  fields: {
    id: paymentId,
    reference: optional({
      ...bankReference,
      form: { label: 'Bank reference', hint: 'Of the line that brought it back; only where it was booked.' },
    }),
    valueDay,
    reason: auditReason,
    revision: seenRevision,
    dryRun,
  },
  arguments: ['id'],
  isRead: false,
  concluded,
  run: ({ store, operator }, input): Promise<PaymentChange> =>
    tell(store, { ...toldOf(input), type: 'payment.return', operator }),
})

interface TellInput {
  id: string
  reference?: string
  valueDay?: string
  reason: string
  revision?: number
  dryRun?: boolean
}

function toldOf({ id, reference, valueDay: day, reason, revision, dryRun: isShown = false }: TellInput) {
  return {
    id,
    reference: reference === undefined ? undefined : readReference(reference),
    valueDay: day === undefined ? undefined : readDay('valueDay', day),
    reason,
    revision,
    dryRun: isShown,
  }
}

export const paymentShow = defineOperation({
  name: 'payment.show',
  summary: 'Show a payment: what it settles, and what it was told.',
  fields: { id: paymentId },
  arguments: ['id'],
  isRead: true,
  async run({ store }, { id }): Promise<PaymentDocument> {
    const payment = await findPayment(store, id)
    const [owner] = await store.query(partyById, { id: payment.party_id })
    if (owner === undefined) throw new Error(`Payment ${payment.id} has no party.`)
    return paymentDocument(store, payment, owner)
  },
})
