/** A world of two shops and two networks that settle, and a bookkeeper beside it that is told what was answered. */
import { assetCurrency } from '../../../machines/money.ts'
import type { Random } from '../../durability/random.ts'
import type { ArchiveWorld } from '../archive.ts'
import type { ForeignPlay } from '../foreign-orders.ts'
import type { Bookkeeper } from '../model/bookkeeper.ts'
import { written } from '../model/figures.ts'
import type { Operator } from '../operations.ts'
import type { Closer } from '../statement-world.ts'
import { type Market, names } from './terms.ts'

export interface Play extends ForeignPlay {
  random: Random
  operator: Operator
  books: Bookkeeper
  closer: Closer
  /** In the order in which they were made; their ids are random. */
  orderIds: string[]
  statuses: Map<string, string>
  paymentIds: { id: string; state: string }[]
  wires: { merchant: string; currency: string; amount: string; reference: string }[]
  /** Unidentified lines that wait. */
  strays: { exception: string; bank: string; direction: string; currency: string; amount: string }[]
  /** Conversions whose proceeds have not come yet. */
  unsold: { id: string; asset: string; currency: string; units: bigint; feePart: bigint }[]
  /** By how much each line was corrected so far. */
  corrected: Map<string, bigint>
  archive: ArchiveWorld
  /** Of postings: those of orders that go to the archive go with them. */
  kinds: Set<string>
  references: number
}

export type Deed = (play: Play) => Promise<void>

export function pick<T>({ random }: Pick<Play, 'random'>, list: readonly T[]): T {
  const found = list[random.below(list.length)]
  if (found === undefined) throw new Error('There is nothing to choose from.')
  return found
}

export function amountIn({ random }: Play, { least, most }: Market): bigint {
  return BigInt(least + random.below(most - least))
}

/** What the API says of orders now, told where it has changed. */
export async function look(play: Play): Promise<void> {
  await play.fund()
  for (const order of await play.rows('orders')) {
    const { id, status, merchant_id, country, direction, currency, price_minor } = order
    if (!play.statuses.has(id)) play.orderIds.push(id)
    if (play.statuses.get(id) === status) continue
    play.statuses.set(id, status)
    const fact = {
      at: play.clock.now(),
      merchant: names.get(merchant_id) ?? '',
      order: { id, direction, price: written(price_minor, currency), price_currency: currency, status },
      network: order.lock_network_id,
    }
    if (order.machine !== 'payOutForeign') play.books.tell({ is: 'order', country, ...fact })
    else play.books.tell({ is: 'foreignOrder', quote: await quoteOf(play, id, currency), ...fact })
  }
}

async function quoteOf(play: Play, id: string, currency: string) {
  const { send_currency, blockchain, asset_decimals, ...side } = await play.side(id)
  const asset = assetCurrency(send_currency, blockchain, asset_decimals)
  return {
    asset,
    send: written(side.expected_minor, asset),
    fee: written(side.fee_minor, asset),
    rounding: written(side.rounding_minor, currency),
  }
}

export function newReference(play: Play): string {
  play.references += 1
  return `line ${play.references}`
}

export function tellPayment(
  play: Play,
  payment: {
    id: string
    party: string
    direction: string
    amount: string
    currency: string
    bank: string
    state: string
  },
  statement?: number,
): void {
  const known = play.paymentIds.find(({ id }) => id === payment.id)
  if (known === undefined) play.paymentIds.push({ id: payment.id, state: payment.state })
  else known.state = payment.state
  play.books.tell({ is: 'payment', at: play.clock.now(), payment, statement })
}
