/** What the checkout page is made of. No field of the consumer is among it. */
import type { Blockchain } from '../../machines/blockchains.ts'
import type { Direction } from '../../machines/order.ts'
import type { OrderStatus } from '../../machines/statuses.ts'
import type { Instant } from '../../machines/time.ts'

/** What the page may know of an order. */
export interface CheckoutOrder {
  /** UUID in lower case. */
  id: string
  status: OrderStatus
  direction: Direction
  /** ISO 3166 code, for the form of amounts and times. */
  country: string
  /** Decimal text. */
  price: string
  currency: string
  description: string
  /** Shown only while it can be used. */
  code: string
  expiryAt: Instant
  paidAt: Instant | null
  /** A link back, when it is http or https. */
  returnUrl: string
  merchantName: string
  /** Whom an end user asks; '' where the merchant has named nobody. */
  merchantContact: string
  /** Where it can be paid now; `null` while it cannot be paid. */
  places: CheckoutPlaces | null
  /** Equal for two pages that show the same; of the order's watch (actors/orders/watch.ts). */
  version: string
  /** What its end user is to send first; `null` for orders in local currency. */
  funding: CheckoutFunding | null
  /** The purchase that it gives back; `null` for an order that is no refund. */
  refund: CheckoutRefund | null
}

/** What its end user paid, as the merchant described it. */
export interface CheckoutRefund {
  description: string
  /** Decimal text in the order's currency: all of it, also where a part is given back. */
  price: string
  paidAt: Instant
}

/** The networks that take the order, the cheapest first: `count` of them, of which the first are listed. */
export interface CheckoutPlaces {
  listed: readonly CheckoutPlace[]
  count: number
}

/** What end users may know of a network. Amounts are decimal texts in the order's currency; `null` where nothing was agreed on. */
export interface CheckoutPlace {
  name: string
  min: string | null
  max: string | null
  /** What it asks beside the price. */
  counterFee: string | null
  hours: string | null
  /** What it says itself, by language. */
  text: Readonly<Record<string, string>>
}

/** How a foreign-currency order is paid for. Amounts are decimal texts in the asset. */
export interface CheckoutFunding {
  /** The blockchain as people write it. */
  network: string
  asset: string
  expected: string
  received: string
  /** `null` when nothing is missing. */
  missing: string | null
  wallet: string
  /** It can be paid; the transaction itself may be at hand a moment later. */
  isOffered: boolean
  /** A transfer was seen that is not final yet. */
  isSeen: boolean
  deadlineAt: Instant
  /** How a wallet of the end user's pays; `null` where the chain is off. */
  signing: CheckoutSigning | null
}

export interface CheckoutSigning {
  blockchain: Blockchain
  /** As wallets name it: `solana:devnet`, a passphrase, a chain id in hexadecimal. */
  network: string
  /** Whose account is credited. */
  recipient: string
  /** What is to be signed now, in the format of its blockchain; '' where there is none. */
  transaction: string
}

export type CheckoutView =
  | {
      kind: 'order'
      order: CheckoutOrder
      now: Instant
      /** How far the clock of a sandbox is ahead of the world's. */
      aheadMs?: number
      /** The reader wants no page that changes by itself (WCAG 2.2, criterion 2.2.1). */
      isPaused: boolean
    }
  /** Opened without an order. */
  | { kind: 'form' }
  /** Unknown and malformed ids alike. */
  | { kind: 'not_found' }
  /** The order could not be read; the page tries again. */
  | { kind: 'unavailable' }
