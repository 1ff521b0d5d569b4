/**
 * What one deposit does: credits its order, or waits in suspense for a person. Pure; the caller holds the rows.
 */

import type { Asset } from '../../chain/chain.ts'
import type { ChainDeposit } from '../../chain/chain-deposits.ts'
import {
  type ChainDepositException,
  type FundableOrder,
  match,
  unreadableOrder,
} from '../../chain/matching.ts'
import { assetCurrency, formatUnits } from '../../machines/money.ts'
import { formatInstant, type Instant } from '../../machines/time.ts'
import type { Decision, Posting, Row, Write } from '../../persistence/store.ts'
import { chainDepositExceptionId } from '../exceptions/exception-id.ts'
import { newException } from '../exceptions/kinds.ts'
import type { AtStake } from '../exceptions/stake.ts'
import { type Advance, type AdvanceContext, advance, updateOrder } from '../orders/advance.ts'
import { withCredit } from '../orders/credits.ts'
import { unreadable } from '../orders/decide.ts'
import { creditPosting, currencyOf, own } from '../orders/foreign-postings.ts'
import type { Actor } from '../orders/journal.ts'
import type { Consumer } from '../orders/representation.ts'
import { movementOf } from './outflows.ts'
import { missingOf, rebuildAt } from './transactions.ts'
import { maxCarriedMinor, treasuryPosting } from './treasury-postings.ts'

/** An order whose reference a deposit carries, with all that belongs to it. */
export interface NamedOrder {
  order: Row<'orders'>
  foreign: Row<'foreign_orders'>
  consumer: Consumer | null
}

export interface ChainDepositFacts {
  deposit: ChainDeposit
  /** Its identity. */
  id: string
  /** What the settings accept on its chain. */
  assets: readonly Asset[]
  orders: readonly NamedOrder[]
  /** Waiting orders of its sender, for a proposal. */
  byWallet: readonly FundableOrder[]
  /** Ids of archived orders whose references it carries. */
  archived: readonly string[]
}

/** An order as matching sees it. */
export function fundable(foreign: Row<'foreign_orders'>, status: FundableOrder['status']): FundableOrder {
  return {
    id: foreign.order_id,
    blockchain: foreign.blockchain,
    assetId: foreign.asset_id,
    wallet: foreign.wallet,
    reference: foreign.reference,
    expected: foreign.expected_minor,
    received: foreign.received_minor,
    status,
    fundingDeadline: foreign.funding_deadline_at,
  }
}

/** @returns a decision that answers with the order that was credited, `null` where a person has to look or nobody. */
export function decideChainDeposit(
  context: AdvanceContext,
  facts: ChainDepositFacts,
  at: Instant,
): Decision<string | null> {
  const { deposit, id, orders, byWallet, archived } = facts
  const byReference = orders.map(({ order, foreign }) => fundable(foreign, order.status))
  const verdict = match(deposit, { byReference, byWallet, archived })
  switch (verdict.kind) {
    case 'ignore':
      return { answer: null, writes: [] }
    case 'exception':
      return setAside(facts, verdict.exception, at)
    case 'credit': {
      const credited = orders.find(({ order }) => order.id === verdict.orderId)
      if (credited === undefined)
        throw new Error(`Chain deposit ${id} matched an order that it does not name.`)
      // It must not keep all later deposits of its chain from being read.
      if (unreadable(credited.order) !== null)
        return setAside(facts, unreadableOrder(deposit, credited.order.id), at)
      const { transactionId, sender } = deposit
      const amount = { chainDepositId: id, amountMinor: verdict.amount, transactionId, sender }
      const credit = creditOrder(context, credited, amount, at)
      const { exception } = verdict
      const outcome = exception?.reason ?? 'credited'
      const stored = chainDepositRow(
        facts,
        { outcome, orderId: verdict.orderId, creditedMinor: verdict.amount },
        at,
      )
      const rest = exception === null ? [] : openException(facts, exception, 'rest', at)
      return {
        answer: verdict.orderId,
        writes: [stored, ...counted(facts, [...credit.writes, ...rest])],
        wake: [...credit.wake, ...(exception === null ? [] : (['exceptions'] as const))],
      }
    }
  }
}

/** From a former treasury to the present one: it is the operator's, as all that a former one holds. */
export function takeOver(facts: ChainDepositFacts, at: Instant): Decision<null> {
  const { deposit, id } = facts
  const stored = chainDepositRow(facts, { outcome: 'own_transfer', orderId: null, creditedMinor: 0n }, at)
  const currency = ledgerCurrency(facts)
  const posting = { minor: deposit.amount, against: 'fee', reference: id } as const
  const posted = currency === null ? [] : treasuryPosting('own_transfer', currency, posting)
  return { answer: null, writes: [stored, ...counted(facts, posted)] }
}

/** For a person to decide. */
function setAside(facts: ChainDepositFacts, exception: ChainDepositException, at: Instant): Decision<null> {
  const opened = openException(facts, exception, 'deposit', at)
  const stored = chainDepositRow(facts, { outcome: exception.reason, orderId: null, creditedMinor: 0n }, at)
  return { answer: null, writes: [stored, ...counted(facts, opened)], wake: ['exceptions'] }
}

/**
 * What is accepted on its chain gets into the books of the treasury, too; what a former one got is not counted, nor what was
 * simulated: no treasury holds it.
 */
function counted({ deposit, id, assets }: ChainDepositFacts, writes: readonly Write[]): readonly Write[] {
  const isCounted = assets.some((asset) => asset.id === deposit.assetId)
  const { formerTreasury, simulated } = deposit.evidence
  if (!isCounted || formerTreasury !== undefined || simulated !== undefined) return writes
  const units = deposit.flags.includes('clawback') ? -deposit.amount : deposit.amount
  return [...writes, movementOf(id, deposit, units, writes)]
}

/** An operator's word that a deposit is an order's. */
export interface Acceptance {
  actor: Actor
  reason: string
}

/** What an order is credited with. */
export interface Credit {
  chainDepositId: string
  amountMinor: bigint
  transactionId: string
  sender: string | null
}

/**
 * Credits an order, and tells it so: READY once nothing is missing.
 *
 * @param accepted where the deposit was in doubt and an operator took it for the order's
 * @returns the writes, the order's own included; none where the order refuses.
 */
export function creditOrder(
  context: AdvanceContext,
  { order, foreign, consumer }: NamedOrder,
  credit: Credit,
  at: Instant,
  accepted?: Acceptance,
): Pick<Advance, 'writes' | 'wake' | 'refusal'> {
  const missing = missingOf(foreign) - credit.amountMinor
  const set = {
    received_minor: foreign.received_minor + credit.amountMinor,
    credits_json: withCredit(foreign, credit),
    seen_at: null,
    build_due_at: missing > 0n ? rebuildAt(foreign.blockchain, at) : null,
  }
  const told = {
    at,
    deposit: credit.chainDepositId,
    amount: String(credit.amountMinor),
    missing: String(missing),
  }
  const next = advance(
    context,
    order,
    { consumer, foreign: { ...foreign, ...set } },
    accepted === undefined
      ? { type: 'funds.credit', ...told }
      : { type: 'funds.accept', ...told, reason: accepted.reason },
    accepted?.actor ?? { kind: 'chain', name: foreign.blockchain },
  )
  if (next.refusal !== null) {
    // Matching credits orders that wait, and each of those takes it; an operator may be too late.
    if (accepted === undefined) throw new Error(`Order ${order.id} refuses a credit: ${next.refusal}.`)
    return { refusal: next.refusal, writes: [], wake: [] }
  }
  return {
    refusal: null,
    // The credit first: what is exchanged has to be there.
    writes: [
      { post: creditPosting(order, foreign, credit) },
      { update: 'foreign_orders', key: { order_id: order.id }, set },
      ...next.writes,
      updateOrder(order, next.order),
    ],
    wake: next.wake,
  }
}

/** What a deposit is in the ledger; `null` where the ledger does not carry it. */
function ledgerCurrency({ deposit, assets, orders }: ChainDepositFacts): string | null {
  const named = orders.find(({ foreign }) => foreign.asset_id === deposit.assetId)
  if (named !== undefined) return currencyOf(named.foreign)
  const asset = assets.find(({ id }) => id === deposit.assetId)
  return asset === undefined ? null : assetCurrency(asset.symbol, deposit.blockchain, asset.decimals)
}

function decimalsOf({ deposit, assets, orders }: ChainDepositFacts): number | null {
  const named = orders.find(({ foreign }) => foreign.asset_id === deposit.assetId)
  return named?.foreign.asset_decimals ?? assets.find(({ id }) => id === deposit.assetId)?.decimals ?? null
}

function chainDepositRow(
  facts: ChainDepositFacts,
  credited: { outcome: string; orderId: string | null; creditedMinor: bigint },
  at: Instant,
): Write {
  const { deposit, id } = facts
  return {
    insert: 'deposits',
    values: {
      id,
      blockchain: deposit.blockchain,
      transaction_id: deposit.transactionId,
      transfer_index: deposit.index,
      height: deposit.height,
      chain_at: deposit.at,
      asset_id: deposit.assetId,
      symbol: deposit.symbol,
      amount: deposit.amount.toString(),
      currency: ledgerCurrency(facts),
      sender: deposit.sender,
      references_json: JSON.stringify(deposit.references),
      flags_json: JSON.stringify(deposit.flags),
      evidence_json: JSON.stringify(deposit.evidence),
      order_id: credited.orderId,
      credited_minor: credited.creditedMinor,
      outcome: credited.outcome,
      recorded_at: at,
    },
  }
}

/** Puts what no order was credited with before a person, and into suspense until somebody has spoken. */
function openException(
  facts: ChainDepositFacts,
  exception: ChainDepositException,
  part: 'deposit' | 'rest',
  at: Instant,
): Write[] {
  const { deposit, id, archived } = facts
  const isLoss = exception.reason === 'clawback'
  const isCarried = exception.amount <= maxCarriedMinor
  const currency = isCarried ? ledgerCurrency(facts) : null
  const decimals = decimalsOf(facts)
  const stake: AtStake = { currency, minor: `${isLoss ? -exception.amount : exception.amount}` }
  const opened = newException({
    id: chainDepositExceptionId(id, part),
    kind: isLoss ? 'deposit_clawed_back' : 'deposit_unmatched',
    order_id: exception.proposedOrderId,
    reason: exception.explanation,
    evidence: {
      stake,
      deposit: id,
      reason: exception.reason,
      proposedOrder: exception.proposedOrderId,
      ...(archived.length === 0 ? {} : { archivedOrders: archived }),
      proposedAction: exception.proposedAction,
      assetId: deposit.assetId,
      units: exception.amount.toString(),
      height: deposit.height,
      madeAt: deposit.at === null ? null : formatInstant(deposit.at),
      references: deposit.references,
      flags: deposit.flags,
      seen: deposit.evidence,
    },
    opened_at: at,
    amount: decimals === null ? exception.amount.toString() : formatUnits(exception.amount, decimals),
    asset: deposit.symbol ?? deposit.assetId,
    chain: deposit.blockchain,
    transaction_id: deposit.transactionId,
    sender: deposit.sender,
  })
  const writes: Write[] = [{ insert: 'exceptions', values: opened }]
  if (currency !== null) writes.push({ post: suspension(currency, exception.amount, isLoss, id) })
  return writes
}

/** Belongs to no order: the order it may be meant for is only a proposal. */
function suspension(currency: string, amountMinor: bigint, isLoss: boolean, reference: string): Posting {
  const [treasury, suspense] = [own('treasury', currency), own('suspense', currency)]
  const [debit, credit] = isLoss ? [suspense, treasury] : [treasury, suspense]
  return { kind: isLoss ? 'clawback' : 'unmatched', debit, credit, amountMinor, orderId: null, reference }
}
