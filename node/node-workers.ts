/** The node's workers under one root: what each does, how often, and what wakes it. */
import { randomBytes } from 'node:crypto'
import type { Logger } from 'pino'
import { createActor, waitFor } from 'xstate'
import { type Anchoring, createAnchoring } from '../actors/anchors/anchoring.ts'
import { createArchiving } from '../actors/archive/archiving.ts'
import { createWebhookTransactions } from '../actors/chains/webhook-transactions.ts'
import type { ChainWorkers } from '../actors/chains/workers.ts'
import { createAlarmWatch } from '../actors/condition/alarms.ts'
import type { NodeClock } from '../actors/condition/clock-watch.ts'
import { whileLeading } from '../actors/foundation/leading.ts'
import { root, type WorkerDefinition } from '../actors/foundation/root.ts'
import { type PassResult, worker } from '../actors/foundation/worker.ts'
import { createApprovalWork } from '../actors/operations/approval-work.ts'
import { forgetAnswers } from '../actors/orders/answer-retention.ts'
import { makeDigests } from '../actors/orders/digest-making.ts'
import { expireDueOrders } from '../actors/orders/expiry.ts'
import { fundWaitingOrders } from '../actors/orders/funding.ts'
import { createStuckOrders, type StuckOrders } from '../actors/orders/stuck-orders.ts'
import { createResolver } from '../actors/outbound/resolver.ts'
import { createAskSource } from '../actors/rates/ask.ts'
import { createRateRefresh, type RateRefresh } from '../actors/rates/refresh.ts'
import { createReportWork } from '../actors/reconciliation/applying-sent.ts'
import { sandboxRole } from '../actors/sandbox/advancing.ts'
import { createSimulationWork } from '../actors/sandbox/scheduled.ts'
import { createClosing } from '../actors/settlement/closing-worker.ts'
import { planComingDays } from '../actors/terms/planning.ts'
import { WebhookDelivery } from '../actors/webhooks/delivery.ts'
import { pruneWebhooks } from '../actors/webhooks/retention.ts'
import { createWebhookSender, type WebhookSender } from '../actors/webhooks/sender.ts'
import { productionRetries, sandboxRetries } from '../machines/retry.ts'
import { LineLog } from '../persistence/line-log.ts'
import type { Store } from '../persistence/store.ts'
import { anchorsFileOfNode } from './anchors-file.ts'
import { archiveFolderOf, openArchiveFiles } from './archive-files.ts'
import type { Core } from './core.ts'
import { scheduleByLocalTime } from './local-schedule.ts'
import { notificationWorkersOf } from './notification-workers.ts'
import { type ClockMoving, clockMovingOf, nightly } from './sandbox-clock.ts'
import { createThreadedSender } from './sender-thread.ts'
import type { Settings } from './settings/config.ts'
import { targetRules } from './webhook-rules.ts'

export interface WorkersOptions {
  settings: Settings
  log: Logger
  /** Private origins that a merchant's webhooks may go to all the same, by its name: the demo's receiver. */
  exemptOrigins?: Readonly<Record<string, readonly string[]>>
  /** Another way to the merchants' receivers: a test's, with names and certificates of its own. */
  webhookSender?: WebhookSender
}

const pollMs = {
  funding: 5_000,
  expiry: 1_000,
  clock: 1_000,
  drain: 1_000,
  rates: 60_000,
  webhooks: 1_000,
  watch: 60_000,
  retention: 86_400_000,
  days: 21_600_000,
  closing: 5_000,
}

export function startWorkers(
  options: WorkersOptions,
  core: Core,
  clock: NodeClock,
  { chains, anchoring }: { chains: ChainWorkers; anchoring: Anchoring },
) {
  const { log } = options
  const { retentionDays } = options.settings.webhooks
  const { store, orders, clockWatch } = core
  const mayExpire = clockWatch.isTrusted
  const stuck = createStuckOrders({ store, clock, condition: core.condition, log })
  const webhooks = webhookDelivery(options, core, clock, {
    fresh: chains.fresh,
    wake: () => wake('webhooks'),
  })
  const rates = rateRefresh(options, core, clock)
  const isSandbox = options.settings.mode === 'sandbox'
  const leading = (role: string, pass: (own: Store) => Promise<PassResult>) =>
    whileLeading({ store, clock }, isSandbox ? sandboxRole : role, pass)
  const { isTrusted } = clockWatch
  const prune = (own: Store) => pruneWebhooks(own, { retentionDays, clock, isTrusted })
  const toleranceMs = options.settings.signature.toleranceSeconds * 1000
  const forget = (own: Store) => forgetAnswers(own, { clock, isTrusted, toleranceMs })
  const digest = (own: Store) => makeDigests(own, core.journalKey)
  const plan = (own: Store) => planComingDays(own, { clock, isTrusted })
  const told = notificationWorkersOf(options.settings, core, clock, {
    log,
    sender: plainSender(options),
    leading,
    wake: (id) => wake(id),
  })
  let isStopping = false
  const closing = createClosing({ orders, clock, isTrusted, isStopping: () => isStopping, log })
  const archive = archivingOf(options, core, clock, stuck)
  const moving = clockMovingOf(core, { log, wakeAll: () => wakeAll() })
  const polling = pollingBy(clock, log, moving)
  const actor = createActor(root, {
    input: {
      workers: [
        polling('clock', pollMs.clock, clockWatch.look),
        polling('drain', pollMs.drain, core.drainWatch.look),
        polling('restore', pollMs.drain, core.restoreWatch.look),
        polling('funding', pollMs.funding, () => fundWaitingOrders(store, orders, stuck)),
        polling('stuck', pollMs.watch, () => stuck.look()),
        polling('expiry', pollMs.expiry, () => expireDueOrders(store, orders, { clock, mayExpire, stuck })),
        ...simulationsOf(core, clock).map((pass) =>
          polling('simulations', pollMs.webhooks, leading('simulations', pass)),
        ),
        polling('rates', pollMs.rates, rates.pass),
        polling(
          'webhooks',
          pollMs.webhooks,
          () => webhooks.pass(),
          () => webhooks.finish(),
        ),
        polling('retention', pollMs.retention, leading('retention', prune)),
        ...told.map(({ id, pollMs: interval, pass, finish }) => polling(id, interval, pass, finish)),
        polling('answers', pollMs.retention, leading('answers', forget)),
        polling('digests', pollMs.retention, leading('digests', digest)),
        polling('closing', pollMs.closing, leading('closing', closing)),
        polling('approvals', pollMs.watch, leading('approvals', approvalWorkOf(options, core, clock))),
        polling('reports', pollMs.watch, leading('reports', createReportWork(orders))),
        polling('days', pollMs.days, leading('days', plan)),
        ...archive.map((pass) => polling('archive', pollMs.retention, leading('archive', pass))),
        // Told once, not by every node.
        polling('alarms', pollMs.watch, leading('alarms', createAlarmWatch({ store, clock, log }))),
        ...chains.passes.map(({ id, pass, pollMs }) =>
          // Endpoints are asked once for all nodes, but for what each of them answers its own users with.
          polling(id, pollMs, /^(deposits|sightings):/.test(id) ? leading(id, pass) : pass),
        ),
        polling('anchors', pollMs.watch, anchoring.pass, anchoring.finish),
        ...(moving === null ? [] : [polling('sandbox-clock', pollMs.clock, moving.pass)]),
      ],
    },
  }).start()
  const wake = (id: string) => actor.send({ type: 'worker.wake', id })
  const wakeAll = () => {
    for (const id of Object.keys(actor.getSnapshot().context.workers)) wake(id)
  }
  const subscriptions = [
    store.subscribe('clock', () => wake('sandbox-clock')),
    store.subscribe('funding', () => wake('funding')),
    store.subscribe('webhooks', () => wake('webhooks')),
    store.subscribe('exceptions', () => wake('notifications')),
    store.subscribe('statements', () => wake('notifications')),
    ...['notifications', 'mails', 'hooks'].map((id) => store.subscribe('notifications', () => wake(id))),
    store.subscribe('history', () => wake('anchors')),
    // Its number has to be outside the database before it is sealed, which the worker of closings does a moment later.
    store.subscribe('statements', () => wake('anchors')),
    store.subscribe('statements', () => wake('closing')),
    store.subscribe('provisioning', () => webhooks.lookAgain()),
    store.subscribe('provisioning', () => wake('rates')),
    ...(['reports', 'approvals'] as const).map((id) => store.subscribe(id, () => wake(id))),
  ]
  const sweeps = nightly.map(([pattern, id]) => scheduleByLocalTime(pattern, clock, () => wake(id)))
  return {
    root: actor,
    async stop() {
      for (const unsubscribe of subscriptions) unsubscribe()
      for (const sweep of sweeps) sweep.stop()
      isStopping = true
      rates.stop()
      moving?.stop()
      actor.send({ type: 'workers.stop' })
      await waitFor(actor, (snapshot) => snapshot.status === 'done')
    },
  }
}

/** What takes a pass of each worker, again and again. */
function pollingBy(clock: NodeClock, log: Logger, moving: ClockMoving | null) {
  return (
    id: string,
    interval: number,
    pass: () => Promise<PassResult>,
    finish = async () => {},
  ): WorkerDefinition => ({
    id,
    logic: worker,
    input: {
      pass: moving === null || id === 'sandbox-clock' ? pass : moving.driven(id, pass),
      finish,
      clock,
      pollMs: interval,
      onError: (error: unknown) => log.error({ err: error, worker: id }, 'a pass failed'),
    },
  })
}

/** None in production. */
function simulationsOf({ simulate }: Core, clock: NodeClock): ((own: Store) => Promise<PassResult>)[] {
  return simulate === null ? [] : [(own) => createSimulationWork({ store: own, clock, simulate })()]
}

function approvalWorkOf({ log }: WorkersOptions, core: Core, clock: NodeClock) {
  return createApprovalWork({
    context: { ...core, clock },
    isTrusted: core.clockWatch.isTrusted,
    onError: (error, approval) => log.error({ err: error, approval }, 'an approval could not be carried out'),
  })
}

/** None where orders are kept for ever. */
function archivingOf(
  { settings, log }: WorkersOptions,
  { clockWatch, condition, journalKey }: Core,
  clock: NodeClock,
  stuck: StuckOrders,
): ReturnType<typeof createArchiving>[] {
  const { ordersDays } = settings.retention
  if (ordersDays === null) return []
  const writer = settings.database.engine === 'sqlite' ? null : randomBytes(4).toString('hex')
  const files = openArchiveFiles(archiveFolderOf(settings), writer)
  const { isTrusted } = clockWatch
  return [createArchiving({ ordersDays, journalKey, files, condition, clock, isTrusted, log, stuck })]
}

function rateRefresh({ log }: WorkersOptions, core: Core, clock: NodeClock): RateRefresh {
  const { store, condition, rates } = core
  const ask = createAskSource(rates.rules, createResolver())
  return createRateRefresh({ store, table: rates.table, ask, clock, condition, log })
}

export function anchoringOf({ settings, log }: WorkersOptions, core: Core, clock: NodeClock): Anchoring {
  const { store, condition, journalKey, restoreWatch } = core
  const anchors = new LineLog(anchorsFileOfNode(settings))
  return createAnchoring({ store, clock, condition, journalKey, anchors, restoreWatch, log })
}

/** Of pings. @param mostMs somebody waits for what comes back */
export function pingSender(options: WorkersOptions, core: Core, mostMs: number): WebhookSender {
  const totalMs = Math.min(options.settings.webhooks.timeoutSeconds * 1000, mostMs)
  return ofMerchants(core, plainSender(options, totalMs), totalMs)
}

/** Of merchants' webhooks: many by a thread of its own, where the node uses threads. */
function deliverySender(options: WorkersOptions, core: Core): WebhookSender {
  const { settings, log, webhookSender } = options
  const totalMs = settings.webhooks.timeoutSeconds * 1000
  const hasThreads = settings.http.threads > 0 && settings.database.engine === 'sqlite'
  const onFailure = (error: Error) => log.error({ err: error }, 'the thread that sends webhooks has failed')
  const plain = plainSender(options, totalMs)
  const sender =
    hasThreads && webhookSender === undefined ? createThreadedSender({ totalMs }, plain, onFailure) : plain
  return ofMerchants(core, sender, totalMs)
}

/** In a sandbox what goes wrong with them stands in between. */
function ofMerchants({ sandbox }: Core, sender: WebhookSender, totalMs: number): WebhookSender {
  return sandbox === null ? sender : sandbox.around(sender, totalMs)
}

function plainSender({ settings, webhookSender }: WorkersOptions, totalMs?: number): WebhookSender {
  const limits = { totalMs: totalMs ?? settings.webhooks.timeoutSeconds * 1000 }
  return webhookSender ?? createWebhookSender({ resolve: createResolver(), limits })
}

function webhookDelivery(
  options: WorkersOptions,
  core: Core,
  clock: NodeClock,
  { fresh, wake }: Pick<ChainWorkers, 'fresh'> & { wake: () => void },
): WebhookDelivery {
  const { settings, log, exemptOrigins = {} } = options
  const { store, credentials, clockWatch, sandbox } = core
  const timeoutMs = settings.webhooks.timeoutSeconds * 1000
  return new WebhookDelivery({
    store,
    clock,
    credentials,
    sender: deliverySender(options, core),
    bodyNow: createWebhookTransactions({ store, fresh, clock }),
    rulesFor: targetRules(settings, exemptOrigins, sandbox?.isInbox),
    policy: settings.mode === 'production' ? productionRetries : sandboxRetries,
    timeoutMs,
    isTrusted: clockWatch.isTrusted,
    log,
    wake,
  })
}
