/** What an operation took out of the treasury. What a trade of its own offers took, only the count tells. Pure. */
import type { Outflow } from '../chain-deposits.ts'
import { assetIdOf, referencesOf } from './credits.ts'
import { ledgerOf, operationIndex } from './cursor.ts'
import type { Fields } from './fields.ts'

interface Loss {
  readonly assetId: string
  readonly amount: bigint
  readonly to: string | null
}

export function outflowsOf(operation: Fields, treasury: string): readonly Outflow[] {
  if (!operation.truth('transaction_successful')) return []
  const token = operation.digits('paging_token')
  return lossesOf(operation, treasury).map(({ assetId, amount, to }, place) => ({
    blockchain: 'STELLAR',
    transactionId: operation.text('transaction_hash'),
    index: `out.${operationIndex(token)}.${place}`,
    height: ledgerOf(token).toString(),
    at: operation.instant('created_at'),
    assetId,
    amount,
    to,
    references: referencesOf(operation.object('transaction')),
  }))
}

function lossesOf(operation: Fields, treasury: string): readonly Loss[] {
  switch (operation.text('type')) {
    case 'payment': {
      const to = operation.text('to')
      if (operation.text('from') !== treasury || to === treasury) return []
      return [{ assetId: assetIdOf(operation), amount: operation.units('amount'), to }]
    }
    case 'path_payment_strict_receive':
    case 'path_payment_strict_send': {
      const [assetId, to] = [assetIdOf(operation, 'source_'), operation.text('to')]
      const goesRound = to === treasury && assetId === assetIdOf(operation)
      if (operation.text('from') !== treasury || goesRound) return []
      return [{ assetId, amount: operation.units('source_amount'), to }]
    }
    case 'create_claimable_balance':
      if (operation.text('source_account') !== treasury) return []
      return [{ assetId: operation.text('asset'), amount: operation.units('amount'), to: null }]
    case 'invoke_host_function': {
      if (!operation.has('asset_balance_changes')) return []
      return operation.list('asset_balance_changes').flatMap((change): Loss[] => {
        const [type, to] = [change.text('type'), change.optionalText('to')]
        // What an issuer claws back is told as such.
        if (change.optionalText('from') !== treasury || to === treasury || type === 'clawback') return []
        return [{ assetId: assetIdOf(change), amount: change.units('amount'), to }]
      })
    }
    default:
      return []
  }
}
