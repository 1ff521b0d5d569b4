/** What the bookkeeper is told: what was answered, and what banks did. */

/** Amounts are decimal texts, as answers have them. */
export type Fact = { at: number } & (
  | { is: 'order'; merchant: string; country: string; order: OrderAnswer; network: string | null }
  | { is: 'resolution'; order: string; as: 'honour' | 'return' | 'dismiss' }
  | { is: 'deposit' | 'reversal'; merchant: string; currency: string; amount: string }
  | { is: 'payment'; payment: PaymentAnswer; statement?: number | undefined }
  | { is: 'bankLine'; line: BankLine }
  /** Of unidentified money it turns out whose it is: it is a payment, which is told next. */
  | { is: 'identified'; line: BankLine }
)

interface OrderAnswer {
  id: string
  direction: string
  price: string
  price_currency: string
  status: string
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
