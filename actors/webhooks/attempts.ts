/**
 * The attempts under way: each is signed, sent and settled, or handed back, and its lane learns of it. Nothing is
 * sent inside a transaction, and whatever happens between a claim and its end, the lease tells.
 */
import type { Logger } from 'pino'
import type { RetryPolicy } from '../../machines/retry.ts'
import type { Instant } from '../../machines/time.ts'
import { leasedUntil } from '../../persistence/queries/webhooks.ts'
import { type Row, type Store, StoreUnavailable } from '../../persistence/store.ts'
import { type Clock, worldNow } from '../foundation/clock.ts'
import type { Credentials, WebhookSecrets } from '../keys/credentials.ts'
import type { TargetRules } from '../outbound/target.ts'
import type { Claim } from './claim.ts'
import { openUnsigned } from './dead-letters.ts'
import { governorLimits, isHanging, type LaneHealth, laneAfter } from './governor.ts'
import { webhookHeaders } from './headers.ts'
import { blockedMs, type Lane } from './lanes.ts'
import { moveProbes } from './probes.ts'
import { type AttemptResult, type MessageAbout, nothingHeard, type WebhookSender } from './sender.ts'
import { type EndedAttempt, handBack, settleAttempt } from './settling.ts'

export interface DeliveryOptions {
  store: Store
  clock: Clock
  credentials: Pick<Credentials, 'webhookCredential'>
  /** Closed when the attempts have finished. */
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
  /** Asks for a pass: a place is free, or others of an order may be due. */
  wake: () => void
  /** From 0 to 1; shortens gaps. */
  random?: () => number
  /** How long attempts under way have when the node stops. */
  graceMs?: number
  /** How long an attempt that has ended waits for others, to be settled with them. */
  lingerMs?: number
}

/** So often attempts are looked for whose lease has ended: their node is gone, or never learned of its claim. */
const recoverEveryMs = 5_000
/** When a webhook is looked at again that has nothing to tell yet. */
const waitMs = 2_000
/** What a probe may take beyond its time-out before the next one goes. */
const probeMarginMs = 250

/**
 * Attempts that have ended wait for others no longer than until they are so many: half of what a proven lane has under
 * way, so that its receiver has the other half meanwhile.
 */
const enough = 8

/** How an attempt went that was sent; a number of milliseconds after which one that was not is due again. */
type Sending = (Pick<EndedAttempt, 'signed' | 'body'> & { result: AttemptResult }) | number

export class Attempts {
  readonly #options: DeliveryOptions
  readonly #store: Store
  readonly #time: { now(): Instant }
  /** By their webhooks. */
  readonly #underWay = new Map<string, Promise<void>>()
  readonly #gathering: Gathering
  /** By merchant, as long as what was claimed together is sent. */
  readonly #asked = new Map<string, Promise<WebhookSecrets | null>>()
  readonly #stop = new AbortController()
  #recoveredAt: Instant = Number.NEGATIVE_INFINITY

  /** @param time by which webhooks are due */
  constructor(options: DeliveryOptions, time: { now(): Instant }) {
    this.#options = options
    this.#store = options.store
    this.#time = time
    this.#gathering = new Gathering(options.lingerMs ?? 3)
  }

  begin(lane: Lane, claim: Claim): void {
    const { id } = claim.webhook
    let isFree = false
    const free = () => {
      if (isFree) return
      isFree = true
      lane.inFlight--
      this.#options.wake()
    }
    const attempt = this.#attempt(lane, claim, free)
      .catch((error) => this.#options.log.error({ err: error, webhook: id }, 'an attempt could not be ended'))
      .finally(() => {
        free()
        this.#underWay.delete(id)
      })
    this.#underWay.set(id, attempt)
  }

  /** Lets attempts under way end or ends them, and hands back the claims of which nothing was sent. */
  async finish(): Promise<void> {
    const { sender, graceMs = 1000 } = this.#options
    const grace = setTimeout(() => this.#stop.abort(), graceMs)
    await Promise.allSettled(this.#underWay.values())
    clearTimeout(grace)
    sender.close()
  }

  /** Ends attempts that nobody will end any more: what the receiver saw of them is unknown, and they count. */
  async recover(now: Instant): Promise<void> {
    if (Math.abs(now - this.#recoveredAt) < recoverEveryMs) return
    // SQLite has one node: whatever was under way when this one starts has died with the one before.
    const isAll = this.#store.engine === 'sqlite' && this.#recoveredAt === Number.NEGATIVE_INFINITY
    const until = isAll ? Number.MAX_SAFE_INTEGER : now
    const leased = await this.#store.query(leasedUntil, { until, limit: governorLimits.inFlight * 4 })
    const lost = leased.filter(({ id }) => !this.#underWay.has(id))
    await Promise.all(
      lost.map((webhook) =>
        this.#settle({
          webhook,
          attempt: webhook.attempts,
          startedAt: webhook.last_attempt_at ?? 0,
          leaseUntilAt: webhook.lease_until_at ?? 0,
          isAlone: false,
          ...{ result: lostResult, signed: null, body: null, endedAt: now },
        }).catch((error) => {
          if (error instanceof StoreUnavailable) throw error
          this.#options.log.error({ err: error, webhook: webhook.id }, 'a lost attempt could not be ended')
        }),
      ),
    )
    this.#recoveredAt = now
  }

  async #attempt(lane: Lane, claim: Claim, free: () => void): Promise<void> {
    this.#gathering.begin()
    const sent = await this.#send(lane, claim)
    const together = this.#gathering.end()
    if (typeof sent === 'number') return this.#surely(() => handBack(this.#store, claim, sent))
    const endedAt = this.#time.now()
    const startedAt = endedAt - sent.result.milliseconds
    const before = lane.health
    lane.health = laneAfter(before, { outcome: sent.result.outcome, startedAt, endedAt })
    // A lane that is well goes on while this is settled; one that fails looks first at what has become due.
    const isWell = before.failures === 0 && lane.health.failures === 0
    if (isWell) {
      await together
      free()
    }
    await this.#settle({ ...claim, ...sent, endedAt })
    await this.#tend(lane, before)
    if (isWell && !claim.isAlone) this.#options.wake()
  }

  async #send(lane: Lane, { webhook, attempt, merchantName }: Claim): Promise<Sending> {
    const { clock, sender, rulesFor, log, bodyNow } = this.#options
    try {
      const credential = await this.#credential(webhook.merchant_id)
      if (credential === null) {
        log.warn({ merchant: merchantName }, 'no live credential to sign webhooks with')
        await openUnsigned(this.#store, webhook)
        lane.block(this.#time.now())
        return blockedMs
      }
      const body = bodyNow === undefined ? webhook.body : await bodyNow(webhook)
      if (body === null) return waitMs
      const headers = webhookHeaders({ ...webhook, body }, attempt, credential, worldNow(clock))
      const about = aboutOf(webhook, attempt)
      const message = { url: webhook.url, body, headers, rules: rulesFor(merchantName), about }
      const result = await sender.send(message, this.#stop.signal)
      if (result.outcome === 'unknown' && !result.wasSent) return 0
      const signed = { key: credential.key, messageDate: headers['Message-Date'] ?? '' }
      return { result, signed, body: body === webhook.body ? null : body }
    } catch (error) {
      log.error({ err: error, webhook: webhook.id }, 'a webhook could not be signed')
      lane.block(this.#time.now())
      return blockedMs
    }
  }

  /**
   * Read after the claim, right before it is used: a key that was revoked meanwhile signs nothing. What is claimed by one
   * commit is signed in one turn of the loop, and asks once.
   */
  #credential(merchantId: string): Promise<WebhookSecrets | null> {
    const known = this.#asked.get(merchantId)
    if (known !== undefined) return known
    const asked = this.#options.credentials.webhookCredential(merchantId)
    this.#asked.set(merchantId, asked)
    setImmediate(() => this.#asked.delete(merchantId))
    return asked
  }

  async #settle(ended: EndedAttempt): Promise<void> {
    const { policy, isTrusted, log, random = Math.random } = this.#options
    const patience = isTrusted() ? policy : { ...policy, maxAgeMs: Number.POSITIVE_INFINITY }
    const settled = await this.#surely(() => settleAttempt(this.#store, ended, patience, random()))
    if (settled === null) return
    const { id: webhook, order_id: order } = settled.webhook
    const { outcome, status, error, milliseconds, isCut } = ended.result
    const facts = { webhook, order, attempt: ended.attempt, outcome, status, error, milliseconds, isCut }
    const { state } = settled.ending
    if (state === 'delivered') log.debug(facts, 'a webhook was delivered')
    else if (state === 'dead') log.warn(facts, 'a webhook is a dead letter')
    else if (state === 'superseded') log.info(facts, 'a webhook was superseded by a final one')
    else log.info(facts, 'a webhook was not taken and will be tried again')
  }

  /** Due times in a lane that hangs, or has come back. */
  async #tend(lane: Lane, before: LaneHealth): Promise<void> {
    const isBack = lane.health.failures === 0 && before.failures > 0
    if (!isBack && !isHanging(lane.health)) return
    if (!isBack || isHanging(before)) {
      const { timeoutMs, policy } = this.#options
      const spacing = { attemptMs: timeoutMs + probeMarginMs, maxGapMs: policy.maxGapMs, isBack }
      await this.#surely(() => moveProbes(this.#store, lane, this.#time.now(), spacing))
    }
    lane.forget()
  }

  /** Tries again while the store cannot write; what it cannot keep at all is told by the lease. */
  async #surely<Result>(work: () => Promise<Result>): Promise<Result> {
    const { signal } = this.#stop
    for (let failures = 0; ; failures++) {
      try {
        return await work()
      } catch (error) {
        const isPassing = error instanceof StoreUnavailable && error.reason !== 'closed'
        if (!isPassing || signal.aborted) throw error
        await restAfter(failures, signal)
      }
    }
  }
}

function aboutOf(webhook: Row<'webhooks'>, attempt: number): MessageAbout {
  const { id, merchant_id: merchantId, order_id: orderId, order_status: status } = webhook
  return { merchantId, webhookId: id, orderId, attempt, status }
}

/** 250 ms, and longer each time, or until the node stops. */
function restAfter(failures: number, signal: AbortSignal): Promise<void> {
  const ms = Math.min(30_000, 250 * 2 ** Math.min(failures, 10))
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => resolve(clearTimeout(timer)), { once: true })
  })
}

const lostResult: EndedAttempt['result'] = {
  ...nothingHeard,
  milliseconds: null,
  error: 'the node stopped meanwhile',
}

/**
 * Lets attempts that end at about the same time go on together, so that their steps, and the claims that follow,
 * share one commit: what a commit costs is the wait for the disk, and nothing else is done meanwhile.
 */
class Gathering {
  readonly #lingerMs: number
  #underWay = 0
  #waiting: (() => void)[] = []
  #timer: NodeJS.Timeout | null = null

  /** @param lingerMs the longest that one waits for others; 0 for not at all */
  constructor(lingerMs: number) {
    this.#lingerMs = lingerMs
  }

  /** Something has begun whose end may be waited for. */
  begin(): void {
    this.#underWay++
  }

  /** It has ended; resolves when it and those that ended with it go on. */
  end(): Promise<void> {
    this.#underWay--
    if (this.#lingerMs === 0) return Promise.resolve()
    const together = new Promise<void>((resolve) => this.#waiting.push(resolve))
    if (this.#underWay === 0 || this.#waiting.length >= enough) this.#release()
    else this.#timer ??= setTimeout(() => this.#release(), this.#lingerMs)
    return together
  }

  #release(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    for (const resolve of this.#waiting.splice(0)) resolve()
  }
}
