/**
 * Drain mode, for maintenance: nothing new is begun, and what was begun goes on to its end.
 *
 * It is a fact of the database, so that it holds for every node over it, outlives a restart, and a command can set it
 * whether or not a node runs. Creations and starts look at it in their steps; each node also hears of it by looking,
 * within a second, to refuse quotes and to say so.
 */
import { formatInstant, type Instant } from '../../machines/time.ts'
import { factByName, recordFact } from '../../persistence/queries/node.ts'
import { type Row, type Store, sharedRow } from '../../persistence/store.ts'
import type { PassResult } from '../foundation/worker.ts'
import type { Condition } from './condition.ts'

/** The drain as JSON; `null` once it has ended. */
const factName = 'drained'

/** The row that a step looks at which begins something new. */
export const drainRow = sharedRow('facts', { name: factName })

export function isDrained(fact: Row<'facts'> | null): boolean {
  return fact !== null && JSON.parse(fact.value) !== null
}

interface Drain {
  since: Instant
  operator: string
  reason: string
}

export interface DrainState {
  state: 'open' | 'drained'
  since: string | null
  /** Who has drained it, and why. */
  operator: string | null
  reason: string | null
}

export interface DrainWatch {
  /** Whether creations, quotes and starts are refused. */
  isDrained(): boolean
  /** Reads what another node, or a command, has said meanwhile. */
  look(): Promise<PassResult>
  show(): Promise<DrainState>
  /** What drained it first stands. */
  drain(operator: string, reason: string): Promise<void>
  undrain(): Promise<void>
}

/** Reads what the database says, so that a node that starts while it is drained takes nothing on. */
export async function createDrainWatch(options: {
  store: Store
  clock: { now(): Instant }
  condition: Condition
}): Promise<DrainWatch> {
  const { store, clock, condition } = options
  let drained: Drain | null = null

  const follow = (next: Drain | null) => {
    drained = next
    if (next === null) return condition.send({ type: 'recover', part: 'drain' })
    // Strangers read it in /readyz, so that it names nobody.
    const told =
      `Drained since ${formatInstant(next.since)}: no new orders, quotes or starts are accepted. ` +
      '`ventanilla node undrain` ends it.'
    condition.send({ type: 'degrade', part: 'drain', reason: told })
  }
  const read = async () => {
    const [fact] = await store.query(factByName, { name: factName })
    const known: Drain | null = fact === undefined ? null : JSON.parse(fact.value)
    follow(known)
  }
  const write = async (next: Drain | null) => {
    await store.execute(recordFact, { name: factName, value: JSON.stringify(next) })
    follow(next)
  }

  await read()
  return {
    isDrained: () => drained !== null,
    async look() {
      await read()
      return { more: false }
    },
    async show() {
      await read()
      if (drained === null) return { state: 'open', since: null, operator: null, reason: null }
      const { operator, reason, since } = drained
      return { state: 'drained', since: formatInstant(since), operator, reason }
    },
    async drain(operator, reason) {
      await read()
      if (drained === null) await write({ since: clock.now(), operator, reason })
    },
    undrain: () => write(null),
  }
}
