/** The part of Solana's JSON-RPC that wallets and this node use, over a ledger as one back end sees it. */
import { getBase58Decoder, getBase64Decoder } from '@solana/kit'
import { MessageV0, MessageV1, VersionedTransaction } from '@solana/web3.js'
import { type LedgerEntry, Refused, type SolanaLedger } from './ledger.ts'

/** What one back end knows of the ledger. */
export interface BackEnd {
  /** It stopped following the chain at this slot. */
  staleAt: number | null
  /** Its history begins here. */
  firstSlot: number
  /** Some back ends answer as if they had not been asked for a minimum slot. */
  ignoresMinContextSlot: boolean
  /** Signatures it lists and cannot serve. */
  readonly unservable: Set<string>
}

export function newBackEnd(): BackEnd {
  return { staleAt: null, firstSlot: 0, ignoresMinContextSlot: false, unservable: new Set() }
}

interface Options {
  readonly commitment?: string
  readonly minContextSlot?: number
  readonly encoding?: string
  readonly before?: string
  readonly until?: string
  readonly limit?: number
  readonly programId?: string
  readonly maxSupportedTransactionVersion?: number
  readonly skipPreflight?: boolean
}

const base58 = getBase58Decoder()
const base64 = getBase64Decoder()

export class SolanaRpc {
  readonly #ledger: SolanaLedger
  readonly #genesisHash: string
  readonly #backEnd: BackEnd

  constructor(ledger: SolanaLedger, genesisHash: string, backEnd: BackEnd) {
    this.#ledger = ledger
    this.#genesisHash = genesisHash
    this.#backEnd = backEnd
  }

  call(method: string, parameters: readonly unknown[]): unknown {
    this.#ledger.follow()
    const handler = this.#handlers[method]
    if (handler === undefined) throw new Refused(-32601, 'Method not found')
    return handler(parameters)
  }

  readonly #handlers: Readonly<Record<string, (parameters: readonly unknown[]) => unknown>> = {
    getGenesisHash: () => this.#genesisHash,
    getVersion: () => ({ 'solana-core': '3.0.0', 'feature-set': 0 }),
    getHealth: () => 'ok',
    getSlot: ([options]) => this.#slotFor(optionsOf(options)),
    getBlockHeight: ([options]) => this.#slotFor(optionsOf(options)),
    getFirstAvailableBlock: () => this.#backEnd.firstSlot,
    getBlockTime: ([slot]) => this.#blockTime(Number(slot)),
    getLatestBlockhash: ([options]) => {
      const slot = this.#slotFor(optionsOf(options))
      return this.#inContext(slot, this.#ledger.blockHashAsOf(slot))
    },
    getRecentPrioritizationFees: () => [{ slot: this.#head, prioritizationFee: 1_000 }],
    getBalance: ([address, options]) =>
      this.#at(options, Number(this.#ledger.account(textOf(address))?.lamports ?? 0n)),
    getAccountInfo: ([address, options]) => this.#at(options, this.#account(textOf(address))),
    getMultipleAccounts: ([addresses, options]) =>
      this.#at(
        options,
        listOf(addresses).map((address) => this.#account(textOf(address))),
      ),
    getTokenAccountsByOwner: ([owner, filter, options]) =>
      this.#at(
        options,
        this.#ledger
          .tokenAccountsOf(textOf(owner), optionsOf(filter).programId ?? '')
          .map(([pubkey]) => ({ pubkey, account: this.#account(pubkey) })),
      ),
    getSignatureStatuses: ([signatures]) =>
      this.#at(
        {},
        listOf(signatures).map((signature) => this.#status(textOf(signature))),
      ),
    getSignaturesForAddress: ([address, options]) => this.#signatures(textOf(address), optionsOf(options)),
    getTransaction: ([signature, options]) => this.#transaction(textOf(signature), optionsOf(options)),
    sendTransaction: ([transaction, options]) => {
      const { encoding, skipPreflight } = optionsOf(options)
      const bytes = Buffer.from(textOf(transaction), encoding === 'base64' ? 'base64' : 'latin1')
      return this.#ledger.send(bytes, skipPreflight === true)
    },
  }

  get #head(): number {
    return this.#backEnd.staleAt ?? this.#ledger.slot
  }

  /** The newest slot with a block that a request may see. */
  #slotFor({ commitment, minContextSlot }: Options): number {
    const isFinal = commitment !== 'processed' && commitment !== 'confirmed'
    let slot = isFinal ? this.#ledger.finalSlot(this.#head) : this.#head
    while (this.#ledger.isSkipped(slot)) slot -= 1
    if (!this.#backEnd.ignoresMinContextSlot && minContextSlot !== undefined && slot < minContextSlot)
      throw new Refused(-32016, 'Minimum context slot has not been reached', { contextSlot: slot })
    return slot
  }

  #inContext(slot: number, value: unknown): unknown {
    return { context: { slot, apiVersion: '3.0.0' }, value }
  }

  #at(options: unknown, value: unknown): unknown {
    return this.#inContext(this.#slotFor(optionsOf(options)), value)
  }

  #blockTime(slot: number): number {
    if (slot > this.#head) throw new Refused(-32004, `Block not available for slot ${slot}`)
    if (slot < this.#backEnd.firstSlot)
      throw new Refused(
        -32001,
        `Block ${slot} cleaned up, does not exist on node. First available block: ${this.#backEnd.firstSlot}`,
      )
    if (this.#ledger.isSkipped(slot))
      throw new Refused(-32007, `Slot ${slot} was skipped, or missing due to ledger jump to recent snapshot`)
    return Math.floor(this.#ledger.timeOf(slot) / 1000)
  }

  #account(address: string): unknown {
    const account = this.#ledger.account(address)
    if (account === null) return null
    return {
      data: [base64.decode(account.data), 'base64'],
      executable: account.executable,
      lamports: Number(account.lamports),
      owner: account.owner,
      rentEpoch: 18446744073709552000,
      space: account.data.length,
    }
  }

  #confirmationStatus(entry: LedgerEntry): string {
    return entry.slot <= this.#ledger.finalSlot(this.#head) ? 'finalized' : 'confirmed'
  }

  #visible(slot: number): LedgerEntry[] {
    return this.#ledger.entries.filter((entry) => entry.slot <= slot && entry.slot >= this.#backEnd.firstSlot)
  }

  #status(signature: string): unknown {
    const entry = this.#visible(this.#head).find((candidate) => candidate.signature === signature)
    if (entry === undefined) return null
    const confirmationStatus = this.#confirmationStatus(entry)
    return { slot: entry.slot, confirmations: null, err: entry.error, confirmationStatus }
  }

  #signatures(address: string, options: Options): unknown {
    const entries = this.#visible(this.#slotFor(options))
      .filter(({ keys }) => keys.includes(address))
      .reverse()
    // An unknown `before` answers with nothing at all, an unknown `until` with everything.
    const before = entries.findIndex(({ signature }) => signature === options.before)
    if (options.before !== undefined && before < 0) return []
    const until = entries.findIndex(({ signature }) => signature === options.until)
    return entries
      .slice(before + 1, until < 0 ? undefined : until)
      .slice(0, options.limit ?? 1_000)
      .map((entry) => ({
        signature: entry.signature,
        slot: entry.slot,
        err: entry.error,
        memo: entry.memo,
        blockTime: Math.floor(this.#ledger.timeOf(entry.slot) / 1000),
        confirmationStatus: this.#confirmationStatus(entry),
      }))
  }

  #transaction(signature: string, options: Options): unknown {
    const entry = this.#visible(this.#slotFor(options)).find((candidate) => candidate.signature === signature)
    if (entry === undefined || this.#backEnd.unservable.has(signature)) return null
    const supported = options.maxSupportedTransactionVersion
    if (entry.version !== 'legacy' && !(supported !== undefined && supported >= entry.version))
      throw new Refused(
        -32015,
        `Transaction version (${entry.version}) is not supported by the requesting client. Please try the ` +
          `request again with the following configuration parameter: "maxSupportedTransactionVersion": ` +
          `${entry.version}`,
      )
    return {
      slot: entry.slot,
      blockTime: Math.floor(this.#ledger.timeOf(entry.slot) / 1000),
      version: entry.version,
      meta: entry.meta,
      transaction: { signatures: [entry.signature], message: messageOf(entry) },
    }
  }
}

/** The JSON of a message, in each version. */
function messageOf({ bytes, keys }: LedgerEntry): unknown {
  const { message } = VersionedTransaction.deserialize(bytes)
  return {
    header: message.header,
    accountKeys: keys,
    recentBlockhash: message.recentBlockhash,
    ...(message instanceof MessageV1 ? { transactionConfig: message.transactionConfig } : {}),
    ...(message instanceof MessageV0 ? { addressTableLookups: [] } : {}),
    instructions: message.compiledInstructions.map((instruction) => ({
      programIdIndex: instruction.programIdIndex,
      accounts: [...instruction.accountKeyIndexes],
      data: base58.decode(instruction.data),
      stackHeight: null,
    })),
  }
}

function optionsOf(value: unknown): Options {
  return typeof value === 'object' && value !== null ? value : {}
}

function textOf(value: unknown): string {
  if (typeof value !== 'string') throw new Refused(-32602, 'Invalid params: a text is expected')
  return value
}

function listOf(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new Refused(-32602, 'Invalid params: a list is expected')
  return value
}
