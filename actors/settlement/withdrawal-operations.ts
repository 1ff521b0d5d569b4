/** A merchant's withdrawal, as an operator asks for it in its name. */
import { formatPrice } from '../../machines/money.ts'
import type { ClockContext } from '../condition/clock-operations.ts'
import { auditReason, dryRun, optional, text } from '../foundation/fields.ts'
import { defineOperation, OperationError } from '../foundation/operation.ts'
import type { OrderContext } from '../orders/operations.ts'
import { type ShownPosting, shownPostings } from '../orders/postings-shown.ts'
import { findParty } from '../parties/operations.ts'
import { anchorOrdered, type PaymentContext } from './anchored.ts'
import { sweepWrites } from './closing.ts'
import { clockInDoubt } from './closing-days.ts'
import { previewWithdrawal, type Withdrawal, type WithdrawalRefusal, withdraw } from './withdrawing.ts'
import { readAmount } from './written.ts'

type Context = OrderContext & PaymentContext & ClockContext

export interface WithdrawalDocument {
  merchant: string
  currency: string
  dryRun: boolean
  /** What was set aside to be paid. */
  amount: string
  /** The number of the statement that asks for it. */
  statement: number
  from: string
  to: string
  lines: number
  dueOn: string | null
  /** Where it is paid. */
  account: string
  /** What is booked for it, or would be. */
  postings: ShownPosting[]
}

export const withdrawalRequest = defineOperation({
  name: 'withdrawal.request',
  summary:
    'Ask for a withdrawal in the name of a merchant that is settled on request: its account is closed up to now.',
  done: 'It is set aside to be paid.',
  fields: {
    merchant: text({ description: "The merchant's name.", minLength: 1, form: { label: 'Merchant' } }),
    currency: text({
      pattern: '^[A-Z]{3}$',
      option: ['--currency <currency>', 'for example MXN'],
      form: { label: 'Currency', hint: 'For example MXN', maxLength: 3 },
    }),
    amount: optional(
      text({
        description: 'A decimal text such as 1000.00; unless given, all that can be withdrawn.',
        maxLength: 40,
        option: ['--amount <amount>', 'for example 1000.00; unless given, all that can be withdrawn'],
        form: { label: 'Amount', control: 'amount', hint: 'All that can be withdrawn, unless it is given.' },
      }),
    ),
    reason: auditReason,
    dryRun,
  },
  arguments: ['merchant'],
  isRead: false,
  concluded: (it: WithdrawalDocument) =>
    `${it.amount} ${it.currency} ${it.merchant}, statement ${it.statement}${it.dryRun ? ', only shown' : ''}`,
  async run(context: Context, input): Promise<WithdrawalDocument> {
    const { store, orders, clock, clockWatch } = context
    const { id: merchantId, name } = await findParty(store, input.merchant, 'merchant')
    const { currency, amount, dryRun: isShown = false } = input
    const amountMinor = amount === undefined ? null : readAmount('amount', amount, currency)
    const asked = { merchantId, currency, amountMinor }
    const { state } = await clockWatch.show()
    const asking = { store, orders, clock, isTrusted: () => state === 'trusted' }
    const shown = (withdrawal: Withdrawal) =>
      withdrawalDocument(
        {
          ...{ merchant: name, currency, dryRun: isShown },
          postings: shownPostings(
            sweepWrites({ partyId: merchantId, currency }, withdrawal.plan),
            () => name,
          ),
        },
        withdrawal,
      )
    if (isShown) {
      const preview = await previewWithdrawal(asking, asked)
      if (preview.ok) return shown(preview.withdrawal)
      throw refusalError(preview.refusal, name, currency)
    }
    const done = await withdraw(asking, asked)
    if (done.outcome === 'refused') throw refusalError(done.refusal, name, currency)
    if (done.outcome !== 'withdrawn') {
      throw new OperationError('conflict', `The account of ${name} is being closed by others.`, {
        hint: `statement list "${name}" shows it.`,
      })
    }
    await anchorOrdered(context)
    return shown(done.withdrawal)
  },
})

function withdrawalDocument(
  told: Pick<WithdrawalDocument, 'merchant' | 'currency' | 'dryRun' | 'postings'>,
  { plan, account }: Withdrawal,
): WithdrawalDocument {
  return {
    ...told,
    amount: formatPrice(plan.sweptMinor, told.currency),
    statement: plan.number,
    from: plan.fromDay,
    to: plan.toDay,
    lines: plan.lineCount,
    dueOn: plan.dueOn,
    account,
  }
}

/** In words, and with what to do about it. */
function refusalError(refusal: WithdrawalRefusal, name: string, currency: string): OperationError {
  const refused = (message: string, hint: string) => new OperationError('refused', message, { hint })
  const money = (minor: bigint) => `${formatPrice(minor, currency)} ${currency}`
  const terms = `terms show "${name}" tells its terms; they are set by apply: "settles".`
  switch (refusal.reason) {
    case 'merchant_frozen':
      return refused(`${name} is frozen: nothing is withdrawn.`, `party unfreeze "${name}" ends it.`)
    case 'node_drained':
      return refused('The node is drained: nothing new is begun.', 'node undrain ends it.')
    case 'stopped':
      return refused(
        'Nothing is closed since a backup was restored.',
        'Book what banks and networks report since the backup, then: settlement resume',
      )
    case 'clock_in_doubt':
      return clockInDoubt()
    case 'not_agreed':
      return refused(`${name} has no terms of settlement in ${currency}.`, terms)
    case 'closes_itself':
      return refused(
        `${name} is not settled on request in ${currency}: its days are closed by themselves.`,
        `statement close "${name}" --currency ${currency} closes today's now.`,
      )
    case 'no_account':
      return refused(`${name} has no account for ${currency} in its terms: nothing could be paid.`, terms)
    case 'closed':
      return refused(
        `${name}: ${refusal.day} is closed in ${currency} already.`,
        'What comes now belongs to the next day, and can be withdrawn once that has begun.',
      )
    case 'nothing':
      return refused(
        `${name} has nothing to withdraw in ${currency}.`,
        'What its terms keep, what orders wait for, and less than their minimum stay with it.',
      )
    case 'below_minimum':
      return refused(`The minimum is ${money(refusal.minimumMinor)}.`, terms)
    case 'exceeds':
      return refused(
        `${name} can withdraw ${money(refusal.mostMinor)} at most.`,
        'What its terms keep and what orders wait for stays with it.',
      )
  }
}
