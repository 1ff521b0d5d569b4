/** Every status of an order (protocol 3), and what follows from it alone. The charts' states have these names. */

interface StatusFacts {
  /** What an order in it waits for before it ends by itself; `null` where it has ended. */
  due: 'expiry' | 'grace' | null
  /** Where its price is, if the order has one to hold: `returned` unless it ended while a provider held it. */
  money: 'awaited' | 'reserved' | 'paid' | 'returned'
}

const statuses = {
  CREATED: { due: 'expiry', money: 'awaited' },
  READY: { due: 'expiry', money: 'reserved' },
  PAYMENT_STARTED: { due: 'grace', money: 'reserved' },
  COMPLETED: { due: null, money: 'paid' },
  CANCELLED: { due: null, money: 'returned' },
  EXPIRED: { due: null, money: 'returned' },
} as const satisfies Record<string, StatusFacts>

export type OrderStatus = keyof typeof statuses

function isOrderStatus(name: string): name is OrderStatus {
  return Object.hasOwn(statuses, name)
}

export function factsOf(status: OrderStatus): StatusFacts {
  return statuses[status]
}

/** In the order of an order's life. */
export const orderStatuses: readonly OrderStatus[] = Object.keys(statuses).filter(isOrderStatus)

/** Whether an order in this status may still move. */
export function isOpen(status: OrderStatus): boolean {
  return factsOf(status).due !== null
}

export const openStatuses = orderStatuses.filter(isOpen)
/** Of texts, too: documents and pages have a status as a text. */
export const finalStatuses: readonly string[] = orderStatuses.filter((status) => !isOpen(status))
/** Those in which the price of a pay-out is held in reserve. */
export const reservedStatuses = orderStatuses.filter((status) => factsOf(status).money === 'reserved')
/** A provider may hold the order, or have held it when it ended. */
export const heldStatuses = orderStatuses.filter((status) => factsOf(status).due !== 'expiry')
