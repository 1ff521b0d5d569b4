/**
 * Networks of a few hundred lines, in memory and without a socket, for thousands of stories: blocks follow a clock, and
 * each endpoint is a member of a pool with faults of its own. They execute nothing; what they serve is signed and
 * committed to as the real networks do it. The networks that really execute are beside them.
 */

import { createHash } from 'node:crypto'
import type { Asset, ChainAdapter, ChainContext } from '../../../../chain/chain.ts'
import type { Blockchain } from '../../../../machines/blockchains.ts'
import type { Instant } from '../../../../machines/time.ts'

/** One movement of the treasury's balance. */
export interface LightMovement {
  readonly id: string
  readonly height: number
  readonly at: Instant
  /** Below zero what leaves. */
  readonly units: bigint
  readonly wallet: string
  readonly references: readonly string[]
  /** The balance changes without anything that says so. */
  readonly isSilent: boolean
}

/** What is wrong with an endpoint at the moment. */
export interface EndpointFaults {
  /** It does not answer until then. */
  downUntil: Instant
  /** So many blocks behind the others. */
  lagBlocks: number
  /** Movements it does not list until then, by their ids. */
  readonly omitted: Map<string, Instant>
  /** Lists are cut off after so many. */
  truncatedTo: number | null
  /** Lists come in another order, and with other numbers where an endpoint numbers as it likes. */
  isShuffled: boolean
  /** What it says beyond the true balance, until then. */
  lie: { units: bigint; until: Instant } | null
}

export function noFaults(): EndpointFaults {
  return {
    downUntil: 0,
    lagBlocks: 0,
    omitted: new Map(),
    truncatedTo: null,
    isShuffled: false,
    lie: null,
  }
}

export interface LightEndpoint {
  readonly host: string
  readonly faults: EndpointFaults
}

export interface LightChain {
  readonly blockchain: Blockchain
  readonly asset: Asset
  readonly treasury: string
  readonly endpoints: readonly LightEndpoint[]
  open(context: ChainContext): ChainAdapter
  newWallet(): string
  /** Moves the treasury's balance in the block of this moment. Returns the transaction's id. */
  move(
    units: bigint,
    options?: { wallet?: string; references?: readonly string[]; isSilent?: boolean },
  ): string
  /** Of the last block. */
  readonly balance: bigint
  readonly ledger: LightLedger
  answer(endpoint: LightEndpoint, url: URL, body: string): Response | Promise<Response>
}

/** What stands behind the blocks of each network: heights by time, movements, faults. */
export class LightLedger {
  readonly clock: () => Instant
  readonly startAt: Instant
  readonly blockMs: number
  readonly firstHeight = 1_000
  readonly movements: LightMovement[] = []
  readonly #opening: bigint
  /** From which heights on blocks were replaced, one entry for each time. */
  readonly #replacedFrom: number[] = []

  constructor(options: { clock: () => Instant; startAt?: Instant; blockMs: number; opening: bigint }) {
    this.clock = options.clock
    this.startAt = options.startAt ?? options.clock()
    this.blockMs = options.blockMs
    this.#opening = options.opening
  }

  /** Blocks from this height on are others now. @returns what was in them, and is nowhere any more */
  replaceFrom(height: number): LightMovement[] {
    this.#replacedFrom.push(height)
    const gone = this.movements.filter((one) => one.height >= height)
    this.movements.splice(0, this.movements.length, ...this.movements.filter((one) => one.height < height))
    return gone
  }

  /** How often the block of this height was replaced. */
  replacements(height: number): number {
    return this.#replacedFrom.filter((from) => from <= height).length
  }

  /** The last block now, as an endpoint sees it. */
  head({ lagBlocks }: Pick<EndpointFaults, 'lagBlocks'> = { lagBlocks: 0 }): number {
    return this.firstHeight + Math.floor((this.clock() - this.startAt) / this.blockMs) - lagBlocks
  }

  /** Whole seconds, as chains have them. */
  timeOf(height: number): Instant {
    return Math.floor((this.startAt + (height - this.firstHeight) * this.blockMs) / 1000) * 1000
  }

  balanceAt(height: number): bigint {
    return this.movements.reduce((sum, one) => (one.height <= height ? sum + one.units : sum), this.#opening)
  }

  heldAt(height: number, { lie }: EndpointFaults): bigint {
    return this.balanceAt(height) + (lie !== null && lie.until > this.clock() ? lie.units : 0n)
  }

  /** What an endpoint lists: nothing that is silent, and nothing it omits. */
  listed({ omitted }: EndpointFaults): LightMovement[] {
    const now = this.clock()
    return this.movements.filter(({ id, isSilent }) => !isSilent && (omitted.get(id) ?? 0) <= now)
  }
}

export interface LightOptions {
  readonly clock: () => Instant
  readonly opening: bigint
  readonly endpoints: number
  /** When the first block was made; now unless said otherwise. */
  readonly startAt?: Instant
  /** Of EVM chains: how long a block takes, and how many blocks later it is final. */
  readonly blockMs?: number
  readonly finalityBlocks?: number
  /** Networks of one seed have the same keys, addresses and ids, and so the same order of all that is sorted by them. */
  readonly seed?: number
}

/** 32 bytes for each key, address and id of a network, one after the other, the same for the same seed. */
export function lightBytes({ seed = 1 }: LightOptions): () => Buffer {
  let count = 0
  return () => createHash('sha256').update(`${seed} ${count++}`).digest()
}

/** Serves a light network in place of `fetch` while `work` runs; any other address is refused. */
export async function withLightChain<Result>(
  chain: LightChain,
  work: () => Promise<Result>,
): Promise<Result> {
  const before = globalThis.fetch
  globalThis.fetch = async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input)
    const endpoint = chain.endpoints.find(({ host }) => host === url.host)
    if (endpoint === undefined) throw new TypeError(`nothing is at ${url.host}`)
    if (endpoint.faults.downUntil > chain.ledger.clock()) throw new TypeError('it is down')
    return chain.answer(endpoint, url, typeof init?.body === 'string' ? init.body : '')
  }
  try {
    return await work()
  } finally {
    globalThis.fetch = before
  }
}

export interface RpcQuestion {
  readonly id: unknown
  readonly method: string
  readonly params: readonly unknown[]
}

/** JSON-RPC, one question or many. What `ask` throws is an error of that question. */
export function rpcResponse(body: string, ask: (question: RpcQuestion) => unknown): Response {
  const answer = (question: RpcQuestion): unknown => {
    const { id } = question
    try {
      return { jsonrpc: '2.0', id, result: ask(question) }
    } catch (error) {
      if (!(error instanceof RpcRefusal)) throw error
      return { jsonrpc: '2.0', id, error: { code: error.code, message: error.message } }
    }
  }
  const asked: RpcQuestion | RpcQuestion[] = JSON.parse(body)
  return Response.json(Array.isArray(asked) ? asked.map(answer) : answer(asked))
}

export class RpcRefusal extends Error {
  readonly code: number
  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

/** Another order, the same each time for the same list. */
export function shuffled<Item>(items: readonly Item[]): Item[] {
  return items
    .map((item, index) => ({ item, key: (index * 7 + 3) % 5 }))
    .toSorted((a, b) => a.key - b.key)
    .map(({ item }) => item)
}
