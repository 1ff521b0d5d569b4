/**
 * Sends what is in the outbox of notifications, with the discipline of webhooks: a short step claims, the network
 * follows its commit, and another step writes down what came of it (protocol 17.4).
 *
 * While an attempt is under way its row is due at the end of the lease: whoever dies in the middle leaves what another
 * pass finds by that, sends once more under the same id, and counts.
 */
import type { Logger } from 'pino'
import { productionRetries, type RetryPolicy } from '../../machines/retry.ts'
import type { Instant } from '../../machines/time.ts'
import { dueNotifications, nextNotificationDue } from '../../persistence/queries/notifications.ts'
import type { ChannelKind } from '../../persistence/schema-notifications.ts'
import { type Decision, type Row, row, type Store } from '../../persistence/store.ts'
import type { PassResult } from '../foundation/worker.ts'
import { leaseOf } from '../webhooks/delivery.ts'
import { endingOf } from '../webhooks/settling.ts'
import type { SendNotice, SentNotice } from './sending.ts'

type Notification = Row<'notifications'>

export interface NotificationDeliveryOptions {
  store: Store
  clock: { now(): Instant }
  kind: ChannelKind
  send: SendNotice
  timeoutMs: number
  /** False while the clock is in doubt: then nothing is given up for its age. */
  isTrusted: () => boolean
  log: Pick<Logger, 'info' | 'warn' | 'debug' | 'error'>
  /** Asks for a pass: a place is free. */
  wake?: () => void
  /** How long attempts under way have when the node stops. */
  graceMs?: number
  /** 600 attempts within about four days unless said otherwise: those who wait for it are the operator's own. */
  policy?: RetryPolicy
  /** From 0 to 1; shortens gaps. */
  random?: () => number
}

/** Under way at once: a server that hangs holds up no more than these, and each no longer than its time-out. */
const atOnce = 8

export interface NotificationDelivery {
  /** Begins attempts, which run beside the passes. */
  pass(): Promise<PassResult>
  /** Attempts that are under way have ended, however they did. */
  ended(): Promise<void>
  /** Lets attempts end or ends them; what was sent by one that was cut off is not known, and its lease tells. */
  finish(): Promise<void>
}

export function createNotificationDelivery(options: NotificationDeliveryOptions): NotificationDelivery {
  const { store, clock, kind, wake = () => {}, graceMs = 1000 } = options
  const underWay = new Map<string, Promise<void>>()
  const stop = new AbortController()
  const ended = async () => {
    await Promise.all(underWay.values())
  }

  function begin(id: string): void {
    const attempting = attempt(options, id, stop.signal)
      .catch((error) => options.log.error({ err: error, notification: id }, 'an attempt could not be ended'))
      .finally(() => {
        underWay.delete(id)
        wake()
      })
    underWay.set(id, attempting)
  }

  return {
    async pass() {
      const limit = atOnce - underWay.size
      if (limit === 0) return { more: false, seen: { underWay: underWay.size } }
      const now = clock.now()
      // Those under way are due again at the end of their leases.
      const due = await store.query(dueNotifications, { kind, now, limit })
      for (const { id } of due) if (!underWay.has(id)) begin(id)
      const [next] = await store.query(nextNotificationDue, { kind, now })
      return { more: false, nextAt: next?.due_at ?? null, seen: { underWay: underWay.size } }
    },
    ended,
    async finish() {
      const grace = setTimeout(() => stop.abort(), graceMs)
      await ended()
      clearTimeout(grace)
    },
  }
}

async function attempt(options: NotificationDeliveryOptions, id: string, signal: AbortSignal): Promise<void> {
  const claimed = await claim(options, id)
  if (claimed === null) return
  const sent = await options.send(claimed, signal)
  const settled = signal.aborted ? null : await settle(options, claimed, sent)
  if (settled === null) return
  const facts = { notification: id, channel: claimed.channel, attempt: claimed.attempts, ...sent }
  if (settled === 'delivered') options.log.debug(facts, 'a notification was delivered')
  else if (settled === 'dead') options.log.warn(facts, 'a notification is a dead letter')
  else options.log.info(facts, 'a notification was not taken and will be tried again')
}

/** The row as it is under the claim. */
async function claim(
  { store, clock, timeoutMs }: NotificationDeliveryOptions,
  id: string,
): Promise<Notification | null> {
  const result = await store.step({
    rows: { notification: row('notifications', { id }) },
    decide: ({ notification }, stepAt): Decision<Notification | null> => {
      const at = Math.max(stepAt, clock.now())
      if (notification === null || notification.state !== 'pending' || notification.due_at > at)
        return { answer: null, writes: [] }
      const leaseUntil = at + leaseOf(timeoutMs)
      const set = {
        attempts: notification.attempts + 1,
        first_attempt_at: notification.first_attempt_at ?? at,
        last_attempt_at: at,
        lease_until_at: leaseUntil,
        due_at: leaseUntil,
      }
      return { answer: { ...notification, ...set }, writes: [{ update: 'notifications', key: { id }, set }] }
    },
  })
  if (result.outcome === 'violated') throw new Error(`A claim violated ${result.constraint}.`)
  return result.answer
}

/** `null` where another pass has ended the attempt. */
async function settle(
  { store, clock, isTrusted, policy = productionRetries, random = Math.random }: NotificationDeliveryOptions,
  claimed: Notification,
  { outcome, answer, error, retryAfter }: SentNotice,
): Promise<Notification['state'] | null> {
  const { id } = claimed
  const patience = isTrusted() ? policy : { ...policy, maxAgeMs: Number.POSITIVE_INFINITY }
  const chance = random()
  const result = await store.step({
    rows: { notification: row('notifications', { id }) },
    decide: ({ notification }, stepAt): Decision<Notification['state'] | null> => {
      const at = Math.max(stepAt, clock.now())
      const isHeld =
        notification !== null &&
        notification.attempts === claimed.attempts &&
        notification.lease_until_at === claimed.lease_until_at
      if (!isHeld) return { answer: null, writes: [] }
      const startedAt = notification.last_attempt_at ?? at
      const ending = endingOf(
        {
          ...{ outcome, retryAfter, isFinalWaiting: false, startedAt, endedAt: at },
          attempts: notification.attempts - notification.attempts_before,
          firstAttemptAt: notification.first_attempt_at ?? startedAt,
        },
        patience,
        chance,
      )
      const columns = { lease_until_at: null, last_answer: answer, error }
      if (ending.state === 'pending') {
        const set = { ...columns, due_at: ending.dueAt }
        return { answer: 'pending', writes: [{ update: 'notifications', key: { id }, set }] }
      }
      // Nothing stands behind a notification that could supersede it.
      const state = ending.state === 'dead' ? 'dead' : 'delivered'
      const set = { ...columns, state, due_at: at, settled_at: at } as const
      return { answer: state, writes: [{ update: 'notifications', key: { id }, set }] }
    },
  })
  if (result.outcome === 'violated') throw new Error(`The end of an attempt violated ${result.constraint}.`)
  return result.answer
}
