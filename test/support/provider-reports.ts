/** A network's report on the orders of a world that was restored. */
import { orderQuarantined } from '../../actors/orders/quarantine-operations.ts'
import type { RunDocument } from '../../actors/reconciliation/run-document.ts'
import { formatInstant } from '../../machines/time.ts'
import { quarantineOpenOrders } from '../../persistence/queries/quarantine.ts'
import type { Row } from '../../persistence/store.ts'
import { operatorOf } from './operations.ts'
import { commit, minuteMs, type OrderWorld, tills } from './order-world.ts'
import { reportsOf } from './reported-day.ts'

const header = 'order,outcome,amount,paid_at,reference'

/** As a restoration leaves it, with networks for those of the tills that may pay. */
export async function restored(world: OrderWorld, able: readonly ('A' | 'B')[] = ['A', 'B']): Promise<void> {
  await commit(
    world.store,
    able.map((till) => ({
      insert: 'networks',
      values: { network_id: `000${till}`, provider_id: tills[till].id, currency: 'MXN' },
    })),
  )
  // What was agreed on with some names no currency, without which nothing is compared.
  const others = (await world.rows('networks')).filter(({ currency }) => currency === null)
  await commit(
    world.store,
    others.map(({ network_id }) => ({ update: 'networks', key: { network_id }, set: { currency: 'MXN' } })),
  )
  await world.store.execute(quarantineOpenOrders, { at: world.clock.now() })
  world.clock.advance(minuteMs)
}

export async function readyOrders(world: OrderWorld, count: number): Promise<Row<'orders'>[]> {
  await world.deposit(100_000n * BigInt(count))
  const made: Row<'orders'>[] = []
  for (let index = 0; index < count; index++) made.push(await world.order())
  return made
}

export const paid = (world: OrderWorld, order: string, reference = 'r-1', amount = '1000.00') =>
  `${order},paid,${amount},${formatInstant(world.clock.now() - 1000)},${reference}`
export const notPaid = (order: string, reference = '') => `${order},not_paid,,,${reference}`

const dayOf = (world: OrderWorld) => formatInstant(world.clock.now()).slice(0, 10)
const networkOf = (provider: string) => (provider === 'Network B' ? '000B' : '000A')

/** What a line has come to: as `WordResult` of the program has it, seen in the rows. */
export interface Booked {
  order: string
  result: 'paid' | 'cleared' | 'noted' | 'unchanged'
  waitsFor: string[]
}

/** Only looked at. */
export function look(
  world: OrderWorld,
  lines: readonly string[],
  provider = 'Network A',
): Promise<RunDocument> {
  return reportsOf(world).look([header, ...lines].join('\r\n'), dayOf(world), networkOf(provider))
}

/** Applied: what has come of the order of each line. */
export async function report(
  world: OrderWorld,
  lines: readonly string[],
  provider = 'Network A',
): Promise<Booked[]> {
  const orders = await world.rows('orders')
  const named = lines.map((line) => {
    const [name] = line.split(',')
    return orders.find(({ id, code }) => id === name || code === name)
  })
  await reportsOf(world).send([header, ...lines].join('\r\n'), dayOf(world), networkOf(provider))
  const { orders: quarantined } = await operatorOf(world).ask(orderQuarantined, {})
  const booked: Booked[] = []
  for (const before of named) {
    if (before === undefined) continue
    const after = await world.row(before.id)
    const { waitsFor = [] } = quarantined.find(({ id }) => id === before.id) ?? {}
    const isFree = before.quarantined_at !== null && after.quarantined_at === null
    const isPaid = before.status !== 'COMPLETED' && after.status === 'COMPLETED'
    const result = isPaid
      ? 'paid'
      : isFree
        ? 'cleared'
        : after.revision > before.revision
          ? 'noted'
          : 'unchanged'
    booked.push({ order: before.id, result, waitsFor })
  }
  return booked
}

/** `line 2: …` of each that differs, as the preview tells it. */
export async function problems(
  world: OrderWorld,
  lines: readonly string[],
  provider = 'Network A',
): Promise<string[]> {
  const { differences } = await look(world, lines, provider)
  return differences.map(({ line, reason }) => `line ${line}: ${reason}`)
}
