/** What the parts of the Stellar adapter share: its settings, its endpoints, and how they are asked. */
import { type Asset as StellarAsset, StrKey } from '@stellar/stellar-sdk/base'
import type { Instant } from '../../machines/time.ts'
import type { Asset, ChainContext, ChainFailure, Outcome } from '../chain.ts'
import { Doubts } from '../doubts.ts'
import { type Endpoint, Endpoints } from '../endpoints.ts'
import { failureOf, HttpRefusal, hostOf, Requests } from '../requests.ts'
import { assetOf, canonicalWallet, nativeId, stellarDecimals } from './addresses.ts'
import { ChainFailed } from './failed.ts'
import { Horizon } from './horizon.ts'
import { StellarRpc } from './rpc.ts'

/** `chains.STELLAR` of the settings. */
export interface StellarSettings {
  /** The account's address (`G…`). */
  readonly treasury: string
  /** Horizon servers, the preferred one first. */
  readonly horizon: string | readonly string[]
  /** A Stellar RPC server, that reads many wallets at once. */
  readonly rpc?: string | null
  readonly passphrase: string
  /** Which server is read; this adapter reads Horizon. */
  readonly reader?: string
  readonly assets: Readonly<Record<string, { readonly id: string; readonly decimals: number }>>
}

export interface AcceptedAsset extends Asset {
  readonly code: string
  readonly issuer: string
  readonly asset: StellarAsset
}

/** Members of a pool are further apart than this only when one of them is in trouble: a minute of ledgers. */
export const poolLedgers = 12

/**
 * How long a ledger that was named is believed while none after it is. Ledgers close every 5 s, so a true one is
 * overtaken long before; a garbled answer that named one years ahead must not shut out every true answer after it.
 */
const believedForMs = 300_000

export class HorizonNetwork {
  readonly settings: StellarSettings
  readonly clock: () => Instant
  readonly pageSize: number
  readonly assets: readonly AcceptedAsset[]
  readonly requests: Requests
  readonly endpoints: Endpoints<Horizon>
  readonly rpc: Endpoints<StellarRpc> | null
  readonly doubts: Doubts
  #newest = 0
  #newestNamedAt: Instant = 0

  constructor(settings: StellarSettings, context: ChainContext) {
    if (!StrKey.isValidEd25519PublicKey(settings.treasury))
      throw new Error(`chains.STELLAR.treasury: ${settings.treasury} is not an account (G…)`)
    if (settings.reader !== undefined && settings.reader !== 'horizon')
      throw new Error(`chains.STELLAR.reader: ${settings.reader} cannot be read from yet; set it to horizon`)
    this.settings = settings
    this.clock = context.clock
    this.pageSize = Math.min(context.pageSize ?? 100, maxPageSize)
    this.assets = Object.entries(settings.assets).map(acceptedAsset)
    this.requests = new Requests(context)
    this.doubts = new Doubts(context.clock)
    const urls = typeof settings.horizon === 'string' ? [settings.horizon] : settings.horizon
    this.endpoints = new Endpoints(
      urls.map((url) => ({ host: hostOf(url), client: new Horizon(url, this) })),
      { clock: context.clock, identify: (endpoint) => attempt(endpoint, identified) },
    )
    this.rpc = this.#openRpc(settings.rpc ?? null)
  }

  #openRpc(url: string | null): Endpoints<StellarRpc> | null {
    if (url === null) return null
    const client = new StellarRpc(url, this.requests)
    return new Endpoints([{ host: client.host, client }], {
      clock: this.clock,
      identify: (endpoint) =>
        attempt(endpoint, async (rpc) => {
          this.recognize(await rpc.passphrase(), 'rpc')
          return null
        }),
    })
  }

  recognize(passphrase: string, setting: 'horizon' | 'rpc'): void {
    const expected = this.settings.passphrase
    if (passphrase === expected) return
    throw new ChainFailed(
      'wrong_network',
      `answers for another network ("${passphrase}", expected "${expected}"). ` +
        `Point chains.STELLAR.${setting} at the right one, or set mode.`,
    )
  }

  /** A piece of work on one Horizon that serves this network. */
  ask<Value>(work: (horizon: Horizon) => Promise<Value>): Promise<Outcome<Value, ChainFailure>> {
    return this.endpoints.run((endpoint) => attempt(endpoint, work))
  }

  /** The treasury does not pay itself. */
  canonicalWallet(address: string): string | null {
    return address === this.settings.treasury ? null : canonicalWallet(address)
  }

  symbolOf(assetId: string): string | null {
    return this.assets.find(({ id }) => id === assetId)?.symbol ?? null
  }

  /** An answer as of this ledger came in. One far behind what has been named before is not used. */
  saw(ledger: number): void {
    if (Number.isNaN(ledger)) return
    const now = this.clock()
    const isBelieved = Math.abs(now - this.#newestNamedAt) < believedForMs
    if (isBelieved && ledger < this.#newest - poolLedgers)
      throw new ChainFailed(
        'inconsistent',
        `answers as of ledger ${ledger}, after ledger ${this.#newest} had been named.`,
      )
    if (isBelieved && ledger <= this.#newest) return
    this.#newest = ledger
    this.#newestNamedAt = now
  }
}

/** Horizon gives 200 records at most, and one of them is known already. */
const maxPageSize = 199

async function identified(horizon: Horizon): Promise<null> {
  await horizon.root()
  return null
}

function acceptedAsset([symbol, { id, decimals }]: [
  string,
  { id: string; decimals: number },
]): AcceptedAsset {
  const asset = id === nativeId ? null : assetOf(id)
  if (asset === null) throw new Error(`chains.STELLAR.assets.${symbol}.id: ${id} is not CODE:ISSUER`)
  if (decimals !== stellarDecimals)
    throw new Error(`chains.STELLAR.assets.${symbol}.decimals: every asset of Stellar has 7, not ${decimals}`)
  return { symbol, id, decimals, code: asset.getCode(), issuer: asset.getIssuer() ?? '', asset }
}

export async function attempt<Client, Value>(
  { client, host }: Endpoint<Client>,
  work: (client: Client) => Promise<Value>,
): Promise<Outcome<Value, ChainFailure>> {
  try {
    return { ok: true, value: await work(client) }
  } catch (error) {
    return { ok: false, failure: horizonFailure(error, host) }
  }
}

function horizonFailure(error: unknown, host: string): ChainFailure {
  // Horizon's `before_history`.
  const isGone = error instanceof HttpRefusal && error.status === 410
  const failed = isGone ? new ChainFailed('history_missing', 'keeps no history that old (HTTP 410).') : error
  if (!(failed instanceof ChainFailed)) return failureOf(error, host)
  const { kind, message } = failed
  return {
    kind,
    endpoint: host,
    message: `${host} ${message}`,
    retryable: kind === 'unavailable' || kind === 'inconsistent',
    retryAfterMs: null,
  }
}
