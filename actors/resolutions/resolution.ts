/** What a resolution is given, and what it may answer. */
import type { Instant } from '../../machines/time.ts'
import type { Row, Topic, Write } from '../../persistence/store.ts'
import type { Acceptance } from '../chains/crediting.ts'
import type { AdvanceContext } from '../orders/advance.ts'
import type { Takeable } from '../orders/taking-back.ts'

/** What an exception is about, as its step holds it. */
export interface Subject {
  order: Row<'orders'> | null
  webhook: Row<'webhooks'> | null
  /** What the order's merchant has, in the order's currency, that may be taken back. */
  takeable: Takeable
  /** Of a foreign-currency order, and the exception of a refund that it may have. */
  foreign: Row<'foreign_orders'> | null
  /** Of a refund: what is left of its pay-in. */
  refundable: Row<'refundable'> | null
  consumer: Row<'consumers'> | null
  exception: Row<'exceptions'>
  /** What a blockchain brought, where it is about that. */
  deposit: Row<'deposits'> | null
  /** The count of a treasury, where it is about that. */
  count: Row<'treasury_counts'> | null
  /** What left a treasury in a transaction that is named, and where that was told. */
  outflow: Row<'treasury_outflows'> | null
  outflowException: Row<'exceptions'> | null
  /** What the operator has in hand. */
  evidence: string | null
  /** Who resolves, and why, for an order that is told of it. */
  acceptance: Acceptance
  context: AdvanceContext
  at: Instant
}

/** What a resolution does. */
export interface Effects {
  ok: true
  writes: readonly Write[]
  wake: readonly Topic[]
  /** It says where an order's money is, and belongs into the order's journal. */
  settles: Row<'orders'> | null
}

export interface Impossible {
  ok: false
  /** Why it cannot be done: a sentence for the operator, who alone reads it. */
  problem: string
}

export function done(effects: Partial<Omit<Effects, 'ok'>> = {}): Effects {
  return { ok: true, writes: [], wake: [], settles: null, ...effects }
}

export function impossible(problem: string): Impossible {
  return { ok: false, problem }
}

export type Resolve = (subject: Subject) => Effects | Impossible
