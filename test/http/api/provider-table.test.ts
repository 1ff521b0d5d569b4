/**
 * Every status × provider call × holder, other or none, for both directions: protocol 3, 4.4 to 4.6
 * and 7.3.
 *
 * A holds or held the order where somebody does; B is the other. `status X`: 400 with a text that names it.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Direction } from '../../../machines/order.ts'
import { startTestNode, stopTestNode, type TestNode } from '../../support/node.ts'
import { call, orderIn, type Situation } from '../../support/orders.ts'

let node: TestNode
test.before(async () => {
  node = await startTestNode({ env: { VENTANILLA_LIMITS_REQUESTSPERMINUTE: '100000' } })
})
test.after(() => stopTestNode(node))

const table: Record<Direction, string> = {
  PAY_OUT: `
    CREATED           A  check    200  CREATED
    CREATED           A  start    400  status CREATED
    CREATED           A  confirm  400  status CREATED
    CREATED           A  cancel   400  status CREATED
    READY             A  check    200  READY
    READY             A  start    200  PAYMENT_STARTED
    READY             A  confirm  400  status READY
    READY             A  cancel   400  status READY
    LOCKED            A  check    200  PAYMENT_STARTED
    LOCKED            A  start    400  status PAYMENT_STARTED
    LOCKED            A  confirm  200  COMPLETED
    LOCKED            A  cancel   200  READY
    LOCKED            B  check    200  PAYMENT_STARTED
    LOCKED            B  start    409  other
    LOCKED            B  confirm  403  forbidden
    LOCKED            B  cancel   403  forbidden
    GRACE             A  check    200  PAYMENT_STARTED
    GRACE             A  start    400  status PAYMENT_STARTED
    GRACE             A  confirm  200  COMPLETED
    GRACE             A  cancel   200  EXPIRED
    GRACE             B  check    200  PAYMENT_STARTED
    GRACE             B  start    409  other
    GRACE             B  confirm  403  forbidden
    GRACE             B  cancel   403  forbidden
    COMPLETED         A  check    200  COMPLETED
    COMPLETED         A  start    400  status COMPLETED
    COMPLETED         A  confirm  200  COMPLETED
    COMPLETED         A  cancel   400  status COMPLETED
    COMPLETED         B  check    200  COMPLETED
    COMPLETED         B  start    400  status COMPLETED
    COMPLETED         B  confirm  400  status COMPLETED
    COMPLETED         B  cancel   400  status COMPLETED
    CANCELLED         A  check    200  CANCELLED
    CANCELLED         A  start    400  status CANCELLED
    CANCELLED         A  confirm  400  status CANCELLED
    CANCELLED         A  cancel   400  status CANCELLED
    CANCELLED_LOCKED  A  check    200  CANCELLED
    CANCELLED_LOCKED  A  start    400  status CANCELLED
    CANCELLED_LOCKED  A  confirm  422  ended CANCELLED
    CANCELLED_LOCKED  A  cancel   400  status CANCELLED
    CANCELLED_LOCKED  B  check    200  CANCELLED
    CANCELLED_LOCKED  B  start    400  status CANCELLED
    CANCELLED_LOCKED  B  confirm  400  status CANCELLED
    CANCELLED_LOCKED  B  cancel   400  status CANCELLED
    EXPIRED           A  check    200  EXPIRED
    EXPIRED           A  start    400  status EXPIRED
    EXPIRED           A  confirm  400  status EXPIRED
    EXPIRED           A  cancel   400  status EXPIRED
    EXPIRED_LOCKED    A  check    200  EXPIRED
    EXPIRED_LOCKED    A  start    400  status EXPIRED
    EXPIRED_LOCKED    A  confirm  422  ended EXPIRED
    EXPIRED_LOCKED    A  cancel   400  status EXPIRED
    EXPIRED_LOCKED    B  check    200  EXPIRED
    EXPIRED_LOCKED    B  start    400  status EXPIRED
    EXPIRED_LOCKED    B  confirm  400  status EXPIRED
    EXPIRED_LOCKED    B  cancel   400  status EXPIRED`,
  PAY_IN: `
    READY             A  check    200  READY
    READY             A  start    200  PAYMENT_STARTED
    READY             A  confirm  400  status READY
    READY             A  cancel   400  status READY
    LOCKED            A  check    200  PAYMENT_STARTED
    LOCKED            A  start    403  forbidden
    LOCKED            A  confirm  200  COMPLETED
    LOCKED            A  cancel   200  READY
    LOCKED            B  check    200  PAYMENT_STARTED
    LOCKED            B  start    403  forbidden
    LOCKED            B  confirm  403  forbidden
    LOCKED            B  cancel   403  forbidden
    GRACE             A  check    200  PAYMENT_STARTED
    GRACE             A  start    403  forbidden
    GRACE             A  confirm  200  COMPLETED
    GRACE             A  cancel   200  EXPIRED
    GRACE             B  check    200  PAYMENT_STARTED
    GRACE             B  start    403  forbidden
    GRACE             B  confirm  403  forbidden
    GRACE             B  cancel   403  forbidden
    COMPLETED         A  check    200  COMPLETED
    COMPLETED         A  start    400  status COMPLETED
    COMPLETED         A  confirm  200  COMPLETED
    COMPLETED         A  cancel   400  status COMPLETED
    COMPLETED         B  check    200  COMPLETED
    COMPLETED         B  start    400  status COMPLETED
    COMPLETED         B  confirm  400  status COMPLETED
    COMPLETED         B  cancel   400  status COMPLETED
    CANCELLED         A  check    200  CANCELLED
    CANCELLED         A  start    400  status CANCELLED
    CANCELLED         A  confirm  400  status CANCELLED
    CANCELLED         A  cancel   400  status CANCELLED
    CANCELLED_LOCKED  A  check    200  CANCELLED
    CANCELLED_LOCKED  A  start    400  status CANCELLED
    CANCELLED_LOCKED  A  confirm  422  ended CANCELLED
    CANCELLED_LOCKED  A  cancel   400  status CANCELLED
    CANCELLED_LOCKED  B  check    200  CANCELLED
    CANCELLED_LOCKED  B  start    400  status CANCELLED
    CANCELLED_LOCKED  B  confirm  400  status CANCELLED
    CANCELLED_LOCKED  B  cancel   400  status CANCELLED
    EXPIRED           A  check    200  EXPIRED
    EXPIRED           A  start    400  status EXPIRED
    EXPIRED           A  confirm  400  status EXPIRED
    EXPIRED           A  cancel   400  status EXPIRED
    EXPIRED_LOCKED    A  check    200  EXPIRED
    EXPIRED_LOCKED    A  start    400  status EXPIRED
    EXPIRED_LOCKED    A  confirm  422  ended EXPIRED
    EXPIRED_LOCKED    A  cancel   400  status EXPIRED
    EXPIRED_LOCKED    B  check    200  EXPIRED
    EXPIRED_LOCKED    B  start    400  status EXPIRED
    EXPIRED_LOCKED    B  confirm  400  status EXPIRED
    EXPIRED_LOCKED    B  cancel   400  status EXPIRED`,
}

const participles: Record<string, string> = { start: 'started', confirm: 'confirmed', cancel: 'cancelled' }

/** The bodies of refusals, by the first word of the last column. */
const refusals: Record<string, (action: string, status: string) => object> = {
  status: (action, status) => {
    const detail = `The payment cannot be ${participles[action]}: the status of the order is ${status}.`
    return { detail, type: 'validation_error', errors: [{ attr: null, code: 'invalid', detail }] }
  },
  forbidden: () => {
    const detail = 'You do not have permission to perform this action.'
    return { detail, type: 'client_error', errors: [{ attr: null, code: 'permission_denied', detail }] }
  },
  other: () => ({ detail: 'Order is currently being processed by another provider.' }),
  ended: (_, status) => {
    const detail = `The order became ${status} while it was locked. The operator has to settle it.`
    return { detail, type: 'client_error', errors: [{ attr: null, code: 'ended_while_locked', detail }] }
  },
}

/** Parts 4.1 and 4.2; the fields of a cancel are those of a start. */
const fields: Record<Direction, Record<string, string[]>> = {
  PAY_OUT: {
    check: ['price', 'price_currency', 'created', 'modified', 'status', 'expiry'],
    start: ['price', 'price_currency', 'status', 'modified', 'expiry'],
    confirm: ['price', 'price_currency', 'status', 'paid', 'modified'],
    cancel: ['price', 'price_currency', 'status', 'modified', 'expiry'],
  },
  PAY_IN: {
    check: ['price', 'price_currency', 'created', 'status', 'expiry', 'description'],
    start: ['price', 'price_currency', 'status', 'modified'],
    confirm: ['price', 'price_currency', 'status', 'paid'],
    cancel: ['price', 'price_currency', 'status', 'modified'],
  },
}

for (const direction of ['PAY_OUT', 'PAY_IN'] as const) {
  for (const row of table[direction].trim().split('\n')) {
    const [situation = '', caller = '', action = '', code = '', said = '', named = ''] = row
      .trim()
      .split(/\s+/)
    test(`${direction}: ${row.trim().replace(/\s+/g, ' ')}`, async () => {
      const order = await orderIn(node, direction, situation as Situation)
      const createdAt = (await node.core.orders.find(order.id))?.order.created_at ?? 0
      const as = caller === 'A' ? 'pk_a' : 'pk_b'
      const answer = await call(node, order, action as 'check' | 'start', as)
      const kept = (await node.core.orders.find(order.id))?.order
      assert.is(answer.status, Number(code), answer.text)
      assert.is(answer.headers.get('content-type'), 'application/json')
      const refusal = refusals[said]
      if (refusal) return assert.is(answer.text, JSON.stringify(refusal(action, named)))

      const iso = (at: number | null | undefined) => new Date(at ?? 0).toISOString()
      const values: Record<string, string> = {
        price: '1000.00',
        price_currency: 'MXN',
        status: said,
        created: iso(createdAt),
        modified: iso(kept?.modified_at),
        expiry: iso(createdAt + 60_000),
        paid: iso(kept?.paid_at),
        description: 'Refund of order 1234',
      }
      const expected = fields[direction][action]?.map((name) => [name, values[name]]) ?? []
      assert.is(answer.text, JSON.stringify(Object.fromEntries(expected)))
    })
  }
}

test.run()
