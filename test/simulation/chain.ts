/**
 * The blockchain beside the node, in the place of `fetch`: blocks that are replaced while they are not final, and endpoints
 * that are down, hang, lag, or leave out, shuffle and cut off what they list. The node reads it with its own adapter.
 */
import type { Random } from '../durability/random.ts'
import type { LightChain, LightEndpoint, LightMovement } from '../support/chains/light/light-chain.ts'
import { lightChains } from '../support/chains/light/light-chains.ts'
import type { Movement } from './model/chain.ts'

const blockMs = 2_000
const finalityBlocks = 10
const chainId = 10_143
/** Some time before anybody is there. */
const headStartMs = 7_200_000

const faultNames = ['down', 'hanging', 'behind', 'leaves out', 'shuffles', 'cuts off', 'lies'] as const
type FaultName = (typeof faultNames)[number]

interface Fault {
  name: FaultName
  /** Of those that hurt one endpoint only: which. A second one would make the two agree about what is not so. */
  endpoints: readonly LightEndpoint[]
  until: number
}

export class SimulatedChain {
  readonly light: LightChain
  readonly #now: () => number
  #fault: Fault | null = null
  readonly #leftOut = new Set<string>()
  readonly counts = { reorgs: 0, payments: 0, chainFaults: 0 }

  /** @param beginsAt when the histories begin */
  constructor(now: () => number, beginsAt: number) {
    this.#now = now
    this.light = lightChains.MONAD({
      ...{ clock: now, startAt: beginsAt - headStartMs, opening: 0n, endpoints: 2 },
      ...{ blockMs, finalityBlocks },
    })
  }

  /** `chains` of the node's settings. */
  get settings(): object {
    const { treasury, endpoints, asset } = this.light
    return {
      MONAD: {
        ...{ treasury, chainId, maxLogRange: 10_000 },
        rpc: endpoints.map(({ host }) => `https://${host}/`),
        assets: { [asset.symbol]: { id: asset.id, decimals: asset.decimals } },
      },
    }
  }

  get chainId(): number {
    return chainId
  }

  /** The newest block that can no longer be replaced. */
  get final(): number {
    return this.light.ledger.head() - finalityBlocks
  }

  get movements(): Movement[] {
    return this.light.ledger.movements.map(({ id, units, wallet, references, at, height }) => ({
      ...{ id, units, wallet, at, wasLeftOut: this.#leftOut.has(id) },
      reference: references[0] ?? null,
      isFinal: height <= this.final,
    }))
  }

  pay(units: bigint, from: { wallet: string; reference: string | null }): string {
    const { wallet, reference } = from
    const id = this.light.move(units, { wallet, references: reference === null ? [] : [reference] })
    this.counts.payments += 1
    if (this.#fault?.name === 'leaves out') this.#leaveOut(this.#fault, id)
    return id
  }

  /** Blocks that are not final are others now; some of what was in them is in a later block, some is nowhere. */
  reorganise(random: Random): string {
    const { ledger } = this.light
    const head = ledger.head()
    const from = head - random.below(finalityBlocks)
    const gone = ledger.replaceFrom(from)
    const back = gone.filter(() => random.chance(0.6))
    for (const one of back) ledger.movements.push(this.#inBlock(one, head))
    this.counts.reorgs += 1
    return `blocks ${from} to ${head} are replaced, with ${gone.length} payments, of which ${back.length} come again`
  }

  /** One at a time: for minutes, now and then for hours. */
  fail(random: Random): string {
    this.heal()
    const name = faultNames[random.below(faultNames.length)] ?? 'down'
    const { endpoints } = this.light
    const isForAll = ['down', 'hanging', 'behind'].includes(name) && random.chance(0.5)
    const some = isForAll
      ? endpoints
      : [endpoints[random.below(endpoints.length)]].filter((one) => one !== undefined)
    const ms = random.chance(0.15) ? random.below(9 * 3_600_000) : random.below(300_000)
    const fault = { name, endpoints: some, until: this.#now() + ms }
    this.#fault = fault
    this.counts.chainFaults += 1
    for (const { faults } of some) {
      if (name === 'behind') faults.lagBlocks = 1 + random.below(60)
      else if (name === 'cuts off') faults.truncatedTo = random.below(2)
      else if (name === 'shuffles') faults.isShuffled = true
      else if (name === 'lies')
        faults.lie = { units: BigInt(random.below(2_000_001) - 1_000_000), until: fault.until }
    }
    if (name === 'leaves out')
      for (const { id } of this.light.ledger.movements.slice(-4)) this.#leaveOut(fault, id)
    return `${some.map(({ host }) => host).join(' and ')} ${name} for ${ms} ms`
  }

  heal(): void {
    this.#fault = null
    for (const { faults } of this.light.endpoints) {
      faults.omitted.clear()
      Object.assign(faults, { lagBlocks: 0, truncatedTo: null, isShuffled: false, lie: null })
    }
  }

  /** Stands in for `fetch`. @param onAnswer before it is answered at all */
  ask(address: string, init: RequestInit | undefined, onAnswer: () => void): Promise<Response> {
    if (this.#fault !== null && this.#fault.until <= this.#now()) this.heal()
    const url = new URL(address)
    const endpoint = this.light.endpoints.find(({ host }) => host === url.host)
    if (init?.signal?.aborted) return Promise.reject(init.signal.reason)
    const name = endpoint !== undefined && this.#fault?.endpoints.includes(endpoint) ? this.#fault.name : null
    if (name === 'hanging') return neverAnswered(init?.signal)
    onAnswer()
    if (endpoint === undefined || name === 'down')
      return Promise.reject(new TypeError(`nothing is at ${url.host}`))
    const body = typeof init?.body === 'string' ? init.body : ''
    // In a turn of its own, as an answer of a network is.
    return new Promise((resolve) => setImmediate(() => resolve(this.light.answer(endpoint, url, body))))
  }

  #leaveOut({ endpoints, until }: Fault, id: string): void {
    this.#leftOut.add(id)
    for (const { faults } of endpoints) faults.omitted.set(id, until)
  }

  #inBlock(one: LightMovement, height: number): LightMovement {
    return { ...one, height, at: this.light.ledger.timeOf(height) }
  }
}

/** Nobody answers: the request ends when whoever asked gives up. */
function neverAnswered(signal: AbortSignal | null | undefined): Promise<Response> {
  return new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason))
  })
}
