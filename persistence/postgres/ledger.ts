/**
 * Postings of a transaction. All accounts it touches are locked at once, in one order, and the balances are kept in
 * memory until they are written together: two transactions that move money between the same accounts wait for each
 * other, and never both.
 */
import type { PoolClient } from 'pg'
import type { Instant } from '../../machines/time.ts'
import { utcDay } from '../posting-days.ts'
import {
  type AccountRef,
  accountId,
  assertPosting,
  type ConstraintName,
  type Posting,
  type Repayment,
  type Write,
} from '../store.ts'
import { run } from './database.ts'
import { PlannedDays } from './planned-days.ts'
import { arrayOf, Prepared, rowsOf } from './prepared.ts'
import type { Planned, PostedSides, Rows } from './rows.ts'

/**
 * The accounts, those that are not there yet too, each with its owner's days at the times of the steps: what was planned,
 * and nothing where nothing was. No zone is reckoned with here.
 */
const lockAccounts = new Prepared(
  `WITH held AS (
     SELECT id, balance_minor, posting_count, first_open_day FROM accounts
       WHERE id = ANY ($1) ORDER BY id FOR NO KEY UPDATE)
   SELECT asked.id, held.balance_minor, held.posting_count, held.first_open_day, (
       SELECT string_agg(coalesce((
           SELECT day FROM cut_offs WHERE party_id = asked.owner_id AND currency = asked.currency AND ends_at > steps.at
             ORDER BY ends_at LIMIT 1), ''), ' ' ORDER BY steps.at)
         FROM unnest($4::bigint[]) AS steps (at)) AS days
     FROM unnest($1::text[], $2::text[], $3::text[]) AS asked (id, owner_id, currency)
       LEFT JOIN held ON held.id = asked.id`,
)
const largest = 2n ** 63n
const funds: readonly AccountRef['kind'][] = ['available', 'reserved', 'payable']

/** A posting would have taken more than there is. */
export class Violation extends Error {
  override readonly name = 'Violation'
  readonly constraint: ConstraintName
  constructor(constraint: ConstraintName) {
    super(constraint)
    this.constraint = constraint
  }
}

interface Account {
  ref: AccountRef
  /** As the database has it; null where there is none yet. */
  before: bigint | null
  balance: bigint
  /** The number of its last posting, and the first day that the next may have. */
  count: number
  day: string
  /** Its owner's day at the time of a step, where it was planned. */
  planned: ReadonlyMap<Instant, string>
  /** A posting refers to it. */
  isMoved: boolean
}

function newAccount(ref: AccountRef): Account {
  return { ref, before: null, balance: 0n, count: 0, day: '', planned: new Map(), isMoved: false }
}

/** The accounts that a write may move. */
export function accountsOf(write: Write): AccountRef[] {
  if ('post' in write) return [write.post.debit, write.post.credit]
  if ('repay' in write) return repaymentAccounts(write.repay)
  return []
}

function repaymentAccounts({ merchantId: ownerId, currency }: Repayment): [AccountRef, AccountRef] {
  return [
    { kind: 'available', ownerId, currency },
    { kind: 'debt', ownerId, currency },
  ]
}

export class Ledger {
  readonly #accounts = new Map<string, Account>()
  readonly #days: PlannedDays

  constructor(days: PlannedDays) {
    this.#days = days
  }

  /**
   * Locks the accounts that the writes move, and reads them.
   * @param times of the steps that move them
   */
  static async open(
    client: PoolClient,
    writes: readonly Write[],
    times: readonly Instant[],
  ): Promise<Ledger> {
    const refs = writes.flatMap(accountsOf)
    const steps = [...new Set(times)].sort((a, b) => a - b)
    const days = refs.length === 0 ? new PlannedDays() : await PlannedDays.open(client, writes, steps[0] ?? 0)
    const ledger = new Ledger(days)
    for (const ref of refs) ledger.#accounts.set(accountId(ref), newAccount(ref))
    if (refs.length === 0) return ledger
    const accounts = [...ledger.#accounts.values()].map(({ ref }) => ref)
    const asked = [
      arrayOf(accounts.map(accountId)),
      arrayOf(accounts.map(({ ownerId }) => ownerId)),
      arrayOf(accounts.map(({ currency }) => currency)),
      `{${steps.join(',')}}`,
    ]
    for (const row of rowsOf(await run(client, lockAccounts, asked))) {
      const account = ledger.#accounts.get(String(row.id))
      if (!account) continue
      const days = String(row.days).split(' ')
      account.planned = new Map(steps.map((at, index) => [at, days[index] ?? '']))
      if (typeof row.balance_minor !== 'bigint') continue
      account.before = account.balance = row.balance_minor
      account.count = Number(row.posting_count)
      account.day = String(row.first_open_day)
    }
    return ledger
  }

  /** A write beside postings: it may be a day that is to come. */
  take(write: Write): void {
    this.#days.take(write)
  }

  /** What the accounts hold now, to go back to. */
  mark(): () => void {
    const undoDays = this.#days.mark()
    const marked = [...this.#accounts.values()].map((account) => ({ account, ...account }))
    return () => {
      undoDays()
      for (const { account, balance, count, day, isMoved } of marked)
        Object.assign(account, { balance, count, day, isMoved })
    }
  }

  /**
   * @returns what its sides are in their accounts
   * @throws Violation, or an Error where a posting is none.
   */
  post(posting: Posting, at: Instant): PostedSides {
    assertPosting(posting)
    return {
      debit: this.#move(posting.debit, -posting.amountMinor, at),
      credit: this.#move(posting.credit, posting.amountMinor, at),
    }
  }

  /** The posting that repays what can be repaid now; null where nothing is owed, or nothing available. */
  repayment(repayment: Repayment): Posting | null {
    const [debit, credit] = repaymentAccounts(repayment)
    const owed = -this.#find(credit).balance
    const available = owed > 0n ? this.#find(debit).balance : 0n
    const amountMinor = available < owed ? available : owed
    if (amountMinor <= 0n) return null
    return { kind: 'repay', debit, credit, amountMinor, orderId: null, reference: repayment.reference }
  }

  /** What brings the accounts of the database to these balances; before the postings, which refer to them. */
  changes(rows: Rows): Planned[] {
    const moved = [...this.#accounts].filter(([, { isMoved }]) => isMoved)
    return moved.map(([id, { ref, before, balance, count, day }]) =>
      before === null
        ? rows.insert('accounts', {
            id,
            kind: ref.kind,
            owner_id: ref.ownerId,
            currency: ref.currency,
            balance_minor: balance,
            posting_count: count,
            first_open_day: day,
          })
        : rows.write({
            update: 'accounts',
            key: { id },
            set: { balance_minor: balance, posting_count: count, first_open_day: day },
          }),
    )
  }

  #move(ref: AccountRef, amountMinor: bigint, at: Instant): { number: number; day: string } {
    const account = this.#find(ref)
    const balance = account.balance + amountMinor
    if (balance >= largest || balance < -largest) {
      throw new RangeError(`account ${accountId(ref)}: ${balance} is beyond what a balance can be`)
    }
    // Protocol 10.1: these never go below zero. The table says the same.
    if (balance < 0n && funds.includes(ref.kind)) throw new Violation('accounts.funds')
    const side = { number: account.count + 1, day: account.day }
    const day = (this.#days.dayOf(ref, at) ?? account.planned.get(at)) || utcDay(at)
    if (day > side.day) side.day = day
    Object.assign(account, { balance, count: side.number, day: side.day, isMoved: true })
    return side
  }

  #find(ref: AccountRef): Account {
    const account = this.#accounts.get(accountId(ref))
    if (!account) throw new Error(`account ${accountId(ref)} was not locked`)
    return account
  }
}
