/** How pages show each status of an order. */
import type { OrderStatus } from '../../machines/statuses.ts'

export type StatusTone = 'waiting' | 'ready' | 'busy' | 'done' | 'stopped'

export const statusTones: Readonly<Record<OrderStatus, StatusTone>> = {
  CREATED: 'waiting',
  READY: 'ready',
  PAYMENT_STARTED: 'busy',
  COMPLETED: 'done',
  CANCELLED: 'stopped',
  EXPIRED: 'stopped',
}
