/** One order as the API tells of it, asked by one caller at a time: protocol 3, 4.4 to 4.6, written anew. It imports nothing of the program. */
import type { Sequential } from './checker.ts'

export interface OrderState {
  status: 'CREATED' | 'READY' | 'PAYMENT_STARTED' | 'COMPLETED' | 'CANCELLED' | 'EXPIRED'
  /** Who holds it, or held it when it ended. */
  holder: string | null
}

export type OrderInput =
  | { does: 'look' }
  | { does: 'start' | 'confirm' | 'cancel'; provider: string }
  /** An operator's, who also cancels what is held. */
  | { does: 'operator cancels' }
  /** What the node does by itself, once it may: reserving the price, and expiring. */
  | { does: 'fund' }
  | { does: 'expire'; held: boolean }

/** A status of HTTP, or what a look has shown. */
export type OrderOutput = number | OrderState['status']

const finals = ['COMPLETED', 'CANCELLED', 'EXPIRED']

/** @param direction of a pay-out 409 tells who comes second, of a pay-in 403 */
export function orderModel(direction: 'PAY_OUT' | 'PAY_IN'): Sequential<OrderState, OrderInput, OrderOutput> {
  return {
    initial: { status: direction === 'PAY_OUT' ? 'CREATED' : 'READY', holder: null },
    key: ({ status, holder }) => `${status} ${holder}`,
    step(state, input, output) {
      return transitions(state, input, direction)
        .filter(([, answer]) => output === null || answer === output)
        .map(([next]) => next)
    },
  }
}

function transitions(
  state: OrderState,
  input: OrderInput,
  direction: 'PAY_OUT' | 'PAY_IN',
): readonly (readonly [OrderState, OrderOutput])[] {
  const { status, holder } = state
  const stays = (answer: OrderOutput) => [[state, answer]] as const
  const isHeld = status === 'PAYMENT_STARTED'
  switch (input.does) {
    case 'look':
      return stays(status)
    case 'fund':
      return status === 'CREATED' ? [[{ status: 'READY', holder: null }, 200]] : stays(400)
    case 'expire':
      if (input.held) return isHeld ? [[{ status: 'EXPIRED', holder }, 200]] : stays(400)
      return status === 'CREATED' || status === 'READY'
        ? [[{ status: 'EXPIRED', holder: null }, 200]]
        : stays(400)
    case 'operator cancels':
      return finals.includes(status)
        ? stays(400)
        : [[{ status: 'CANCELLED', holder: isHeld ? holder : null }, 200]]
    case 'start':
      if (status === 'READY') return [[{ status: 'PAYMENT_STARTED', holder: input.provider }, 200]]
      if (!isHeld) return stays(400)
      if (direction === 'PAY_IN') return stays(403)
      return stays(holder === input.provider ? 400 : 409)
    case 'confirm':
      if (isHeld) return holder === input.provider ? [[{ status: 'COMPLETED', holder }, 200]] : stays(403)
      if (status === 'COMPLETED') return stays(holder === input.provider ? 200 : 400)
      return stays(finals.includes(status) && holder === input.provider ? 422 : 400)
    case 'cancel':
      if (!isHeld) return stays(400)
      if (holder !== input.provider) return stays(403)
      // Past its expiry it ends.
      return [
        [{ status: 'READY', holder: null }, 200],
        [{ status: 'EXPIRED', holder: null }, 200],
      ]
  }
}
