/** What becomes of orders: made, paid, given back, cancelled, doubted, and said of by an operator. */
import { exceptionResolve } from '../../../actors/resolutions/operations.ts'
import { isOpen } from '../../../machines/statuses.ts'
import { hourMs, tills } from '../order-world.ts'
import { endAsset } from './foreign-deeds.ts'
import { markets } from './terms.ts'
import { amountIn, type Deed, look, type Play, pick } from './world.ts'

async function create(play: Play, direction: 'PAY_IN' | 'PAY_OUT', refundOf?: string): Promise<void> {
  const market = pick(play, markets)
  const { merchant, country, currency } = market
  const feeTerms = (await play.rows('fee_terms')).filter(
    (one) => one.party_id === merchant.id && one.country === country && one.currency === currency,
  )
  const expiryAt = play.clock.now() + (2 + play.random.below(70)) * hourMs
  const priceMinor = amountIn(play, market)
  await play.create({ merchant, country, currency, direction, priceMinor, feeTerms, expiryAt, refundOf })
  await look(play)
  const id = play.orderIds.at(-1)
  if (id !== undefined && !play.random.chance(0.2)) await handle(play, id)
}

async function start(play: Play, id: string, till: 'A' | 'B'): Promise<void> {
  const { currency } = await play.row(id)
  const { id: providerId } = tills[till]
  const said = { type: 'payment.start', providerId, networkId: `${till}-${currency}` } as const
  await play.tell(id, tills[till], said, { hasTerms: true })
  await look(play)
}

/** What was refused leaves the order before it as the last, which may be in the archive. */
export async function handle(play: Play, id: string): Promise<void> {
  if (!(await play.rows('orders')).some((one) => one.id === id)) return
  const till = play.random.chance(0.7) ? 'A' : 'B'
  await start(play, id, till)
  if (play.random.chance(0.75)) await play.confirm(id, till)
}

export const payIn: Deed = (play) => create(play, 'PAY_IN')
export const payOut: Deed = (play) => create(play, 'PAY_OUT')

/** It gives back what a pay-in brought, or a part of it. */
export async function refund(play: Play): Promise<void> {
  const paid = (await play.rows('orders')).filter(
    ({ direction, status }) => direction === 'PAY_IN' && status === 'COMPLETED',
  )
  if (paid.length > 0)
    await create(
      play,
      'PAY_OUT',
      pick(
        play,
        paid.map(({ id }) => id),
      ),
    )
}

export async function goOn(play: Play): Promise<void> {
  const open = play.orderIds.filter((id) => isOpen(play.statuses.get(id) as 'READY'))
  if (open.length === 0) return
  const id = pick(play, open)
  const till = play.random.chance(0.5) ? 'A' : 'B'
  if (play.statuses.get(id) === 'READY') await start(play, id, till)
  const chosen = play.random.below(8)
  if (chosen < 3) for (const each of ['A', 'B'] as const) await play.confirm(id, each)
  else if (chosen < 5) await play.cancel(id, true)
  else if (chosen < 6) await play.giveBack(id, till)
}

/** It ends while a till holds it, and nobody knows of its cash. */
export async function doubt(play: Play): Promise<void> {
  await create(play, play.random.chance(0.3) ? 'PAY_IN' : 'PAY_OUT')
  const id = play.orderIds.at(-1) ?? ''
  if (play.statuses.get(id) === 'READY') await start(play, id, play.random.chance(0.5) ? 'A' : 'B')
  if (isOpen(play.statuses.get(id) as 'READY')) await play.cancel(id, true)
  await look(play)
  await resolve(play)
  if (play.random.chance(0.5)) await confirmLate(play)
}

/** The former holder says after all that it has handled the cash. */
export async function confirmLate(play: Play): Promise<void> {
  const ended = (await play.rows('orders')).filter(
    ({ status, lock_provider_id }) =>
      (status === 'EXPIRED' || status === 'CANCELLED') && lock_provider_id !== null,
  )
  if (ended.length === 0) return
  const order = pick(play, ended)
  await play.confirm(order.id, order.lock_provider_id === tills.A.id ? 'A' : 'B')
}

export async function resolve(play: Play): Promise<void> {
  const open = (await play.rows('exceptions')).filter(
    ({ state, order_id, kind }) =>
      state === 'open' && order_id !== null && kind !== 'webhook_dead' && kind !== 'transaction_blocked',
  )
  open.sort((a, b) => play.orderIds.indexOf(a.order_id ?? '') - play.orderIds.indexOf(b.order_id ?? ''))
  if (open.length === 0) return
  const { id, order_id, kind } = pick(play, open)
  if (kind === 'refund_due') return endAsset(play, id, order_id ?? '')
  const otherwise = kind === 'confirmed_after_return' ? 'dismiss' : 'return'
  const as = play.random.chance(0.5) ? 'honour' : otherwise
  await play.operator.ask(exceptionResolve, { id, as, reason: 'the till says so' })
  play.books.tell({ is: 'resolution', at: play.clock.now(), order: order_id ?? '', as })
}
