/** What each word that says how something is means to whoever looks, and so its colour: one table for every page. */
import type { OrderStatus } from '../../machines/statuses.ts'
import type { Tone } from './blocks.ts'

/** It waits for something else; it goes on; it ended as was wanted; it is over; somebody has to look. */
type Meaning = 'waits' | 'goesOn' | 'succeeded' | 'over' | 'needsAttention'

const tones: Readonly<Record<Meaning, Tone>> = {
  waits: 'waiting',
  goesOn: 'busy',
  succeeded: 'good',
  over: 'plain',
  needsAttention: 'bad',
}

const ofOrders: Readonly<Record<OrderStatus, Meaning>> = {
  CREATED: 'waits',
  READY: 'goesOn',
  PAYMENT_STARTED: 'goesOn',
  COMPLETED: 'succeeded',
  CANCELLED: 'over',
  EXPIRED: 'over',
}

const meanings: Readonly<Record<string, Meaning>> = {
  ...ofOrders,
  // Webhooks, and attempts to send them.
  pending: 'waits',
  started: 'goesOn',
  delivered: 'succeeded',
  acknowledged: 'succeeded',
  superseded: 'over',
  dead: 'needsAttention',
  // Payments, deposits and corrections.
  ordered: 'waits',
  sent: 'goesOn',
  booked: 'succeeded',
  returned: 'needsAttention',
  // Exceptions.
  open: 'needsAttention',
  resolved: 'succeeded',
  // Approvals.
  asked: 'waits',
  approved: 'goesOn',
  carried_out: 'succeeded',
  // Operators, keys, parties, the node.
  enabled: 'succeeded',
  live: 'succeeded',
  active: 'succeeded',
  ready: 'succeeded',
  disabled: 'over',
  revoked: 'over',
  frozen: 'needsAttention',
  degraded: 'waits',
}

/** Of a word that nobody has given a meaning, the plain one. */
export function toneOf(word: string): Tone {
  const meaning = meanings[word]
  return meaning === undefined ? 'plain' : tones[meaning]
}

/** Of how an attempt to send a webhook ended: each but those that are named is a failure. */
export function attemptTone(outcome: string): Tone {
  return outcome === 'started' || outcome === 'acknowledged' ? toneOf(outcome) : 'bad'
}
