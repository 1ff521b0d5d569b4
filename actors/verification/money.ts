/**
 * Where the money is: over all accounts of a currency it sums to zero, each balance is what its postings say,
 * and an order's money is in exactly one place (protocol 10.1).
 */

import type { ChartName } from '../../machines/index.ts'
import { isChartName } from '../../machines/index.ts'
import { factsOf } from '../../machines/statuses.ts'
import { archivedBalances } from '../../persistence/queries/archive.ts'
import {
  allAccounts,
  creditSums,
  debitSums,
  openExceptionEvidence,
  reservedSums,
} from '../../persistence/queries/verification.ts'
import { type AccountRef, accountId, type Reader, type Row } from '../../persistence/store.ts'
import { stakeOf } from '../exceptions/stake.ts'
import { own } from '../orders/foreign-postings.ts'
import { creditedTo, foreignPlaces, type Moves } from './foreign-money.ts'
import type { OrderFacts } from './order-facts.ts'

export interface LedgerFacts {
  accounts: readonly Row<'accounts'>[]
  /** By account, in minor units. */
  debits: ReadonlyMap<string, bigint>
  credits: ReadonlyMap<string, bigint>
  /** What the postings of archived orders came to, by account. */
  archived: ReadonlyMap<string, bigint>
  /** What the orders themselves say is in reserve, by account. */
  reserved: ReadonlyMap<string, bigint>
  /** What open exceptions say waits for a person, by account. */
  suspended: ReadonlyMap<string, bigint>
}

export async function readLedgerFacts(reader: Reader): Promise<LedgerFacts> {
  return reader.snapshot(async (query) => {
    const sums = async (statement: typeof debitSums) =>
      new Map((await query(statement, {})).map((row) => [row.account, row.sum_minor]))
    const reserved = await query(reservedSums, {})
    const open = await query(openExceptionEvidence, {})
    return {
      accounts: await query(allAccounts, {}),
      debits: await sums(debitSums),
      credits: await sums(creditSums),
      archived: new Map(
        (await query(archivedBalances, {})).map(({ account_id, balance_minor }) => [
          account_id,
          balance_minor,
        ]),
      ),
      reserved: new Map(
        reserved.map(({ merchant_id, currency, sum_minor }) => [
          accountId({ kind: 'reserved', ownerId: merchant_id, currency }),
          sum_minor,
        ]),
      ),
      suspended: suspendedBy(open.map(({ evidence_json }) => evidence_json)),
    }
  })
}

function suspendedBy(evidence: readonly string[]): Map<string, bigint> {
  const suspended = new Map<string, bigint>()
  for (const text of evidence) {
    const stake = stakeOf(text)
    if (stake === null) continue
    const account = accountId(own('suspense', stake.currency))
    suspended.set(account, (suspended.get(account) ?? 0n) + stake.minor)
  }
  return suspended
}

/** What is wrong with the ledger as a whole, one sentence each. */
export function ledgerProblems({ accounts, reserved, suspended, ...moved }: LedgerFacts): string[] {
  const problems: string[] = []
  const sums = new Map<string, bigint>()
  for (const { id, kind, owner_id: owner, currency, balance_minor: balance } of accounts) {
    sums.set(currency, (sums.get(currency) ?? 0n) + balance)
    const posted =
      (moved.credits.get(id) ?? 0n) - (moved.debits.get(id) ?? 0n) + (moved.archived.get(id) ?? 0n)
    if (balance !== posted) problems.push(`${id} has ${balance}, its postings say ${posted}`)
    if ((kind === 'available' || kind === 'reserved') && balance < 0n)
      problems.push(`${id} is below zero: ${balance}`)
    if (kind === 'reserved' && balance !== (reserved.get(id) ?? 0n))
      problems.push(`${id} has ${balance}, the orders it is reserved for need ${reserved.get(id) ?? 0n}`)
    // A merchant's suspense is of orders; the node's own is of deposits and refunds.
    if (kind === 'suspense' && owner === '' && balance !== (suspended.get(id) ?? 0n))
      problems.push(`${id} has ${balance}, the open exceptions say ${suspended.get(id) ?? 0n}`)
  }
  const balances = new Map(accounts.map((account) => [account.id, account.balance_minor]))
  for (const { id, kind, owner_id: ownerId, currency, balance_minor: balance } of accounts) {
    if (kind !== 'debt') continue
    const available = balances.get(accountId({ kind: 'available', ownerId, currency })) ?? 0n
    if (balance > 0n) problems.push(`${id} is above zero: ${balance}`)
    if (balance < 0n && available > 0n)
      problems.push(`${id} is ${balance}, and ${available} are available that should have repaid it`)
  }
  for (const [currency, sum] of sums) {
    if (sum !== 0n) problems.push(`all accounts in ${currency} sum to ${sum}, not to zero`)
  }
  const known = new Set(accounts.map((account) => account.id))
  for (const id of reserved.keys()) {
    if (!known.has(id)) problems.push(`${id} does not exist, and orders are reserved in it`)
  }
  for (const [id, amount] of suspended) {
    if (!known.has(id) && amount !== 0n) problems.push(`${id} does not exist, and exceptions wait in it`)
  }
  return problems
}

/** Where an order's money may be. A chart that is added does not compile until this is said for it. */
const places: Record<ChartName, (facts: OrderFacts) => readonly Moves[]> = {
  payOutForeign: foreignPlaces,
  payOutLocal: (facts) => localPlaces.payOutLocal(facts),
  payIn: (facts) => localPlaces.payIn(facts),
}

const localPlaces = {
  payOutLocal({ order, exceptions }: OrderFacts): readonly Moves[] {
    const { reserved, owed, suspended } = placesOf(order)
    switch (factsOf(order.status).money) {
      case 'awaited':
        return [nowhere]
      case 'reserved':
        return [reserved]
      case 'paid':
        return owed
      case 'returned':
        if (order.lock_provider_id === null) return [nowhere]
        return settled(exceptions, { open: [suspended], honoured: owed })
    }
  },
  payIn({ order, exceptions }: OrderFacts): readonly Moves[] {
    const { collected } = placesOf(order)
    switch (factsOf(order.status).money) {
      case 'awaited':
      case 'reserved':
        return [nowhere]
      case 'paid':
        return collected
      case 'returned':
        if (order.lock_provider_id === null) return [nowhere]
        return settled(exceptions, { open: [nowhere], honoured: collected })
    }
  },
}

/** Nobody knows where the cash of an order is that ended while locked, until the operator has said so. */
function settled(
  exceptions: OrderFacts['exceptions'],
  { open, honoured }: { open: readonly Moves[]; honoured: readonly Moves[] },
): readonly Moves[] {
  const ended = exceptions.find(
    ({ kind }) => kind === 'expired_while_locked' || kind === 'cancelled_while_locked',
  )
  if (ended === undefined) return []
  if (ended.state === 'open') return open
  // Honoured at once, or after its money was given back.
  return exceptions.some(({ resolution }) => resolution === 'honour') ? honoured : [nowhere]
}

const nowhere: Moves = []

/** Worked out from the order's stored amounts, and not by the table that makes its postings. */
function placesOf(order: Row<'orders'>) {
  const { merchant_id, lock_provider_id: holder, currency, price_minor: price } = order
  const { fee_minor: fee, fee_tax_minor: tax } = order
  const of = (kind: AccountRef['kind'], ownerId: string) => accountId({ kind, ownerId, currency })
  const available = of('available', merchant_id)
  const cost = price + fee + tax
  const charged: Moves = [
    [of('fee', merchant_id), fee],
    [of('tax_collected', merchant_id), tax],
  ]
  return {
    reserved: [
      [available, -cost],
      [of('reserved', merchant_id), cost],
    ] satisfies Moves,
    suspended: [
      [available, -cost],
      [of('suspense', merchant_id), cost],
    ] satisfies Moves,
    owed: holder === null ? [] : [[[available, -cost], ...charged, ...creditedTo(order, holder, price)]],
    collected:
      holder === null
        ? []
        : [[[available, price - fee - tax], ...charged, ...creditedTo(order, holder, -price)]],
  } satisfies Record<string, Moves | readonly Moves[]>
}

/** What is wrong with where an order's money is, one sentence each. */
export function placeProblems(facts: OrderFacts): string[] {
  const { order, postings } = facts
  if (!isChartName(order.machine)) return []
  const moved = new Map<string, bigint>()
  const move = (account: string, amount: bigint) => moved.set(account, (moved.get(account) ?? 0n) + amount)
  for (const { debit_account, credit_account, amount_minor } of postings) {
    move(debit_account, -amount_minor)
    move(credit_account, amount_minor)
  }
  const found = textOf([...moved])
  const allowed = places[order.machine](facts).map(textOf)
  if (allowed.includes(found)) return []
  const should = allowed.length === 0 ? 'in suspense, but no exception is open' : allowed.join(' or ')
  return [`it is ${order.status}, its money is ${found}, and should be ${should}`]
}

function textOf(all: Moves): string {
  const moves = all.filter(([, amount]) => amount !== 0n)
  if (moves.length === 0) return 'nowhere'
  return moves
    .map(([account, amount]) => `${amount > 0n ? '+' : ''}${amount} in ${account}`)
    .sort()
    .join(' and ')
}
