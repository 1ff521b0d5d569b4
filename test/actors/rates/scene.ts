/** A rate, its source and what the node makes of it. */
import { acceptRate } from '../../../actors/rates/acceptance.ts'
import type { OrderWorld } from '../../support/order-world.ts'
import type { RateServer, RateWorld } from '../../support/rate-sources.ts'

export interface Scene extends RateWorld {
  world: OrderWorld
  server: RateServer
  /** `url` and `pointer` of the server, with the longest time-out. */
  source: Record<string, unknown>
}

export async function isAcceptable({ row, world }: Pick<Scene, 'row' | 'world'>): Promise<boolean> {
  return acceptRate(await row(), world.clock.now()).ok
}

export const degraded = (others = '') =>
  `There is no acceptable rate for USDC to MX MXN on SOLANA${others}: \`rate list\` says why.`
