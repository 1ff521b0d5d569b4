/**
 * Why the clock is in doubt, in words that hold now. A doubt outlives its cause, because what was written meanwhile
 * cannot be judged by a program; but whoever decides about it has to know that the clock is right again.
 */
import type { Instant } from '../../machines/time.ts'

/** Kept in the database as JSON. */
export interface Doubt {
  /** As it was found. */
  reason: string
  since: Instant
  /** So little behind that it ends by itself, once the clock has come that far. */
  until: Instant | null
  /** Absent in what version 0.1.0 has kept. */
  cause?: DoubtCause
}

export type DoubtCause =
  /** Forward or, below zero, back, against the time since boot. */
  | { kind: 'jump'; ms: number }
  /** Behind or, below zero, ahead of the endpoints of all chains. */
  | { kind: 'chains'; ms: number }
  /** Behind what the database last saw. */
  | { kind: 'start'; seenAt: Instant; ms: number }

/** What is known of the clock now; `null` of what this process cannot tell. */
export interface ClockReading {
  at: Instant
  /** How far it has jumped since it was trusted. */
  jumpMs: number | null
  /** How far the chains' endpoints are ahead of it. */
  aheadMs: number | null
}

const maxDriftMs = 30_000
export const maxOffsetMs = 60_000

const untilAccepted = 'Nothing expires until `ventanilla clock accept`.'
const endpoints = "the time that every chain's endpoint names"

/** `null` while wall clock and time since boot go together. */
export function doubtOfJump(ms: number, at: Instant): Doubt | null {
  if (Math.abs(ms) <= maxDriftMs) return null
  return found({ kind: 'jump', ms }, { at, jumpMs: ms, aheadMs: null })
}

export function doubtOfChains(ms: number, at: Instant): Doubt {
  return found({ kind: 'chains', ms }, { at, jumpMs: null, aheadMs: ms })
}

/** A clock that is ahead of the last time seen may have stood still as long as the node did. */
export function doubtOfStart(seenAt: Instant, at: Instant): Doubt | null {
  const ms = seenAt - at
  if (ms <= 0) return null
  const cause = { kind: 'start', seenAt, ms } as const
  if (ms > maxDriftMs) return found(cause, { at, jumpMs: null, aheadMs: null })
  const reason = `${behindSeen('is', ms)}. Nothing expires until it has come that far.`
  return { reason, since: at, until: seenAt, cause }
}

function found(cause: DoubtCause, reading: ClockReading): Doubt {
  return { reason: `${sentenceOf(cause, reading)} ${untilAccepted}`, since: reading.at, until: null, cause }
}

/** Why the clock is in doubt, and whether what put it there still holds. */
export function reasonNow({ reason, until, cause }: Doubt, reading: ClockReading): string {
  if (until !== null || cause === undefined) return reason
  return `${sentenceOf(cause, reading)} ${untilAccepted}`
}

function sentenceOf(cause: DoubtCause, { at, jumpMs, aheadMs }: ClockReading): string {
  switch (cause.kind) {
    case 'jump':
      if (jumpMs === null) return `${jumped(cause.ms)}.`
      return Math.abs(jumpMs) > maxDriftMs
        ? `${jumped(jumpMs)}.`
        : `${jumped(cause.ms)}, and has come back: it is right again now.`
    case 'chains':
      if (aheadMs === null) return `${besideChains('was', cause.ms)}.`
      return Math.abs(aheadMs) > maxOffsetMs
        ? `${besideChains('is', aheadMs)}.`
        : `${besideChains('was', cause.ms)}, and agrees with it now.`
    case 'start':
      return at < cause.seenAt
        ? `${behindSeen('is', cause.seenAt - at)}.`
        : `${behindSeen('was', cause.ms)}, and has passed it now.`
  }
}

function jumped(ms: number): string {
  return `The clock jumped ${duration(Math.abs(ms))} ${ms > 0 ? 'forward' : 'back'}`
}

function besideChains(verb: 'is' | 'was', ms: number): string {
  return `The clock ${verb} ${duration(Math.abs(ms))} ${ms > 0 ? 'behind' : 'ahead of'} ${endpoints}`
}

function behindSeen(verb: 'is' | 'was', ms: number): string {
  return `The clock ${verb} ${duration(ms)} behind the time this database last saw`
}

/** `45 s`, `12 min`, `1 d 2 h`: as a person would say it. */
function duration(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1000))
  if (seconds < 120) return `${seconds} s`
  const minutes = Math.round(seconds / 60)
  if (minutes < 120) return `${minutes} min`
  const hours = Math.round(minutes / 60)
  const [days, rest] = [Math.floor(hours / 24), hours % 24]
  if (days === 0) return `${hours} h`
  return rest === 0 ? `${days} d` : `${days} d ${rest} h`
}
