/** What a transfer to the treasury is to the port: whose money, how much arrived, which references. Pure. */
import type { ChainDeposit, ChainDepositFlag } from '../chain-deposits.ts'
import type { IncludedTransaction, TransferLog } from './answers.ts'
import type { EvmNetwork } from './network.ts'
import type { NamedTransfer } from './receipts.ts'
import { type CarriedTransfer, directTransfer, embeddedTransfers } from './transfer-data.ts'

export interface Credit {
  readonly transfer: NamedTransfer
  readonly transaction: IncludedTransaction
  readonly at: number
  /** What the treasury's balance says of it. */
  readonly balance: BalanceVerdict
}

/**
 * - `agrees`: the balance rose by what the transfers say
 * - `unread`: the endpoint no longer has the balances, so that the token's word is all there is
 * - `unexplained`: it rose by something else
 * - a number: so much arrived, less than the token says
 */
export type BalanceVerdict = 'agrees' | 'unread' | 'unexplained' | bigint

const nobody = '0x0000000000000000000000000000000000000000'

export function chainDepositOf(
  network: EvmNetwork,
  { transfer, transaction, at, balance }: Credit,
): ChainDeposit {
  const isDirect = transaction.to === transfer.token
  const direct = isDirect ? directTransfer(transaction.input, network.treasury) : null
  const carried = isDirect
    ? [direct].filter((one) => one !== null)
    : embeddedOf(network, transfer, transaction)
  const units = typeof balance === 'bigint' ? balance : transfer.units
  const sent = direct === null || direct.units < transfer.units ? transfer.units : direct.units
  const flags: ChainDepositFlag[] = []
  if (balance === 'unexplained') flags.push('unexplained')
  if (sent > units) flags.push('fee_withheld')
  if (!isDirect) flags.push('contract_call')
  return {
    blockchain: network.chain.name,
    transactionId: transfer.transactionId,
    index: transfer.name,
    height: transfer.height.toString(),
    at,
    assetId: transfer.token,
    symbol: network.assetOf(transfer.token)?.symbol ?? null,
    amount: units,
    // A token that is made comes from nobody.
    sender: transfer.from === nobody ? null : transfer.from,
    references: [...new Set(carried.flatMap(({ reference }) => reference ?? []))],
    flags,
    evidence: {
      ...(sent > units ? { sent: sent.toString() } : {}),
      ...(isDirect || transaction.to === null ? {} : { contract: transaction.to }),
      ...(transaction.from === transfer.from ? {} : { caller: transaction.from }),
      ...(balance === 'unread' ? { balance: 'The endpoint does not have the balances of that block.' } : {}),
    },
  }
}

/** A bundle may carry transfers of several senders: those of this amount are meant, where there are any. */
function embeddedOf(
  { treasury }: EvmNetwork,
  transfer: TransferLog,
  { input }: IncludedTransaction,
): readonly CarriedTransfer[] {
  const carried = embeddedTransfers(input, treasury)
  const exact = carried.filter(({ units }) => units === transfer.units)
  return exact.length > 0 ? exact : carried
}
