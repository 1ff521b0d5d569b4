/** What may be said of the fields of a claim, as its endpoint says it: only the database knows. */
import { type FieldError, fieldError } from '../../../http/foundation/errors.ts'

type Problem = [errors: readonly FieldError[], attr: string, code: string, detail: string]

export const claimProblems = {
  claim_order_unknown: [
    [fieldError('order', 'claim_order_unknown', { order: '1' })],
    'order',
    'does_not_exist',
    'Invalid pk "1" - object does not exist.',
  ],
  claim_order_open: [
    [fieldError('order', 'claim_order_open')],
    'order',
    'invalid',
    'The order has not ended yet.',
  ],
  claim_no_provider: [
    [fieldError('order', 'claim_no_provider')],
    'order',
    'invalid',
    'No provider has held this order.',
  ],
  claim_known: [
    [fieldError('kind', 'claim_known', { kind: 'twice' })],
    'kind',
    'unique',
    'There is a claim "twice" about this order already.',
  ],
  claim_amount_missing: [
    [fieldError('amount', 'claim_amount_missing')],
    'amount',
    'required',
    'This kind of claim has an amount.',
  ],
  claim_amount_unknown: [
    [fieldError('amount', 'claim_amount_unknown')],
    'amount',
    'invalid',
    'This kind of claim has no amount.',
  ],
  claim_amount_same: [
    [fieldError('amount', 'claim_amount_same')],
    'amount',
    'invalid',
    'This is the price of the order.',
  ],
  claim_amount_exceeds: [
    [fieldError('amount', 'claim_amount_exceeds')],
    'amount',
    'invalid',
    'Value is more than the price of the order.',
  ],
} satisfies Record<string, Problem>
