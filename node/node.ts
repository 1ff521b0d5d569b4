/**
 * The node: builds all real things, starts and stops them. Tests start the same object with other clocks.
 */
import { dirname } from 'node:path'
import type { ActorRefFrom } from 'xstate'
import type { NodeClock } from '../actors/condition/clock-watch.ts'
import { worldClockOf } from '../actors/foundation/clock.ts'
import type { root } from '../actors/foundation/root.ts'
import { clockOfMode, sandboxClock } from '../actors/sandbox/clock.ts'
import type { Limits } from '../http/limits/limits.ts'
import { standardBallastBytes } from '../persistence/index.ts'
import { anchorAll, anchorsFileOfNode, holdAgainstAnchors } from './anchors-file.ts'
import { type AssemblyOptions, assemble, frontFacts } from './assembly.ts'
import { removeLeftDrafts } from './backup/drafts.ts'
import { scheduleBackups } from './backup-schedule.ts'
import { openNodeChains, refuseUnreadTreasuries } from './chains.ts'
import { type Core, openCore } from './core.ts'
import type { Front } from './front/front.ts'
import { openInlineFront } from './front/inline.ts'
import { openSupervisedFront } from './front/supervised.ts'
import type { LogTarget } from './log.ts'
import { createMetrics } from './metrics/metrics.ts'
import { timeOrderSteps } from './metrics/order-steps.ts'
import { anchoringOf } from './node-workers.ts'
import { startOperatorListener } from './operator-listener.ts'
import { stopDelayMs } from './settings/config.ts'
import { returnSpareMemory } from './spare-memory.ts'
import { systemClock } from './system-clock.ts'

export interface NodeOptions extends AssemblyOptions {
  clock?: NodeClock
  /** What one caller may ask; by the settings unless said otherwise. With limits of its own it serves on one thread. */
  limits?: Limits
  /** Where the threads of the node write their log; standard error unless said otherwise. */
  logTarget?: LogTarget
  /** What is kept beside a SQLite database for a full disk; 64 MB unless said otherwise. */
  ballastBytes?: number
  /** As in `CoreOptions`. */
  groupCommit?: boolean
  /** As in `CoreOptions`. */
  logPages?: number
  /** As in `CoreOptions`. */
  patienceMs?: number
  /** The database has failed: the node has to be stopped, and what is true is read at the next start. */
  onFailure?: (error: Error) => void
}

export interface Node {
  readonly core: Core
  readonly publicUrl: string
  readonly operatorUrl: string
  /** The root actor, for the inspector. */
  readonly workers: ActorRefFrom<typeof root>
  /**
   * Says for a while that it is not ready, stops accepting, finishes what is in flight, returns leases, checkpoints.
   */
  stop(): Promise<void>
}

/** A backup and a restore that were killed leave the whole database, unencrypted. */
function removeDraftsOfKilled({ database, backups }: NodeOptions['settings'], log: NodeOptions['log']): void {
  if (database.engine !== 'sqlite') return
  for (const folder of new Set([dirname(database.file), backups.folder])) {
    if (folder === null) continue
    const removed = removeLeftDrafts(folder)
    if (removed.length > 0)
      log.warn({ folder, removed }, 'leftovers of an interrupted backup or restore were removed')
  }
}

/**
 * On a thread of its own where the settings say so and the database is embedded; on PostgreSQL one scales by processes. What
 * cannot be told to another thread is served on this one.
 */
function openFront(options: NodeOptions, clock: NodeClock): Promise<Front> {
  const { settings, log, limits, logTarget } = options
  const { database } = settings
  const machine = sandboxClock(clock)?.machine ?? clock
  const isReadable = machine.now === systemClock.now || clock.shared !== undefined
  if (settings.http.threads === 0 || database.engine !== 'sqlite' || limits !== undefined || !isReadable)
    return openInlineFront({ settings, log, clock, ...(limits ? { limits } : {}) })
  const { file } = database
  return openSupervisedFront({ settings, log, clock, file, ...(logTarget ? { logTarget } : {}) })
}

/** How long answers under way may take once the node is told to stop. */
const stopGraceMs = 5_000

/** @throws CommandError with the exit code of what is wrong. */
export async function startNode(options: NodeOptions): Promise<Node> {
  const { settings, log } = options
  const clock = clockOfMode(settings.mode, options.clock ?? systemClock)
  // The port first: the checkout's address, which orders carry, may depend on it.
  const front = await openFront(options, clock)
  const undo = [() => front.stop({ acceptMs: 0, graceMs: 0 })]
  try {
    const opened = await openNodeChains(settings.chains, clock)
    undo.push(() => opened.close())
    const untimed = await openCore(settings, {
      clock,
      publicPort: front.port,
      onCommit: front.committed,
      chains: opened.chains,
      ballastBytes: options.ballastBytes ?? standardBallastBytes,
      ...(options.groupCommit === undefined ? {} : { groupCommit: options.groupCommit }),
      ...(options.logPages === undefined ? {} : { logPages: options.logPages }),
      ...(options.patienceMs === undefined ? {} : { patienceMs: options.patienceMs }),
      onReportError: (error) => log.error({ err: error }, 'a network’s file could not be worked on'),
      onStoreFailure: (error) => {
        log.fatal({ err: error }, 'the database has failed')
        options.onFailure?.(error)
      },
    })
    undo.push(() => untimed.store.close())
    await refuseUnreadTreasuries(untimed.store, settings.chains)
    removeDraftsOfKilled(settings, log)
    const backups = scheduleBackups(settings.backups, untimed, worldClockOf(clock), log)
    undo.push(async () => backups?.stop())
    const metrics = createMetrics({
      core: untimed,
      clock,
      file: settings.database.engine === 'sqlite' ? settings.database.file : null,
      lastBackupAt: untimed.backups.lastAt,
      front: front.metrics,
    })
    const timed = timeOrderSteps(untimed, metrics.registry)
    const anchoring = anchoringOf(options, timed, clock)
    const core = { ...timed, anchorNow: () => anchorAll(anchoring) }
    // Before anybody is answered: what was put back is not paid again.
    await holdAgainstAnchors(anchoring, anchorsFileOfNode(settings))
    const operator = await startOperatorListener({ settings, core, clock, log, metrics: metrics.page })
    undo.push(() => operator.stop({ acceptMs: 0, graceMs: 0 }))
    const { calls, start } = assemble(options, core, clock, { treasuries: opened.treasuries, anchoring })
    await front.serve({ facts: frontFacts(options, core), core, calls })
    const workers = start()
    operator.showWorkers(workers.root)
    core.condition.send({ type: 'serve' })
    const returnNoMore = returnSpareMemory()
    return {
      core,
      publicUrl: core.urls.publicUrl,
      operatorUrl: operator.url,
      workers: workers.root,
      async stop() {
        returnNoMore()
        core.condition.send({ type: 'drain' })
        const times = { acceptMs: stopDelayMs(settings.http), graceMs: stopGraceMs }
        await Promise.all([front.stop(times), operator.stop(times)])
        await opened.close()
        await backups?.stop()
        await core.backups.finish()
        await workers.stop()
        await core.reports.finish()
        await core.statements.finish()
        core.uploads.close()
        await core.store.close()
      },
    }
  } catch (error) {
    for (const step of undo.reverse()) await step()
    throw error
  }
}
