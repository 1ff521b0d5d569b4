/** What parties send and ask about claims: protocol 16.8. */
import { claimKinds, claimStates } from '../../actors/claims/words.ts'
import { amount, cursor, maxTillText, optional, pageSize, type RequestSchema, text } from './field-schemas.ts'

const words = optional(
  text('What happened, for the other party to read, too', 'The receipt is of 14:02.', 2000),
)

export const claimSchemas = {
  claim: {
    title: 'ClaimRequest',
    description: 'A claim about the cash of an order that has ended',
    type: 'object',
    properties: {
      order: text('Id of the order; a provider may name its code', '123456789012347', maxTillText),
      kind: {
        type: 'string',
        enum: claimKinds,
        description:
          'What is wrong: the cash was handled and is not booked, is booked and was not, was handled twice or with another amount, or there were false banknotes',
        examples: ['paid_not_credited'],
      },
      amount: amount(
        'Of `wrong_amount` what was handled instead of the price, of `false_note` what the notes come to; not of others',
        '400.00',
      ),
      text: words,
    },
    required: ['order', 'kind'],
  },
  claimAnswer: {
    title: 'ClaimAnswerRequest',
    description: 'What the party that is claimed against says',
    type: 'object',
    properties: {
      answer: {
        type: 'string',
        enum: ['agrees', 'denies'],
        description: 'Until an operator decides it may be another one',
        examples: ['denies'],
      },
      text: words,
    },
    required: ['answer'],
  },
  claimText: {
    title: 'ClaimTextRequest',
    description: 'A text that is added to a claim',
    type: 'object',
    properties: { text: text('What there is to say', 'They called again.', 2000) },
    required: ['text'],
  },
  claimWithdrawal: {
    title: 'ClaimWithdrawalRequest',
    description: 'Why a claim is withdrawn',
    type: 'object',
    properties: { text: words },
    required: [],
  },
  claimList: {
    title: 'ClaimListQuery',
    description: 'Which claims of the party to list',
    type: 'object',
    properties: {
      state: {
        type: 'string',
        enum: [...claimStates, 'undecided'],
        description: 'Only claims in this state; `undecided` for all that wait',
        examples: ['undecided'],
      },
      limit: pageSize('How many claims a page has; 100 when not sent, and at most', 100),
      cursor,
    },
    required: [],
  },
} as const satisfies Record<string, RequestSchema>
