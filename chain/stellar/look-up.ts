/** Operations whose record does not say what they moved: one more request to Horizon tells. */
import { assetIdOf, type Movement, positive, referencesOf, type Unsaid } from './credits.ts'
import { ChainFailed } from './failed.ts'
import { type Fields, recordsOf } from './fields.ts'
import type { Horizon } from './horizon.ts'

/** Effects of an operation, and operations on a claimable balance, that are looked at. */
const maxRecords = '200'

export async function lookUp(
  horizon: Horizon,
  operation: Fields,
  kind: Unsaid,
  treasury: string,
): Promise<readonly Movement[]> {
  const path = `/operations/${operation.digits('id')}/effects`
  const page = await horizon.find(path, { limit: maxRecords }, 'effects')
  const effects = page === null ? [] : recordsOf(page)
  const credits = effects.filter(
    (effect) => effect.text('type') === 'account_credited' && effect.text('account') === treasury,
  )
  // Listed twice it is still one.
  const [credit, ...others] = new Map(credits.map((effect) => [effect.text('id'), effect])).values()
  if (credit === undefined || others.length > 0)
    throw new ChainFailed(
      'inconsistent',
      `lists operation ${operation.text('id')} without the one effect that says what it credited.`,
    )
  const origin =
    kind === 'account_merge'
      ? { sender: operation.text('account') }
      : await originOf(horizon, operation.text('balance_id'))
  return positive({ assetId: assetIdOf(credit), amount: credit.units('amount'), ...origin })
}

/** Who made a claimable balance, and with which reference. Horizon may have forgotten it. */
async function originOf(horizon: Horizon, balanceId: string): Promise<Partial<Movement>> {
  const path = `/claimable_balances/${balanceId}/operations`
  const query = { limit: maxRecords, join: 'transactions' }
  const page = await horizon.find(path, query, 'operations of a claimable balance')
  const creation = (page === null ? [] : recordsOf(page)).find(
    (operation) => operation.text('type') === 'create_claimable_balance',
  )
  return {
    flags: ['claimable_balance'],
    sender: creation?.text('source_account') ?? null,
    references: creation === undefined ? [] : referencesOf(creation.object('transaction')),
    evidence: { claimableBalance: balanceId },
  }
}
