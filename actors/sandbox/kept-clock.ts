/** What the database keeps of a sandbox's clock: how far ahead it was since when, and where it is being moved to. */
import type { Instant } from '../../machines/time.ts'
import { factByName } from '../../persistence/queries/node.ts'
import { type Row, row, type Store, type Write } from '../../persistence/store.ts'
import type { ClockSpan } from './clock.ts'

const clockFact = 'sandbox_clock'

/** Where the clock is being moved to. */
export interface Advance {
  /** On the sandbox's clock. */
  from: Instant
  to: Instant
  /** In the world. */
  beganAt: Instant
  by: string
  /** How many times it was moved until now. */
  ticks: number
}

/** What has come about by itself while the clock was moved. */
export interface CameAbout {
  ordersExpired: number
  simulations: number
  webhookAttempts: number
  statementsClosed: number
  approvalsExpired: number
  notifications: number
  exceptionsOpened: number
  ordersArchived: number
}

/** An advance that has ended, as it was. */
export interface EndedAdvance extends Advance {
  /** False where somebody has stopped it on its way. */
  isWhole: boolean
  cameAbout: CameAbout
}

export interface KeptClock {
  spans: readonly ClockSpan[]
  advance: Advance | null
  last: EndedAdvance | null
}

const unmoved: KeptClock = { spans: [], advance: null, last: null }

export async function readKeptClock(store: Pick<Store, 'query'>): Promise<KeptClock> {
  return read((await store.query(factByName, { name: clockFact }))[0] ?? null)
}

function read(fact: Row<'facts'> | null): KeptClock {
  // Written by this folder alone.
  return fact === null ? unmoved : (JSON.parse(fact.value) as KeptClock)
}

/**
 * One change, made on what is kept then.
 * @param decide `null` where nothing is to be changed
 */
export async function changeKeptClock(
  store: Pick<Store, 'step'>,
  decide: (kept: KeptClock, at: Instant) => KeptClock | null,
): Promise<KeptClock> {
  const key = { name: clockFact }
  const result = await store.step({
    rows: { fact: row('facts', key) },
    decide: ({ fact }, at) => {
      const kept = read(fact)
      const next = decide(kept, at)
      if (next === null) return { answer: kept, writes: [] }
      const value = JSON.stringify(next)
      const write: Write =
        fact === null
          ? { insert: 'facts', values: { ...key, value } }
          : { update: 'facts', key, set: { value } }
      return { answer: next, writes: [write], wake: ['clock'] }
    },
  })
  if (result.outcome === 'violated') throw new Error(`The clock's move violated ${result.constraint}.`)
  return result.answer
}
