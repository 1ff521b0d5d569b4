/** The public application over what it reads by itself and what it asks of the core, whichever thread that is on. */
import type Koa from 'koa'
import type { Logger } from 'pino'
import { isPayable } from '../../actors/chains/transactions.ts'
import { type Clock, worldNow } from '../../actors/foundation/clock.ts'
import { createSignatureKeys } from '../../actors/keys/credentials.ts'
import { type ChainExpiryOptions, outageBefore } from '../../actors/orders/chain-expiry.ts'
import { isDueWhile } from '../../actors/orders/due.ts'
import { createOrderListing } from '../../actors/orders/listing.ts'
import { createOrderReads, type PublicOrders } from '../../actors/orders/registry.ts'
import { createOrderWatch, type OrderWatch } from '../../actors/orders/watch.ts'
import { judgeNotifyUrl } from '../../actors/outbound/target.ts'
import { createDirectory } from '../../actors/parties/party-limits.ts'
import { inboxUrl, isInboxUrl } from '../../actors/sandbox/inbox.ts'
import { createExplanations } from '../../http/api/explanations.ts'
import { inboxRoute } from '../../http/api/inbox.ts'
import { createRequestNotes } from '../../http/api/request-notes.ts'
import { checkoutRoutes } from '../../http/checkout/routes.ts'
import { createStreams, type Streams } from '../../http/checkout/streams.ts'
import type { ClientAddresses } from '../../http/limits/client-address.ts'
import { createCodeMisses } from '../../http/limits/code-misses.ts'
import type { Limits } from '../../http/limits/limits.ts'
import { createPublicApp } from '../../http/public-app.ts'
import type { Store } from '../../persistence/store.ts'
import { createCheckoutOrders, paymentPlaces } from '../checkout-order.ts'
import type { Settings } from '../settings/config.ts'
import { targetRules } from '../webhook-rules.ts'
import type { CoreCalls } from './core-calls.ts'

/** What the front has to know of its node, as data. */
export interface FrontFacts {
  settings: Settings
  publicUrl: string
  checkoutUrl: string
  /** As in `AssemblyOptions`. */
  exemptOrigins: Readonly<Record<string, readonly string[]>>
  chainExpiry: ChainExpiryOptions
  /** Decimals of what the chains that are on take, by `BLOCKCHAIN SYMBOL`. */
  assets: ReadonlyMap<string, number>
  /** What the tokens of inboxes are made with; `null` in production. */
  inboxKey: string | null
}

/** What may change at any moment, and is asked for each time. */
export interface FrontConditions {
  isDrained(): boolean
  /** False while the clock is in doubt. The core judges again. */
  mayExpire(): boolean
}

export interface FrontParts {
  facts: FrontFacts
  conditions: FrontConditions
  calls: CoreCalls
  /** What is committed, whoever has. */
  store: Pick<Store, 'query' | 'subscribe'>
  clock: Clock
  log: Logger
  limits: Limits
  addresses: ClientAddresses
  /** Told of each answered request: the pattern of its route, its status, and how long it took. */
  observe?: (route: string, status: number, ms: number) => void
}

export interface FrontApplication {
  app: Koa
  streams: Streams
  watch: OrderWatch
}

export function createFrontApplication(parts: FrontParts): FrontApplication {
  const { facts, conditions, calls, store, clock, log, limits, addresses, observe } = parts
  const { settings, publicUrl, checkoutUrl, assets } = facts
  const { isDrained, mayExpire } = conditions
  const watch = createOrderWatch({
    store,
    onError: (error) => log.warn({ err: error }, 'the orders being watched could not be read'),
  })
  const streams = createStreams({ watch, addresses })
  const orders = ordersOf(parts)
  const directory = createDirectory(store)
  const { inboxKey } = facts
  const isInbox = (url: string) => inboxKey !== null && isInboxUrl(publicUrl, inboxKey, url)
  const rulesFor = targetRules(settings, facts.exemptOrigins, isInbox)
  const transactions = {
    // Most are not, and that is known here.
    offer: async (...[order, foreign, at]: Parameters<CoreCalls['offer']>) =>
      isPayable(order, foreign, at) ? calls.offer({ status: order.status }, foreign, at) : '',
  }
  const findOrder = createCheckoutOrders({
    orders,
    directory,
    store,
    isDrained,
    transactions,
    clock,
    places: paymentPlaces(settings.chains),
  })
  const app = createPublicApp({
    publicUrl,
    api: {
      store,
      directory,
      orders,
      misses: createCodeMisses({ take: calls.takeLooks }, clock),
      isDrained,
      withdraw: calls.withdraw,
      anchorNow: calls.anchorNow,
      sendReport: calls.sendReport,
      openClaim: calls.openClaim,
      tellClaim: calls.tellClaim,
      resendWebhook: calls.resendWebhook,
      resendWebhooks: calls.resendWebhooks,
      ping: calls.ping,
      transactions,
      listing: createOrderListing({
        store,
        orders: { tryExpire: calls.tryExpire, outageBefore: (now) => outageBefore(facts.chainExpiry, now) },
        clock,
        mayExpire,
      }),
      quotes: {
        create: calls.quote,
        assetDecimals: (blockchain, symbol) => assets.get(`${blockchain} ${symbol}`),
      },
      clock,
      checkoutUrl,
      judgeNotifyUrl: (url, merchant) => judgeNotifyUrl(url, rulesFor(merchant)),
    },
    sandbox:
      inboxKey === null
        ? null
        : {
            ...calls,
            ...createRequestNotes(calls),
            store,
            orders,
            inboxOf: (merchantId) => inboxUrl(publicUrl, inboxKey, merchantId),
          },
    pages: [
      ...(inboxKey === null
        ? []
        : [inboxRoute({ publicUrl, inboxKey, receive: calls.receive, store, clock })]),
      checkoutRoutes({
        isSandbox: settings.mode === 'sandbox',
        checkoutUrl,
        frameAncestors: settings.http.frameAncestors,
        async findOrder(id) {
          const order = await findOrder(id)
          if (order !== null) limits.noteOrder(id, worldNow(clock))
          return order
        },
        relay: calls.relay,
        streams,
        clock,
      }),
    ],
    credentials: createSignatureKeys({ store, openSecret: calls.openSecret, writeUse: calls.recordUse }),
    clock,
    toleranceMs: settings.signature.toleranceSeconds * 1000,
    refusesTestKeys: settings.mode === 'production',
    keepsRequests: settings.mode === 'sandbox',
    explanations: createExplanations({ areTold: settings.mode === 'sandbox' }),
    limits,
    addresses,
    readiness: calls.readiness,
    ...(observe ? { observe } : {}),
    log,
  })
  return { app, streams, watch }
}

function ordersOf({ store, clock, calls, conditions }: FrontParts): PublicOrders {
  const { create, tell, refuseOnce, lookAtQuote, tryExpire } = calls
  const due = { isDue: isDueWhile(conditions.mayExpire), tryExpire }
  return { ...createOrderReads({ store, clock, due }), create, tell, refuseOnce, lookAtQuote }
}
