/** The table of simulations; what columns hold is said in `schema.ts`. */
import type { Instant } from '../machines/time.ts'

/** What is to be simulated with an order of a sandbox, and what came of it. */
export interface SimulationTable {
  id: string
  order_id: string
  /** A name of `actors/sandbox/steps.ts`. */
  step: string
  due_at: Instant
  /** Null until it was carried out. */
  settled_at: Instant | null
  /** The order's status then, or why it was refused. */
  outcome: string | null
}
