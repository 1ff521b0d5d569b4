/**
 * Several endpoints for one chain, the preferred one first.
 *
 * A piece of work runs on one endpoint from its start to its end, because two endpoints disagree about what
 * is recent. When it fails there it begins again on the next one, and the one that failed rests a while.
 */
import type { Instant } from '../machines/time.ts'
import type { ChainFailure, ChainFailureKind, Outcome } from './chain.ts'

export interface Endpoint<Client> {
  readonly host: string
  readonly client: Client
}

interface Seat<Client> extends Endpoint<Client> {
  restsUntil: Instant
  /** Of the last piece of work; `null` when that went well. */
  failure: ChainFailure | null
  identifiedAt: Instant | null
}

/** How long an endpoint rests after a failure, where it names no time itself. */
const restMs: Readonly<Record<ChainFailureKind, number>> = {
  unavailable: 10_000,
  rate_limited: 5_000,
  wrong_network: 60_000,
  history_missing: 60_000,
  inconsistent: 2_000,
  refused: 60_000,
}

/** A name may point to another network's machine tomorrow, so the answer is not believed for ever. */
const identityForMs = 60_000

export interface EndpointsOptions<Client> {
  readonly clock: () => Instant
  /** Whether the endpoint is on the network of the settings: `wrong_network` when it is not. */
  readonly identify: (endpoint: Endpoint<Client>) => Promise<Outcome<null, ChainFailure>>
}

export class Endpoints<Client> {
  readonly #seats: readonly Seat<Client>[]
  readonly #options: EndpointsOptions<Client>

  constructor(endpoints: readonly Endpoint<Client>[], options: EndpointsOptions<Client>) {
    if (endpoints.length === 0) throw new Error('a chain needs an endpoint')
    this.#seats = endpoints.map((endpoint) => ({
      ...endpoint,
      restsUntil: 0,
      failure: null,
      identifiedAt: null,
    }))
    this.#options = options
  }

  get all(): readonly Endpoint<Client>[] {
    return this.#seats
  }

  /** What is wrong with endpoints that rest now, for health. */
  get failures(): readonly ChainFailure[] {
    const now = this.#options.clock()
    return this.#seats.flatMap(({ failure, restsUntil }) =>
      failure === null || restsUntil <= now ? [] : [failure],
    )
  }

  /** Does the work on the first endpoint that can; the failure is that of the preferred one asked. */
  async run<Value>(
    work: (endpoint: Endpoint<Client>) => Promise<Outcome<Value, ChainFailure>>,
  ): Promise<Outcome<Value, ChainFailure>> {
    let first: ChainFailure | null = null
    for (const seat of this.#inTurn()) {
      const outcome = await this.#runOn(seat, work)
      if (outcome.ok) return outcome
      first ??= outcome.failure
    }
    return { ok: false, failure: first ?? this.#allResting() }
  }

  async #runOn<Value>(
    seat: Seat<Client>,
    work: (endpoint: Endpoint<Client>) => Promise<Outcome<Value, ChainFailure>>,
  ): Promise<Outcome<Value, ChainFailure>> {
    const identity = await this.#identity(seat)
    const outcome = identity.ok ? await work(seat) : identity
    if (outcome.ok) {
      seat.failure = null
      seat.restsUntil = 0
    } else {
      seat.failure = outcome.failure
      seat.restsUntil = this.#options.clock() + (outcome.failure.retryAfterMs ?? restMs[outcome.failure.kind])
    }
    return outcome
  }

  async #identity(seat: Seat<Client>): Promise<Outcome<null, ChainFailure>> {
    const now = this.#options.clock()
    if (seat.identifiedAt !== null && now - seat.identifiedAt < identityForMs)
      return { ok: true, value: null }
    const identity = await this.#options.identify(seat)
    if (identity.ok) seat.identifiedAt = now
    return identity
  }

  /**
   * Awake endpoints in their order; then, since nothing else is left, those that rest, but for those that
   * asked for quiet.
   */
  #inTurn(): readonly Seat<Client>[] {
    const now = this.#options.clock()
    const isAwake = (seat: Seat<Client>): boolean => seat.restsUntil <= now
    const resting = this.#seats.filter((seat) => !isAwake(seat) && seat.failure?.kind !== 'rate_limited')
    return [...this.#seats.filter(isAwake), ...resting]
  }

  /** Only endpoints that asked for quiet were left. */
  #allResting(): ChainFailure {
    const soonest = this.#seats.reduce((a, b) => (b.restsUntil < a.restsUntil ? b : a))
    if (soonest.failure === null) throw new Error('an endpoint rests without a failure')
    return {
      ...soonest.failure,
      retryAfterMs: Math.max(0, soonest.restsUntil - this.#options.clock()),
    }
  }
}
