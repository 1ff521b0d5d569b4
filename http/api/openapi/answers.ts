/**
 * What is answered, as JSON Schema: each field that a view or a representation has, and no other. A new field does
 * not compile until it is described here.
 */

import type {
  ForeignOrderRepresentation,
  LocalOrderRepresentation,
} from '../../../actors/orders/representation.ts'
import type { QuoteRepresentation } from '../../../actors/quotes/representation.ts'
import { evmBlockchains } from '../../../machines/blockchains.ts'
import type { Direction } from '../../../machines/order.ts'
import { type OrderStatus, orderStatuses } from '../../../machines/statuses.ts'
import { requestSchemas } from '../schemas.ts'
import { type ProviderAnswer, type ProviderField, providerFields } from '../views.ts'
import {
  type AnswerField,
  type AnswerSchema,
  amount,
  currency,
  cursorOfNext,
  object,
  schemaReference,
  text,
  time,
} from './answer-fields.ts'
import { claimAnswers } from './claim-answers.ts'
import { reportAnswers } from './report-answers.ts'
import { sandboxAnswers } from './sandbox-answers.ts'
import { settlementAnswers } from './settlement-answers.ts'
import { webhookAnswers } from './webhook-answers.ts'

const status = (statuses: readonly OrderStatus[]): AnswerField => ({
  type: 'string',
  description: 'Status of the order',
  enum: statuses,
  examples: statuses.slice(0, 1),
})

const price = amount('Amount of the order, with at least two decimals')
const expiry = time('When the order expires', '2026-03-01T18:00:00.000Z')

const providerFieldSchemas: Record<ProviderField, AnswerField> = {
  price,
  price_currency: currency,
  created: time('When the order was created', '2026-03-01T12:00:00.000Z'),
  modified: time('When the order last changed', '2026-03-01T12:05:00.000Z'),
  status: status(orderStatuses),
  paid: time('When the payment was confirmed', '2026-03-01T12:05:00.000Z'),
  expiry,
  description: text('What the customer pays for', 'Order 1234'),
}

/** What an order can be once it has been answered for. */
const statusesAfter: Record<ProviderAnswer, readonly OrderStatus[]> = {
  check: orderStatuses,
  start: ['PAYMENT_STARTED'],
  confirm: ['COMPLETED'],
  cancel: ['READY', 'EXPIRED'],
}

const orderFields: Record<keyof LocalOrderRepresentation, AnswerField> = {
  id: { ...text('The order’s id', '0d3f4a52-7c59-4f0e-8a4e-5b1f5d1c9e10'), format: 'uuid' },
  order_type: {
    ...text('Kind of the order', 'LocalCurrencyOrder'),
    enum: ['LocalCurrencyOrder', 'ForeignCurrencyOrder'],
  },
  country: text('ISO 3166-1 code of two letters', 'MX'),
  price,
  price_currency: currency,
  description: text('What the order is for', 'Refund of order 1234'),
  merchant_order_id: text('The merchant’s own id', 'refund-1234'),
  status: status(orderStatuses),
  notify_url: { ...text('Where webhooks go', 'https://shop.example/hooks/cash'), format: 'uri' },
  redirect_url: {
    ...text(
      'The checkout page, for the end user',
      'https://pay.example/checkout/0d3f4a52-7c59-4f0e-8a4e-5b1f5d1c9e10',
    ),
    format: 'uri',
  },
  return_url: {
    ...text('Where the checkout page links back to', 'https://shop.example/orders/1234'),
    format: 'uri',
  },
  consumer_email: text('Empty if none was sent', 'ana@example.com'),
  consumer_phone_number: text('Empty if none was sent', ''),
  expiry,
  paid: {
    type: ['string', 'null'],
    description: 'When it was paid; null until then, and when it never was',
    format: 'date-time',
    examples: [null],
  },
  direction: { ...text('Only pay-ins have it', 'PAY_IN'), enum: ['PAY_IN'] },
  refund_of: {
    ...text('Only of a refund: the pay-in that it gives back', '7a0c1d7e-2f4b-4c53-9d0e-1b8f6a2c4d33'),
    format: 'uuid',
  },
}

/** What a foreign-currency order has besides. */
const foreignFields: Record<
  Exclude<keyof ForeignOrderRepresentation, keyof LocalOrderRepresentation>,
  AnswerField
> = {
  quote: {
    ...text('Only of a foreign-currency order: its quote', '6f1c3c0e-6d0a-4b0e-9a39-2d3f4c1e7a55'),
    format: 'uuid',
  },
  wallet: text(
    'Only of a foreign-currency order: the wallet that signs',
    'HN7cABqLq46Es1jh92dQQisAq662SmxELLLsHHe4YWrH',
  ),
  transaction: text(
    'Only of a foreign-currency order: what its wallet is to sign now. SOLANA: a versioned transaction in base64. ' +
      `STELLAR: an envelope in XDR. ${evmBlockchains.join(', ')}: the parameters of the transaction as JSON text. ` +
      'Empty where nothing is to be signed: not built yet, money on its way or come, too late',
    '',
  ),
  transaction_error: text(
    'Only while the transaction of a foreign-currency order cannot be built: why',
    'The wallet has no trust line for USDC.',
  ),
}

const quoteFields: Record<keyof QuoteRepresentation, AnswerField> = {
  id: { ...text('The quote’s id', '6f1c3c0e-6d0a-4b0e-9a39-2d3f4c1e7a55'), format: 'uuid' },
  blockchain: {
    ...text('Where the end user sends the money', 'SOLANA'),
    enum: requestSchemas.quote.properties.blockchain.enum,
  },
  send: { ...amount('What the end user sends'), examples: ['100.00'] },
  send_currency: text('What is sent', 'USDC'),
  target_country: text('ISO 3166-1 code of two letters', 'MX'),
  target_currency: currency,
  fee: { ...amount('Deducted from `send` before the exchange'), examples: ['1.50'] },
  fee_currency: text('The currency of the fee: what is sent', 'USDC'),
  order_price: { ...amount('What the order will pay out'), examples: ['1699.00'] },
  order_price_currency: currency,
  rate: { ...amount('Target currency for one unit of what is sent'), examples: ['17.25'] },
  expires: time('When the quote expires', '2026-03-01T12:05:00.000Z'),
}

const { direction, refund_of, ...payOutFields } = orderFields
const createdDirection = { ...direction, description: 'Only where a foreign-currency order is created' }
const foreignAnswer = {
  ...foreignFields,
  refund_of,
  direction: { ...createdDirection, enum: ['PAY_OUT'], examples: ['PAY_OUT'] },
}
const payInFields = {
  ...payOutFields,
  description: text('What the order is for', 'Red shoes, size 38'),
  merchant_order_id: text('The merchant’s own id', 'order-1234'),
  status: status(orderStatuses.slice(1)),
  direction,
}
const code = text('What the customer shows at the counter; also as QR code and barcode', '123456789012347')

const page = (title: string, item: string) =>
  object(title, 'One page of orders, the newest first', {
    results: { type: 'array', description: 'At most `limit` orders', items: schemaReference(item) },
    next: cursorOfNext,
  })

const directionNames = { PAY_OUT: 'payOut', PAY_IN: 'payIn' } as const
const answerTitles = {
  check: 'Check',
  start: 'Start',
  confirm: 'Confirmation',
  cancel: 'Cancellation',
} as const

/** The schema of a provider's answer: the fields of its view. */
export type ProviderAnswerName =
  `${(typeof directionNames)[Direction]}${(typeof answerTitles)[ProviderAnswer]}`

export function providerAnswerName(direction: Direction, answer: ProviderAnswer): ProviderAnswerName {
  return `${directionNames[direction]}${answerTitles[answer]}`
}

function providerAnswer(direction: Direction, answer: ProviderAnswer): AnswerSchema {
  const fields = providerFields[direction][answer].map((name) => {
    const field = providerFieldSchemas[name]
    return [name, name === 'status' ? status(statusesAfter[answer]) : field]
  })
  const of = direction === 'PAY_OUT' ? 'a pay-out' : 'a pay-in'
  return object(
    schemaName(providerAnswerName(direction, answer)),
    `What a provider sees of ${of}: the answer of ${answer === 'check' ? 'the look-up' : answer}`,
    Object.fromEntries(fields),
  )
}

const { id: _order, redirect_url: _page, ...unmadePayOut } = payOutFields
const { id: _payIn, redirect_url: _payInPage, ...unmadePayIn } = payInFields
const { id: _quote, ...unmadeQuote } = quoteFields

/** Every success there is. */
export const answerSchemas = {
  payOutOrder: object('PayOutOrder', 'A pay-out, as its merchant sees it', payOutFields, foreignAnswer),
  payInOrder: object('PayInOrder', 'A pay-in, as its merchant sees it', { ...payInFields, code }),
  quote: object('Quote', 'A quote', quoteFields),
  payOutDryRun: object(
    'PayOutDryRun',
    'A pay-out that could be created, and was not: without what only an order has that is there',
    unmadePayOut,
    foreignAnswer,
  ),
  payInDryRun: object('PayInDryRun', 'A pay-in that could be created, and was not', unmadePayIn),
  quoteDryRun: object('QuoteDryRun', 'A quote that could be given, and was not', unmadeQuote),
  payOutOrderPage: page('PayOutOrderPage', 'PayOutOrder'),
  payInOrderPage: page('PayInOrderPage', 'PayInOrder'),
  payOutCheck: providerAnswer('PAY_OUT', 'check'),
  payOutStart: providerAnswer('PAY_OUT', 'start'),
  payOutConfirmation: providerAnswer('PAY_OUT', 'confirm'),
  payOutCancellation: providerAnswer('PAY_OUT', 'cancel'),
  payInCheck: providerAnswer('PAY_IN', 'check'),
  payInStart: providerAnswer('PAY_IN', 'start'),
  payInConfirmation: providerAnswer('PAY_IN', 'confirm'),
  payInCancellation: providerAnswer('PAY_IN', 'cancel'),
  ...settlementAnswers,
  ...reportAnswers,
  ...claimAnswers,
  ...webhookAnswers,
  ...sandboxAnswers,
} as const satisfies Record<ProviderAnswerName | string, AnswerSchema>

export type AnswerName = keyof typeof answerSchemas

/** What webhooks carry: the order object; a pay-in's has no code (protocol 2.5). */
export const webhookSchemas = {
  payOutWebhook: object('PayOutWebhook', 'A pay-out, as its webhooks tell it', payOutFields, {
    ...foreignFields,
    refund_of,
  }),
  payInWebhook: object('PayInWebhook', 'A pay-in, as its webhooks tell it', payInFields),
} as const

function schemaName(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}
