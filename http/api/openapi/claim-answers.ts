/** What is answered about claims. */
import { claimKinds, claimStates } from '../../../actors/claims/words.ts'
import type { ClaimTextView, ClaimView } from '../claim-views.ts'
import {
  type AnswerField,
  amount,
  currency,
  cursorOfNext,
  object,
  schemaReference,
  text,
  time,
} from './answer-fields.ts'

const maybe = (description: string, example: string | null): AnswerField => ({
  type: ['string', 'null'],
  description,
  examples: [example],
})

const claimFields: Record<keyof ClaimView, AnswerField> = {
  number: { type: 'integer', description: 'The number of the claim, for everybody', examples: [12] },
  kind: { ...text('What is wrong', 'paid_not_credited'), enum: claimKinds },
  state: {
    ...text(
      '`agreed` and `denied` by who is claimed against; the next three an operator has decided',
      'open',
    ),
    enum: claimStates,
  },
  opened_by: { ...text('Who has opened it', 'merchant'), enum: ['operator', 'merchant', 'provider'] },
  claimed_against: { ...text('Who is asked', 'provider'), enum: ['merchant', 'provider'] },
  order: maybe(
    'Id of the order; for a provider its code, and null where it has never held it',
    '0197a1c4-6f00-7000-8000-000000000001',
  ),
  direction: { ...text('Of the order', 'PAY_IN'), enum: ['PAY_IN', 'PAY_OUT'] },
  currency,
  price: amount('The price of the order'),
  amount: maybe('What was handled instead, or what the false notes come to; null of other kinds', null),
  due_on: text('The day by which it is answered and decided', '2026-03-15'),
  opened: time('When it was opened', '2026-03-01T12:00:00.000Z'),
  answered: maybe('When it was answered last', null),
  ended: maybe('When it was decided or withdrawn', null),
  reference: text(
    'The reference of the line that it makes in statements',
    '0197a1c4-6f00-7000-8000-000000000002',
  ),
}

const textFields: Record<keyof ClaimTextView, AnswerField> = {
  written: time('When', '2026-03-01T12:00:00.000Z'),
  by: { ...text('Who has written it', 'merchant'), enum: ['operator', 'merchant', 'provider'] },
  text: maybe('What is written; null once it was erased', 'The receipt is of 14:02.'),
}

export const claimAnswers = {
  claimText: object('ClaimText', 'A text of a claim', textFields),
  claim: object('Claim', 'A claim about the cash of an order', claimFields),
  claimDetails: object('ClaimDetails', 'A claim with its texts', {
    ...claimFields,
    texts: {
      type: 'array',
      description: 'What was written, the oldest first',
      items: schemaReference('ClaimText'),
    },
  }),
  claimPage: object('ClaimPage', 'Claims of the party', {
    results: {
      type: 'array',
      description: 'The latest opened first',
      items: schemaReference('Claim'),
    },
    next: cursorOfNext,
  }),
} as const
