/** What the console counts; what columns hold is said in `schema.ts`. */
import type { Direction } from '../machines/order.ts'
import type { OrderStatus } from '../machines/statuses.ts'

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
