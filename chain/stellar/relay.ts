/** Sends on what a wallet has signed: Stellar's wallets sign, and leave the sending to the page. */
import { FeeBumpTransaction, Keypair, type Transaction, TransactionBuilder } from '@stellar/stellar-sdk/base'
import type { Relayed } from '../chain.ts'
import { HttpRefusal } from '../requests.ts'
import type { HorizonNetwork } from './network.ts'

const expired = ['tx_too_late', 'tx_bad_seq']
const insufficient = ['tx_insufficient_balance', 'tx_insufficient_fee', 'op_underfunded']

/** Not by `ask`: what a stranger makes Horizon refuse must not let the endpoint rest. */
export async function relay(
  network: HorizonNetwork,
  signed: string,
  order: { readonly wallet: string; readonly reference: string },
): Promise<Relayed> {
  const transaction = parsed(signed, network.settings.passphrase)
  if (transaction === null || !isOf(transaction, order)) return 'failed'
  for (const { client } of network.endpoints.all) {
    try {
      const codes = await client.submit(signed)
      if (codes === null) return 'sent'
      if (codes.some((code) => expired.includes(code))) return 'expired'
      return codes.some((code) => insufficient.includes(code)) ? 'insufficient' : 'failed'
    } catch (error) {
      // It waited for a ledger, and ours for it: the transaction may be under way.
      const isUnknown = error instanceof HttpRefusal ? error.status === 504 : isTimeout(error)
      if (isUnknown) return 'sent'
    }
  }
  return 'unavailable'
}

function parsed(text: string, passphrase: string): Transaction | null {
  try {
    const transaction = TransactionBuilder.fromXdr(text, passphrase)
    return transaction instanceof FeeBumpTransaction ? null : transaction
  } catch {
    return null
  }
}

function isOf(
  transaction: Transaction,
  order: { readonly wallet: string; readonly reference: string },
): boolean {
  const { memo, source } = transaction
  if (source !== order.wallet || memo.type !== 'hash' || memo.value === null) return false
  if (Buffer.from(memo.value).toString('hex') !== order.reference) return false
  const hash = transaction.hash()
  const key = Keypair.fromPublicKey(order.wallet)
  return transaction.signatures.some((signature) => key.verify(hash, signature.signature))
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === 'TimeoutError'
}
