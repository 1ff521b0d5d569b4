/**
 * What may be sent, one JSON Schema (2020-12) an endpoint: they validate, and the API's document is made of
 * them.
 *
 * The order of `properties` is that of protocol 2 and of the errors. What depends on time, on
 * the order or on the merchant cannot be said in a schema: `requests.ts` adds it. Fields that are not named
 * here are ignored (protocol 2.10).
 */
import { blockchains } from '../../machines/blockchains.ts'
import { orderStatuses } from '../../machines/statuses.ts'
import { claimSchemas } from './claim-schemas.ts'
import {
  amount,
  cursor,
  day,
  type FieldSchema,
  maxTillText,
  optional,
  pageSize,
  type RequestSchema,
  text,
  time,
  url,
} from './field-schemas.ts'
import { reportSchemas } from './report-schemas.ts'
import { sandboxSchemas } from './sandbox-schemas.ts'
import { webhookSchemas } from './webhook-schemas.ts'

const country = text('ISO 3166-1 code of two letters', 'MX', 2)
const currency = text('ISO 4217 code of three letters', 'MXN', 3)
const price = amount('Decimal number, as a string (or a JSON number)', '1000.00')
const description = (example: string) => text('What the order is for', example, 1000)
const merchantOrderId = (example: string) =>
  text('The merchant’s own id, unique for each order', example, 127)
const notifyUrl = url('Public https address that receives the webhooks', 'https://shop.example/hooks/cash')
const returnUrl = url('Where the checkout page links back to', 'https://shop.example/orders/1234')
const expiry = time('Until when the order can be paid; no offset means UTC')

const consumerEmail = optional({
  ...text('E-mail address of the end user', 'ana@example.com', 254),
  format: 'email',
})
const consumerPhoneNumber = optional(text('Telephone number of the end user', '+525512345678', 128))

const orderType = (value: string): FieldSchema => ({
  type: 'string',
  enum: [value],
  description: `\`${value}\``,
  examples: [value],
})

const localOrder = (example: { description: string; merchant_order_id: string }) => ({
  order_type: orderType('LocalCurrencyOrder'),
  country,
  price,
  price_currency: currency,
  description: description(example.description),
  merchant_order_id: merchantOrderId(example.merchant_order_id),
  notify_url: notifyUrl,
  return_url: returnUrl,
  expiry,
  consumer_email: consumerEmail,
  consumer_phone_number: consumerPhoneNumber,
})

/** Each has ids of its own, so that one example does not meet what another one has made. */
const payOutExample = { description: 'Refund of order 1234', merchant_order_id: 'refund-1234' }
const payInExample = { description: 'Red shoes, size 38', merchant_order_id: 'order-1234' }
const foreignExample = { description: 'Money for Ana', merchant_order_id: 'remittance-1234' }

const refundOf: FieldSchema = {
  type: 'string',
  format: 'uuid',
  description:
    'Id of a paid pay-in of this merchant, in the same currency, that this pay-out gives back, in part or whole',
  examples: ['7a0c1d7e-2f4b-4c53-9d0e-1b8f6a2c4d33'],
}

const localOrderRequired = [
  'order_type',
  'country',
  'price',
  'price_currency',
  'description',
  'merchant_order_id',
  'notify_url',
  'return_url',
  'expiry',
]

const consumerContact = ['consumer_email', 'consumer_phone_number']

const providerAction = {
  network_id: text('A network registered for the provider', '0001', 127),
  price: amount('The price of the order', '1000.00'),
  price_currency: text('The currency of the order', 'MXN', 3),
}

const tillNote = {
  reference: optional(
    text('What the network calls this payment: its reports are matched by it', 'F-2026-0001', maxTillText),
  ),
  shop_id: optional(text('The shop, as the network calls it', 'CDMX-014', maxTillText)),
  till_id: optional(text('The till, as the network calls it', '3', maxTillText)),
}

/** Every body and query that the API reads. */
export const requestSchemas = {
  localPayOut: {
    title: 'LocalCurrencyOrder',
    description: 'A pay-out in local currency',
    type: 'object',
    properties: { ...localOrder(payOutExample), refund_of: refundOf },
    required: localOrderRequired,
    'x-at-least-one-of': consumerContact,
  },
  foreignPayOut: {
    title: 'ForeignCurrencyOrder',
    description: 'A pay-out from a quote, funded on a blockchain',
    type: 'object',
    properties: {
      order_type: orderType('ForeignCurrencyOrder'),
      quote: {
        type: 'string',
        format: 'uuid',
        description: 'Id of a quote of this merchant, not expired and not used',
        examples: ['6f1c3c0e-6d0a-4b0e-9a39-2d3f4c1e7a55'],
      },
      description: description(foreignExample.description),
      merchant_order_id: merchantOrderId(foreignExample.merchant_order_id),
      notify_url: notifyUrl,
      return_url: returnUrl,
      expiry,
      consumer_email: consumerEmail,
      consumer_phone_number: consumerPhoneNumber,
      wallet: text(
        'The wallet that signs the transaction on the blockchain',
        'DRpbCBMxVnDK7maPM5tGv6MvB3v1sRMC86PZ8okm21hy',
        128,
      ),
    },
    required: [
      'order_type',
      'quote',
      'description',
      'merchant_order_id',
      'notify_url',
      'return_url',
      'expiry',
      'wallet',
    ],
    'x-at-least-one-of': consumerContact,
  },
  payIn: {
    title: 'PayInRequest',
    description: 'A pay-in in local currency',
    type: 'object',
    properties: localOrder(payInExample),
    required: localOrderRequired,
  },
  paymentAction: {
    title: 'PaymentRequest',
    description: 'Start, confirm or cancel a payment; the start of a pay-in needs more',
    type: 'object',
    properties: { ...providerAction, ...tillNote },
    required: ['network_id'],
  },
  payInStart: {
    title: 'PayInStartRequest',
    description: 'Start the payment of a pay-in',
    type: 'object',
    properties: { ...providerAction, ...tillNote },
    required: ['network_id', 'price', 'price_currency'],
  },
  quote: {
    title: 'QuoteRequest',
    description: 'A quote for a pay-out funded on a blockchain',
    type: 'object',
    properties: {
      blockchain: {
        type: 'string',
        enum: blockchains,
        description: 'Where the end user sends the money',
        examples: ['SOLANA'],
      },
      send: amount('What the end user will send', '100.00'),
      send_currency: text('What is sent', 'USDC', 12),
      target_country: country,
      target_currency: currency,
    },
    required: ['blockchain', 'send', 'send_currency', 'target_country', 'target_currency'],
  },
  withdrawal: {
    title: 'WithdrawalRequest',
    description: 'A withdrawal of what is available',
    type: 'object',
    properties: {
      currency,
      amount: amount('How much; all that can be withdrawn when not sent', '1500.00'),
    },
    required: ['currency'],
  },
  ...reportSchemas,
  ...claimSchemas,
  ...webhookSchemas,
  ...sandboxSchemas,
  orderList: {
    title: 'OrderListQuery',
    description: 'Which orders of the merchant to list',
    type: 'object',
    properties: {
      status: {
        type: 'string',
        enum: orderStatuses,
        description: 'Only orders with this status',
        examples: ['READY'],
      },
      merchant_order_id: text('Only the order with this id of the merchant', 'order-1234', 127),
      created_from: time('Only orders created then or later'),
      created_to: time('Only orders created before'),
      limit: pageSize('How many orders a page has; 100 when not sent, and at most', 100),
      cursor,
    },
    required: [],
  },
  movementList: {
    title: 'MovementListQuery',
    description: 'Which movements of the merchant to list',
    type: 'object',
    properties: {
      currency: { ...currency, description: 'The currency of the account' },
      from: day('Only those of this day or a later one', '2026-03-01'),
      to: day('Only those of this day or an earlier one', '2026-03-31'),
      limit: pageSize('How many movements a page has; 1000 when not sent, and at most', 1000),
      cursor: {
        ...cursor,
        description: 'The `next` or the `resume` of an earlier page with the same filters',
      },
    },
    required: ['currency'],
  },
  statementList: {
    title: 'StatementListQuery',
    description: 'Which statements of the party to list',
    type: 'object',
    properties: {
      currency: { ...currency, description: 'Only those in this currency' },
      limit: pageSize('How many statements a page has; 100 when not sent, and at most', 100),
      cursor,
    },
    required: [],
  },
  statementLines: {
    title: 'StatementQuery',
    description: 'Which lines of which statement',
    type: 'object',
    properties: {
      currency: { ...currency, description: 'The currency of the statement' },
      limit: pageSize('How many lines a page has; 1000 when not sent, and at most', 1000),
      cursor,
      format: {
        type: 'string',
        enum: ['json', 'csv'],
        description:
          '`csv`: all lines as one table for spreadsheets, whatever `limit` and `cursor` say; so is `Accept: text/csv`',
        examples: ['json'],
      },
    },
    required: ['currency'],
  },
} as const satisfies Record<string, RequestSchema>

export type RequestName = keyof typeof requestSchemas

/** A page has as many orders when nothing is said, and never more. */
export const maxListed = 100

/** Likewise of the lines of a statement. */
export const maxLinesListed = 1000
