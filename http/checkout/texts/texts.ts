/** Everything the checkout page says. A text that a language misses does not compile. */
import type { Direction } from '../../../machines/order.ts'
import type { OrderStatus } from '../../../machines/statuses.ts'

/** What a text may mention, already in the form of its language. */
export interface Facts {
  amount: string
  merchant: string
}

/** A purchase that is given back, in the form of its language. */
export interface PurchaseFacts {
  what: string
  amount: string
  merchant: string
  time: string
}

/** The same of an order that its end user pays for on a blockchain. */
export interface FundingFacts {
  /** What is to be sent now, with the asset's name. */
  missing: string
  received: string
  network: string
  merchant: string
}

/** The state of a foreign-currency order that is CREATED. */
export type FundingState = 'building' | 'waiting' | 'partial' | 'seen' | 'closed'

interface StateTexts<About> {
  /** The state in words. */
  heading: string
  /** What that means, or what to do next. */
  lead: (facts: About) => string
}

/** Names in braces are put in by the script: `{wallet}`, `{amount}`, `{network}`, `{networkName}`, `{address}`. */
export interface WalletTexts {
  looking: string
  none: string
  connect: string
  connecting: string
  connected: string
  sign: string
  signing: string
  sent: string
  again: string
  other: string
  problems: Record<WalletProblem, string>
}

export type WalletProblem =
  | 'wrong_network'
  | 'other_account'
  | 'refused'
  | 'insufficient'
  | 'expired'
  | 'paid'
  | 'closed'
  | 'building'
  | 'unavailable'
  | 'failed'

interface PlacesTexts {
  heading: string
  /** From, to, both or neither: then there is nothing to say. */
  limits: (min: string | null, max: string | null) => string | null
  counterFee: (amount: string) => string
  hours: (hours: string) => string
  /** So many networks that are not listed. */
  more: (count: number) => string
  bringHeading: string
  bringCode: string
  bringCash: (amount: string) => string
  bringFee: string
}

interface PaymentTexts {
  heading: string
  /** Whose account is credited. */
  to: string
  noScript: string
  /** On a phone: the wallet is another app of it. */
  here: { open: string; opens: string; visit: string; copy: string }
  elsewhere: { summary: string; scan: string; visit: string; qr: string; open: string }
  said: WalletTexts
}

export interface Texts {
  /** The language's own name. */
  language: string
  languages: string
  statuses: Record<Direction, Record<OrderStatus, StateTexts<Facts>>>
  funding: Record<FundingState, StateTexts<FundingFacts>>
  payment: PaymentTexts
  places: PlacesTexts
  /** What the asset's amount is to an end user who looks for it. */
  send: string
  network: string
  received: string
  wallet: string
  sendBefore: string
  titles: Record<Direction, string>
  /** The amount, where another one is to be sent first. */
  receive: string
  amount: string
  code: string
  qr: string
  barcode: string
  copy: string
  copied: string
  print: string
  /** The page could not be asked for anew. */
  /** Of a node that handles no money. */
  sandbox: string
  offline: string
  /** `by` is a duration. */
  aheadClock: (by: string) => string
  keepSecret: string
  stepsHeading: Record<Direction, string>
  steps: Record<Direction, (facts: Facts) => readonly string[]>
  timeLeft: string
  lessThanAMinute: string
  validUntil: string
  expired: string
  paid: Record<Direction, string>
  /** The purchase that a refund gives back. */
  refund: { label: string; purchase: (facts: PurchaseFacts) => string }
  description: string
  merchant: string
  /** Whom to ask. */
  contact: string
  reference: string
  refreshes: string
  refreshNow: string
  pause: string
  isPaused: string
  resume: string
  backTo: (merchant: string) => string
  form: { heading: string; lead: string; label: string; hint: string; button: string }
  notFound: { heading: string; lead: string }
  unavailable: { heading: string; lead: string }
}
