/** The front on a thread of its own: another one takes the place of one that dies, and the core goes on meanwhile. */
import { setTimeout as sleep } from 'node:timers/promises'
import { sandboxClock } from '../../actors/sandbox/clock.ts'
import { withoutRows } from './core-calls.ts'
import type { Front, FrontOptions, FrontService } from './front.ts'
import type { FrontTask } from './messages.ts'
import { shareState } from './shared-state.ts'
import { type FrontThread, startFrontThread } from './thread.ts'

export interface SupervisedFrontOptions extends FrontOptions {
  /** The database's. */
  file: string
}

/** Whoever has served so long has not died of its start: the next one is started at once. */
const soundMs = 1_000
/** Where each one dies soon they are started less and less often. */
const restartMs = { least: 100, most: 5_000 }

/** @throws CommandError with exit code 5. */
export async function openSupervisedFront(options: SupervisedFrontOptions): Promise<Front> {
  const { settings, clock, log, file } = options
  const { logTarget = { level: log.level, destination: 2 } } = options
  const state = shareState()
  const task = (port: number): FrontTask => ({
    http: { ...settings.http, port },
    log: logTarget,
    clock: clock.shared ?? null,
    ahead: sandboxClock(clock)?.aheadShared ?? null,
    state: state.shared,
  })
  let thread = startFrontThread(task(settings.http.port))
  // Those after the first take its place.
  const port = await thread.listening
  let isStopping = false
  const stopping = new AbortController()
  const undo: (() => void)[] = []

  async function serve(next: FrontThread, { facts, calls }: FrontService): Promise<void> {
    await next.serve({ facts, file }, withoutRows(calls))
  }

  async function supervise(given: FrontService): Promise<void> {
    const { condition } = given.core
    let waitMs = 0
    for (;;) {
      const since = performance.now()
      const error = await thread.ended
      if (isStopping) return
      const reason = 'The thread of the public listener has ended, and is started again.'
      log.error({ err: error }, 'the front has ended: another one is started')
      condition.send({ type: 'degrade', part: 'front', reason })
      const isSound = performance.now() - since >= soundMs
      waitMs = isSound ? 0 : Math.min(Math.max(waitMs * 2, restartMs.least), restartMs.most)
      await sleep(waitMs, undefined, { signal: stopping.signal }).catch(() => {})
      if (isStopping) return
      thread = startFrontThread(task(port))
      try {
        await thread.listening
        await serve(thread, given)
        condition.send({ type: 'recover', part: 'front' })
      } catch (failure) {
        log.error({ err: failure }, 'the front could not be started again')
      }
    }
  }

  return {
    port,
    committed: state.committed,
    async serve(given) {
      const { store, condition, drainWatch, clockWatch } = given.core
      const look = () => state.set({ isDrained: drainWatch.isDrained(), mayExpire: clockWatch.isTrusted() })
      look()
      const { unsubscribe } = condition.subscribe(look)
      undo.push(unsubscribe)
      undo.push(store.subscribe('orders', () => thread.send({ kind: 'wake', topics: ['orders'] })))
      await serve(thread, given)
      void supervise(given)
    },
    metrics: async () => (await thread.metrics()) ?? '',
    async stop(times) {
      isStopping = true
      stopping.abort()
      await thread.stop(times)
      for (const step of undo.splice(0)) step()
    },
  }
}
