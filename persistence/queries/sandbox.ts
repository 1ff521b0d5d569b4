/** What simulations of a sandbox look for. */
import type { Instant } from '../../machines/time.ts'
import { statement } from '../statement.ts'

export const dueSimulations = statement<{ now: Instant; limit: number }>()('simulation.due', ({ db }, arg) =>
  db
    .selectFrom('simulations')
    .selectAll()
    .where('settled_at', 'is', null)
    .where('due_at', '<=', arg('now'))
    .orderBy('due_at')
    .limit(arg('limit')),
)

export const settleSimulation = statement<{ id: string; at: Instant; outcome: string }>()(
  'simulation.settle',
  ({ db }, arg) =>
    db
      .updateTable('simulations')
      .set({ settled_at: arg('at'), outcome: arg('outcome') })
      .where('id', '=', arg('id'))
      .returning('id'),
)

export const balanceOfAccount = statement<{ id: string }>()('simulation.balance', ({ db }, arg) =>
  db.selectFrom('accounts').select('balance_minor').where('id', '=', arg('id')),
)

/** The first network that takes the price, of a provider that is not frozen; of this one, where it is named. */
export function networkForSimulation({ providerId }: { providerId: string | null | undefined }) {
  return statement<{ currency: string; priceMinor: bigint }>()('simulation.network', ({ db }, arg) => {
    let query = db
      .selectFrom('networks')
      .innerJoin('parties', 'parties.id', 'networks.provider_id')
      .select(['networks.network_id', 'networks.provider_id', 'parties.name'])
      .where('parties.frozen_at', 'is', null)
      .where((eb) =>
        eb.or([eb('networks.currency', 'is', null), eb('networks.currency', '=', arg('currency'))]),
      )
      .where((eb) =>
        eb.or([eb('networks.min_minor', 'is', null), eb('networks.min_minor', '<=', arg('priceMinor'))]),
      )
      .where((eb) =>
        eb.or([eb('networks.max_minor', 'is', null), eb('networks.max_minor', '>=', arg('priceMinor'))]),
      )
    if (providerId != null) query = query.where('networks.provider_id', '=', providerId)
    return query.orderBy('networks.network_id').limit(1)
  })
}
