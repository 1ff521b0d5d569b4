/** Orders of a world that go as they may, the same for the same seed. */
import { seededRandom } from '../durability/random.ts'
import { hourMs, type OrderWorld } from './order-world.ts'

/** A shop and two networks that make, pay, give back and cancel what they like. */
export async function playRandomly(world: OrderWorld, seed: number, deeds: number): Promise<void> {
  const random = seededRandom(seed)
  const ids: string[] = []
  await world.deposit(1_000_000n)
  const some = () => ids[random.below(ids.length)] ?? ''
  for (let deed = 0; deed < deeds; deed++) {
    const till = random.chance(0.5) ? 'A' : 'B'
    const chosen = ids.length === 0 ? 0 : random.below(10)
    if (chosen < 3) {
      const direction = random.chance(0.5) ? 'PAY_IN' : 'PAY_OUT'
      const expiryAt = world.clock.now() + (1 + random.below(48)) * hourMs
      const priceMinor = BigInt(10_000 + random.below(90_000))
      const made = await world.create({ direction, priceMinor, expiryAt })
      if (made.outcome === 'created') ids.push(made.order.id)
    } else if (chosen === 3) await world.deposit(BigInt(1 + random.below(500_000)))
    else if (chosen === 4) await world.takeBack(BigInt(1 + random.below(50_000)))
    else if (chosen === 5) world.clock.advance(random.below(8) * hourMs)
    else if (chosen === 6) await world.start(some(), till)
    else if (chosen === 7) await world.confirm(some(), till)
    else if (chosen === 8) await world.giveBack(some(), till)
    else await world.cancel(some(), random.chance(0.5))
    if (random.chance(0.5)) {
      const id = some()
      if (id === '') continue
      await world.start(id, till)
      if (random.chance(0.8)) await world.confirm(id, till)
    }
  }
}
