/**
 * `/metrics` of the operator listener, in the form that Prometheus reads. All but the requests is looked up when it is
 * asked for, so that serving costs nothing of it.
 */
import { statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Middleware } from 'koa'
import { Counter, type CounterConfiguration, Gauge, type GaugeConfiguration, Registry } from 'prom-client'
import { type Clock, worldNow } from '../../actors/foundation/clock.ts'
import { formatPrice } from '../../machines/money.ts'
import type { Instant } from '../../machines/time.ts'
import programPackage from '../../package.json' with { type: 'json' }
import { askedApprovals } from '../../persistence/queries/approvals.ts'
import {
  chainAges,
  lockAges,
  oldestDueWebhook,
  quarantinedOrderCount,
  rateAges,
} from '../../persistence/queries/metrics.ts'
import { openExceptionCount, webhookCounts } from '../../persistence/queries/operations.ts'
import { ledgerTotals, orderTotals, waitingForFunds } from '../../persistence/queries/overview.ts'
import { treasuryCounts } from '../../persistence/queries/treasuries.ts'
import type { Core } from '../core.ts'
import { processMetrics } from './process.ts'

export interface Metrics {
  /** Where whoever measures something adds what it has. */
  readonly registry: Registry
  /** Serves `GET /metrics`, and passes on what lies elsewhere. */
  readonly page: Middleware
}

export interface MetricsOptions {
  core: Pick<Core, 'store' | 'condition'>
  clock: Clock
  /** The database's, where it is one. */
  file: string | null
  lastBackupAt(): Instant | null
  /** What the front has counted, in the form that Prometheus reads. */
  front(): Promise<string>
}

export function createMetrics(options: MetricsOptions): Metrics {
  const registry = new Registry()
  addCommits(registry, options)
  addQueues(registry, options)
  addMoney(registry, options)
  addSources(registry, options)
  addNode(registry, options)
  return {
    registry,
    async page(context, next) {
      if (context.path !== '/metrics') return next()
      if (context.method !== 'GET' && context.method !== 'HEAD') {
        context.status = 405
        context.set('Allow', 'GET, HEAD')
        return
      }
      context.set('Content-Type', registry.contentType)
      const parts = [processMetrics().metrics(), registry.metrics(), options.front()]
      context.body = (await Promise.all(parts)).join('')
    },
  }
}

type Collect = (gauge: Gauge) => Promise<void> | void

function gauge(
  registry: Registry,
  name: string,
  help: string,
  labelNames: readonly string[],
  collect: Collect,
) {
  const configuration: GaugeConfiguration<string> = {
    name: `ventanilla_${name}`,
    help,
    labelNames: [...labelNames],
    registers: [registry],
    async collect() {
      // What is not there any more is not told any more.
      this.reset()
      await collect(this)
    },
  }
  return new Gauge(configuration)
}

function addCommits(registry: Registry, { core }: MetricsOptions): void {
  const { statistics } = core.store
  if (statistics === undefined) return
  const counter = (name: string, help: string, value: () => number) => {
    const configuration: CounterConfiguration<string> = {
      name: `ventanilla_${name}`,
      help,
      registers: [registry],
      collect() {
        this.reset()
        this.inc(value())
      },
    }
    return new Counter(configuration)
  }
  counter('steps_total', 'Steps decided.', () => statistics.steps)
  counter(
    'commits_total',
    'Commits; steps divided by commits is how many share one.',
    () => statistics.commits,
  )
  gauge(registry, 'commit_largest_steps', 'The most steps that have shared a commit.', [], (it) =>
    it.set(statistics.largestBatch),
  )
}

function addQueues(registry: Registry, { core, clock }: MetricsOptions): void {
  const { store } = core
  gauge(
    registry,
    'webhooks',
    'Webhooks that wait (pending) or were given up (dead).',
    ['state'],
    async (it) => {
      for (const state of ['pending', 'dead']) it.set({ state }, 0)
      for (const { state, count } of await store.query(webhookCounts, {})) it.set({ state }, Number(count))
    },
  )
  gauge(
    registry,
    'webhook_oldest_due_seconds',
    'How long the longest-waiting webhook has been due.',
    [],
    async (it) => {
      const [oldest] = await store.query(oldestDueWebhook, {})
      it.set(oldest === undefined ? 0 : ageSeconds(clock.now(), oldest.due_at))
    },
  )
  gauge(registry, 'orders', 'Orders by status and direction.', ['status', 'direction'], async (it) => {
    for (const { status, direction, orders } of await store.query(orderTotals, {})) {
      it.set({ status, direction }, Number(orders))
    }
  })
  gauge(
    registry,
    'orders_waiting_for_funds',
    'Orders that wait for their merchant’s balance.',
    [],
    async (it) => {
      const [waiting] = await store.query(waitingForFunds, {})
      it.set(Number(waiting?.orders ?? 0))
    },
  )
  gauge(registry, 'orders_quarantined', 'Quarantined orders.', [], async (it) => {
    const [quarantined] = await store.query(quarantinedOrderCount, {})
    it.set(Number(quarantined?.orders ?? 0))
  })
  gauge(registry, 'exceptions_open', 'Open exceptions.', [], async (it) => {
    const [counted] = await store.query(openExceptionCount, {})
    it.set(Number(counted?.open ?? 0))
  })
  gauge(registry, 'approvals_waiting', 'Approvals that wait for a second person.', [], async (it) => {
    const [asked] = await store.query(askedApprovals, {})
    it.set(Number(asked?.count ?? 0))
  })
  gauge(registry, 'approval_oldest_seconds', 'How long the oldest approval waits.', [], async (it) => {
    const [asked] = await store.query(askedApprovals, {})
    it.set(asked?.since == null ? 0 : ageSeconds(clock.now(), Number(asked.since)))
  })
  gauge(registry, 'lock_oldest_seconds', 'How long the oldest lock is held.', [], async (it) => {
    const [locks] = await store.query(lockAges, {})
    it.set(locks?.oldest_at == null ? 0 : ageSeconds(clock.now(), Number(locks.oldest_at)))
  })
}

function addMoney(registry: Registry, { core }: MetricsOptions): void {
  gauge(
    registry,
    'ledger_balance',
    'Balances by kind of account, in whole units.',
    ['kind', 'currency'],
    async (it) => {
      for (const { kind, currency, balance_minor } of await core.store.query(ledgerTotals, {})) {
        // A picture only: what money is stays in the ledger.
        it.set({ kind, currency }, Number(formatPrice(BigInt(balance_minor), currency)))
      }
    },
  )
  gauge(
    registry,
    'ledger_imbalance',
    'What a currency’s accounts sum to in smallest units; anything but 0 is a fault.',
    ['currency'],
    async (it) => {
      const sums = new Map<string, bigint>()
      for (const { currency, balance_minor } of await core.store.query(ledgerTotals, {})) {
        sums.set(currency, (sums.get(currency) ?? 0n) + BigInt(balance_minor))
      }
      for (const [currency, sum] of sums) it.set({ currency }, Number(sum))
    },
  )
}

function addSources(registry: Registry, { core, clock }: MetricsOptions): void {
  const { store } = core
  gauge(
    registry,
    'chain_lag_seconds',
    'Chain time before which nothing is missing, as an age.',
    ['blockchain'],
    async (it) => {
      for (const { blockchain, scanned_to_at } of await store.query(chainAges, {})) {
        if (scanned_to_at !== null) it.set({ blockchain }, ageSeconds(clock.now(), Number(scanned_to_at)))
      }
    },
  )
  gauge(registry, 'chain_read_age_seconds', 'How long ago a chain was read.', ['blockchain'], async (it) => {
    for (const { blockchain, read_at } of await store.query(chainAges, {})) {
      it.set({ blockchain }, ageSeconds(clock.now(), Number(read_at)))
    }
  })
  for (const [name, help, unitsOf] of [
    ['treasury_balance', 'What a treasury held when it was counted last, in whole units.', 'held_units'],
    ['treasury_difference', 'What a treasury holds beyond its books, as last reported.', 'told_units'],
  ] as const)
    gauge(registry, name, help, ['blockchain', 'asset'], async (it) => {
      for (const count of await store.query(treasuryCounts, {})) {
        const labels = { blockchain: count.blockchain, asset: count.symbol }
        // A picture only: the exception has the figures.
        it.set(labels, Number(count[unitsOf]) / 10 ** count.decimals)
      }
    })
  gauge(
    registry,
    'treasury_count_age_seconds',
    'How long ago a treasury was counted.',
    ['blockchain', 'asset'],
    async (it) => {
      for (const { blockchain, symbol, counted_at } of await store.query(treasuryCounts, {}))
        it.set({ blockchain, asset: symbol }, ageSeconds(clock.now(), counted_at))
    },
  )
  gauge(
    registry,
    'rate_age_seconds',
    'Age of the oldest rate from sources.',
    ['send', 'target'],
    async (it) => {
      for (const rate of await store.query(rateAges, {})) {
        const labels = { send: rate.send_currency, target: rate.target_currency }
        it.set(labels, ageSeconds(clock.now(), Number(rate.oldest_at)))
      }
    },
  )
  gauge(
    registry,
    'rates_unusable',
    'Rates from sources that cannot be used.',
    ['send', 'target'],
    async (it) => {
      for (const rate of await store.query(rateAges, {})) {
        it.set({ send: rate.send_currency, target: rate.target_currency }, Number(rate.unusable))
      }
    },
  )
}

function addNode(registry: Registry, { core, clock, file, lastBackupAt }: MetricsOptions): void {
  gauge(registry, 'info', 'Always 1; the label says which version runs.', ['version'], (it) =>
    it.set({ version: programPackage.version }, 1),
  )
  gauge(
    registry,
    'degraded',
    '1 for each part that degrades the node, as shown by /readyz.',
    ['part'],
    (it) => {
      for (const part of Object.keys(core.condition.getSnapshot().context.reasons)) it.set({ part }, 1)
    },
  )
  gauge(registry, 'backup_age_seconds', 'Age of the last backup made by this process.', [], (it) => {
    const at = lastBackupAt()
    if (at !== null) it.set(ageSeconds(worldNow(clock), at))
  })
  if (file === null) return
  gauge(registry, 'database_bytes', 'Size of the database and of its log.', ['part'], (it) => {
    // Only their names are looked up: opening one would let go of the database's locks.
    it.set({ part: 'database' }, statSync(file).size)
    it.set({ part: 'log' }, statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0)
  })
  gauge(registry, 'disk_free_bytes', 'Free bytes on the database’s disk.', [], async (it) => {
    const { bavail, bsize } = await statfs(dirname(file))
    it.set(bavail * bsize)
  })
}

function ageSeconds(now: Instant, at: Instant): number {
  return Math.max(0, now - at) / 1000
}
