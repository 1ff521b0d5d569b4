/**
 * What is known of a chain and of the wallets of waiting orders, kept so fresh that a GET can be answered with a
 * transaction that can be signed now, without asking the chain (protocol 11.1).
 *
 * It lives in memory: after a start it is read again, and another node reads its own.
 */
import type {
  Assembled,
  BuildRefusal,
  ChainAdapter,
  ChainFailure,
  KeptValues,
  Outcome,
  TransferRequest,
  WalletRequest,
} from '../../chain/chain.ts'
import type { Instant } from '../../machines/time.ts'

type Chain = Pick<ChainAdapter, 'keptFor' | 'readNetwork' | 'readWallets' | 'assemble'>

/** Values are read again this long before they are too old, or at half of their time. */
const leadMs = 8_000

/** A wallet whose values age quickly is kept fresh for so long after somebody wanted them. */
const wantedMs = 180_000

/** Whether their age is short: then keeping all of them fresh would be a stream of requests. */
const shortLifeMs = 60_000

interface KeptWallet {
  readonly outcome: Outcome<KeptValues, BuildRefusal>
  readonly readAt: Instant
}

export class ChainValues {
  readonly #chain: Chain
  readonly #wallets = new Map<string, KeptWallet>()
  readonly #wantedAt = new Map<string, Instant>()
  #network: KeptValues | null = null

  constructor(chain: Chain) {
    this.#chain = chain
  }

  /** Answers at once from what is kept. */
  assemble(request: TransferRequest, at: Instant): Outcome<Assembled, BuildRefusal> {
    const key = keyOf(request)
    this.#wantedAt.set(key, at)
    const wallet = this.#wallets.get(key)
    if (wallet?.outcome.ok === false) return wallet.outcome
    if (wallet === undefined || this.#network === null) return notRead
    return this.#chain.assemble(request, { network: this.#network, wallet: wallet.outcome.value }, at)
  }

  async refreshNetwork(at: Instant): Promise<ChainFailure | null> {
    const { network: life } = this.#chain.keptFor
    if (this.#network !== null && at - this.#network.readAt < freshFor(life)) return null
    const read = await this.#chain.readNetwork()
    if (!read.ok) return read.failure
    this.#network = read.value
    return null
  }

  /** Those of `waiting` whose values are missing or soon too old. What nobody waits for any more is forgotten. */
  stale(waiting: readonly WalletRequest[], at: Instant): readonly WalletRequest[] {
    const keys = new Map(waiting.map((request) => [keyOf(request), request]))
    for (const key of this.#wallets.keys()) if (!keys.has(key)) this.#wallets.delete(key)
    for (const key of this.#wantedAt.keys()) if (!keys.has(key)) this.#wantedAt.delete(key)
    const { wallet: life } = this.#chain.keptFor
    return [...keys].flatMap(([key, { wallet, symbol }]) => {
      const kept = this.#wallets.get(key)
      const isFresh = kept !== undefined && at - kept.readAt < freshFor(life)
      const isWanted = at - (this.#wantedAt.get(key) ?? at) <= wantedMs
      return isFresh || (life < shortLifeMs && !isWanted) ? [] : [{ wallet, symbol }]
    })
  }

  async refreshWallets(requests: readonly WalletRequest[], at: Instant): Promise<void> {
    const outcomes = await this.#chain.readWallets(requests)
    requests.forEach((request, index) => {
      const outcome = outcomes[index]
      if (outcome === undefined) throw new Error('a wallet was asked for, and not answered')
      const key = keyOf(request)
      // The chain could not be read: what was known before is good until it is too old.
      const isSilence = !outcome.ok && outcome.failure.kind === 'rpc_unavailable'
      if (isSilence && this.#wallets.get(key)?.outcome.ok) return
      this.#wallets.set(key, { outcome, readAt: at })
      if (!this.#wantedAt.has(key)) this.#wantedAt.set(key, at)
    })
  }

  /** How often to look whether anything is to be read again, in ms. */
  get lookMs(): number {
    const { network, wallet } = this.#chain.keptFor
    return Math.min(leadMs, freshFor(Math.min(network, wallet))) / 4
  }
}

const notRead: Outcome<never, BuildRefusal> = {
  ok: false,
  failure: {
    kind: 'values_stale',
    retryable: true,
    message: 'The chain has not been asked about this wallet yet.',
  },
}

function freshFor(lifeMs: number): number {
  return Math.max(lifeMs / 2, lifeMs - leadMs)
}

function keyOf({ wallet, symbol }: WalletRequest): string {
  return `${wallet} ${symbol}`
}
