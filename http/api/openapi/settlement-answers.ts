/** What is answered about balances and statements. */
import type {
  BalanceView,
  MerchantLineView,
  MovementView,
  ProviderLineView,
  StatementView,
  SumView,
  WithdrawalView,
} from '../settlement-views.ts'
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

const signed = (description: string): AnswerField => ({
  ...amount(description),
  pattern: String.raw`^-?\d+\.\d{2,}$`,
})

const count = (description: string, example: number): AnswerField => ({
  type: 'integer',
  description,
  examples: [example],
})

const maybeCount = (description: string, example: number): AnswerField => ({
  ...count(description, example),
  type: ['integer', 'null'],
})

const maybe = (description: string, example: string | null): AnswerField => ({
  type: ['string', 'null'],
  description,
  examples: [example],
})

const list = (description: string, item: string): AnswerField => ({
  type: 'array',
  description,
  items: schemaReference(item),
})

const balanceFields: Record<keyof BalanceView, AnswerField> = {
  currency,
  available: amount('What pay-outs can be paid from'),
  reserved: amount('For pay-outs that are READY or being paid'),
  payable: amount('Set aside by statements, and not ordered at a bank yet'),
  in_transit: amount('Ordered at a bank that has not booked it yet'),
  suspense: amount('Of orders that ended while a provider held them, until it is known where the cash is'),
  debt: amount('What the merchant owes: what arrives repays it first'),
}

const statementFields: Record<keyof StatementView, AnswerField> = {
  number: count('From 1 on for each currency', 12),
  currency,
  from: text('The first day it tells of, by the days agreed on', '2026-03-01'),
  to: text('The last day it tells of', '2026-03-01'),
  closed: time('When it was closed', '2026-03-02T04:00:03.000Z'),
  opening: signed('The position before; above zero it is owed to the party, below zero the party owes it'),
  closing: signed('The position after'),
  due: signed('What the statement asks for; above zero it is paid to the party'),
  open: signed('What of `due` is neither paid nor set off'),
  due_on: maybe(
    'When it is due; null where nothing is, or too little, which then falls due with a later one',
    '2026-03-03',
  ),
  line_count: count('How many lines it has', 1),
  digest: maybe(
    'SHA-256 of the statement; it names the one before, and never changes',
    '5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef',
  ),
  previous_digest: maybe('The digest of the statement before; empty for the first', ''),
}

const withdrawalFields: Record<keyof WithdrawalView, AnswerField> = {
  statement: count('The number of the statement that asks for it', 12),
  currency,
  amount: amount('What is withdrawn: it is no longer available, and on its way'),
  from: text('The first day the statement tells of', '2026-03-01'),
  to: text('The last day it tells of, which is closed', '2026-03-03'),
  line_count: count('How many lines it has', 7),
  due_on: maybe('The day it is to be paid on', '2026-03-04'),
}

const kind = text(
  'What was posted: `settle` for an order that was paid, `deposit`, `payment` and others',
  'settle',
)
const direction = maybe('PAY_IN or PAY_OUT, where it is of an order', 'PAY_IN')

const amountFields = {
  amount: signed('Above zero it is the party’s'),
  fee: signed('The merchant’s fee, below zero, or the provider’s commission'),
  tax: signed('The tax on it'),
}

const sumFields: Record<keyof SumView, AnswerField> = {
  kind,
  direction,
  lines: count('How many lines are added up', 1),
  ...amountFields,
}

const lineFields = {
  line: count('From 1 on', 1),
  day: text('The day it counts for', '2026-03-01'),
  about_day: maybe('Where it is about another day: which', null),
  at: time('When it was posted', '2026-03-01T12:05:00.000Z'),
  kind,
  direction,
}

const balance = signed('The position after it: before, and amount, fee and tax added')

const merchantLineFields: Record<keyof MerchantLineView, AnswerField> = {
  ...lineFields,
  order_id: maybe('The order’s id, where it is of an order', '0d3f4a52-7c59-4f0e-8a4e-5b1f5d1c9e10'),
  reference: maybe(
    'Of an order its `merchant_order_id`; else that of the deposit, payment or correction',
    'order-1234',
  ),
  ...amountFields,
  balance,
}

const movementFields: Record<keyof MovementView, AnswerField> = {
  statement: maybeCount('The statement that tells of it; null until one is sealed that does', 12),
  ...merchantLineFields,
  line: maybeCount('Which line of the statement it is', 1),
  balance: { ...signed('The position after it; null like `statement`'), type: ['string', 'null'] },
}

const providerLineFields: Record<keyof ProviderLineView, AnswerField> = {
  ...lineFields,
  network_id: maybe('The network that handled the cash', '0001'),
  reference: maybe('Of a payment or correction', null),
  ...amountFields,
  balance,
}

const statement = (party: 'Merchant' | 'Provider') =>
  object(
    `${party}Statement`,
    'A sealed statement with a page of its lines',
    {
      ...statementFields,
      lines: list('At most `limit` lines, in their order', `${party}StatementLine`),
      next: cursorOfNext,
    },
    { sums: list('Only on the first page: all lines, added up by kind and direction', 'StatementSum') },
  )

export const settlementAnswers = {
  balances: object('Balances', 'What the merchant has, by currency', {
    results: list('One for each currency, in the order of their codes', 'Balance'),
  }),
  balance: object('Balance', 'What a merchant has in one currency', balanceFields),
  movementPage: object('MovementPage', 'One page of what moved the account, the oldest first', {
    results: list('At most `limit` movements', 'Movement'),
    next: cursorOfNext,
    resume: maybe(
      'The cursor behind the last movement that was told; null where there is none',
      'TVhOIDEyIDE',
    ),
  }),
  movement: object('Movement', 'What moved the account', movementFields),
  statementPage: object('StatementPage', 'One page of sealed statements, the latest closed first', {
    results: list('At most `limit` statements', 'Statement'),
    next: cursorOfNext,
  }),
  statement: object('Statement', 'A sealed statement, without its lines', statementFields),
  withdrawal: object('Withdrawal', 'What was withdrawn', withdrawalFields),
  statementSum: object('StatementSum', 'Lines of one kind, added up', sumFields),
  merchantStatement: statement('Merchant'),
  merchantStatementLine: object(
    'MerchantStatementLine',
    'A line of a merchant’s statement',
    merchantLineFields,
  ),
  providerStatement: statement('Provider'),
  providerStatementLine: object(
    'ProviderStatementLine',
    'A line of a provider’s statement',
    providerLineFields,
  ),
} as const
