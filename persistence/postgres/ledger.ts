/**
 * Postings of a transaction. All accounts it touches are locked at once, in one order, and the balances are kept in
 * memory until they are written together: two transactions that move money between the same accounts wait for each
 * other, and never both.
 */
import type { PoolClient } from 'pg'
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
import { Prepared, rowsOf } from './prepared.ts'
import type { Planned, Rows } from './rows.ts'

const lockAccounts = new Prepared(
  'SELECT id, balance_minor FROM accounts WHERE id = ANY ($1) ORDER BY id FOR NO KEY UPDATE',
)
const largest = 2n ** 63n

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
  /** A posting refers to it. */
  isMoved: boolean
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

  /** Locks the accounts and reads them. */
  static async open(client: PoolClient, refs: readonly AccountRef[]): Promise<Ledger> {
    const ledger = new Ledger()
    for (const ref of refs)
      ledger.#accounts.set(accountId(ref), { ref, before: null, balance: 0n, isMoved: false })
    if (refs.length === 0) return ledger
    const ids = [...ledger.#accounts.keys()]
    for (const { id, balance_minor } of rowsOf(await run(client, lockAccounts, [arrayOf(ids)]))) {
      const account = ledger.#accounts.get(String(id))
      if (account && typeof balance_minor === 'bigint') account.before = account.balance = balance_minor
    }
    return ledger
  }

  /** What the accounts hold now, to go back to. */
  mark(): () => void {
    const marked = [...this.#accounts.values()].map((account) => ({ account, ...account }))
    return () => {
      for (const { account, balance, isMoved } of marked) Object.assign(account, { balance, isMoved })
    }
  }

  /** @throws Violation, or an Error where a posting is none. */
  post(posting: Posting): void {
    assertPosting(posting)
    this.#move(posting.debit, -posting.amountMinor)
    this.#move(posting.credit, posting.amountMinor)
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
    return moved.map(([id, { ref, before, balance }]) =>
      before === null
        ? rows.insert('accounts', {
            id,
            kind: ref.kind,
            owner_id: ref.ownerId,
            currency: ref.currency,
            balance_minor: balance,
          })
        : rows.write({ update: 'accounts', key: { id }, set: { balance_minor: balance } }),
    )
  }

  #move(ref: AccountRef, amountMinor: bigint): void {
    const account = this.#find(ref)
    const balance = account.balance + amountMinor
    if (balance >= largest || balance < -largest) {
      throw new RangeError(`account ${accountId(ref)}: ${balance} is beyond what a balance can be`)
    }
    // Protocol 10.1: these two never go below zero. The table says the same.
    if (balance < 0n && (ref.kind === 'available' || ref.kind === 'reserved'))
      throw new Violation('accounts.funds')
    Object.assign(account, { balance, isMoved: true })
  }

  #find(ref: AccountRef): Account {
    const account = this.#accounts.get(accountId(ref))
    if (!account) throw new Error(`account ${accountId(ref)} was not locked`)
    return account
  }
}

/** A list of texts as PostgreSQL writes one. */
function arrayOf(texts: readonly string[]): string {
  return `{${texts.map((text) => `"${text.replaceAll(/["\\]/g, '\\$&')}"`).join(',')}}`
}
