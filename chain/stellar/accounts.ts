/** What an account holds of an asset, and whether it may receive or send it. */
import { maxUnits, nativeId } from './addresses.ts'
import type { Fields } from './fields.ts'
import type { Horizon } from './horizon.ts'

/**
 * - `missing`: the account is not on the chain
 * - `no_trustline`: it cannot hold the asset
 * - `frozen`: the asset's issuer does not let it move the asset
 */
export type HoldingState = 'ready' | 'missing' | 'no_trustline' | 'frozen'

export interface Holding {
  readonly state: HoldingState
  /** Raw units that it can still receive. */
  readonly room: bigint
  /** Raw units that it has; `null` for its issuer, who has no end of them. */
  readonly units: bigint | null
}

export interface Account {
  readonly address: string
  /** Of its last transaction, as a decimal text. */
  readonly sequence: string
  readonly balances: readonly Fields[]
}

/** `null` when the account is not on the chain. */
export async function readAccount(horizon: Horizon, address: string): Promise<Account | null> {
  const account = await horizon.find(`/accounts/${address}`, {}, 'an account')
  return account === null ? null : accountOf(account)
}

export function accountOf(account: Fields): Account {
  return {
    address: account.text('account_id'),
    sequence: account.digits('sequence'),
    balances: account.list('balances'),
  }
}

/** What an account holds of `CODE:ISSUER` or `native`. */
export function holdingOf(account: Account | null, assetId: string): Holding {
  if (account === null) return { state: 'missing', room: 0n, units: 0n }
  const [code = '', issuer = ''] = assetId.split(':')
  // An issuer makes and destroys its asset: it needs no trust line.
  if (assetId === nativeId || account.address === issuer)
    return { state: 'ready', room: maxUnits, units: null }
  const line = account.balances.find(
    (balance) =>
      balance.optionalText('asset_code') === code && balance.optionalText('asset_issuer') === issuer,
  )
  if (line === undefined) return { state: 'no_trustline', room: 0n, units: 0n }
  const units = line.units('balance')
  const room = line.units('limit') - units - line.units('buying_liabilities')
  return { state: line.isNotFalse('is_authorized') ? 'ready' : 'frozen', room: room > 0n ? room : 0n, units }
}
