/** Why an order refused, and what its provider is told: one total table a direction (protocol 4 and 7.3). */

import type { RefusedOrder } from '../../actors/orders/telling.ts'
import type { Direction } from '../../machines/order.ts'
import type { RefusalReason } from '../../machines/refusals.ts'
import type { HttpRefusal } from '../foundation/errors.ts'

export type PaymentAction = 'start' | 'confirm' | 'cancel'

type ToRefusal = (order: RefusedOrder, action: PaymentAction) => HttpRefusal

const participles: Record<PaymentAction, string> = {
  start: 'started',
  confirm: 'confirmed',
  cancel: 'cancelled',
}

const statusRefused: ToRefusal = (order, action) => ({
  name: 'status_refused',
  values: { action: participles[action], status: order.status },
})
const forbidden: ToRefusal = () => ({ name: 'permission_denied' })
const lockedByOther: ToRefusal = () => ({ name: 'locked_by_other' })

const common = {
  wrong_status: statusRefused,
  // Only while the clock is in doubt: for the provider the order has expired, whatever its row says.
  past_expiry: (_: RefusedOrder, action: PaymentAction): HttpRefusal => ({
    name: 'status_refused',
    values: { action: participles[action], status: 'EXPIRED' },
  }),
  not_holder: forbidden,
  ended_while_locked: (order: RefusedOrder): HttpRefusal => ({
    name: 'ended_while_locked',
    values: { status: order.status },
  }),
  provider_frozen: (): HttpRefusal => ({ name: 'provider_frozen' }),
  merchant_frozen: (): HttpRefusal => ({ name: 'merchant_frozen' }),
  order_quarantined: (): HttpRefusal => ({ name: 'order_quarantined' }),
  network_currency: (order: RefusedOrder): HttpRefusal => ({
    name: 'network_currency',
    values: { currency: order.currency },
  }),
  network_limits: (): HttpRefusal => ({ name: 'network_limits' }),
  exposure_reached: (): HttpRefusal => ({ name: 'exposure_reached' }),
  node_drained: (): HttpRefusal => ({ name: 'draining' }),
  // No provider can ask for these.
  needs_force: forbidden,
  not_due: forbidden,
}

export const refusalTables: Record<Direction, Record<RefusalReason, ToRefusal>> = {
  PAY_OUT: {
    ...common,
    // Two tills of one provider must not both pay out.
    locked_by_caller: statusRefused,
    locked_by_other: lockedByOther,
  },
  PAY_IN: {
    ...common,
    // Pay-in answers 403 where pay-out answers 409: protocol 4.4.
    locked_by_caller: forbidden,
    locked_by_other: forbidden,
  },
}
