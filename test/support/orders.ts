/** Orders of a test node in every situation a provider can meet, made over the API where it can make them. */
import type { Direction } from '../../machines/order.ts'
import { payOutBody, type TestAnswer, type TestNode } from './node.ts'
import { refOf } from './order-world.ts'

/** `_LOCKED`: it ended while Network A held it. GRACE: held by A, past its expiry, within the grace. */
export type Situation =
  | 'CREATED'
  | 'READY'
  | 'LOCKED'
  | 'GRACE'
  | 'COMPLETED'
  | 'CANCELLED'
  | 'CANCELLED_LOCKED'
  | 'EXPIRED'
  | 'EXPIRED_LOCKED'

export interface OrderOfTest {
  id: string
  code: string
  direction: Direction
}

const segments: Record<Direction, string> = { PAY_OUT: 'pay-out', PAY_IN: 'pay-in' }

export const merchantPath = (direction: Direction, id = '') =>
  `/api/v1/merchants/orders/${segments[direction]}/${id === '' ? '' : `${id}/`}`

export const providerPath = (direction: Direction, code: string, action = '') =>
  `/api/v1/providers/orders/${segments[direction]}/${code}/${action === '' ? '' : `${action}-payment/`}`

/** A pay-in needs both, a pay-out neither; what `pk_a` and `pk_b` may name. */
export const paymentBody = (as = 'pk_a') => ({
  network_id: as === 'pk_a' ? '0001' : '0002',
  price: '1000.00',
  price_currency: 'MXN',
})

let messages = 0

/** A provider's call; each one is a message of its own. */
export function call(
  node: TestNode,
  { direction, code }: Pick<OrderOfTest, 'direction' | 'code'>,
  action: 'check' | 'start' | 'confirm' | 'cancel',
  as = 'pk_a',
  body: unknown = paymentBody(as),
): Promise<TestAnswer> {
  if (action === 'check') return node.request({ as, path: providerPath(direction, code) })
  return node.request({ as, path: providerPath(direction, code, action), body, at: ++messages / 1000 })
}

/** A new order of 1,000 MXN, which expires in a minute; a funded one unless `as` has no money. */
export async function newOrder(
  node: TestNode,
  direction: Direction,
  as = 'mk_shop',
  changes: Record<string, unknown> = {},
): Promise<OrderOfTest> {
  const expiry = new Date(node.clock.now() + 60_000).toISOString()
  const body = payOutBody({ expiry, ...changes })
  const created = await node.request({ as, path: merchantPath(direction), body })
  if (created.status !== 201) throw new Error(`A test's order was refused: ${created.text}`)
  const { id } = created.json
  const find = async () => (await node.core.orders.find(id))?.order
  if (direction === 'PAY_OUT' && as === 'mk_shop') {
    await node.until(async () => (await find())?.status === 'READY')
  }
  return { id, code: (await find())?.code ?? 'none', direction }
}

export async function orderIn(
  node: TestNode,
  direction: Direction,
  situation: Situation,
): Promise<OrderOfTest> {
  // Only this merchant has no money: its pay-outs wait.
  const order = await newOrder(node, direction, situation === 'CREATED' ? 'mk_other' : 'mk_shop')
  const isHeld = !['CREATED', 'READY', 'CANCELLED', 'EXPIRED'].includes(situation)
  if (isHeld) await expectOk(call(node, order, 'start'))
  if (situation === 'COMPLETED') await expectOk(call(node, order, 'confirm'))
  if (situation === 'EXPIRED' || situation === 'GRACE') node.clock.advance(60_001)
  if (situation === 'EXPIRED_LOCKED') node.clock.advance(60_000 + 600_001)
  if (situation.startsWith('CANCELLED')) await cancelAsOperator(node, order.id)
  return order
}

export async function cancelAsOperator(node: TestNode, orderId: string): Promise<void> {
  const told = await node.core.orders.tell({
    order: await refOf(node.core.store, orderId),
    actor: { kind: 'operator', name: 'ana' },
    type: 'operator.cancel',
    reason: 'a test',
    force: true,
  })
  if (told.outcome !== 'accepted') throw new Error(`The operator's cancel ended as ${told.outcome}.`)
}

async function expectOk(answer: Promise<TestAnswer>): Promise<void> {
  const { status, text } = await answer
  if (status !== 200) throw new Error(`A test's order was not brought into its place: ${text}`)
}
