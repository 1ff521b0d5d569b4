/** What the bookkeeper is told: what was answered, and what banks did. */

/** Amounts are decimal texts, as answers have them. */
export type Fact = { at: number } & (
  | { is: 'order'; merchant: string; country: string; order: OrderAnswer; network: string | null }
  | { is: 'foreignOrder'; merchant: string; order: OrderAnswer; quote: QuoteAnswer; network: string | null }
  /** The chain shows what has come for an order. */
  | { is: 'chainDeposit'; order: string; amount: string }
  | { is: 'resolution'; order: string; as: 'honour' | 'return' | 'dismiss' }
  /** It has come for no order, or was more than one took; an operator keeps it. */
  | { is: 'unmatched' | 'unmatchedKept'; asset: string; amount: string }
  /** What is left of an order's asset was sent back, or is kept. */
  | { is: 'assetEnds'; order: string; as: 'refunded' | 'dismiss' }
  /** The chain shows it leaving the treasury; an operator has it sold; the bank has the proceeds. */
  | { is: 'outflow'; asset: string; amount: string }
  | { is: 'conversion'; asset: string; amount: string }
  | { is: 'sale'; asset: string; amount: string; feePart: string; line: BankLine }
  /** One about cash that is booked was accepted or upheld; some kinds have an amount. */
  | { is: 'claim'; order: string; kind: ClaimedCash; amount: string | null }
  | { is: 'adjustment'; party: string; currency: string; amount: string; tax: string }
  | { is: 'deposit'; merchant: string; currency: string; amount: string }
  | { is: 'reversal'; merchant: string; currency: string; amount: string }
  | { is: 'payment'; payment: PaymentAnswer; statement?: number | undefined }
  | { is: 'bankLine'; line: BankLine }
  /** Of unidentified money it turns out whose it is: it is a payment, which is told next. */
  | { is: 'identified'; line: BankLine }
)

export type ClaimedCash = 'credited_not_paid' | 'twice' | 'wrong_amount' | 'false_note'

export interface OrderAnswer {
  id: string
  direction: string
  price: string
  price_currency: string
  status: string
}

/** Of the asset all that is sent and the fee in it, of the money what the cash increment leaves over. */
export interface QuoteAnswer {
  asset: string
  send: string
  fee: string
  rounding: string
}

export interface PaymentAnswer {
  id: string
  party: string
  direction: string
  amount: string
  currency: string
  bank: string
  state: string
}

export interface BankLine {
  bank: string
  direction: string
  kind: string
  amount: string
  currency: string
}
