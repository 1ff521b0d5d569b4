/**
 * Work that one node does at a time: whoever holds its advisory lock. A node that dies, is cut off or stands still
 * loses the lock within seconds, because the server ends a session from which nothing comes.
 *
 * Each time a node takes over, the work's term is counted up. A step of the work holds the term's row and writes
 * nothing if it is no longer its own: a node that stood still between being told that it leads and writing does no harm.
 */
import type { Client } from 'pg'
import {
  type Decision,
  LeadershipLost,
  type LockedRows,
  type RowRefs,
  row,
  type Step,
  type Store,
} from '../store.ts'
import { connect, run } from './database.ts'
import { Prepared, rowsOf } from './prepared.ts'
import { assertOwnSession } from './session.ts'

const silenceMs = 8_000
const soundMs = 2_000

const tryLock = new Prepared('SELECT pg_try_advisory_lock(20252, hashtext($1))::text AS held')
const newTerm = new Prepared(
  `INSERT INTO facts (name, value) VALUES ($1, '1')
     ON CONFLICT (name) DO UPDATE SET value = (facts.value::bigint + 1)::text RETURNING value`,
)

function factOf(role: string): string {
  return `term:${role}`
}

export class Leadership {
  readonly #url: string
  readonly #terms = new Map<string, string>()
  readonly #asked = new Map<string, Promise<string | null>>()
  #session: Promise<Client> | null = null
  #sound: NodeJS.Timeout | null = null

  constructor(url: string) {
    this.#url = url
  }

  /** The term in which this node does the work; `null` while another does, or no server answers. */
  termOf(role: string): Promise<string | null> {
    const asked = this.#asked.get(role) ?? this.#ask(role).finally(() => this.#asked.delete(role))
    this.#asked.set(role, asked)
    return asked
  }

  async close(): Promise<void> {
    const client = await this.#session?.catch(() => null)
    this.#forget()
    await client?.end().catch(() => {})
  }

  async #ask(role: string): Promise<string | null> {
    const held = this.#terms.get(role)
    if (held !== undefined) return held
    let client: Client | null = null
    try {
      this.#session ??= this.#open()
      client = await this.#session
      const [lock] = rowsOf(await run(client, tryLock, [role]))
      if (lock?.held !== 'true') return null
      const [fact] = rowsOf(await run(client, newTerm, [factOf(role)]))
      const term = String(fact?.value)
      this.#terms.set(role, term)
      return term
    } catch {
      // Who cannot reach the server does not lead, and keeps no lock.
      await client?.end().catch(() => {})
      this.#forget()
      return null
    }
  }

  async #open(): Promise<Client> {
    const client = await connect(this.#url, { name: 'leader', idleMs: silenceMs })
    // In another session there is no lock of ours.
    const sound = setInterval(() => {
      void assertOwnSession(client).catch(() => client.end().catch(() => {}))
    }, soundMs)
    sound.unref()
    this.#sound = sound
    client.on('end', () => {
      clearInterval(sound)
      // Another session may have begun meanwhile.
      if (this.#sound === sound) this.#forget()
    })
    return client
  }

  #forget(): void {
    if (this.#sound !== null) clearInterval(this.#sound)
    this.#sound = null
    this.#session = null
    this.#terms.clear()
  }
}

/** The store for the work of one term. */
export function ofTerm(store: Store, role: string, term: string): Store {
  return {
    engine: store.engine,
    step: (step) => store.step(fenced(step, role, term)),
    query: (statement, args) => store.query(statement, args),
    execute: (statement, args) => store.execute(statement, args),
    followClock: () => store.followClock(),
    subscribe: (topic, listener) => store.subscribe(topic, listener),
    lead: (other) => store.lead(other),
    close: () => store.close(),
  }
}

/** The same step, which writes nothing once the work has another term. */
function fenced<Refs extends RowRefs, Answer>(
  step: Step<Refs, Answer>,
  role: string,
  term: string,
): Step<RowRefs, Answer> {
  return {
    ...step,
    rows: { ...step.rows, termOfLeader: row('facts', { name: factOf(role) }) },
    decide: (rows, at): Decision<Answer> => {
      const { termOfLeader, ...named } = rows
      const present = isFact(termOfLeader) ? termOfLeader.value : null
      if (present !== term)
        throw new LeadershipLost(`${role} is done by another node since (term ${present})`)
      // What is left are the rows the step itself named.
      return step.decide(named as LockedRows<Refs>, at)
    },
  }
}

/** What a step finds under a name that it gave to one row. */
function isFact(found: unknown): found is { value: string } {
  return typeof found === 'object' && found !== null && 'value' in found
}
