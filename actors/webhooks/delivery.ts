/**
 * Delivers webhooks: protocol 6.
 *
 * A pass finds what is due, shares the free places among the lanes and claims; each claim becomes an attempt
 * that runs beside the passes. Nothing is sent inside a transaction, and whatever happens between a claim and
 * its end, the lease tells.
 */
import type { Logger } from 'pino'
import type { RetryPolicy } from '../../machines/retry.ts'
import type { Instant } from '../../machines/time.ts'
import { type Row, type Store, StoreUnavailable } from '../../persistence/store.ts'
import type { PassResult } from '../foundation/worker.ts'
import type { Credentials } from '../keys/credentials.ts'
import type { TargetRules } from '../outbound/target.ts'
import { type Claim, claimWebhook } from './claim.ts'
import { openUnsigned } from './dead-letters.ts'
import { DueWatch } from './due-watch.ts'
import { Gathering } from './gathering.ts'
import { allot, isHanging, laneAfter } from './governor.ts'
import { webhookHeaders } from './headers.ts'
import { blockedMs, type Lane, Lanes, type Place } from './lanes.ts'
import type { AttemptResult, WebhookSender } from './sender.ts'
import { type EndedAttempt, handBack, type OpenAttempt, settleAttempt } from './settling.ts'
import { endProbes, spaceProbes } from './spacing.ts'

export interface DeliveryOptions {
  store: Store
  clock: { now(): Instant }
  credentials: Pick<Credentials, 'webhookCredential'>
  /** Closed when the delivery has finished. */
  sender: WebhookSender
  /** What a webhook says at this moment; `null` where it has to wait, because what it tells is not at hand. */
  bodyNow?: (webhook: Row<'webhooks'>) => Promise<string | null>
  /** Where a merchant's webhooks may go, by its name. */
  rulesFor: (merchant: string) => TargetRules
  policy: RetryPolicy
  /** How long an attempt may take in all; the sender keeps to it. */
  timeoutMs: number
  /** False while the clock is in doubt: then nothing is given up for its age. */
  isTrusted: () => boolean
  log: Logger
  /** Asks for a pass: an attempt has ended. */
  wake: () => void
  /** From 0 to 1; shortens gaps. */
  random?: () => number
  /** How long attempts under way have when the node stops. */
  graceMs?: number
  /** How long an attempt that has ended waits for others, to be settled with them. */
  lingerMs?: number
}

export interface WebhookDelivery {
  pass(): Promise<PassResult>
  /** An operator has changed something about merchants. */
  lookAgain(): void
  /** Lets attempts under way end or ends them, and hands their claims back. */
  finish(): Promise<void>
}

/** How long a claim holds: an attempt may take four times its time-out, in a node that is busy, until it is dead. */
function leaseOf(timeoutMs: number): number {
  return timeoutMs + Math.min(45_000, Math.max(5_000, 3 * timeoutMs))
}
/** So often attempts are looked for whose lease has ended: their node is gone, or never learned of its claim. */
const recoverEveryMs = 5_000
/** When a webhook is looked at again that has nothing to tell yet. */
const waitMs = 2_000
/** What a probe may take beyond its time-out before the next one goes. */
const probeMarginMs = 250

export function createWebhookDelivery(options: DeliveryOptions): WebhookDelivery {
  const delivery = new Delivery(options)
  return {
    pass: () => delivery.pass(),
    lookAgain: () => delivery.lookAgain(),
    finish: () => delivery.finish(),
  }
}

class Delivery {
  readonly #options: DeliveryOptions
  readonly #store: Store
  readonly #lanes: Lanes
  readonly #watch: DueWatch
  /** Attempts under way, by their webhooks. */
  readonly #attempts = new Map<string, Promise<void>>()
  readonly #gathering: Gathering
  readonly #stop = new AbortController()
  #isRecovered = false
  #recoverAt: Instant = Number.NEGATIVE_INFINITY
  #isWakeAsked = false

  constructor(options: DeliveryOptions) {
    this.#options = options
    this.#store = options.store
    this.#lanes = new Lanes(options.store)
    this.#watch = new DueWatch(options.store, this.#lanes, options.clock)
    this.#gathering = new Gathering(options.lingerMs ?? 3)
  }

  async pass(): Promise<PassResult> {
    this.#isWakeAsked = false
    // SQLite has one node: whatever was under way when this one starts has died with the one before.
    if (!this.#isRecovered) await this.#recover(this.#store.engine === 'sqlite' ? null : this.#watch.now())
    this.#isRecovered = true
    const isWalkBegun = await this.#watch.beginWalk()
    const now = this.#watch.now()
    if (isWalkBegun || now >= this.#recoverAt) {
      await this.#recover(now)
      this.#recoverAt = now + recoverEveryMs
    }
    const isMoreDue = await this.#watch.look(now)
    const isMoreToRead = await this.#lanes.fill(now)
    const claims = await this.#claimAll(this.#share(now))
    return {
      more: isMoreDue || isMoreToRead || claims.includes('moved'),
      nextAt: earliest(await this.#watch.nextAt(now), this.#lanes.nextAt(now)),
      seen: this.#lanes.seen,
    }
  }

  lookAgain(): void {
    this.#watch.forgetPauses()
    this.#lanes.unblock()
    this.#options.wake()
  }

  async finish(): Promise<void> {
    const { sender, graceMs = 1000 } = this.#options
    const ended = Promise.allSettled(this.#attempts.values())
    const grace = setTimeout(() => this.#stop.abort(), graceMs)
    await ended
    clearTimeout(grace)
    sender.close()
  }

  #share(now: Instant): Place[] {
    const views = this.#lanes.views(now)
    return allot([...views.keys()], this.#lanes.inFlight(), now).flatMap((allotment) => {
      const lane = views.get(allotment.lane)
      return lane ? this.#lanes.take(lane, allotment, now) : []
    })
  }

  /** All claims have ended when it does, also when one has failed. */
  async #claimAll(places: readonly Place[]): Promise<('begun' | 'moved' | 'none')[]> {
    const claims = await Promise.allSettled(places.map((place) => this.#claim(place)))
    return claims.map((claim) => {
      if (claim.status === 'rejected') throw claim.reason
      return claim.value
    })
  }

  async #claim({ lane, due }: Place): Promise<'begun' | 'moved' | 'none'> {
    const { merchantId } = lane
    let hasBegun = false
    try {
      const leaseMs = leaseOf(this.#options.timeoutMs)
      const now = this.#watch.now()
      const claiming = await claimWebhook(this.#store, { due, merchantId, leaseMs, now })
      if (claiming.outcome === 'claimed') {
        hasBegun = true
        this.#begin(lane, claiming.claim)
        return 'begun'
      }
      if (claiming.outcome === 'paused') this.#lanes.pauseAlso(merchantId)
      else lane.isDue = true
      return claiming.outcome === 'waiting' && claiming.isNews ? 'moved' : 'none'
    } catch (error) {
      if (error instanceof StoreUnavailable) throw error
      // Something is wrong with this order: the other lanes go on.
      this.#options.log.error({ err: error, order: due.orderId }, 'a webhook could not be claimed')
      this.#block(lane)
      return 'none'
    } finally {
      if (!hasBegun) this.#lanes.free(lane)
    }
  }

  #begin(lane: Lane, claim: Claim): void {
    const { id } = claim.webhook
    const attempt = this.#attempt(lane, claim)
      .catch((error) => this.#options.log.error({ err: error, webhook: id }, 'an attempt could not be ended'))
      .finally(() => this.#attempts.delete(id))
    this.#attempts.set(id, attempt)
  }

  async #attempt(lane: Lane, claim: Claim): Promise<void> {
    const open = openAttempt(claim)
    let isFree = false
    const free = () => {
      if (isFree) return
      isFree = true
      this.#lanes.free(lane)
      this.#askWake()
    }
    try {
      this.#gathering.begin()
      const sent = await this.#send(claim)
      const together = this.#gathering.end()
      if (sent === null) {
        this.#block(lane)
        return await this.#surely(() => handBack(this.#store, open, claim.webhook, blockedMs))
      }
      if (sent === 'later')
        return await this.#surely(() => handBack(this.#store, open, claim.webhook, waitMs))
      const { result, signed, body } = sent
      const endedAt = this.#watch.now()
      const startedAt = endedAt - result.milliseconds
      const before = lane.health
      lane.health = laneAfter(before, { outcome: result.outcome, startedAt, endedAt })
      // A lane that is well goes on while this is settled; one that fails looks first at what has become due.
      const isWell = before.failures === 0 && lane.health.failures === 0
      if (isWell) {
        await together
        free()
      }
      if (result.outcome === 'unknown' && !result.wasSent)
        return await this.#surely(() => handBack(this.#store, open, claim.webhook, 0))
      await this.#settle({ ...open, result, signed, body, endedAt })
      await this.#tend(lane, before, endedAt)
      // Others of its order may be due now.
      if (isWell && !claim.isAlone) this.#askWake()
    } finally {
      free()
    }
  }

  /** Signs and sends; `null` when there is no credential to sign with, `later` when there is nothing to tell yet. */
  async #send({ webhook: claimed, attempt, merchantName }: Claim): Promise<Sent | 'later' | null> {
    const { credentials, clock, sender, rulesFor, log, bodyNow } = this.#options
    try {
      // Read after the claim, right before it is used: a key that was revoked meanwhile signs nothing.
      const credential = await credentials.webhookCredential(claimed.merchant_id)
      if (credential === null) {
        log.warn({ merchant: merchantName }, 'no live credential to sign webhooks with')
        await openUnsigned(this.#store, claimed)
        return null
      }
      const body = bodyNow === undefined ? claimed.body : await bodyNow(claimed)
      if (body === null) return 'later'
      const webhook = { ...claimed, body }
      const headers = webhookHeaders(webhook, attempt, credential, clock.now())
      const message = { url: webhook.url, body, headers, rules: rulesFor(merchantName) }
      const result = await sender.send(message, this.#stop.signal)
      const signed = { key: credential.key, messageDate: headers['Message-Date'] ?? '' }
      return { result, signed, body: body === claimed.body ? null : body }
    } catch (error) {
      log.error({ err: error, webhook: claimed.id }, 'a webhook could not be signed')
      return null
    }
  }

  async #settle(ended: EndedAttempt): Promise<void> {
    const { policy, isTrusted, log, random = Math.random } = this.#options
    const patience = isTrusted() ? policy : { ...policy, maxAgeMs: Number.POSITIVE_INFINITY }
    const settled = await this.#surely(() => settleAttempt(this.#store, ended, patience, random()))
    if (settled === null) return
    const { ending, webhook } = settled
    const { outcome, status, error, milliseconds, isCut } = ended.result
    const facts = {
      webhook: webhook.id,
      order: webhook.order_id,
      attempt: ended.attempt,
      ...{ outcome, status, error, milliseconds, isCut },
    }
    if (ending.state === 'delivered') log.debug(facts, 'a webhook was delivered')
    else if (ending.state === 'dead') log.warn(facts, 'a webhook is a dead letter')
    else if (ending.state === 'superseded') log.info(facts, 'a webhook was superseded by a final one')
    else log.info(facts, 'a webhook was not taken and will be tried again')
  }

  /** Due times in a lane that hangs, or did. */
  async #tend(lane: Lane, before: Lane['health'], endedAt: Instant): Promise<void> {
    const { timeoutMs, policy } = this.#options
    const spacing = { attemptMs: timeoutMs + probeMarginMs, maxGapMs: policy.maxGapMs }
    const isRecovered = lane.health.failures === 0 && before.failures > 0
    if (isHanging(lane.health)) {
      await this.#surely(() => spaceProbes(this.#store, lane, this.#watch.now(), spacing))
      this.#lanes.wake(lane)
    } else if (isRecovered) {
      if (isHanging(before)) await this.#surely(() => endProbes(this.#store, lane, endedAt, spacing))
      if (lane.health.backlogUntil !== before.backlogUntil) lane.beginBacklog()
      this.#lanes.wake(lane)
    }
  }

  /** Attempts that nobody will end any more: what the receiver saw of them is unknown, and they count. */
  async #recover(until: Instant | null): Promise<void> {
    const open = await this.#watch.leasedUntil(until)
    const lostOnes = open.filter(({ webhookId }) => !this.#attempts.has(webhookId))
    await Promise.all(
      lostOnes.map((attempt) =>
        this.#settle({
          ...attempt,
          result: lost,
          signed: null,
          body: null,
          endedAt: this.#watch.now(),
        }).catch((error) => {
          if (error instanceof StoreUnavailable) throw error
          const { webhookId } = attempt
          this.#options.log.error({ err: error, webhook: webhookId }, 'a lost attempt could not be ended')
        }),
      ),
    )
  }

  #block(lane: Lane): void {
    lane.blockedUntil = this.#watch.now() + blockedMs
    this.#lanes.wake(lane)
  }

  #askWake(): void {
    if (this.#isWakeAsked || this.#stop.signal.aborted) return
    this.#isWakeAsked = true
    this.#options.wake()
  }

  /** Tries again while the store cannot write; what it cannot keep at all is told by the lease. */
  async #surely<Result>(work: () => Promise<Result>): Promise<Result> {
    for (let failures = 0; ; failures++) {
      try {
        return await work()
      } catch (error) {
        const isPassing = error instanceof StoreUnavailable && error.reason !== 'closed'
        if (!isPassing || this.#stop.signal.aborted) throw error
        await restAfter(failures, this.#stop.signal)
      }
    }
  }
}

type Sent = Pick<EndedAttempt, 'signed' | 'body'> & { result: AttemptResult }

function openAttempt({ webhook, attempt, startedAt, leaseUntilAt, isAlone }: Claim): OpenAttempt {
  return {
    webhookId: webhook.id,
    orderId: webhook.order_id,
    merchantId: webhook.merchant_id,
    attempt,
    startedAt,
    leaseUntilAt,
    attemptsBefore: webhook.attempts_before,
    isAlone,
  }
}

function earliest(...instants: (Instant | null)[]): Instant | null {
  return instants.reduce((first, at) => (first === null || (at !== null && at < first) ? at : first), null)
}

/** 250 ms, and longer each time, or until the node stops. */
function restAfter(failures: number, signal: AbortSignal): Promise<void> {
  const ms = Math.min(30_000, 250 * 2 ** Math.min(failures, 10))
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => resolve(clearTimeout(timer)), { once: true })
  })
}

const lost: EndedAttempt['result'] = {
  outcome: 'unknown',
  status: null,
  address: null,
  answer: null,
  answerBytes: 0,
  isCut: false,
  retryAfter: null,
  milliseconds: null,
  error: 'the node stopped meanwhile',
}
