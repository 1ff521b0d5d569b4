/**
 * A Stellar ledger in memory. It takes real envelopes, refuses what the network refuses, executes the rest,
 * and keeps the history that Horizon serves. Each transaction closes a ledger.
 */
import {
  extractBaseAddress,
  FeeBumpTransaction,
  type Memo,
  type Transaction,
  TransactionBuilder,
} from '@stellar/stellar-sdk/base'
import type { Instant } from '../../../../machines/time.ts'
import { Accounts, OperationFailed, spendable } from './accounts.ts'
import type { Applied, Effect, Market } from './applied.ts'
import { Refused, Signatures } from './authorization.ts'
import { apply } from './operations.ts'

export const ledgerMs = 5_000
const baseFee = 100n

/** One executed transaction, failed or not. */
export interface TransactionRecord {
  /** Of the outer one, when a fee-bump wraps it. */
  readonly hash: string
  readonly innerHash: string | null
  readonly ledger: number
  readonly closedAt: Instant
  readonly token: bigint
  readonly source: string
  readonly sequence: string
  readonly isSuccessful: boolean
  readonly operationCodes: readonly string[]
  readonly fee: bigint
  readonly maxFee: string
  readonly envelope: string
  readonly memo: Pick<Memo, 'type' | 'value'>
}

export interface OperationEntry {
  readonly token: bigint
  readonly transaction: TransactionRecord
  readonly source: string
  readonly type: string
  readonly details: Readonly<Record<string, unknown>>
  readonly effects: readonly Effect[]
}

export class StellarLedger {
  readonly passphrase: string
  readonly markets = new Map<string, Market>()
  readonly transactions = new Map<string, TransactionRecord>()
  /** In their order, by each account and claimable balance that takes part. */
  readonly operationsOf = new Map<string, OperationEntry[]>()
  readonly operationByToken = new Map<bigint, OperationEntry>()
  accounts = new Accounts()
  sequence = 1_000
  closedAt: Instant
  readonly #clock: (() => Instant) | null

  /** Without a clock, time passes only when it is told to. Ledgers close on whole seconds. */
  constructor(passphrase: string, startAt: Instant, clock: (() => Instant) | null) {
    this.passphrase = passphrase
    this.closedAt = Math.floor(startAt / 1000) * 1000
    this.#clock = clock
  }

  /** Ledgers that have closed since, by the clock. */
  follow(): void {
    if (this.#clock === null) return
    const passed = Math.floor((this.#clock() - this.closedAt) / ledgerMs)
    if (passed > 0) this.advance(passed)
  }

  advance(ledgers: number): void {
    this.sequence += ledgers
    this.closedAt += ledgers * ledgerMs
  }

  /** A sequence that no transaction of a new account has used. */
  get firstSequence(): bigint {
    return BigInt(this.sequence) << 32n
  }

  /** Throws `Refused`, also for a transaction that fails in a ledger. */
  submit(envelope: string): TransactionRecord {
    this.follow()
    const outer = this.#decode(envelope)
    const known = this.transactions.get(hashOf(outer))
    if (known !== undefined) return known
    const bump = outer instanceof FeeBumpTransaction ? outer : null
    const inner = outer instanceof FeeBumpTransaction ? outer.innerTransaction : outer
    const closesAt = this.closedAt + ledgerMs
    this.#validate(inner, bump, closesAt)

    this.advance(1)
    const charged = baseFee * BigInt(inner.operations.length + (bump === null ? 0 : 1))
    this.accounts.get(extractBaseAddress(bump?.feeSource ?? inner.source)).balance -= charged
    this.accounts.get(extractBaseAddress(inner.source)).sequence += 1n
    const before = new Accounts(this.accounts)
    const { codes, applied } = this.#execute(inner)
    const isSuccessful = codes.every((code) => code === 'op_success')
    if (!isSuccessful) this.accounts = before
    const record = this.#record(outer, inner, envelope, charged, codes)
    if (!isSuccessful) throw new Refused('tx_failed', codes)
    applied.forEach((each, index) => {
      this.#enter(record, index, inner.operations[index]?.source ?? inner.source, each)
    })
    return record
  }

  #decode(envelope: string): Transaction | FeeBumpTransaction {
    try {
      return TransactionBuilder.fromXdr(envelope, this.passphrase)
    } catch {
      throw new Refused('transaction_malformed')
    }
  }

  #validate(inner: Transaction, bump: FeeBumpTransaction | null, closesAt: Instant): void {
    const { timeBounds, operations } = inner
    const closeSecond = Math.floor(closesAt / 1000)
    if (operations.length === 0) throw new Refused('tx_missing_operation')
    if (timeBounds && Number(timeBounds.minTime) > closeSecond) throw new Refused('tx_too_early')
    const maxTime = Number(timeBounds?.maxTime ?? 0)
    if (maxTime !== 0 && maxTime < closeSecond) throw new Refused('tx_too_late')
    const fee = BigInt(bump?.fee ?? inner.fee)
    if (fee < baseFee * BigInt(operations.length + (bump === null ? 0 : 1)))
      throw new Refused('tx_insufficient_fee')
    const source = this.accounts.byAddress.get(extractBaseAddress(inner.source))
    const payer = this.accounts.byAddress.get(extractBaseAddress(bump?.feeSource ?? inner.source))
    if (source === undefined || payer === undefined) throw new Refused('tx_no_source_account')
    if (BigInt(inner.sequence) !== source.sequence + 1n) throw new Refused('tx_bad_seq')

    const signatures = new Signatures(inner)
    signatures.authorizePayer(source)
    if (spendable(payer) < fee) throw new Refused('tx_insufficient_balance')
    signatures.authorizeOperations(this.accounts, inner.source, operations)
    signatures.refuseUnused()
    if (bump === null) return
    const outerSignatures = new Signatures(bump)
    outerSignatures.authorizePayer(payer)
    outerSignatures.refuseUnused()
  }

  #execute(transaction: Transaction): { codes: string[]; applied: Applied[] } {
    const codes: string[] = []
    const applied: Applied[] = []
    transaction.operations.forEach((operation, index) => {
      const sourceAddress = operation.source ?? transaction.source
      try {
        const source = this.accounts.get(extractBaseAddress(sourceAddress))
        const { accounts, markets, passphrase, firstSequence: nextSequence } = this
        const chain = { accounts, markets, passphrase, nextSequence }
        const context = { ...chain, transaction, index, source, sourceAddress }
        applied.push(apply(operation, context))
        codes.push('op_success')
      } catch (error) {
        if (!(error instanceof OperationFailed)) throw error
        codes.push(error.code)
      }
    })
    return { codes, applied }
  }

  #record(
    outer: Transaction | FeeBumpTransaction,
    inner: Transaction,
    envelope: string,
    fee: bigint,
    operationCodes: readonly string[],
  ): TransactionRecord {
    const record = {
      hash: hashOf(outer),
      innerHash: outer === inner ? null : hashOf(inner),
      ledger: this.sequence,
      closedAt: this.closedAt,
      token: (BigInt(this.sequence) << 32n) | (1n << 12n),
      source: extractBaseAddress(inner.source),
      sequence: inner.sequence,
      isSuccessful: operationCodes.every((code) => code === 'op_success'),
      operationCodes,
      fee,
      maxFee: outer.fee,
      envelope,
      memo: { type: inner.memo.type, value: inner.memo.value },
    }
    this.transactions.set(record.hash, record)
    return record
  }

  #enter(transaction: TransactionRecord, index: number, source: string, applied: Applied): void {
    const { type, details, effects, participants, balanceId } = applied
    const token = transaction.token | BigInt(index + 1)
    const entry = { token, transaction, source, type, details, effects }
    this.operationByToken.set(token, entry)
    const keys = new Set([extractBaseAddress(source), ...participants, ...(balanceId ? [balanceId] : [])])
    for (const key of keys) {
      const entries = this.operationsOf.get(key) ?? []
      entries.push(entry)
      this.operationsOf.set(key, entries)
    }
  }
}

function hashOf(transaction: Transaction | FeeBumpTransaction): string {
  return Buffer.from(transaction.hash()).toString('hex')
}
