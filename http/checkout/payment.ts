/** How a foreign-currency order is paid for from this page: with a wallet in the browser, or with one on a phone. */
import { type BlockchainFamily, blockchainFacts } from '../../machines/blockchains.ts'
import type { Instant } from '../../machines/time.ts'
import { formatAssetAmount, type Locale } from '../pages/locale.ts'
import { qrSvg } from '../pages/qr.ts'
import { fundingState } from './funding.ts'
import type { PaymentData } from './template.ts'
import { texts } from './texts/index.ts'
import type { CheckoutOrder, CheckoutSigning } from './view.ts'

/** `null` while there is nothing to sign. */
export function paymentPart(
  order: CheckoutOrder,
  now: Instant,
  locale: Locale,
  checkoutUrl: string,
): PaymentData | null {
  const { funding } = order
  if (funding === null || funding.signing === null || order.status !== 'CREATED') return null
  const state = fundingState(funding, now)
  if (state !== 'waiting' && state !== 'partial') return null
  const { signing } = funding
  const words = texts[locale].payment
  const amount = `${formatAssetAmount(locale, order.country, funding.missing ?? '0')} ${funding.asset}`
  const fact = (label: string, value: string) => ({ label, value, datetime: null })
  return {
    heading: words.heading,
    facts: [
      fact(texts[locale].send, amount),
      fact(texts[locale].network, networkName(funding.network, signing)),
      fact(texts[locale].wallet, funding.wallet),
      fact(words.to, signing.recipient),
    ],
    settings: JSON.stringify({
      family: blockchainFacts[signing.blockchain].family,
      network: signing.network,
      address: funding.wallet,
      url: `${new URL(checkoutUrl).pathname.replace(/\/$/, '')}/${order.id}`,
      names: { amount, network: funding.network, networkName: networkName(funding.network, signing) },
      words: words.said,
    }),
    noScript: words.noScript,
    ...placesOf(order, signing, locale, `${checkoutUrl}/${order.id}`),
  }
}

/** A test network as people write it, of the name that wallets have for it. */
const testNames: Readonly<Record<BlockchainFamily, (network: string) => string>> = {
  solana: (network) => network.slice('solana:'.length),
  stellar: (network) => network.split(' ; ', 1).join(''),
  evm: (network) => Number(network).toString(),
}

/** A test network is told from the real one: what is on it is worth nothing. */
function networkName(name: string, { blockchain, network }: CheckoutSigning): string {
  const { family, mainNetwork } = blockchainFacts[blockchain]
  return network === mainNetwork ? name : `${name} (${testNames[family](network)})`
}

/** Where the wallet may be besides in this browser: in an app of this very device, or on another one. */
function placesOf(
  order: CheckoutOrder,
  signing: CheckoutSigning,
  locale: Locale,
  url: string,
): Pick<PaymentData, 'here' | 'elsewhere'> {
  const words = texts[locale]
  const { here, elsewhere } = words.payment
  const { summary } = elsewhere
  const copies = { copy: here.copy, copied: words.copied }
  const href = walletLink(order, signing, url)
  if (href === null) {
    return {
      here: { lead: here.visit, link: null, ...copies },
      elsewhere: { summary, lead: elsewhere.visit, qr: qrSvg(url, elsewhere.qr), link: null },
    }
  }
  return {
    here: { lead: here.opens, link: { href, text: here.open }, ...copies },
    elsewhere: {
      summary,
      lead: elsewhere.scan,
      qr: qrSvg(href, elsewhere.qr),
      link: { href, text: elsewhere.open },
    },
  }
}

/**
 * Solana: a transaction request of Solana Pay. Stellar: SEP-7. EVM chains have none: a link of EIP-681 cannot carry the
 * order's reference, and a payment without it would have to be looked for by a person.
 */
function walletLink(order: CheckoutOrder, signing: CheckoutSigning, url: string): string | null {
  switch (blockchainFacts[signing.blockchain].family) {
    case 'solana':
      // Solana Pay knows the main network only by its wallets' settings, and addresses by https alone.
      return url.startsWith('https:') ? `solana:${url}/solana-pay` : null
    case 'stellar': {
      const wallet = order.funding?.wallet ?? ''
      const query = [
        ['xdr', signing.transaction],
        ['network_passphrase', signing.network],
        ['pubkey', wallet],
      ]
      const text = query.map(([name, value]) => `${name}=${encodeURIComponent(value ?? '')}`).join('&')
      return signing.transaction === '' ? null : `web+stellar:tx?${text}`
    }
    case 'evm':
      return null
  }
}
