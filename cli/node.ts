/**
 * The node: builds all real things, starts and stops them. Tests start the same object with other clocks.
 */
import { randomBytes } from 'node:crypto'
import type { RequestListener } from 'node:http'
import type Koa from 'koa'
import cron from 'node-cron'
import type { Logger } from 'pino'
import { type ActorRefFrom, createActor, waitFor } from 'xstate'
import { createAlarmWatch } from '../actors/alarms.ts'
import { type Anchoring, createAnchoring } from '../actors/anchors/anchoring.ts'
import { createOrderListing } from '../actors/orders/listing.ts'
import { createOrderWatch } from '../actors/orders/watch.ts'
import { createDirectory } from '../actors/parties.ts'
import { createQuotes } from '../actors/quotes/quotes.ts'
import { createAskSource } from '../actors/rates/ask.ts'
import { forgetAnswers } from '../actors/workers/answer-retention.ts'
import { createArchiving } from '../actors/workers/archiving.ts'
import type { ChainWorkers } from '../actors/workers/chains.ts'
import type { NodeClock } from '../actors/workers/clock-watch.ts'
import { expireDueOrders } from '../actors/workers/expiry.ts'
import { fundWaitingOrders } from '../actors/workers/funding.ts'
import { whileLeading } from '../actors/workers/leading.ts'
import { createRateRefresh, type RateRefresh } from '../actors/workers/rates.ts'
import { root, type WorkerDefinition } from '../actors/workers/root.ts'
import { createResolver } from '../actors/workers/webhook-resolver.ts'
import { pruneWebhooks } from '../actors/workers/webhook-retention.ts'
import { createWebhookSender, type WebhookSender } from '../actors/workers/webhook-sender.ts'
import { interfaceAddresses, judgeNotifyUrl, type TargetRules } from '../actors/workers/webhook-target.ts'
import { createWebhookDelivery, type WebhookDelivery } from '../actors/workers/webhooks.ts'
import { type PassResult, worker } from '../actors/workers/worker.ts'
import { checkoutRoutes } from '../http/checkout/routes.ts'
import { createStreams, type Streams } from '../http/checkout/streams.ts'
import { answerRefusal } from '../http/errors.ts'
import { createClientAddresses } from '../http/limits/client-address.ts'
import { limitConnections } from '../http/limits/connections.ts'
import { createLimits } from '../http/limits/limits.ts'
import { createPublicApp } from '../http/public-app.ts'
import { merchantRoutes } from '../http/routes/merchant.ts'
import { providerRoutes } from '../http/routes/provider.ts'
import { quoteRoutes } from '../http/routes/quotes.ts'
import { productionRetries, sandboxRetries } from '../machines/retry.ts'
import { standardBallastBytes } from '../persistence/index.ts'
import { LineLog } from '../persistence/line-log.ts'
import type { Store } from '../persistence/store.ts'
import { anchorsFileOfNode } from './anchors-file.ts'
import { archiveFolderOf, openArchiveFiles } from './archive-files.ts'
import { scheduleBackups } from './backup/schedule.ts'
import { chainWorkersOf } from './chain-workers.ts'
import { openNodeChains } from './chains.ts'
import { createCheckoutOrders, createCheckoutRelay, paymentPlaces } from './checkout-order.ts'
import type { Settings } from './config.ts'
import { type Core, openCore } from './core.ts'
import { createHttpServer, listen, stopServing } from './listeners.ts'
import { createMetrics, type Metrics } from './metrics/metrics.ts'
import { startOperatorListener } from './operator-listener.ts'
import { systemClock } from './system-clock.ts'

export interface NodeOptions {
  settings: Settings
  log: Logger
  clock?: NodeClock
  /** Private origins that a merchant's webhooks may go to all the same, by its name: the demo's receiver. */
  exemptOrigins?: Readonly<Record<string, readonly string[]>>
  /** Another way to the merchants' receivers: a test's, with names and certificates of its own. */
  webhookSender?: WebhookSender
  /** What is kept beside a SQLite database for a full disk; 64 MB unless said otherwise. */
  ballastBytes?: number
  /** As in `CoreOptions`. */
  groupCommit?: boolean
  /** The database has failed: the node has to be stopped, and what is true is read at the next start. */
  onFailure?: (error: Error) => void
}

export interface Node {
  readonly core: Core
  readonly publicUrl: string
  readonly operatorUrl: string
  /** The root actor, for the inspector. */
  readonly workers: ActorRefFrom<typeof root>
  /** Stops accepting, finishes what is in flight, returns leases, checkpoints. */
  stop(): Promise<void>
}

/**
 * A sweep that a busy node has missed is no news: the next one, or the worker's own poll, does the same. The
 * library would write about it to the console, between the lines of the log.
 */
const quietly = { suppressMissedWarning: true }

/** How long answers under way may take once the node is told to stop. */
const stopGraceMs = 5_000
const pollMs = {
  funding: 5_000,
  expiry: 60_000,
  clock: 1_000,
  drain: 1_000,
  rates: 60_000,
  webhooks: 1_000,
  watch: 60_000,
  retention: 86_400_000,
}

/** @throws CommandError with the exit code of what is wrong. */
export async function startNode(options: NodeOptions): Promise<Node> {
  const { settings, log } = options
  const clock = options.clock ?? systemClock
  // The port first: the checkout's address, which orders carry, may depend on it.
  let handle: RequestListener = refuseWhileStarting
  const server = createHttpServer((request, response) => handle(request, response))
  limitConnections(server, {
    addresses: createClientAddresses(settings.http.trustedProxies),
    clock,
    onExcess: (address) =>
      log.warn({ address }, 'too many connections; is it a proxy for http.trustedProxies?'),
  })
  const publicPort = await listen(server, { ...settings.http, setting: 'http.port' })
  const undo = [() => stopServing(server, 0)]
  try {
    const opened = await openNodeChains(settings.chains, clock)
    undo.push(() => opened.close())
    const core = await openCore(settings, {
      clock,
      publicPort,
      chains: opened.chains,
      ballastBytes: options.ballastBytes ?? standardBallastBytes,
      ...(options.groupCommit === undefined ? {} : { groupCommit: options.groupCommit }),
      onStoreFailure: (error) => {
        log.fatal({ err: error }, 'the database has failed')
        options.onFailure?.(error)
      },
    })
    undo.push(() => core.store.close())
    const backups = scheduleBackups(settings.backups, core, log)
    undo.push(async () => backups?.stop())
    const metrics = createMetrics({
      core,
      clock,
      file: settings.database.engine === 'sqlite' ? settings.database.file : null,
      lastBackupAt: core.backups.lastAt,
    })
    const operator = await startOperatorListener({ settings, core, clock, log, metrics: metrics.page })
    undo.push(() => operator.stop(0))
    const chainWorkers = chainWorkersOf(options, core, clock)
    const watch = createOrderWatch({
      store: core.store,
      onError: (error) => log.warn({ err: error }, 'the orders that are looked at could not be read'),
    })
    const addresses = createClientAddresses(settings.http.trustedProxies)
    const streams = createStreams({ watch, addresses })
    handle = publicApp(options, core, clock, { ...chainWorkers, streams, metrics }).callback()
    const workers = startWorkers(options, core, clock, chainWorkers)
    operator.showWorkers(workers.root)
    core.condition.send({ type: 'serve' })
    return {
      core,
      publicUrl: core.urls.publicUrl,
      operatorUrl: operator.url,
      workers: workers.root,
      async stop() {
        core.condition.send({ type: 'drain' })
        streams.close()
        watch.stop()
        await Promise.all([stopServing(server, stopGraceMs), operator.stop(stopGraceMs)])
        await opened.close()
        await backups?.stop()
        await core.backups.finish()
        await workers.stop()
        await core.store.close()
      },
    }
  } catch (error) {
    for (const step of undo.reverse()) await step()
    throw error
  }
}

const refuseWhileStarting: RequestListener = (_, response) => {
  const refusal = answerRefusal({ name: 'unavailable' })
  response.writeHead(refusal.status, refusal.headers).end(refusal.body)
}

function publicApp(
  { settings, log, exemptOrigins = {} }: NodeOptions,
  core: Core,
  clock: NodeClock,
  { fresh, streams, metrics }: ChainWorkers & { streams: Streams; metrics: Metrics },
): Koa {
  const { orders, credentials, condition, urls } = core
  const { isDrained } = core.drainWatch
  const { store } = core
  const directory = createDirectory(store)
  const limits = createLimits(settings.limits)
  const rulesFor = targetRules(settings, exemptOrigins)
  return createPublicApp({
    routes: [
      ...providerRoutes({ directory, orders, misses: limits.codeMisses, clock, isDrained }),
      ...merchantRoutes({
        directory,
        orders,
        isDrained,
        foreignOrders: core.foreignOrders,
        transactions: fresh,
        listing: createOrderListing({ store, orders, clock, mayExpire: core.clockWatch.isTrusted }),
        clock,
        checkoutUrl: urls.checkoutUrl,
        judgeNotifyUrl: (url, merchant) => judgeNotifyUrl(url, rulesFor(merchant)),
      }),
      ...quoteRoutes({
        quotes: createQuotes({
          store,
          chains: core.chains,
          validityMs: settings.quotes.validitySeconds * 1000,
        }),
        orders,
        isDrained,
      }),
    ],
    pages: [
      checkoutRoutes({
        checkoutUrl: urls.checkoutUrl,
        frameAncestors: settings.http.frameAncestors,
        findOrder: createCheckoutOrders({
          orders,
          directory,
          fresh,
          clock,
          places: paymentPlaces(settings.chains),
        }),
        relay: createCheckoutRelay(orders, core.chains),
        streams,
        clock,
      }),
    ],
    credentials,
    clock,
    toleranceMs: settings.signature.toleranceSeconds * 1000,
    limits,
    addresses: createClientAddresses(settings.http.trustedProxies),
    condition,
    observe: metrics.observe,
    log,
  })
}

/** Where a merchant's webhooks may go. */
function targetRules(
  settings: Settings,
  exemptOrigins: Readonly<Record<string, readonly string[]>>,
): (merchant: string) => TargetRules {
  const { allowPrivate, ports } = settings.webhooks
  return (merchant) => ({
    allowPrivate,
    ports,
    exemptOrigins: exemptOrigins[merchant] ?? [],
    ownAddresses: interfaceAddresses,
  })
}

function startWorkers(options: NodeOptions, core: Core, clock: NodeClock, chains: ChainWorkers) {
  const { log } = options
  const { retentionDays } = options.settings.webhooks
  const { store, orders, clockWatch } = core
  const mayExpire = clockWatch.isTrusted
  const anchoring = anchoringOf(options, core, clock)
  const webhooks = webhookDelivery(options, core, clock, () => wake('webhooks'))
  const rates = rateRefresh(options, core, clock)
  const leading = (role: string, pass: (own: Store) => Promise<PassResult>) =>
    whileLeading({ store, clock }, role, pass)
  const { isTrusted } = clockWatch
  const prune = (own: Store) => pruneWebhooks(own, { retentionDays, clock, isTrusted })
  const forget = (own: Store) => forgetAnswers(own, { clock, isTrusted })
  const archive = archivingOf(options, core, clock)
  const polling = (
    id: string,
    interval: number,
    pass: () => Promise<PassResult>,
    finish = async () => {},
  ): WorkerDefinition => ({
    id,
    logic: worker,
    input: {
      pass,
      finish,
      clock,
      pollMs: interval,
      onError: (error: unknown) => log.error({ err: error, worker: id }, 'a pass failed'),
    },
  })
  const actor = createActor(root, {
    input: {
      workers: [
        polling('clock', pollMs.clock, clockWatch.look),
        polling('drain', pollMs.drain, core.drainWatch.look),
        polling('funding', pollMs.funding, () => fundWaitingOrders(store, orders)),
        polling('expiry', pollMs.expiry, () => expireDueOrders(store, orders, { clock, mayExpire })),
        polling('rates', pollMs.rates, rates.pass),
        polling('webhooks', pollMs.webhooks, webhooks.pass, webhooks.finish),
        polling('retention', pollMs.retention, leading('retention', prune)),
        polling('answers', pollMs.retention, leading('answers', forget)),
        ...archive.map((pass) => polling('archive', pollMs.retention, leading('archive', pass))),
        // Told once, not by every node.
        polling('alarms', pollMs.watch, leading('alarms', createAlarmWatch({ store, clock, log }))),
        ...chains.passes.map(({ id, pass, pollMs }) =>
          // Endpoints are asked once for all nodes, but for what each of them answers its own users with.
          polling(id, pollMs, /^(deposits|sightings):/.test(id) ? leading(id, pass) : pass),
        ),
        polling('anchors', pollMs.watch, anchoring.pass, anchoring.finish),
      ],
    },
  }).start()
  const wake = (id: string) => actor.send({ type: 'worker.wake', id })
  const subscriptions = [
    store.subscribe('funding', () => wake('funding')),
    store.subscribe('webhooks', () => wake('webhooks')),
    store.subscribe('provisioning', webhooks.lookAgain),
    store.subscribe('provisioning', () => wake('rates')),
  ]
  const sweeps = [
    cron.schedule('* * * * * *', () => wake('expiry'), quietly),
    // At night, when little else is to do.
    cron.schedule('17 3 * * *', () => wake('retention'), quietly),
    cron.schedule('47 3 * * *', () => wake('answers'), quietly),
    cron.schedule('17 4 * * *', () => wake('archive'), quietly),
  ]
  return {
    root: actor,
    async stop() {
      for (const unsubscribe of subscriptions) unsubscribe()
      for (const sweep of sweeps) await sweep.destroy()
      rates.stop()
      actor.send({ type: 'workers.stop' })
      await waitFor(actor, (snapshot) => snapshot.status === 'done')
    },
  }
}

/** None where orders are kept for ever. */
function archivingOf(
  { settings, log }: NodeOptions,
  { clockWatch, condition, journalKey }: Core,
  clock: NodeClock,
): ReturnType<typeof createArchiving>[] {
  const { ordersDays } = settings.retention
  if (ordersDays === null) return []
  const writer = settings.database.engine === 'sqlite' ? null : randomBytes(4).toString('hex')
  const files = openArchiveFiles(archiveFolderOf(settings), writer)
  const { isTrusted } = clockWatch
  return [createArchiving({ ordersDays, journalKey, files, condition, clock, isTrusted, log })]
}

function rateRefresh({ log }: NodeOptions, core: Core, clock: NodeClock): RateRefresh {
  const { store, condition, rates } = core
  const ask = createAskSource(rates.rules, createResolver())
  return createRateRefresh({ store, table: rates.table, ask, clock, condition, log })
}

function anchoringOf({ settings, log }: NodeOptions, core: Core, clock: NodeClock): Anchoring {
  const { store, condition, journalKey } = core
  const anchors = new LineLog(anchorsFileOfNode(settings))
  return createAnchoring({ store, clock, condition, journalKey, anchors, log })
}

function webhookDelivery(
  { settings, log, exemptOrigins = {}, webhookSender }: NodeOptions,
  { store, credentials, clockWatch }: Core,
  clock: NodeClock,
  wake: () => void,
): WebhookDelivery {
  const timeoutMs = settings.webhooks.timeoutSeconds * 1000
  return createWebhookDelivery({
    store,
    clock,
    credentials,
    sender:
      webhookSender ?? createWebhookSender({ resolve: createResolver(), limits: { totalMs: timeoutMs } }),
    rulesFor: targetRules(settings, exemptOrigins),
    policy: settings.mode === 'production' ? productionRetries : sandboxRetries,
    timeoutMs,
    isTrusted: clockWatch.isTrusted,
    log,
    wake,
  })
}
