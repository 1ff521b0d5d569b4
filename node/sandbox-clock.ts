/** The worker that moves a sandbox's clock, and what of the node's other workers it makes come about meanwhile, in which order. */
import type { Logger } from 'pino'
import type { PassResult } from '../actors/foundation/worker.ts'
import { createAdvancing, type DrivenPass, type DrivenSweep } from '../actors/sandbox/advancing.ts'
import { sandboxClock } from '../actors/sandbox/clock.ts'
import type { Core } from './core.ts'
import { localTimes } from './local-schedule.ts'

type Pass = () => Promise<PassResult>

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** A chain is held to be out after a day in which nobody has read it. */
const everyOfChainMs = 6 * hourMs

/**
 * By their ids, in the order in which one's deed is the next one's matter: money and orders, then days, then what is told, then what is
 * forgotten. `everyMs` is how often it is made by the sandbox's clock, at each tick where nothing is said.
 */
export const drivenWorkers: readonly { id: RegExp; everyMs?: number; isOfChain?: true }[] = [
  { id: /^(deposits|transactions):/, everyMs: everyOfChainMs, isOfChain: true },
  { id: /^funding$/ },
  { id: /^expiry$/ },
  { id: /^simulations$/ },
  { id: /^approvals$/ },
  { id: /^reports$/ },
  { id: /^days$/, everyMs: 6 * hourMs },
  { id: /^closing$/ },
  { id: /^anchors$/ },
  { id: /^webhooks$/ },
  // What lasts is looked at once a tick.
  { id: /^(alarms|levels)$/, everyMs: 60_000 },
  { id: /^notifications$/ },
  { id: /^mails$/ },
  { id: /^hooks$/ },
  { id: /^(retention|told|answers|digests|archive)$/, everyMs: dayMs },
]

/** They look at the machine, at other nodes or at the world, in real time however fast the sandbox's clock goes. */
export const realTimeWorkers =
  /^(clock|drain|restore|stuck|rates|sandbox-clock|chains|treasuries|sightings:.+)$/

/** At night, when little else is to do: by the host's zone. */
export const nightly: readonly (readonly [pattern: string, worker: string])[] = [
  ['17 3 * * *', 'retention'],
  ['27 3 * * *', 'told'],
  ['47 3 * * *', 'answers'],
  ['17 4 * * *', 'archive'],
]

export interface ClockMoving {
  /** The same pass, of which one is made at a time, whoever asks for it. */
  driven(id: string, pass: Pass): Pass
  /** The pass of the worker that moves the clock. */
  pass: Pass
  /** The node stops: nothing more is begun. */
  stop(): void
}

/** `null` in production, where nobody moves the clock. */
export function clockMovingOf(
  { clock, store, clockWatch }: Core,
  { log, wakeAll }: { log: Logger; wakeAll: () => void },
): ClockMoving | null {
  const own = sandboxClock(clock)
  if (own === null) return null
  const known = new Map<string, Pass>()
  let advancing: Pass | null = null
  const stopping = new AbortController()
  const begin = () =>
    createAdvancing({
      ...{ store, clock: own, log, isTrusted: clockWatch.isTrusted },
      passes: passesOf(known),
      sweeps: nightly.map(([pattern, id]): DrivenSweep => ({ id, ...localTimes(pattern, own.now()) })),
      signal: stopping.signal,
      onEnd: wakeAll,
    })
  return {
    driven(id, pass) {
      const one = oneAtATime(pass)
      known.set(id, one)
      return one
    },
    pass() {
      // Once all workers are known.
      advancing ??= begin()
      return advancing()
    },
    stop: () => stopping.abort(),
  }
}

function passesOf(known: ReadonlyMap<string, Pass>): DrivenPass[] {
  return drivenWorkers.flatMap(({ id: pattern, everyMs = 0, isOfChain = false }) =>
    [...known].flatMap(([id, pass]) => (pattern.test(id) ? [{ id, pass, everyMs, isOfChain }] : [])),
  )
}

/** A pass that is asked for while it is made is made after it. */
function oneAtATime(pass: Pass): Pass {
  let last: Promise<unknown> = Promise.resolve()
  return () => {
    const next = last.then(pass, pass)
    last = next.catch(() => {})
    return next
  }
}
