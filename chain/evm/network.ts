/** What the parts of the adapter share: its checked settings, its endpoints, and how they are asked. */
import type { Address } from 'viem'
import { encodeFunctionData, numberToHex, parseAbi } from 'viem/utils'
import type { Instant } from '../../machines/time.ts'
import type { Asset, ChainContext, ChainFailure, Outcome } from '../chain.ts'
import { Endpoints } from '../endpoints.ts'
import { Requests } from '../requests.ts'
import { canonicalAddress, settledAddress } from './addresses.ts'
import { type BlockHeader, readCount, readKnownHeader } from './answers.ts'
import type { EvmChain, FinalityTag } from './chains.ts'
import { type Call, failureIn, JsonRpc, RpcFailed } from './json-rpc.ts'
import { LogRange } from './log-range.ts'

/** `chains.<NAME>` of the settings. */
export interface EvmSettings {
  readonly treasury: string
  readonly rpc: readonly string[]
  readonly chainId: number
  /** Which blocks are final. */
  readonly finality: FinalityTag
  /** Most blocks that are searched for logs at once. */
  readonly maxLogRange: number
  readonly assets: Readonly<Record<string, { readonly id: string; readonly decimals: number }>>
}

export interface EvmAsset extends Asset {
  readonly id: Address
}

/** One endpoint, and what was learned of it. */
export interface EvmEndpoint {
  readonly rpc: JsonRpc
  readonly logRange: LogRange
}

export class EvmNetwork {
  readonly chain: EvmChain
  readonly settings: EvmSettings
  readonly clock: () => Instant
  readonly pageSize: number
  readonly treasury: Address
  readonly assets: readonly EvmAsset[]
  readonly requests: Requests
  readonly endpoints: Endpoints<EvmEndpoint>

  constructor(chain: EvmChain, settings: EvmSettings, context: ChainContext) {
    this.chain = chain
    this.settings = settings
    this.clock = context.clock
    this.pageSize = context.pageSize ?? 100
    this.treasury = settledAddress(settings.treasury, this.setting('treasury'))
    this.assets = Object.entries(settings.assets).map(([symbol, { id, decimals }]) => ({
      symbol,
      id: settledAddress(id, this.setting(`assets.${symbol}.id`)),
      decimals,
    }))
    this.requests = new Requests(context)
    const endpoints = settings.rpc.map((url) => {
      const rpc = new JsonRpc(url, this.requests)
      return { host: rpc.host, client: { rpc, logRange: new LogRange(settings.maxLogRange) } }
    })
    this.endpoints = new Endpoints(endpoints, {
      clock: context.clock,
      identify: ({ client }) => attempt(client, (endpoint) => this.#identify(endpoint)),
    })
  }

  /** The path of a setting of this chain, for an operator. */
  setting(name: string): string {
    return `chains.${this.chain.name}.${name}`
  }

  assetOf(token: Address): EvmAsset | null {
    return this.assets.find(({ id }) => id === token) ?? null
  }

  assetNamed(symbol: string): EvmAsset | null {
    return this.assets.find((asset) => asset.symbol === symbol) ?? null
  }

  /** The treasury does not pay itself, and a token signs nothing. */
  canonicalWallet(address: string): Address | null {
    const canonical = canonicalAddress(address)
    const isOurs = canonical === this.treasury || this.assets.some(({ id }) => id === canonical)
    return isOurs ? null : canonical
  }

  /** A piece of work on one endpoint that serves this network. */
  ask<Value>(work: (endpoint: EvmEndpoint) => Promise<Value>): Promise<Outcome<Value, ChainFailure>> {
    return this.endpoints.run(({ client }) => attempt(client, work))
  }

  /**
   * Work that begins at the final head, on an endpoint that follows the chain. When each seems to have
   * stopped it may be the node's clock that is wrong: they are taken as they are, and `health` tells the age.
   */
  async askAtHead<Value>(
    work: (endpoint: EvmEndpoint, head: BlockHeader) => Promise<Value>,
  ): Promise<Outcome<Value, ChainFailure>> {
    let hasStopped = false
    const outcome = await this.ask(async (endpoint) => {
      const head = await this.#readHead(endpoint)
      if (this.clock() - head.at <= this.chain.maxLagMs) return await work(endpoint, head)
      hasStopped = true
      const time = new Date(head.at).toISOString()
      throw new RpcFailed(
        'inconsistent',
        `has stopped following the chain: its last final block ${head.height} is of ${time}.`,
      )
    })
    if (outcome.ok || !hasStopped) return outcome
    return await this.ask(async (endpoint) => work(endpoint, await this.#readHead(endpoint)))
  }

  async #readHead({ rpc }: EvmEndpoint): Promise<BlockHeader> {
    const [head] = await rpc.results([blockCall(this.settings.finality)])
    return readKnownHeader(head)
  }

  async #identify({ rpc }: EvmEndpoint): Promise<null> {
    const [answer] = await rpc.results([{ method: 'eth_chainId', params: [] }])
    const found = readCount(answer, 'a chain id')
    if (found === this.settings.chainId) return null
    throw new RpcFailed(
      'wrong_network',
      `answers for another network (chain id ${found}, expected ${this.settings.chainId}). ` +
        `Point ${this.setting('rpc')} at the right one, or set mode.`,
    )
  }
}

export async function attempt<Value>(
  endpoint: EvmEndpoint,
  work: (endpoint: EvmEndpoint) => Promise<Value>,
): Promise<Outcome<Value, ChainFailure>> {
  try {
    return { ok: true, value: await work(endpoint) }
  } catch (error) {
    return { ok: false, failure: failureIn(error, endpoint.rpc.host) }
  }
}

/** A block without its transactions' contents. */
export function blockCall(block: number | FinalityTag | 'latest'): Call {
  return { method: 'eth_getBlockByNumber', params: [blockName(block), false] }
}

const abi = parseAbi(['function balanceOf(address owner) view returns (uint256)'])

export function balanceCall(token: Address, owner: Address, block: number | 'latest'): Call {
  const data = encodeFunctionData({ abi, functionName: 'balanceOf', args: [owner] })
  return { method: 'eth_call', params: [{ to: token, data }, blockName(block)] }
}

function blockName(block: number | FinalityTag | 'latest'): string {
  return typeof block === 'number' ? numberToHex(block) : block
}
