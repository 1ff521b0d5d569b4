/** Orders that can be archived, and those that were. */
import { hourMs, type OrderWorld } from '../../support/order-world.ts'

export const archivedIds = async (world: OrderWorld) =>
  (await world.rows('archived_orders')).map(({ id }) => id).sort()

/** One that was paid out, and one behind it whose entry is the newest of the journal. */
export async function paidAndLast(world: OrderWorld): Promise<{ paid: string; last: string }> {
  await world.deposit(900_000n)
  const paid = await world.order()
  await world.start(paid.id, 'A')
  await world.confirm(paid.id, 'A')
  const last = await world.order({ expiryAt: world.clock.now() + 400 * 24 * hourMs })
  return { paid: paid.id, last: last.id }
}
