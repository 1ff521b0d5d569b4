/**
 * What a node is made of once its core is open: the public application and the workers, without listeners. Whoever has other
 * ways to it than sockets, such as the simulator, puts it together in the same way.
 */
import type Koa from 'koa'
import type { Anchoring } from '../actors/anchors/anchoring.ts'
import type { ChainWorkers } from '../actors/chains/workers.ts'
import type { NodeClock } from '../actors/condition/clock-watch.ts'
import { createOrderListing } from '../actors/orders/listing.ts'
import { createOrderWatch, type OrderWatch } from '../actors/orders/watch.ts'
import { judgeNotifyUrl } from '../actors/outbound/target.ts'
import { createCodeBudgets } from '../actors/parties/code-budgets.ts'
import { createDirectory } from '../actors/parties/party-limits.ts'
import { createQuotes } from '../actors/quotes/quotes.ts'
import { createExplanations } from '../http/api/explanations.ts'
import { checkoutRoutes } from '../http/checkout/routes.ts'
import { createStreams, type Streams } from '../http/checkout/streams.ts'
import type { ClientAddresses } from '../http/limits/client-address.ts'
import { createCodeMisses } from '../http/limits/code-misses.ts'
import { createLimits, type Limits } from '../http/limits/limits.ts'
import { createPublicApp } from '../http/public-app.ts'
import { chainWorkersOf } from './chain-workers.ts'
import type { NodeChains } from './chains.ts'
import { createCheckoutOrders, createCheckoutRelay, paymentPlaces } from './checkout-order.ts'
import type { Core } from './core.ts'
import { startWorkers, type WorkersOptions } from './node-workers.ts'
import { targetRules } from './webhook-rules.ts'

export interface AssemblyOptions extends WorkersOptions {
  /** What one caller may ask; by the settings unless said otherwise. */
  limits?: Limits
}

export interface AssemblyParts {
  treasuries: NodeChains['treasuries']
  addresses: ClientAddresses
  anchoring: Anchoring
  /** Told of each answered request: the pattern of its route, its status, and how long it took. */
  observe?: (route: string, status: number, ms: number) => void
}

export interface Assembly {
  app: Koa
  limits: Limits
  streams: Streams
  watch: OrderWatch
  /** Starts the workers: to be called once requests are served. */
  start(): ReturnType<typeof startWorkers>
}

export function assemble(
  options: AssemblyOptions,
  core: Core,
  clock: NodeClock,
  { treasuries, addresses, anchoring, observe }: AssemblyParts,
): Assembly {
  const { log, settings } = options
  const chains = chainWorkersOf(options, core, clock, treasuries)
  const watch = createOrderWatch({
    store: core.store,
    onError: (error) => log.warn({ err: error }, 'the orders being watched could not be read'),
  })
  const streams = createStreams({ watch, addresses })
  const limits = options.limits ?? createLimits(settings.limits)
  const shared = { fresh: chains.fresh, addresses, limits, streams, ...(observe ? { observe } : {}) }
  return {
    app: publicApp(options, core, clock, shared),
    limits,
    streams,
    watch,
    start: () => startWorkers(options, core, clock, { chains, anchoring }),
  }
}

/** What the public listener shares with others of the node. */
type PublicParts = Pick<ChainWorkers, 'fresh'> &
  Pick<AssemblyParts, 'addresses' | 'observe'> & {
    limits: Limits
    streams: Streams
  }

function publicApp(
  { settings, log, exemptOrigins = {} }: AssemblyOptions,
  core: Core,
  clock: NodeClock,
  { fresh, addresses, limits, streams, observe }: PublicParts,
): Koa {
  const { orders, credentials, condition, urls } = core
  const { isDrained } = core.drainWatch
  const { store } = core
  const directory = createDirectory(store)
  const { codeMissesPerMinute: perMinute, codeMissesPerDay: perDay } = settings.limits
  const misses = createCodeMisses(createCodeBudgets(store, { perMinute, perDay }), clock)
  const rulesFor = targetRules(settings, exemptOrigins)
  const findOrder = createCheckoutOrders({
    orders,
    directory,
    store,
    isDrained,
    fresh,
    clock,
    places: paymentPlaces(settings.chains),
  })
  return createPublicApp({
    api: {
      store,
      directory,
      orders,
      misses,
      isDrained,
      isTrusted: core.clockWatch.isTrusted,
      anchorNow: core.anchorNow,
      transactions: fresh,
      listing: createOrderListing({ store, orders, clock, mayExpire: core.clockWatch.isTrusted }),
      quotes: createQuotes({
        store,
        chains: core.chains,
        validityMs: settings.quotes.validitySeconds * 1000,
      }),
      clock,
      checkoutUrl: urls.checkoutUrl,
      judgeNotifyUrl: (url, merchant) => judgeNotifyUrl(url, rulesFor(merchant)),
    },
    pages: [
      checkoutRoutes({
        checkoutUrl: urls.checkoutUrl,
        frameAncestors: settings.http.frameAncestors,
        async findOrder(id) {
          const order = await findOrder(id)
          if (order !== null) limits.noteOrder(id, clock.now())
          return order
        },
        relay: createCheckoutRelay(orders, core.chains),
        streams,
        clock,
      }),
    ],
    credentials,
    clock,
    toleranceMs: settings.signature.toleranceSeconds * 1000,
    explanations: createExplanations({ areTold: settings.mode === 'sandbox' }),
    limits,
    addresses,
    condition,
    ...(observe ? { observe } : {}),
    log,
  })
}
