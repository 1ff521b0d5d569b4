/**
 * What is known of a chain and of the wallets of waiting orders, kept so fresh that a GET can be answered with a
 * transaction that can be signed now, without asking the chain (protocol 11.1).
 *
 * It lives in memory: after a start it is read again, and another node reads its own. Nothing is assembled from values
 * that are too old, and nothing before the point from which deposits are read is stored: a transfer made earlier would
 * never be seen.
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

/** When a wallet is asked about again that could not be read, or that cannot pay. */
const askAgainMs = { unread: 3_000, refused: 15_000 }

interface KeptWallet {
  readonly outcome: Outcome<KeptValues, BuildRefusal>
  readonly readAt: Instant
}

export class ChainValues {
  readonly #chain: Chain
  readonly #wallets = new Map<string, KeptWallet>()
  readonly #wanted = new Map<string, { readonly request: WalletRequest; readonly at: Instant }>()
  #network: KeptValues | null = null
  #isRead = false

  constructor(chain: Chain) {
    this.#chain = chain
  }

  /** Whether the place from which deposits are read is stored. */
  foundRead(isRead: boolean): void {
    this.#isRead = isRead
  }

  /** Answers at once from what is kept, as long as it is neither too old nor from the future. */
  assemble(request: TransferRequest, at: Instant): Outcome<Assembled, BuildRefusal> {
    const key = keyOf(request)
    this.#want(key, request, at)
    if (!this.#isRead) return notBegun
    const wallet = this.#wallets.get(key)
    if (wallet?.outcome.ok === false) return wallet.outcome
    if (wallet === undefined || this.#network === null) return notRead
    const kept = { network: this.#network, wallet: wallet.outcome.value }
    const { keptFor } = this.#chain
    if (!isYoung(kept.network, keptFor.network, at) || !isYoung(kept.wallet, keptFor.wallet, at))
      return tooOld
    return this.#chain.assemble(request, kept, at)
  }

  #want(key: string, { wallet, symbol }: WalletRequest, at: Instant): void {
    this.#wanted.set(key, { request: { wallet, symbol }, at })
  }

  async refreshNetwork(at: Instant): Promise<ChainFailure | null> {
    const { network: life } = this.#chain.keptFor
    if (this.#network !== null && isYoung(this.#network, freshFor(life) - 1, at)) return null
    const read = await this.#chain.readNetwork()
    if (!read.ok) return read.failure
    this.#network = read.value
    return null
  }

  /**
   * Those of `waiting`, and of what was wanted lately, whose values are missing or soon too old. What nobody waits for
   * any more is forgotten.
   */
  stale(waiting: readonly WalletRequest[], at: Instant): readonly WalletRequest[] {
    const keys = new Map(waiting.map((request) => [keyOf(request), request]))
    for (const [key, { request, at: wantedAt }] of this.#wanted) {
      // More may wait than are listed: whoever asked for one of the others is served all the same.
      if (Math.abs(at - wantedAt) <= wantedMs) keys.set(key, request)
      else if (!keys.has(key)) this.#wanted.delete(key)
    }
    for (const key of this.#wallets.keys()) if (!keys.has(key)) this.#wallets.delete(key)
    const { wallet: life } = this.#chain.keptFor
    return [...keys].flatMap(([key, { wallet, symbol }]) => {
      const kept = this.#wallets.get(key)
      const isFresh = kept !== undefined && isYoung(kept, lifeOf(kept, life) - 1, at)
      const isWanted = Math.abs(at - (this.#wanted.get(key)?.at ?? at)) <= wantedMs
      return isFresh || (life < shortLifeMs && !isWanted) ? [] : [{ wallet, symbol }]
    })
  }

  async refreshWallets(requests: readonly WalletRequest[], at: Instant): Promise<void> {
    const outcomes = await this.#chain.readWallets(requests)
    requests.forEach((request, index) => {
      const outcome = outcomes[index]
      if (outcome === undefined) throw new Error('an endpoint did not answer for a wallet')
      const key = keyOf(request)
      // The chain could not be read: what was known before is good until it is too old.
      const isSilence = !outcome.ok && outcome.failure.kind === 'rpc_unavailable'
      if (isSilence && this.#wallets.get(key)?.outcome.ok) return
      this.#wallets.set(key, { outcome, readAt: at })
      if (!this.#wanted.has(key)) this.#want(key, request, at)
    })
  }

  /** How often to look whether anything is to be read again, in ms. */
  get lookMs(): number {
    const { network, wallet } = this.#chain.keptFor
    return Math.min(leadMs, freshFor(Math.min(network, wallet))) / 4
  }
}

const notRead = stale('The chain has not yet been asked about this wallet.')
const notBegun = stale('The chain is not being read yet: a payment now would go unseen.')
const tooOld = stale('What is known of the chain is out of date.')

function stale(message: string): Outcome<never, BuildRefusal> {
  return { ok: false, failure: { kind: 'values_stale', retryable: true, message } }
}

/** A clock that was set back makes nothing young again. */
function isYoung({ readAt }: { readonly readAt: Instant }, lifeMs: number, at: Instant): boolean {
  return at >= readAt && at - readAt <= lifeMs
}

function lifeOf({ outcome }: KeptWallet, lifeMs: number): number {
  if (outcome.ok) return freshFor(lifeMs)
  return outcome.failure.kind === 'rpc_unavailable' ? askAgainMs.unread : askAgainMs.refused
}

function freshFor(lifeMs: number): number {
  return Math.max(lifeMs / 2, lifeMs - leadMs)
}

function keyOf({ wallet, symbol }: WalletRequest): string {
  return `${wallet} ${symbol}`
}
