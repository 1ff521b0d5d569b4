/** What the page says of a foreign-currency order while its end user is to pay for it on a blockchain. */
import type { Instant } from '../../machines/time.ts'
import { formatAssetAmount, formatTime, type Locale } from '../pages/locale.ts'
import type { Fact } from './template.ts'
import { texts } from './texts/index.ts'
import type { FundingFacts, FundingState } from './texts/texts.ts'
import type { CheckoutFunding, CheckoutOrder } from './view.ts'

export interface FundingPart {
  heading: string
  lead: string
  /** Until when something can be sent; `null` when nothing is to be sent. */
  until: Instant | null
}

/** `null` for an order that needs nothing from its end user any more. */
export function fundingPart(order: CheckoutOrder, now: Instant, locale: Locale): FundingPart | null {
  const { funding } = order
  if (funding === null || order.status !== 'CREATED') return null
  const state = fundingState(funding, now)
  const { heading, lead } = texts[locale].funding[state]
  const isOpen = state !== 'closed' && state !== 'seen'
  return { heading, lead: lead(factsOf(order, funding, locale)), until: isOpen ? funding.deadlineAt : null }
}

export function fundingState(funding: CheckoutFunding, now: Instant): FundingState {
  if (funding.isSeen || funding.missing === null) return 'seen'
  if (now > funding.deadlineAt) return 'closed'
  if (Number(funding.received) > 0) return 'partial'
  return funding.isOffered ? 'waiting' : 'building'
}

function factsOf(order: CheckoutOrder, funding: CheckoutFunding, locale: Locale): FundingFacts {
  const { missing, received, network } = funding
  return {
    missing: amount(missing ?? '0', order, locale),
    received: amount(received, order, locale),
    network,
    merchant: order.merchantName,
  }
}

/**
 * What was agreed about the transfer, for whoever compares it with a wallet; without what stands beside the wallets
 * of the page already.
 */
export function fundingFacts(order: CheckoutOrder, locale: Locale, hasWallets: boolean): Fact[] {
  const { funding, country } = order
  if (funding === null) return []
  const words = texts[locale]
  const fact = (label: string, value: string): Fact => ({ label, value, datetime: null })
  const isWaiting = order.status === 'CREATED'
  const hasCome = Number(funding.received) > 0
  return [
    ...(isWaiting && (hasCome || !hasWallets)
      ? [fact(words.send, amount(funding.expected, order, locale))]
      : []),
    ...(hasCome ? [fact(words.received, amount(funding.received, order, locale))] : []),
    ...(hasWallets ? [] : [fact(words.network, funding.network), fact(words.wallet, funding.wallet)]),
    ...(isWaiting
      ? [
          {
            label: words.sendBefore,
            value: formatTime(locale, country, funding.deadlineAt),
            datetime: new Date(funding.deadlineAt).toISOString(),
          },
        ]
      : []),
  ]
}

function amount(text: string, { country, funding }: CheckoutOrder, locale: Locale): string {
  return `${formatAssetAmount(locale, country, text)}\u00A0${funding?.asset ?? ''}`
}
