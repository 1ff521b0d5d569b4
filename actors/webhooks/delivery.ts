/**
 * Delivers webhooks: protocol 6.
 *
 * A pass finds what is due (`due-watch.ts`, `lanes.ts`), shares the free places among the lanes (`governor.ts`)
 * and claims (`claim.ts`); each claim becomes an attempt that runs beside the passes (`attempts.ts`), and its end
 * decides when the webhook is tried again, if at all (`settling.ts`, `machines/retry.ts`; `probes.ts` where the
 * receiver hangs).
 */
import { StoreUnavailable } from '../../persistence/store.ts'
import type { PassResult } from '../foundation/worker.ts'
import { Attempts, type DeliveryOptions } from './attempts.ts'
import { type Claim, type Claiming, claimWebhook } from './claim.ts'
import { DueWatch } from './due-watch.ts'
import { Lanes, type Place } from './lanes.ts'

/** How long a claim holds: an attempt may take four times its time-out, in a node that is busy, until it is dead. */
export function leaseOf(timeoutMs: number): number {
  return timeoutMs + Math.min(45_000, Math.max(5_000, 3 * timeoutMs))
}

export class WebhookDelivery {
  readonly #options: DeliveryOptions
  readonly #lanes: Lanes
  readonly #watch: DueWatch
  readonly #attempts: Attempts
  #isWakeAsked = false

  constructor(options: DeliveryOptions) {
    const { store, clock } = options
    const wake = () => {
      if (this.#isWakeAsked) return
      // Noted first: a worker that is idle begins its pass before the asking returns.
      this.#isWakeAsked = true
      options.wake()
    }
    this.#options = options
    this.#lanes = new Lanes(store)
    this.#watch = new DueWatch(store, this.#lanes, clock)
    this.#attempts = new Attempts({ ...options, wake }, this.#watch)
  }

  async pass(): Promise<PassResult> {
    await this.#watch.beginWalk()
    const now = this.#watch.now()
    await this.#attempts.recover(now)
    // All that was free before is given out by this pass; what becomes free from here on asks for another.
    this.#isWakeAsked = false
    const isMoreDue = await this.#watch.look(now)
    const isMoreToRead = await this.#lanes.fill(now)
    const haveTimesChanged = await this.#claimAll(this.#lanes.take(now))
    const times = [await this.#watch.nextAt(now), this.#lanes.nextAt(now)].filter((at) => at !== null)
    return {
      more: isMoreDue || isMoreToRead || haveTimesChanged,
      nextAt: times.length === 0 ? null : Math.min(...times),
      seen: this.#lanes.seen,
    }
  }

  /** An operator has changed something about merchants. */
  lookAgain(): void {
    this.#lanes.unblock()
    this.#options.wake()
  }

  /** Lets attempts under way end or ends them, and hands their claims back. */
  finish(): Promise<void> {
    return this.#attempts.finish()
  }

  /** All claims have ended when it does, also when one has failed. @returns whether due times have changed. */
  async #claimAll(places: readonly Place[]): Promise<boolean> {
    const claims = await Promise.allSettled(places.map((place) => this.#claim(place)))
    return claims
      .map((claim) => {
        if (claim.status === 'rejected') throw claim.reason
        return claim.value
      })
      .includes('waiting')
  }

  async #claim({ lane, due }: Place): Promise<'begun' | Exclude<Claiming, Claim> | 'failed'> {
    const { store, timeoutMs, log } = this.#options
    let hasBegun = false
    try {
      const { merchantId } = lane
      const now = this.#watch.now()
      const claiming = await claimWebhook(store, due, { merchantId, leaseMs: leaseOf(timeoutMs), now })
      if (typeof claiming === 'object') {
        hasBegun = true
        this.#attempts.begin(lane, claiming)
        return 'begun'
      }
      if (claiming === 'paused') lane.block(now)
      else lane.fresh.hasMore = true
      return claiming
    } catch (error) {
      if (error instanceof StoreUnavailable) throw error
      // Something is wrong with this order: the other lanes go on.
      log.error({ err: error, order: due.orderId }, 'a webhook could not be claimed')
      lane.block(this.#watch.now())
      return 'failed'
    } finally {
      if (!hasBegun) lane.inFlight--
    }
  }
}
