/** A provider's report on the orders of a world that was restored. */
import { orderReport } from '../../actors/reports/operations.ts'
import { formatInstant } from '../../machines/time.ts'
import { quarantineOpenOrders } from '../../persistence/queries/quarantine.ts'
import type { Row } from '../../persistence/store.ts'
import { operatorOf } from './operations.ts'
import { commit, minuteMs, type OrderWorld, tills } from './order-world.ts'

export const header = 'order,outcome,amount,paid_at,reference,network'

/** As a restoration leaves it, with networks for those of the tills that may pay. */
export async function restored(world: OrderWorld, able: readonly ('A' | 'B')[] = ['A', 'B']): Promise<void> {
  await commit(
    world.store,
    able.map((till) => ({
      insert: 'networks',
      values: { network_id: `000${till}`, provider_id: tills[till].id },
    })),
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
  `${order},paid,${amount},${formatInstant(world.clock.now() - 1000)},${reference},`
export const notPaid = (order: string) => `${order},not_paid,,,,`
export const report = (world: OrderWorld, lines: string[], provider = 'Network A', more: object = {}) =>
  operatorOf(world).ask(orderReport, { provider, text: [header, ...lines].join('\r\n'), ...more })
export const problems = async (world: OrderWorld, lines: string[], provider = 'Network A') =>
  (await operatorOf(world).refusal('order.report', { provider, text: [header, ...lines].join('\n') })).details
