/** What the API says of the fields of claims. Data, as all of the catalogue. */

export const claimProblems = {
  claim_order_unknown: {
    code: 'does_not_exist',
    text: 'Invalid pk "{order}" - object does not exist.',
    when: 'order of a claim, or of a fault in a sandbox, is none of the merchant’s, or none that the provider has held, or it is in the archive.',
  },
  claim_order_open: {
    code: 'invalid',
    text: 'The order has not ended yet.',
    when: 'A claim about an order that may still be paid.',
  },
  claim_no_provider: {
    code: 'invalid',
    text: 'No provider has held this order.',
    when: 'A merchant’s claim about an order that no provider has held; the operator can name one.',
  },
  claim_known: {
    code: 'unique',
    text: 'There is a claim "{kind}" about this order already.',
    when: 'A claim of the kind about the order waits, or was accepted or upheld.',
  },
  claim_amount_missing: {
    code: 'required',
    text: 'This kind of claim has an amount.',
    when: 'A claim wrong_amount or false_note without amount.',
  },
  claim_amount_unknown: {
    code: 'invalid',
    text: 'This kind of claim has no amount.',
    when: 'amount of a claim that is neither wrong_amount nor false_note.',
  },
  claim_amount_same: {
    code: 'invalid',
    text: 'This is the price of the order.',
    when: 'amount of a claim wrong_amount is the price.',
  },
  claim_amount_exceeds: {
    code: 'invalid',
    text: 'Value is more than the price of the order.',
    when: 'amount of a claim false_note is more than the price.',
  },
} as const
