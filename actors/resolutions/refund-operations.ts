/** The way money goes back: an unsigned transaction out of the treasury. The node holds no key that could sign it. */

import type { Chains } from '../../chain/chain.ts'
import { blockchains } from '../../machines/blockchains.ts'
import { formatInstant } from '../../machines/time.ts'
import { chainDepositsOfOrder } from '../../persistence/queries/foreign-orders.ts'
import { exceptionById } from '../../persistence/queries/operations.ts'
import type { Row, Store } from '../../persistence/store.ts'
import type { ChainContext } from '../chains/operations.ts'
import { exceptionSummary } from '../exceptions/documents.ts'
import { refundReference } from '../exceptions/exception-id.ts'
import { optional, text } from '../foundation/fields.ts'
import { defineOperation, OperationError } from '../foundation/operation.ts'

export interface RefundDocument {
  exception: string
  chain: string
  /** Who gets it. */
  to: string
  amount: string
  asset: string
  assetId: string
  /** The transactions that it came by. */
  deposits: readonly string[]
  /** In the chain's format (protocol 2.3), to be signed where the treasury's keys are. */
  transaction: string
  signableUntil: string
}

/** What the refunds of the kinds that have one are made of. */
interface RefundEvidence {
  assetId: string
  /** Smallest units. */
  units: bigint
}

export const exceptionRefund = defineOperation({
  name: 'exception.refund',
  summary: 'Make an unsigned transaction that refunds an exception.',
  fields: {
    id: text(),
    to: optional(
      text({
        description: 'The recipient, if it is not the wallet that paid.',
        option: ['--to <wallet>', 'the recipient, if it is not the wallet that paid'],
        form: { label: 'Wallet', hint: 'If it is not the one that paid.', maxLength: 128 },
      }),
    ),
  },
  arguments: ['id'],
  isRead: true,
  async run({ store, chains }: ChainContext, { id, to }): Promise<RefundDocument> {
    const [exception] = await store.query(exceptionById, { id: id.toLowerCase() })
    if (exception === undefined) {
      const hint = 'exception list shows their ids.'
      throw new OperationError('not_found', `There is no exception ${id}.`, { hint })
    }
    if (!isRefundable(exception)) {
      throw new OperationError('refused', 'There is nothing to refund.', { hint: look(id) })
    }
    const chain = chainOf(chains, exception)
    const receiver = chain.canonicalWallet(to ?? (await payerOf(store, exception)))
    if (receiver === null) {
      const problem = `That is not a wallet of ${exception.chain}.`
      throw new OperationError('invalid', problem, { hint: look(id) })
    }
    const { assetId, units } = evidenceOf(exception)
    const reference = refundReference(exception.id)
    const made = await chain.refund({ assetId, amount: units, to: receiver, reference })
    if (!made.ok) throw new OperationError('refused', made.failure.message, { hint: look(id) })
    return {
      exception: exception.id,
      chain: chain.blockchain,
      to: receiver,
      amount: exception.amount ?? units.toString(),
      asset: exception.asset ?? assetId,
      assetId,
      deposits: exceptionSummary(exception).transactionIds,
      transaction: made.value.transaction,
      signableUntil: formatInstant(made.value.signableUntil),
    }
  },
})

/** Whether there is money on a blockchain that may be sent back for it. */
export function isRefundable({ kind, state }: { kind: string; state: string }): boolean {
  return (kind === 'deposit_unmatched' || kind === 'refund_due') && state === 'open'
}

function evidenceOf({ evidence_json }: Row<'exceptions'>): RefundEvidence {
  const { assetId, units, stake }: { assetId: string; units?: string; stake: { minor: string } } =
    JSON.parse(evidence_json)
  return { assetId, units: BigInt(units ?? stake.minor) }
}

function chainOf(chains: Chains, { chain: name }: Row<'exceptions'>) {
  const known = blockchains.find((one) => one === name)
  const chain = known && chains.get(known)
  if (chain !== undefined) return chain
  const hint = 'Only a running node with this chain configured can make it.'
  throw new OperationError('refused', `The chain ${name} is not available.`, { hint })
}

/** Who paid in: of an order all of whose money came from one wallet, that one. */
async function payerOf(store: Store, exception: Row<'exceptions'>): Promise<string> {
  if (exception.kind === 'refund_due' && exception.order_id !== null) {
    const deposits = await store.query(chainDepositsOfOrder, { orderId: exception.order_id })
    const senders = new Set(deposits.map(({ sender }) => sender))
    const [only] = senders
    if (senders.size === 1 && typeof only === 'string') return only
  } else if (exception.sender !== null) return exception.sender
  const problem =
    'The recipient is not known: it came from several wallets, or from one that the chain does not name.'
  throw new OperationError('refused', problem, { hint: 'Give the wallet: --to WALLET' })
}

function look(id: string): string {
  return `Look at it: exception show ${id}`
}
