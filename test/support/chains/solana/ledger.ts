/**
 * A Solana ledger in memory: litesvm executes, this keeps what litesvm has no notion of: slots and their
 * time, the queue of block hashes, finality, and the record of what was executed.
 */
import {
  getAddressDecoder,
  getBase58Decoder,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  type Transaction,
  address as toAddress,
} from '@solana/kit'
import { FailedTransactionMetadata, LiteSVM, type TransactionMetadata } from 'litesvm'
import type { Instant } from '../../../../machines/time.ts'

export const slotMs = 400
/** A block hash is good for this many blocks. */
const blockHashLife = 150
/** Blocks are final this many slots later. */
const finalityLag = 32

const tokenPrograms = new Set<string>([
  'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
])
const base58 = getBase58Decoder()

export interface TokenAccount {
  readonly mint: string
  readonly owner: string
  readonly amount: bigint
  readonly program: string
}

interface TokenBalance {
  readonly accountIndex: number
  readonly mint: string
  readonly owner: string
  readonly programId: string
  readonly uiTokenAmount: { amount: string; decimals: number; uiAmount: number; uiAmountString: string }
}

/** One executed transaction, failed or not. */
export interface LedgerEntry {
  readonly signature: string
  readonly slot: number
  readonly error: unknown
  readonly keys: readonly string[]
  readonly bytes: Uint8Array
  readonly version: 'legacy' | 0 | 1
  readonly memo: string | null
  readonly meta: Readonly<Record<string, unknown>>
}

/** A refusal before anything is executed, as the RPC words it. */
export class Refused extends Error {
  readonly code: number
  readonly data: unknown
  constructor(code: number, message: string, data: unknown = null) {
    super(message)
    this.code = code
    this.data = data
  }
}

export class SolanaLedger {
  svm = new LiteSVM().withBlockhashCheck(false)
  entries: LedgerEntry[] = []
  slot = 1_000
  readonly #startAt: Instant
  readonly #clock: (() => Instant) | null
  readonly #blockHashes = new Map<string, number>()
  readonly #decimals = new Map<string, number>()

  /** `startAt` is the time of the first slot. Slots follow the clock where one is given. */
  constructor(startAt: Instant, clock: (() => Instant) | null = null) {
    this.#startAt = startAt - this.slot * slotMs
    this.#clock = clock
    this.advance(1)
  }

  /** Slots go on to where the clock is, if there is one. */
  follow(): void {
    if (this.#clock === null) return
    const slots = Math.floor((this.#clock() - this.#startAt) / slotMs) - this.slot
    if (slots > 0) this.advance(slots)
  }

  timeOf(slot: number): Instant {
    return this.#startAt + slot * slotMs
  }

  /** A few slots in a hundred have no block, and never one with a transaction. */
  isSkipped(slot: number): boolean {
    return slot % 23 === 7 && !this.entries.some((entry) => entry.slot === slot)
  }

  finalSlot(slot: number = this.slot): number {
    return slot - finalityLag
  }

  advance(slots: number): void {
    // Only the last block hashes can still be used, so a long time passes in one leap.
    const leap = Math.max(0, slots - blockHashLife)
    this.slot += leap
    for (let step = leap; step < slots; step += 1) {
      this.slot += 1
      this.svm.expireBlockhash()
      this.#blockHashes.set(this.svm.latestBlockhash(), this.slot)
    }
    for (const [hash, slot] of this.#blockHashes)
      if (slot < this.slot - 2 * blockHashLife) this.#blockHashes.delete(hash)
    const clock = this.svm.getClock()
    clock.slot = BigInt(this.slot)
    clock.unixTimestamp = BigInt(Math.floor(this.timeOf(this.slot) / 1000))
    this.svm.setClock(clock)
  }

  /** Call the answer to drop every block since, as when a fork that is not final is abandoned. */
  fork(): () => void {
    const [state, entries] = [this.svm.toBytes(), [...this.entries]]
    return () => {
      this.svm = LiteSVM.fromBytes(state).withBlockhashCheck(false)
      this.entries = entries
      this.advance(1)
    }
  }

  /** The newest block hash as of a slot, and the last block height it is good for. */
  blockHashAsOf(slot: number): { blockhash: string; lastValidBlockHeight: number } {
    let newest: [string, number] | null = null
    for (const [hash, at] of this.#blockHashes) if (at <= slot && at > (newest?.[1] ?? 0)) newest = [hash, at]
    if (newest === null) throw new Refused(-32603, 'no block hash that old')
    return { blockhash: newest[0], lastValidBlockHeight: newest[1] + blockHashLife }
  }

  /** Executes a signed transaction; what it does is final some slots later. */
  send(bytes: Uint8Array, skipPreflight: boolean): string {
    const transaction = getTransactionDecoder().decode(bytes)
    const message = getCompiledTransactionMessageDecoder().decode(transaction.messageBytes)
    const usedAt = this.#blockHashes.get(message.lifetimeToken)
    const isFresh = usedAt !== undefined && this.slot - usedAt <= blockHashLife
    if (!isFresh) throw failed('Blockhash not found', 'BlockhashNotFound', [])
    const [signature] = Object.values(transaction.signatures)
    if (!signature || signature.every((byte) => byte === 0)) throw new Refused(-32003, 'Unsigned')
    if (!skipPreflight) this.#preflight(transaction)

    const keys = message.staticAccounts.map(String)
    const before = this.#balances(keys)
    const result = this.#execute(transaction)
    const meta = result instanceof FailedTransactionMetadata ? result.meta() : result
    const error = result instanceof FailedTransactionMetadata ? { InstructionError: String(result) } : null
    this.entries.push({
      signature: base58.decode(signature),
      slot: this.slot,
      error,
      keys,
      bytes,
      version: message.version,
      memo: memoOf(meta.logs()),
      meta: entryMeta(meta, error, before, this.#balances(keys)),
    })
    this.advance(1)
    return base58.decode(signature)
  }

  #preflight(transaction: Transaction): void {
    const simulated = this.svm.simulateTransaction(transaction)
    if (simulated instanceof FailedTransactionMetadata)
      throw failed(String(simulated), String(simulated), simulated.meta().logs())
  }

  #execute(transaction: Transaction): TransactionMetadata | FailedTransactionMetadata {
    return this.svm.sendTransaction(transaction)
  }

  account(
    address: string,
  ): { data: Uint8Array; lamports: bigint; owner: string; executable: boolean } | null {
    const account = this.svm.getAccount(toAddress(address))
    if (!account.exists) return null
    const { data, lamports, programAddress, executable } = account
    return { data: Uint8Array.from(data), lamports, owner: programAddress, executable }
  }

  tokenAccount(address: string): TokenAccount | null {
    const account = this.account(address)
    return account === null ? null : readTokenAccount(account.owner, account.data)
  }

  /** Token accounts of one owner under one token program, with their data. */
  tokenAccountsOf(owner: string, program: string): [string, Uint8Array][] {
    return this.svm
      .getProgramAccounts(toAddress(program))
      .filter(({ data }) => readTokenAccount(program, Uint8Array.from(data))?.owner === owner)
      .map(({ address, data }) => [address, Uint8Array.from(data)])
  }

  #balances(keys: readonly string[]): { lamports: number[]; tokens: TokenBalance[] } {
    const accounts = keys.map((key) => this.account(key))
    const tokens = accounts.flatMap((account, accountIndex) => {
      const token = account === null ? null : readTokenAccount(account.owner, account.data)
      if (token === null) return []
      const { mint, owner, amount, program } = token
      const uiTokenAmount = uiAmount(amount, this.#decimalsOf(mint))
      return [{ accountIndex, mint, owner, programId: program, uiTokenAmount }]
    })
    return { lamports: accounts.map((account) => Number(account?.lamports ?? 0n)), tokens }
  }

  #decimalsOf(mint: string): number {
    const known = this.#decimals.get(mint) ?? this.account(mint)?.data[44] ?? 0
    this.#decimals.set(mint, known)
    return known
  }
}

/** Reads the part of a token account that both token programs share; `null` for anything else. */
function readTokenAccount(program: string, data: Uint8Array): TokenAccount | null {
  const isAccount = data.length === 165 || (data.length > 165 && data[165] === 2)
  if (!tokenPrograms.has(program) || !isAccount) return null
  const address = getAddressDecoder()
  return {
    mint: address.decode(data.subarray(0, 32)),
    owner: address.decode(data.subarray(32, 64)),
    amount: Buffer.from(data).readBigUInt64LE(64),
    program,
  }
}

function uiAmount(amount: bigint, decimals: number): TokenBalance['uiTokenAmount'] {
  const digits = amount.toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const text = decimals === 0 ? digits : `${whole}.${digits.slice(-decimals)}`.replace(/\.?0+$/, '')
  return { amount: amount.toString(), decimals, uiAmount: Number(text), uiAmountString: text }
}

function failed(reason: string, error: unknown, logs: string[]): Refused {
  return new Refused(-32002, `Transaction simulation failed: ${reason}`, {
    err: error,
    logs,
    accounts: null,
    unitsConsumed: 0,
    returnData: null,
  })
}

/** As the RPC shows memos: `[length] text`. */
function memoOf(logs: readonly string[]): string | null {
  const memos = logs.flatMap((line) => {
    const match = /^Program log: Memo \(len (\d+)\): "(.*)"$/.exec(line)
    return match ? [`[${match[1]}] ${match[2]}`] : []
  })
  return memos.length === 0 ? null : memos.join('; ')
}

function entryMeta(
  meta: TransactionMetadata,
  error: unknown,
  before: { lamports: number[]; tokens: TokenBalance[] },
  after: { lamports: number[]; tokens: TokenBalance[] },
): Readonly<Record<string, unknown>> {
  const innerInstructions = meta.innerInstructions().flatMap((inner, index) =>
    inner.length === 0
      ? []
      : [
          {
            index,
            instructions: inner.map((entry) => ({
              programIdIndex: entry.instruction().programIdIndex(),
              accounts: [...entry.instruction().accounts()],
              data: base58.decode(entry.instruction().data()),
              stackHeight: entry.stackHeight(),
            })),
          },
        ],
  )
  return {
    err: error,
    status: error === null ? { Ok: null } : { Err: error },
    fee: 5_000,
    preBalances: before.lamports,
    postBalances: after.lamports,
    preTokenBalances: before.tokens,
    postTokenBalances: after.tokens,
    innerInstructions,
    logMessages: meta.logs(),
    loadedAddresses: { writable: [], readonly: [] },
    computeUnitsConsumed: Number(meta.computeUnitsConsumed()),
    rewards: [],
  }
}
