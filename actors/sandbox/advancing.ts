/**
 * Moves the clock of a sandbox ahead, from one instant at which something falls due to the next, and lets what is due come about in
 * between: by the very passes of the workers that do it while time passes by itself.
 *
 * One pass is one tick. What is kept says where the clock is and where it is to go, so a node that is killed goes on from there, and
 * whatever was due when it died is done first.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Instant } from '../../machines/time.ts'
import { attemptsUnderWay, cameAbout, overdueAtChain } from '../../persistence/queries/sandbox.ts'
import { LeadershipLost, type Store, StoreUnavailable } from '../../persistence/store.ts'
import { worldNow } from '../foundation/clock.ts'
import type { PassResult } from '../foundation/worker.ts'
import { movedAhead, type SandboxClock } from './clock.ts'
import { type Advance, type CameAbout, changeKeptClock, type KeptClock, readKeptClock } from './kept-clock.ts'

/** A worker's pass, which is made at least so often by this clock; at each tick, and as often as there is more to do, where that is 0. */
export interface DrivenPass {
  id: string
  everyMs: number
  /** It reads a chain: it is made before what judges by it, and whenever an order waits for it. */
  isOfChain?: boolean
  pass(): Promise<PassResult>
}

/** What is done at times of the wall: asked at each tick whether one has come. */
export interface DrivenSweep {
  id: string
  isDue(at: Instant): boolean
}

export interface AdvancingOptions {
  store: Store
  clock: SandboxClock
  /** In the order in which what one does is the next one's to tell. */
  passes: readonly DrivenPass[]
  sweeps: readonly DrivenSweep[]
  /** False while the machine's clock is in doubt: then nothing would come about. */
  isTrusted(): boolean
  /** Aborted when the node stops: then nothing more is begun. */
  signal: AbortSignal
  /** The clock is where it was to go, and whoever waits for real time waits no longer. */
  onEnd(): void
  log: { info(facts: object, message: string): void; error(facts: object, message: string): void }
}

/** Of all work that one node does at a time: whoever moves the clock does all of it, in its order. */
export const sandboxRole = 'sandbox'

/** So far it goes at once where nothing is known to be due. */
const longestTickMs = 3_600_000
/** What falls due within it is one tick: no worker looks more often. Where nothing came about, it is longer each time. */
const shortestTickMs = 1_000
const longestIdleTickMs = 60_000
/** What one pass brings about is another one's: both are made until nothing more is written, so many times at most. */
const mostRounds = 6
const mostPasses = 10_000
/** What a chain had before the clock was moved has to be final, and read: then its blocks are as far ahead as the clock. */
const longestFinalityMs = 90_000
const lookAtChainMs = 1_000
/** An attempt of a node that is gone holds its lease for longer than any that is under way. */
const longestAttemptMs = 75_000
const lookMs = 20

export function createAdvancing(options: AdvancingOptions): () => Promise<PassResult> {
  const { store, clock, isTrusted } = options
  const due = new DueWork(options)
  /** Of this advance: whoever asks for the next one waits again. */
  let waited: { for: Instant; ms: number } = { for: 0, ms: 0 }

  /** An order that is due may have been paid before the clock was moved. @returns whether it is waited for */
  const mustWaitForChain = async ({ from, beganAt }: Advance): Promise<boolean> => {
    if (waited.for !== beganAt) waited = { for: beganAt, ms: 0 }
    if (due.scannedTo === null || due.scannedTo > from || waited.ms >= longestFinalityMs) return false
    await sleep(lookAtChainMs)
    waited.ms += lookAtChainMs
    return true
  }

  return async () => {
    const before = clock.aheadMs
    const kept = await follow(options)
    // Another node moves it.
    if (kept.advance === null && clock.aheadMs !== before) options.onEnd()
    const own = kept.advance === null || !isTrusted() ? null : await store.lead(sandboxRole)
    if (own === null || kept.advance === null) return { more: false, seen: seenOf(clock, kept) }
    const { to } = kept.advance
    await due.comeAbout(clock.now())
    if (options.signal.aborted) return { more: false }
    if (await mustWaitForChain(kept.advance)) return { more: true, seen: seenOf(clock, kept) }
    if (clock.now() >= to) return end(options, own, kept.advance)
    const tick = Math.min(to, due.nextAfter(clock.now()))
    const moved = await changeKeptClock(own, ({ spans, advance, last }) => {
      if (advance === null || advance.to !== to) return null
      const at = worldNow(clock)
      const aheadMs = Math.max(Math.ceil(tick - at), spans.at(-1)?.aheadMs ?? 0)
      const next = { ...advance, ticks: advance.ticks + 1 }
      return { spans: movedAhead(spans, { at, aheadMs, since: advance.beganAt }), advance: next, last }
    })
    followKept(options, moved)
    return { more: true, seen: seenOf(clock, moved) }
  }
}

/** Where it was moved to by whoever moves it. */
async function follow(options: Pick<AdvancingOptions, 'store' | 'clock'>): Promise<KeptClock> {
  const kept = await readKeptClock(options.store)
  followKept(options, kept)
  return kept
}

export function followKept(
  { store, clock }: { store: Pick<Store, 'followClock'>; clock: SandboxClock },
  { spans, advance }: KeptClock,
): void {
  const before = clock.aheadMs
  clock.follow({ spans, movingTo: advance?.to ?? null })
  // It was taken back: the times of steps would wait for it.
  if (clock.aheadMs < before) store.followClock()
}

function seenOf(clock: SandboxClock, { advance }: KeptClock): Readonly<Record<string, number>> {
  return { aheadSeconds: Math.round(clock.aheadMs / 1000), ...(advance === null ? {} : { to: advance.to }) }
}

async function end(options: AdvancingOptions, own: Store, ended: Advance): Promise<PassResult> {
  const { clock, log, onEnd } = options
  const came = await whatCameAbout(own, ended.from, clock.now())
  const kept = await changeKeptClock(own, ({ spans, advance }) =>
    advance === null ? null : { spans, advance: null, last: { ...advance, isWhole: true, cameAbout: came } },
  )
  followKept(options, kept)
  onEnd()
  log.info({ ...came, ticks: ended.ticks, aheadMs: clock.aheadMs }, 'the sandbox’s clock was moved ahead')
  return { more: false, seen: seenOf(clock, kept) }
}

export async function whatCameAbout(
  store: Pick<Store, 'query'>,
  from: Instant,
  to: Instant,
): Promise<CameAbout> {
  const [found] = await store.query(cameAbout, { from, to })
  return {
    ordersExpired: Number(found?.orders_expired ?? 0),
    simulations: Number(found?.simulations ?? 0),
    webhookAttempts: Number(found?.webhook_attempts ?? 0),
    statementsClosed: Number(found?.statements_closed ?? 0),
    approvalsExpired: Number(found?.approvals_expired ?? 0),
    notifications: Number(found?.notifications ?? 0),
    exceptionsOpened: Number(found?.exceptions_opened ?? 0),
    ordersArchived: Number(found?.orders_archived ?? 0),
  }
}

/** What is due at the present tick, and when something is due next. */
class DueWork {
  readonly #options: AdvancingOptions
  readonly #madeAt = new Map<string, Instant>()
  readonly #nextAt = new Map<string, Instant>()
  /** Short ticks in a row at which nothing was written: somebody looks again and again. */
  #idleTicks = 0
  #lastAt: Instant = Number.NEGATIVE_INFINITY
  /** How far the chain is read that orders wait for which are due; `null` while none does. */
  scannedTo: Instant | null = null

  constructor(options: AdvancingOptions) {
    this.#options = options
  }

  /** The earliest that any pass knows of, and no later than the longest tick. */
  nextAfter(now: Instant): Instant {
    const { passes } = this.#options
    const known = [...this.#nextAt.values()].filter((at) => at > now)
    const regular = passes.flatMap(({ id, everyMs }) =>
      everyMs > longestTickMs ? [(this.#madeAt.get(id) ?? now) + everyMs] : [],
    )
    const longestMs = this.scannedTo === null ? longestTickMs : longestIdleTickMs
    const next = Math.min(now + longestMs, ...known, ...regular.filter((at) => at > now))
    return Math.max(next, now + Math.min(shortestTickMs * 2 ** this.#idleTicks, longestIdleTickMs))
  }

  async comeAbout(now: Instant): Promise<void> {
    const { store, passes, sweeps, signal } = this.#options
    const swept = new Set(sweeps.filter((sweep) => sweep.isDue(now)).map(({ id }) => id))
    const due = passes.filter(({ id, everyMs }) => swept.has(id) || this.#isDue(id, everyMs, now))
    const steps = () => store.statistics?.steps
    const atFirst = steps()
    for (let round = 1; round <= mostRounds; round++) {
      const before = steps()
      const isAtChain = (await this.#lookAtChain(now)) !== null
      const made = passes.filter(
        (pass) => (isAtChain && pass.isOfChain) || (due.includes(pass) && isMade(pass, round)),
      )
      for (const pass of made) if (!signal.aborted) await this.#tryToMake(pass, now)
      await this.#attemptsEnded()
      if (signal.aborted || (before !== undefined && steps() === before)) break
    }
    await this.#lookAtChain(now)
    const isIdle = atFirst !== undefined && steps() === atFirst
    this.#idleTicks = isIdle && now - this.#lastAt < longestIdleTickMs ? this.#idleTicks + 1 : 0
    this.#lastAt = now
  }

  async #lookAtChain(now: Instant): Promise<Instant | null> {
    const [overdue] = await this.#options.store.query(overdueAtChain, { now })
    this.scannedTo = overdue === undefined ? null : Number(overdue.scanned_to_at)
    return this.scannedTo
  }

  #isDue(id: string, everyMs: number, now: Instant): boolean {
    if (everyMs <= longestTickMs) return true
    const next = Math.min(
      (this.#madeAt.get(id) ?? Number.NEGATIVE_INFINITY) + everyMs,
      this.#nextAt.get(id) ?? Number.POSITIVE_INFINITY,
    )
    return next <= now
  }

  /** One that fails is the next tick's again, as it would rest; no clock waits for it. */
  async #tryToMake(pass: DrivenPass, now: Instant): Promise<void> {
    try {
      await this.#make(pass, now)
    } catch (error) {
      if (error instanceof StoreUnavailable || error instanceof LeadershipLost) throw error
      this.#options.log.error({ err: error, worker: pass.id }, 'a pass failed')
      this.#madeAt.set(pass.id, now)
    }
  }

  async #make({ id, pass, isOfChain = false }: DrivenPass, now: Instant): Promise<void> {
    for (let count = 0; count < mostPasses && !this.#options.signal.aborted; count++) {
      const { more, nextAt = null } = await pass()
      // A chain is read in the world's time, however fast this clock goes.
      if (nextAt === null || isOfChain) this.#nextAt.delete(id)
      else this.#nextAt.set(id, nextAt)
      if (!more) break
    }
    this.#madeAt.set(id, now)
  }

  /** What is under way in the world ends there, before the clock goes on: its lease would be over. */
  async #attemptsEnded(): Promise<void> {
    const { store, signal } = this.#options
    for (let waited = 0; waited < longestAttemptMs && !signal.aborted; waited += lookMs) {
      if ((await store.query(attemptsUnderWay, {})).length === 0) return
      await sleep(lookMs)
    }
  }
}

/** What is due now and then is made once a tick. */
function isMade({ everyMs }: DrivenPass, round: number): boolean {
  return round === 1 || everyMs === 0
}
