/** What the database holds, read beside the node and past its code. */
import Database from 'better-sqlite3'
import type { PaymentAnswer } from '../support/model/facts.ts'
import { written } from '../support/model/figures.ts'
import type { ApprovalView, Person, SeenApproval } from './model/approvals.ts'
import type { ChainView } from './model/chain.ts'
import type { Direction, View } from './model/truth.ts'

export interface JournalLine {
  position: number
  order: string
  at: number
  event: Record<string, unknown> & { type: string }
  from: string | null
  to: string
  outcome: string
}

export interface Balance {
  kind: string
  owner: string
  currency: string
  minor: bigint
}

let readers = 0

/** A connection of its own, that only reads. */
export class Reader {
  readonly #number = ++readers
  readonly #database: Database.Database
  readonly #statements = new Map<string, Database.Statement<unknown[], never>>()
  #names: Map<string, string> | null = null
  #approvals: { state: bigint; seen: readonly SeenApproval[] } | null = null

  constructor(file: string) {
    this.#database = new Database(file, { readonly: true })
    this.#database.defaultSafeIntegers(true)
  }

  close(): void {
    this.#database.close()
  }

  /** Another text once anybody has written, or the reader is another one. */
  get version(): string {
    return `${this.#number} ${this.#database.pragma('data_version', { simple: true })}`
  }

  all<R extends object>(sql: string, ...args: unknown[]): R[] {
    const found = this.#statements.get(sql) ?? this.#database.prepare<unknown[], never>(sql)
    this.#statements.set(sql, found)
    return found.all(...args) as R[]
  }

  name(id: string | null): string {
    if (id === null || id === '') return ''
    this.#names ??= new Map(
      this.all<{ id: string; name: string }>('SELECT id, name FROM parties').map((one) => [one.id, one.name]),
    )
    return this.#names.get(id) ?? id
  }

  view(at: number): View {
    return {
      at,
      orders: this.all<OrderRow>(
        `SELECT id, merchant_id, merchant_order_id, direction, price_minor, currency, status, expiry_at,
          lock_provider_id, locks, paid_at FROM orders ORDER BY id`,
      ).map((row) => ({
        id: row.id,
        merchant: this.name(row.merchant_id),
        merchantOrderId: row.merchant_order_id,
        direction: row.direction,
        price: written(row.price_minor, row.currency),
        status: row.status,
        expiryAt: Number(row.expiry_at),
        holder: row.lock_provider_id === null ? null : this.name(row.lock_provider_id),
        locks: Number(row.locks),
        isPaid: row.paid_at !== null,
      })),
      exceptions: this.all(
        'SELECT id, kind, order_id AS "order", state, resolution FROM exceptions ORDER BY id',
      ),
      webhooks: this.all<WebhookRow>(
        `SELECT id, order_id, sequence, order_status, is_final, state FROM webhooks ORDER BY id`,
      ).map((row) => ({
        id: row.id,
        order: row.order_id,
        sequence: Number(row.sequence),
        status: row.order_status,
        isFinal: row.is_final === 1n,
        state: row.state,
      })),
    }
  }

  chainView(): ChainView {
    return {
      deposits: this.all<DepositRow>(
        `SELECT id, transaction_id AS "transaction", amount, order_id AS "order", credited_minor AS credited,
          outcome FROM deposits ORDER BY id`,
      ).map(({ amount, ...deposit }) => ({ ...deposit, units: BigInt(amount) })),
      orders: this.all<ForeignRow>(
        `SELECT id, status, reference, wallet, expected_minor AS expected, received_minor AS received,
          funding_deadline_at AS deadline FROM foreign_orders JOIN orders ON id = order_id ORDER BY id`,
      ).map(({ deadline, ...order }) => ({ ...order, fundingDeadline: Number(deadline) })),
      exceptions: this.all(
        'SELECT kind, order_id AS "order", transaction_id AS "transaction" FROM exceptions ORDER BY id',
      ),
    }
  }

  /** Read once for each state of the database: most of what is written is not about them. */
  approvals(): readonly SeenApproval[] {
    const told = this.all<{ told: bigint }>('SELECT CAST(total(revision) AS INTEGER) AS told FROM approvals')
    const state = told[0]?.told ?? 0n
    if (this.#approvals?.state !== state) this.#approvals = { state, seen: this.#readApprovals() }
    return this.#approvals.seen
  }

  #readApprovals(): SeenApproval[] {
    const rows = this.all<ApprovalRow>(
      'SELECT id, number, operation, input_json, asked_by, is_person, state, expires_at FROM approvals ORDER BY number',
    )
    if (rows.length === 0) return []
    const events = this.all<{ approval_id: string; told_at: bigint; actor: string; event_json: string }>(
      'SELECT approval_id, told_at, actor, event_json FROM approval_events ORDER BY approval_id, sequence',
    )
    const byApproval = Map.groupBy(events, ({ approval_id }) => approval_id)
    return rows.map(({ id, ...row }) => ({
      number: Number(row.number),
      operation: row.operation,
      input: row.input_json,
      askedBy: row.asked_by,
      isPerson: row.is_person === 1n,
      state: row.state,
      expiresAt: Number(row.expires_at),
      events: (byApproval.get(id) ?? []).map(({ told_at, actor, event_json }) => ({
        type: JSON.parse(event_json).type,
        actor,
        at: Number(told_at),
      })),
    }))
  }

  people(): ApprovalView['people'] {
    return this.all<Pick<Person, 'name' | 'role'> & { disabled_at: bigint | null; by: string | null }>(
      'SELECT name, role, disabled_at, let_in_by AS "by" FROM people',
    ).map(({ name, role, disabled_at, by }) => {
      const letInBy = by === 'token' ? 'the token' : (by?.replace('person:', '') ?? null)
      return { name, role, isEnabled: disabled_at === null, letInBy }
    })
  }

  approvalView(at: number): ApprovalView {
    return {
      at,
      approvals: this.approvals(),
      audit: this.all(
        "SELECT operator, operation, outcome FROM audit WHERE outcome = 'begun' OR outcome LIKE 'done (%' ORDER BY id",
      ),
      people: this.people(),
      invitations: this.all('SELECT name, role FROM invitations ORDER BY name'),
      thresholds: this.all('SELECT operation, amount_minor AS minor FROM approval_thresholds'),
      frozen: this.all<{ name: string }>('SELECT name FROM parties WHERE frozen_at IS NOT NULL').map(
        ({ name }) => name,
      ),
    }
  }

  /** Where in the ledger a deposit, or its reversal, was booked; null where it was not. */
  placeOf(kind: 'deposit' | 'reverse', reference: string): bigint | null {
    const [found] = this.all<{ place: bigint | null }>(
      'SELECT max(id) AS place FROM postings WHERE kind = ? AND reference = ?',
      kind,
      reference,
    )
    return found?.place ?? null
  }

  /** Where in the ledger an order has last moved anything. */
  lastPlaceOf(order: string): bigint | null {
    return (
      this.all<{ place: bigint | null }>('SELECT max(id) AS place FROM postings WHERE order_id = ?', order)[0]
        ?.place ?? null
    )
  }

  payments(): PaymentAnswer[] {
    return this.all<Omit<PaymentAnswer, 'amount' | 'party'> & { party_id: string; amount_minor: bigint }>(
      'SELECT id, party_id, direction, amount_minor, currency, bank, state FROM payments ORDER BY id',
    ).map(({ party_id, amount_minor, ...payment }) => ({
      ...payment,
      party: this.name(party_id),
      amount: written(amount_minor, payment.currency),
    }))
  }

  journal(after: number): JournalLine[] {
    return this.all<JournalRow>(
      `SELECT position, order_id, entry_at, event_json, from_status, to_status, outcome FROM journal
        WHERE position > ? ORDER BY position`,
      after,
    ).map((row) => ({
      position: Number(row.position),
      order: row.order_id,
      at: Number(row.entry_at),
      event: JSON.parse(row.event_json),
      from: row.from_status,
      to: row.to_status,
      outcome: row.outcome,
    }))
  }

  /** Each as one text: number, opening, closing, due, and its lines. */
  statements(party: string, currency: string): string[] {
    const [found] = this.all<{ id: string }>('SELECT id FROM parties WHERE name = ?', party)
    const lines = this.all<StatementLineRow>(
      `SELECT number, order_id, amount_minor, fee_minor, tax_minor FROM statement_lines
        WHERE party_id = ? AND currency = ? ORDER BY number, line`,
      found?.id,
      currency,
    )
    return this.all<{ number: bigint; opening_minor: bigint; closing_minor: bigint; due_minor: bigint }>(
      `SELECT number, opening_minor, closing_minor, due_minor FROM statements
        WHERE party_id = ? AND currency = ? ORDER BY number`,
      found?.id,
      currency,
    ).map((one) => {
      const own = lines.filter(({ number }) => number === one.number)
      const told = own.map(
        (line) => `${line.order_id} ${line.amount_minor} ${line.fee_minor} ${line.tax_minor}`,
      )
      // In which order lines of several accounts come where a clock was set back says nothing of money.
      return [one.number, one.opening_minor, one.closing_minor, one.due_minor, ...told.toSorted()].join(', ')
    })
  }

  balances(): Balance[] {
    return this.all<{ kind: string; owner_id: string; currency: string; balance_minor: bigint }>(
      'SELECT kind, owner_id, currency, balance_minor FROM accounts ORDER BY id',
    ).map(({ kind, owner_id, currency, balance_minor }) => ({
      kind,
      owner: this.name(owner_id),
      currency,
      minor: balance_minor,
    }))
  }
}

interface OrderRow {
  id: string
  merchant_id: string
  merchant_order_id: string
  direction: Direction
  price_minor: bigint
  currency: string
  status: string
  expiry_at: bigint
  lock_provider_id: string | null
  locks: bigint
  paid_at: bigint | null
}

interface ApprovalRow {
  id: string
  number: bigint
  operation: string
  input_json: string
  asked_by: string
  is_person: bigint
  state: string
  expires_at: bigint
}

interface DepositRow {
  id: string
  transaction: string
  amount: string
  order: string | null
  credited: bigint
  outcome: string
}

interface ForeignRow {
  id: string
  status: string
  reference: string
  wallet: string
  expected: bigint
  received: bigint
  deadline: bigint
}

interface WebhookRow {
  id: string
  order_id: string
  sequence: bigint
  order_status: string
  is_final: bigint
  state: string
}

interface StatementLineRow {
  number: bigint
  order_id: string | null
  amount_minor: bigint
  fee_minor: bigint
  tax_minor: bigint
}

interface JournalRow {
  position: bigint
  order_id: string
  entry_at: bigint
  event_json: string
  from_status: string | null
  to_status: string
  outcome: string
}
