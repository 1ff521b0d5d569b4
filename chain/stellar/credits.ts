/** What an operation credited to the treasury, or took back out of it. Pure. */
import type { ChainDeposit, ChainDepositFlag } from '../chain-deposits.ts'
import { transferNames } from '../transfer-names.ts'
import { canonicalWallet, nativeId } from './addresses.ts'
import { ledgerOf, operationIndex } from './cursor.ts'
import type { Fields } from './fields.ts'

export interface Movement {
  /** What tells it from others in its operation; empty where there is only one. */
  readonly content: readonly string[]
  readonly assetId: string
  readonly amount: bigint
  readonly sender: string | null
  readonly flags: readonly ChainDepositFlag[]
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

function transfer(
  operation: Fields,
  treasury: string,
  flags: readonly ChainDepositFlag[],
): readonly Movement[] {
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
  const caller = operation.text('source_account')
  const isListed = operation.has('asset_balance_changes') || caller !== treasury
  const changes = isListed ? operation.list('asset_balance_changes') : []
  return changes.flatMap((change) => contractMovement(change, caller, treasury))
}

function contractMovement(change: Fields, caller: string, treasury: string): readonly Movement[] {
  const type = change.text('type')
  const from = type === 'mint' ? change.optionalText('from') : change.text('from')
  const to = type === 'burn' || type === 'clawback' ? change.optionalText('to') : change.text('to')
  const isClawback = type === 'clawback' && from === treasury
  const isCredit = (type === 'transfer' || type === 'mint') && to === treasury && from !== treasury
  if (!isClawback && !isCredit) return []
  const isMuxed = isCredit && (change.has('destination_muxed_id') || change.has('destination_muxed_id_type'))
  const [assetId, amount] = [assetIdOf(change), change.units('amount')]
  return positive({
    content: [type, from ?? '', assetId, amount.toString()],
    assetId,
    amount,
    // A contract (C…) is nobody's wallet.
    sender: isClawback || from === null ? null : canonicalWallet(from),
    flags: [
      'contract_call',
      ...(isClawback ? (['clawback'] as const) : []),
      ...(isMuxed ? (['muxed_destination'] as const) : []),
    ],
    evidence: {
      ...(from === null ? {} : { from }),
      ...(isMuxed ? { subAccount: change.optionalText('destination_muxed_id') ?? 'unknown' } : {}),
      caller,
    },
  })
}

/** Whether the treasury takes part in what the record says; Horizon lists no others for it. */
export function isAbout(operation: Fields, treasury: string): boolean {
  if (operation.text('type') !== 'invoke_host_function') return true
  if (!operation.has('asset_balance_changes')) return false
  if (operation.text('source_account') === treasury) return true
  return operation
    .list('asset_balance_changes')
    .some((change) => [change.optionalText('from'), change.optionalText('to')].includes(treasury))
}

/** One movement of the native asset, unless it says otherwise; none of nothing. */
export function positive(movement: Partial<Movement> & Pick<Movement, 'amount'>): readonly Movement[] {
  if (movement.amount <= 0n) return []
  const plain = { content: [], assetId: nativeId, sender: null, flags: [], references: [], evidence: {} }
  return [{ ...plain, ...movement }]
}

export function assetIdOf(fields: Fields, prefix = ''): string {
  if (fields.text(`${prefix}asset_type`) === 'native') return nativeId
  return `${fields.text(`${prefix}asset_code`)}:${fields.text(`${prefix}asset_issuer`)}`
}

export function chainDepositsOf(
  operation: Fields,
  movements: readonly Movement[],
  symbolOf: (assetId: string) => string | null,
): readonly ChainDeposit[] {
  const token = operation.digits('paging_token')
  const transaction = operation.object('transaction')
  const names = transferNames(movements.map(({ content }) => content))
  return movements.map(({ content, assetId, amount, sender, flags, references, evidence }, place) => ({
    blockchain: 'STELLAR',
    transactionId: operation.text('transaction_hash'),
    index: `${operationIndex(token)}${content.length === 0 ? '' : `.${names[place]}`}`,
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
  const type = transaction.text('memo_type')
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
