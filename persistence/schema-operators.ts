/** The tables of the console: who may use it, and what it counts; what columns hold is said in `schema.ts`. */
import type { Direction } from '../machines/order.ts'
import type { OrderStatus } from '../machines/statuses.ts'
import type { Instant } from '../machines/time.ts'

/** ISO 639. */
export type Language = 'en' | 'es' | 'pt'

export type Role = 'viewer' | 'operator' | 'administrator'

/** Who may sign in to the console. */
export interface OperatorTable {
  /** In lower case. */
  name: string
  role: Role
  /** `scrypt$…`, with its parameters. */
  password_hash: string
  password_at: Instant
  created_at: Instant
  signed_in_at: Instant | null
  disabled_at: Instant | null
  /** Of the console's pages; `null` for the browser's. */
  language: Language | null
  /** An IANA zone; `null` for UTC. */
  time_zone: string | null
}

/** A signed-in operator; the token itself is only in its browser. */
export interface SessionTable {
  /** SHA-256 of the token. */
  digest: string
  operator_name: string
  created_at: Instant
  seen_at: Instant
  address: string
}

/** How many orders there are, kept by the database itself: the sum over all counters. */
export interface OrderTotalTable {
  status: OrderStatus
  direction: Direction
  currency: string
  counter: number
  orders: number
}

/** How many orders came into a status on a day (UTC, days since the epoch); made is `CREATED`. */
export interface OrderDayTable {
  day: number
  status: OrderStatus
  counter: number
  orders: number
}
