/**
 * The envelope that was signed, beside what Horizon's record says of it: the transaction's hash commits to the envelope,
 * so that a memo or a sub-account which the record leaves out is found there.
 */
import {
  FeeBumpTransaction,
  type OperationRecord,
  type Transaction,
  TransactionBuilder,
} from '@stellar/stellar-sdk/base'
import { operationIndex } from './cursor.ts'
import type { Fields } from './fields.ts'

/** Whether the record of an operation says what its envelope says. One that cannot be read here says nothing. */
export function isBorneOut(operation: Fields, passphrase: string): boolean {
  const transaction = operation.object('transaction')
  const signed = parsed(transaction.text('envelope_xdr'), passphrase)
  if (signed === null || signed.hash !== operation.text('transaction_hash')) return false
  const said = signed.inner.operations[operationIndex(operation.digits('paging_token'))]
  if (said === undefined) return false
  return isSameMemo(signed.inner, transaction) && isMuxedAlike(said, operation)
}

function parsed(
  envelope: string,
  passphrase: string,
): { readonly hash: string; readonly inner: Transaction } | null {
  try {
    const transaction = TransactionBuilder.fromXdr(envelope, passphrase)
    const inner = transaction instanceof FeeBumpTransaction ? transaction.innerTransaction : transaction
    return { hash: Buffer.from(transaction.hash()).toString('hex'), inner }
  } catch {
    return null
  }
}

function isSameMemo({ memo }: Transaction, transaction: Fields): boolean {
  if (transaction.text('memo_type') !== memo.type) return false
  if ((memo.type !== 'hash' && memo.type !== 'return') || memo.value === null) return true
  return Buffer.from(memo.value).toString('base64') === transaction.optionalText('memo')
}

function isMuxedAlike(said: OperationRecord, operation: Fields): boolean {
  if (!('destination' in said) || typeof said.destination !== 'string') return true
  return said.destination.startsWith('M') === operation.has('to_muxed')
}
