/** What a shop and a network have agreed on with the operator, for worlds of orders. */
import { type Check, verify } from '../../actors/verification/verify.ts'
import { openReader } from '../../persistence/index.ts'
import type { Row, Write } from '../../persistence/store.ts'
import { commit, journalKey, type OrderWorld, shop, tills } from './order-world.ts'

type FeeTerms = Row<'fee_terms'>

/** In Mexico, in pesos, 2.5 % of pay-ins, 1.5 % of pay-outs; tax of 16 %. */
export const shopFees: readonly FeeTerms[] = [
  termsOf('shop-in', { direction: 'PAY_IN', bps: 250 }),
  termsOf('shop-out', { direction: 'PAY_OUT', bps: 150 }),
]

/** Of network A: 5 pesos and 0.8 %, from 5 to 60; tax of 16 %. */
const commission = { fixed_minor: 500n, bps: 80, min_minor: 500n, max_minor: 6000n }
const commissions: readonly FeeTerms[] = (['PAY_IN', 'PAY_OUT'] as const).map((direction) =>
  termsOf(`network-${direction}`, {
    ...commission,
    direction,
    party_id: tills.A.id,
    kind: 'commission',
    network_id: '000A',
    country: '',
  }),
)

export function termsOf(id: string, changes: Partial<FeeTerms>): FeeTerms {
  return {
    id,
    party_id: shop.id,
    kind: 'fee',
    network_id: '',
    country: 'MX',
    currency: 'MXN',
    direction: 'PAY_IN',
    from_day: '2000-01-01',
    from_at: 946_684_800_000,
    fixed_minor: 0n,
    bps: 0,
    min_minor: null,
    max_minor: null,
    tax_bps: 1600,
    ...changes,
  }
}

type Network = Extract<Write, { insert: 'networks' }>['values']

/** Network A, the shop's fees and the network's commissions. */
export async function agree(world: OrderWorld, network: Partial<Network> = {}): Promise<void> {
  await commit(world.store, [
    { insert: 'networks', values: { network_id: '000A', provider_id: tills.A.id, ...network } },
    ...[...shopFees, ...commissions].map((values): Write => ({ insert: 'fee_terms', values })),
  ])
}

/** How much network A may owe in pesos. */
export function limitExposure(world: OrderWorld, limitMinor: bigint): Promise<void> {
  const values = { provider_id: tills.A.id, currency: 'MXN', limit_minor: limitMinor, warn_at_percent: 80 }
  return commit(world.store, [{ insert: 'exposure_limits', values }])
}

/** What `verify` finds wrong. */
export async function problemsIn({ url }: Pick<OrderWorld, 'url'>): Promise<Check[]> {
  const reader = await openReader(url)
  try {
    return (await verify({ reader, journalKey })).checks.filter(({ ok }) => !ok)
  } finally {
    await reader.close()
  }
}
