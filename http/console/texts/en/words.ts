/** Words of the program's own, as people read them; what is not here is read as the program writes it. */
import type { OrderStatus } from '../../../../machines/statuses.ts'

const ofOrders: Readonly<Record<OrderStatus, string>> = {
  CREATED: 'created',
  READY: 'ready',
  PAYMENT_STARTED: 'payment started',
  COMPLETED: 'completed',
  CANCELLED: 'cancelled',
  EXPIRED: 'expired',
}

export const words = {
  ...ofOrders,
  any: 'any',
  all: 'all',
  fixed: 'fixed',
  MON: 'Mon',
  TUE: 'Tue',
  WED: 'Wed',
  THU: 'Thu',
  FRI: 'Fri',
  SAT: 'Sat',
  SUN: 'Sun',
}
