/** What an operation credited to the treasury, or took back out of it. Pure. */
import type { Deposit, DepositFlag } from '../chain.ts'
import { canonicalWallet, nativeId } from './addresses.ts'
import { ledgerOf, operationIndex } from './cursor.ts'
import type { Fields } from './fields.ts'

export interface Movement {
  /** Which one of several in its operation; `null` where there is only one. */
  readonly place: number | null
  readonly assetId: string
  readonly amount: bigint
  readonly sender: string | null
  readonly flags: readonly DepositFlag[]
  /** Beside the memo of the transaction itself. */
  readonly references: readonly string[]
  readonly evidence: Readonly<Record<string, string>>
}

/** An operation whose record does not say what it moved; its effects do. */
export type Unsaid = 'account_merge' | 'claim_claimable_balance'

/** Movements, or which kind of operation has to be looked up. */
export function movementsOf(operation: Fields, treasury: string): readonly Movement[] | Unsaid {
  const type = operation.text('type')
  switch (type) {
    case 'payment':
      return transfer(operation, treasury, [])
    case 'path_payment_strict_receive':
    case 'path_payment_strict_send': {
      const exchanged = assetIdOf(operation, 'source_') !== assetIdOf(operation)
      return transfer(operation, treasury, exchanged ? ['path_payment'] : [])
    }
    case 'create_account':
      if (operation.text('account') !== treasury) return []
      return positive({ amount: operation.units('starting_balance'), sender: operation.text('funder') })
    case 'clawback':
      if (operation.text('from') !== treasury) return []
      return positive({
        assetId: assetIdOf(operation),
        amount: operation.units('amount'),
        sender: operation.text('source_account'),
        flags: ['clawback'],
      })
    case 'invoke_host_function':
      return contractMovements(operation, treasury)
    case 'account_merge':
      return operation.text('into') === treasury ? type : []
    case 'claim_claimable_balance':
      return operation.text('claimant') === treasury ? type : []
    default:
      // Everything else moves nothing, or only what the treasury itself exchanges.
      return []
  }
}

function transfer(operation: Fields, treasury: string, flags: readonly DepositFlag[]): readonly Movement[] {
  const sender = operation.text('from')
  // What the treasury sends to itself is no credit.
  if (operation.text('to') !== treasury || sender === treasury) return []
  const [from, to] = [operation.optionalText('from_muxed'), operation.optionalText('to_muxed')]
  return positive({
    assetId: assetIdOf(operation),
    amount: operation.units('amount'),
    sender,
    flags: to === null ? flags : [...flags, 'muxed_destination'],
    evidence: {
      ...(from === null ? {} : { senderSubAccount: from }),
      ...(to === null ? {} : { subAccount: to }),
      ...(flags.includes('path_payment')
        ? { sent: `${operation.text('source_amount')} ${assetIdOf(operation, 'source_')}` }
        : {}),
    },
  })
}

/** The balances that an asset's contract changed, also deep inside a call to another contract. */
function contractMovements(operation: Fields, treasury: string): readonly Movement[] {
  if (!operation.has('asset_balance_changes')) return []
  return operation.list('asset_balance_changes').flatMap((change, place) => {
    const type = change.text('type')
    const [from, to] = [change.optionalText('from'), change.optionalText('to')]
    const isClawback = type === 'clawback' && from === treasury
    const isCredit = (type === 'transfer' || type === 'mint') && to === treasury && from !== treasury
    if (!isClawback && !isCredit) return []
    const muxedId = change.optionalText('destination_muxed_id')
    const isMuxed = isCredit && muxedId !== null
    return positive({
      place,
      assetId: assetIdOf(change),
      amount: change.units('amount'),
      // A contract (C…) is nobody's wallet.
      sender: isClawback || from === null ? null : canonicalWallet(from),
      flags: [
        'contract_call',
        ...(isClawback ? (['clawback'] as const) : []),
        ...(isMuxed ? (['muxed_destination'] as const) : []),
      ],
      evidence: {
        ...(from === null ? {} : { from }),
        ...(isMuxed ? { subAccount: muxedId } : {}),
        caller: operation.text('source_account'),
      },
    })
  })
}

/** One movement of the native asset, unless it says otherwise; none of nothing. */
export function positive(movement: Partial<Movement> & Pick<Movement, 'amount'>): readonly Movement[] {
  if (movement.amount <= 0n) return []
  const plain = { place: null, assetId: nativeId, sender: null, flags: [], references: [], evidence: {} }
  return [{ ...plain, ...movement }]
}

export function assetIdOf(fields: Fields, prefix = ''): string {
  if (fields.text(`${prefix}asset_type`) === 'native') return nativeId
  return `${fields.text(`${prefix}asset_code`)}:${fields.text(`${prefix}asset_issuer`)}`
}

export function depositsOf(
  operation: Fields,
  movements: readonly Movement[],
  symbolOf: (assetId: string) => string | null,
): readonly Deposit[] {
  const token = operation.digits('paging_token')
  const transaction = operation.object('transaction')
  return movements.map(({ place, assetId, amount, sender, flags, references, evidence }) => ({
    blockchain: 'STELLAR',
    transactionId: operation.text('transaction_hash'),
    index: place === null ? operationIndex(token).toString() : `${operationIndex(token)}.${place}`,
    height: ledgerOf(token).toString(),
    at: operation.instant('created_at'),
    assetId,
    symbol: symbolOf(assetId),
    amount,
    sender,
    references: [...new Set([...referencesOf(transaction), ...references])],
    flags,
    evidence: { operation: operation.text('type'), ...memoOf(transaction), ...evidence },
  }))
}

/** A hash memo. Some wallets write what they are given into a return memo: the same 32 bytes. */
export function referencesOf(transaction: Fields): readonly string[] {
  const type = transaction.optionalText('memo_type')
  if (type !== 'hash' && type !== 'return') return []
  const bytes = Buffer.from(transaction.text('memo'), 'base64')
  return bytes.length === 32 ? [bytes.toString('hex')] : []
}

function memoOf(transaction: Fields): Readonly<Record<string, string>> {
  const type = transaction.optionalText('memo_type')
  const memo = transaction.optionalText('memo')
  // A fee-bump transaction carries the memo of the one inside it, which the wallet has signed.
  const inner = transaction.has('inner_transaction')
    ? { innerTransaction: transaction.object('inner_transaction').text('hash') }
    : {}
  if (memo === null || (type !== 'text' && type !== 'id')) return inner
  return { ...inner, memoType: type, memo: memo.slice(0, 100) }
}
