/** What an operator of a sandbox may do with its clock: see it, move it ahead, and end that. */
import { formatInstant, type Instant } from '../../machines/time.ts'
import { datedAfter, endSessionsAfter } from '../../persistence/queries/sandbox.ts'
import type { ClockContext } from '../condition/clock-operations.ts'
import { worldNow } from '../foundation/clock.ts'
import { text } from '../foundation/fields.ts'
import { defineOperation, OperationError } from '../foundation/operation.ts'
import { followKept, whatCameAbout } from './advancing.ts'
import { sandboxClock } from './clock.ts'
import { formatDuration, readDuration } from './duration.ts'
import {
  type CameAbout,
  changeKeptClock,
  type EndedAdvance,
  type KeptClock,
  readKeptClock,
} from './kept-clock.ts'

/** Times are the sandbox's, but for `real`. */
export interface SandboxClockDocument {
  now: string
  /** What the machine's clock shows. */
  real: string
  aheadSeconds: number
  /** The same, for people: `30 d 4 h`. */
  ahead: string
  /** `null` while nobody moves it. */
  advancing: { from: string; to: string; by: string; percent: number; ticks: number } | null
  /** The last time that it was moved, and what came about meanwhile; `null` for never. */
  last: { from: string; to: string; by: string; ticks: number; isWhole: boolean; cameAbout: CameAbout } | null
}

const dayMs = 86_400_000
const mostDays = 400

export const sandboxClockShow = defineOperation({
  name: 'sandbox.clock.show',
  summary: 'Show the clock of the sandbox, and where it is being moved to (sandbox only).',
  examples: ['sandbox clock show'],
  fields: {},
  isRead: true,
  async run(context: ClockContext): Promise<SandboxClockDocument> {
    return documentOf(context, await readKeptClock(context.store))
  },
})

/** It is moved by a worker of the node, which goes on after a restart; what is answered is where it goes. */
export const sandboxClockAdvance = defineOperation({
  name: 'sandbox.clock.advance',
  summary: 'Move the clock of the sandbox ahead: what falls due meanwhile comes about (sandbox only).',
  examples: ['sandbox clock advance 3d', "sandbox clock advance '1d 12h'"],
  done: 'The clock is being moved ahead.',
  fields: {
    by: text({
      maxLength: 40,
      description: `How far: a number with s, m, h, d or w, or several; ${mostDays} days at most.`,
      form: { label: 'How far', hint: 'For example 3d, 36h or 1d 12h; 400 days at most.' },
    }),
  },
  arguments: ['by'],
  isRead: false,
  concluded: ({ advancing }: SandboxClockDocument) => `to ${advancing?.to ?? ''}`,
  async run(context: ClockContext, { by }): Promise<SandboxClockDocument> {
    const { store, operator } = context
    const ms = durationOf(by)
    if ((await context.clockWatch.show()).state !== 'trusted') {
      const hint = '`clock show` says why; `clock accept` ends it.'
      throw new OperationError('refused', 'Nothing comes about while the clock is in doubt.', { hint })
    }
    const beganAt = worldNow(context.clock)
    const kept = await changeKeptClock(store, ({ advance, ...rest }, at) => {
      if (advance !== null) throw alreadyMoving(advance.to)
      return { ...rest, advance: { from: at, to: at + ms, beganAt, by: operator, ticks: 0 } }
    })
    return documentOf(context, kept)
  },
})

/** @throws OperationError */
function durationOf(written: string): number {
  const ms = readDuration(written)
  if (ms === null) {
    const hint = 'Write a number with s, m, h, d or w: 3d, 36h, 1d 12h.'
    throw new OperationError('invalid', `“${written}” is no duration.`, { hint })
  }
  if (ms > mostDays * dayMs) {
    const hint = 'What is to go further is moved several times.'
    throw new OperationError('refused', `The clock is moved by ${mostDays} days at most at once.`, { hint })
  }
  return ms
}

function alreadyMoving(to: Instant): OperationError {
  const hint = 'Wait until it is there, or stop it with `sandbox clock reset`.'
  return new OperationError('refused', `The clock is being moved already, to ${formatInstant(to)}.`, { hint })
}

/** A clock that is being moved stops where it is; one that stands goes back, as long as nothing would be left in the future. */
export const sandboxClockReset = defineOperation({
  name: 'sandbox.clock.reset',
  summary: 'Stop moving the clock of the sandbox, or set it back where nothing was written (sandbox only).',
  examples: ['sandbox clock reset'],
  done: 'The clock is no longer moved.',
  fields: {},
  isRead: false,
  concluded: ({ ahead }: SandboxClockDocument) => `${ahead} ahead`,
  async run(context: ClockContext): Promise<SandboxClockDocument> {
    const { store, clock } = context
    const kept = await readKeptClock(store)
    const next = kept.advance === null ? await setBack(context, kept) : await stopMoving(context, kept)
    const own = sandboxClock(clock)
    if (own !== null) followKept({ store, clock: own }, next)
    return documentOf(context, next)
  },
})

async function stopMoving({ store, clock }: ClockContext, { advance: moving }: KeptClock) {
  const came = moving === null ? null : await whatCameAbout(store, moving.from, clock.now())
  return changeKeptClock(store, ({ spans, advance, last }) => {
    if (advance === null || came === null) return null
    const ended: EndedAdvance = { ...advance, to: clock.now(), isWhole: false, cameAbout: came }
    return { spans, advance: null, last: advance.to === moving?.to ? ended : last }
  })
}

/** @throws OperationError where something is dated later than the machine's clock shows */
async function setBack({ store, clock }: ClockContext, { spans }: KeptClock): Promise<KeptClock> {
  const at = worldNow(clock)
  if (spans.length === 0) return readKeptClock(store)
  const [later] = await store.query(datedAfter, { at })
  if (later !== undefined) {
    const hint = 'Begin anew with another database, or restore a backup from before.'
    const at = formatInstant(Number(later.at))
    throw new OperationError('refused', `The clock only goes forward: something was written at ${at}.`, {
      hint,
    })
  }
  await store.execute(endSessionsAfter, { at })
  return changeKeptClock(store, ({ advance, last }) => {
    if (advance !== null) throw alreadyMoving(advance.to)
    return { spans: [], advance, last }
  })
}

function documentOf({ clock }: ClockContext, { advance, last }: KeptClock): SandboxClockDocument {
  const [now, real] = [clock.now(), worldNow(clock)]
  return {
    now: formatInstant(now),
    real: formatInstant(real),
    aheadSeconds: Math.round((now - real) / 1000),
    ahead: formatDuration(now - real),
    advancing: advance && {
      ...spanOf(advance),
      percent: Math.min(100, Math.floor((100 * (now - advance.from)) / (advance.to - advance.from))),
    },
    last: last && { ...spanOf(last), isWhole: last.isWhole, cameAbout: last.cameAbout },
  }
}

function spanOf({ from, to, by, ticks }: { from: Instant; to: Instant; by: string; ticks: number }) {
  return { from: formatInstant(from), to: formatInstant(to), by, ticks }
}
