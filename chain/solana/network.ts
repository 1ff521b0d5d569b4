/** What the parts of the Solana adapter share: its settings as keys, its endpoints, and how to ask them. */
import { Connection, PublicKey, SolanaJSONRPCError } from '@solana/web3.js'
import type { Instant } from '../../machines/time.ts'
import type { Asset, ChainContext, ChainFailure, Outcome } from '../chain.ts'
import { Endpoints } from '../endpoints.ts'
import { failureOf, hostOf, Requests, wordsOf } from '../requests.ts'
import { associatedTokenAccount, canonicalWallet } from './addresses.ts'

/** `chains.SOLANA` of the settings. */
export interface SolanaSettings {
  /** The owner's address; its token accounts are derived from it. */
  readonly treasury: string
  readonly rpc: readonly string[]
  readonly genesisHash: string
  readonly maxTransactionVersion: number
  readonly assets: Readonly<
    Record<string, { readonly id: string; readonly decimals: number; readonly program: string }>
  >
}

/** What Solana calls final (protocol 11.4): a block that two thirds of the stake have rooted, about 13 s after it was made. */
export const finality = 'finalized'

export interface SolanaAsset extends Asset {
  readonly mint: PublicKey
  readonly program: PublicKey
  /** The treasury's token account. */
  readonly account: PublicKey
}

/** A failure on its way out of a piece of work; `SolanaNetwork.ask` turns it into a value. */
export class ChainFailed extends Error {
  override readonly name = 'ChainFailed'
  readonly kind: ChainFailure['kind']
  /** `message` continues the endpoint's name: "names another network …". */
  constructor(kind: ChainFailure['kind'], message: string) {
    super(message)
    this.kind = kind
  }
}

export class SolanaNetwork {
  readonly settings: SolanaSettings
  readonly clock: () => Instant
  readonly pageSize: number
  readonly treasury: PublicKey
  readonly assets: readonly SolanaAsset[]
  readonly requests: Requests
  readonly endpoints: Endpoints<Connection>
  /** Why transfers of tokens outside the settings are not seen at the moment; part of health. */
  otherTokensProblem: string | null = null

  constructor(settings: SolanaSettings, context: ChainContext) {
    this.settings = settings
    this.clock = context.clock
    this.pageSize = context.pageSize ?? 100
    this.treasury = keyOf(settings.treasury, 'treasury')
    this.assets = Object.entries(settings.assets).map(([symbol, { id, decimals, program }]) => {
      const mint = keyOf(id, `assets.${symbol}.id`)
      const owner = keyOf(program, `assets.${symbol}.program`)
      const account = associatedTokenAccount(this.treasury, mint, owner)
      return { symbol, id, decimals, mint, program: owner, account }
    })
    this.requests = new Requests(context)
    this.endpoints = new Endpoints(
      settings.rpc.map((url) => ({ host: hostOf(url), client: this.#connect(url) })),
      { clock: context.clock, identify: ({ client, host }) => this.#identify(client, host) },
    )
  }

  /** The treasury does not pay itself, and a mint signs nothing. Its token accounts are off the curve as all are. */
  canonicalWallet(address: string): string | null {
    const isOurs = address === this.settings.treasury || this.assets.some(({ id }) => id === address)
    return isOurs ? null : canonicalWallet(address)
  }

  symbolOf(mint: string): string | null {
    return this.assets.find(({ id }) => id === mint)?.symbol ?? null
  }

  /** A piece of work on one endpoint that serves this network. */
  ask<Value>(
    work: (connection: Connection, host: string) => Promise<Value>,
  ): Promise<Outcome<Value, ChainFailure>> {
    return this.endpoints.run(({ client, host }) => attempt(client, host, work))
  }

  #connect(url: string): Connection {
    return new Connection(url, {
      commitment: finality,
      disableRetryOnRateLimit: true,
      httpAgent: false,
      fetch: (address, init) =>
        this.requests.fetch(address instanceof Request ? address.url : address.toString(), init),
    })
  }

  #identify(connection: Connection, host: string): Promise<Outcome<null, ChainFailure>> {
    return attempt(connection, host, async () => {
      const found = await connection.getGenesisHash()
      if (found === this.settings.genesisHash) return null
      throw new ChainFailed(
        'wrong_network',
        `answers for another cluster (genesis ${found}, expected ${this.settings.genesisHash}). ` +
          'Point chains.SOLANA.rpc at the right one, or set mode.',
      )
    })
  }
}

function keyOf(text: string, setting: string): PublicKey {
  try {
    return new PublicKey(text)
  } catch (cause) {
    throw new Error(`chains.SOLANA.${setting}: ${text} is not an address of Solana.`, { cause })
  }
}

export async function attempt<Value>(
  connection: Connection,
  host: string,
  work: (connection: Connection, host: string) => Promise<Value>,
): Promise<Outcome<Value, ChainFailure>> {
  try {
    return { ok: true, value: await work(connection, host) }
  } catch (error) {
    return { ok: false, failure: solanaFailure(error, host, connection.rpcEndpoint) }
  }
}

/** The codes of Agave's RPC (rpc-client-types, custom_error.rs), as far as they say what to do. */
const failuresByCode: Readonly<Record<number, [ChainFailure['kind'], string]>> = {
  [-32001]: ['history_missing', 'has cleaned up the block that was asked for'],
  [-32004]: ['inconsistent', 'does not have a block that it has named'],
  [-32005]: ['inconsistent', 'is behind the cluster'],
  [-32011]: ['history_missing', 'keeps no history of transactions'],
  [-32014]: ['inconsistent', 'does not have the status of a block yet'],
  [-32015]: ['refused', 'has a transaction of a version that this node cannot read: install a newer node'],
  [-32016]: ['inconsistent', 'is behind a slot that it has named (a pool whose members disagree)'],
  [-32603]: ['unavailable', 'has an internal error'],
}

function solanaFailure(error: unknown, host: string, url: string): ChainFailure {
  const of = (kind: ChainFailure['kind'], cause: string): ChainFailure => ({
    kind,
    endpoint: host,
    message: `${host} ${cause}`,
    retryable: kind !== 'refused' && kind !== 'wrong_network' && kind !== 'history_missing',
    retryAfterMs: null,
  })
  if (error instanceof ChainFailed) return of(error.kind, error.message)
  if (!(error instanceof SolanaJSONRPCError)) return failureOf(error, host)
  if (/rate limit|too many requests/i.test(error.message))
    return of('rate_limited', 'asks for fewer requests.')
  const known = typeof error.code === 'number' ? failuresByCode[error.code] : undefined
  if (known !== undefined) return of(known[0], `${known[1]} (RPC error ${error.code}).`)
  return of('refused', `refuses the request (RPC error ${error.code}): ${wordsOf(error.message, url)}`)
}
