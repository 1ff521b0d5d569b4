/** What an operator's word does with money that waits in suspense: accepted for an order, sent back, or kept. */
import { formatPrice } from '../../machines/money.ts'
import type { AccountRef, Posting, Row, Write } from '../../persistence/store.ts'
import { creditOrder } from '../chains/crediting.ts'
import { missingOf } from '../chains/transactions.ts'
import { chainDepositExceptionId } from '../exceptions/exception-id.ts'
import { newException } from '../exceptions/kinds.ts'
import { type AtStake, stakeOf } from '../exceptions/stake.ts'
import { foreignPostings, own } from '../orders/foreign-postings.ts'
import { done, type Effects, impossible, type Resolve, type Subject } from './resolution.ts'
import { madeUpBy } from './treasury-resolutions.ts'

/** It is the order's after all: out of suspense, and credited like any other deposit. */
export const accept: Resolve = (subject) => {
  const { order, foreign, consumer, deposit, exception, acceptance, context, at } = subject
  if (order === null || foreign === null) {
    return impossible('There is no foreign-currency order to accept it for: give one with --order.')
  }
  const stake = stakeOf(exception.evidence_json)
  if (deposit === null || stake === null) return impossible('This deposit is not in the ledger.')
  const problem = misfit(order, foreign, deposit)
  if (problem !== null) return impossible(problem)
  const missing = missingOf(foreign)
  const rest = stake.minor > missing ? stake.minor - missing : 0n
  const amountMinor = stake.minor - rest
  const credit = creditOrder(
    context,
    { order, foreign, consumer },
    {
      chainDepositId: deposit.id,
      amountMinor,
      transactionId: deposit.transaction_id,
      sender: deposit.sender,
    },
    at,
    acceptance,
  )
  if (credit.refusal !== null) return impossible('The order is past its expiry: refund the money.')
  const [suspense, treasury] = [own('suspense', stake.currency), own('treasury', stake.currency)]
  const released = postingAbout(deposit.id, 'accept', suspense, treasury, amountMinor)
  const set = { order_id: order.id, credited_minor: amountMinor, outcome: 'accepted' }
  return done({
    writes: [
      { post: released },
      { update: 'deposits', key: { id: deposit.id }, set },
      ...credit.writes,
      ...(rest > 0n ? [openRest(subject, deposit, stake.currency, rest)] : []),
    ],
    wake: credit.wake,
  })
}

function misfit(
  { id, status }: Row<'orders'>,
  foreign: Row<'foreign_orders'>,
  deposit: Row<'deposits'>,
): string | null {
  if (deposit.order_id !== null) return 'Part of it has been credited: refund the rest.'
  if (status !== 'CREATED') return `The order ${id} is ${status}: it is not waiting for money.`
  const isSameAsset = deposit.blockchain === foreign.blockchain && deposit.asset_id === foreign.asset_id
  if (isSameAsset) return null
  return `The order ${id} waits for ${foreign.send_currency} on ${foreign.blockchain} (${foreign.asset_id}).`
}

/** What the order did not need waits on, under a name of its own. */
function openRest(
  { exception, at }: Subject,
  deposit: Row<'deposits'>,
  currency: string,
  rest: bigint,
): Write {
  const stake: AtStake = { currency, minor: rest.toString() }
  const evidence: object = JSON.parse(exception.evidence_json)
  return {
    insert: 'exceptions',
    values: newException({
      id: chainDepositExceptionId(deposit.id, 'rest'),
      kind: 'deposit_unmatched',
      order_id: exception.order_id,
      reason: 'More than the order needed: it was accepted for the order, and this is the excess.',
      evidence: { ...evidence, stake, units: rest.toString(), reason: 'overpaid', proposedAction: 'refund' },
      opened_at: at,
      amount: formatPrice(rest, currency),
      asset: exception.asset,
      chain: exception.chain,
      transaction_id: exception.transaction_id,
      sender: exception.sender,
    }),
  }
}

/** It was sent back. Whoever says so names the transaction: it is the only proof there is. */
export const refunded: Resolve = (subject) => {
  if (subject.evidence === null) {
    return impossible("Give the refund's transaction as evidence.")
  }
  const left = leave(subject, 'refund', 'treasury')
  return { ...left, writes: [...left.writes, ...madeUpBy(subject)] }
}

/** It stays the operator's, or was its loss. */
export const keep: Resolve = (subject) => {
  const { sentIn }: { sentIn?: string } = JSON.parse(subject.exception.evidence_json)
  if (sentIn === undefined) return leave(subject, 'keep', 'fee')
  return impossible(
    `It was sent back in ${sentIn}: resolve it as refunded, with that transaction as evidence.`,
  )
}

function leave(
  { exception, order, foreign }: Subject,
  kind: 'refund' | 'keep',
  place: 'treasury' | 'fee',
): Effects {
  if (exception.kind === 'refund_due' && order !== null && foreign !== null) {
    const writes = foreignPostings(order, foreign, kind).map((post) => ({ post }))
    return done({ writes, settles: order })
  }
  const stake = stakeOf(exception.evidence_json)
  if (stake === null) return done()
  const [suspense, to] = [own('suspense', stake.currency), own(place, stake.currency)]
  const post =
    stake.minor > 0n
      ? postingAbout(exception.id, kind, suspense, to, stake.minor)
      : postingAbout(exception.id, kind, to, suspense, -stake.minor)
  return done({ writes: [{ post }] })
}

function postingAbout(
  reference: string,
  kind: string,
  debit: AccountRef,
  credit: AccountRef,
  amountMinor: bigint,
): Posting {
  return { kind, debit, credit, amountMinor, orderId: null, reference }
}
