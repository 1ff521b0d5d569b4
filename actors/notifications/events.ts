/**
 * What somebody can be told of: a closed list of events, each with the facts that a message may name (protocol 17.1).
 *
 * The facts are all that leaves the node. None is a code, a secret or an end user's, and none is text that somebody
 * outside has written: causes are looked up in the console, by the id that the message gives.
 */
import type { AlarmKind } from '../condition/alarms.ts'
import type { ExceptionKind } from '../exceptions/kinds.ts'
import type { Role } from '../foundation/roles.ts'

export interface FactsOf {
  'exception.opened': {
    kind: ExceptionKind
    exception: string
    order: string | null
    amount: string | null
    asset: string | null
    chain: string | null
  }
  'webhook.dead': { exception: string; order: string | null; merchant: string }
  alarm: { kind: AlarmKind; about: string | null; count: number | null }
  /** A part of the node that does not do what it should: `anchors`, `archive`, `front` … */
  'node.degraded': { part: string }
  'clock.doubt': Record<never, never>
  'chain.doubt': { chain: string }
  /** `null` where it is all of them. */
  'rate.doubt': { rate: string | null }
  'backup.missed': { newest: string | null }
  'disk.low': { freeMebibytes: number | null }
  'exposure.high': {
    provider: string
    currency: string
    used: string
    limit: string
    warnAtPercent: number
  }
  'balance.low': { merchant: string; currency: string; balance: string; below: string }
  'statement.closed': {
    party: string
    kind: 'merchant' | 'provider'
    currency: string
    number: number
    from: string
    to: string
    closing: string
    due: string
    dueOn: string | null
  }
  'sign_in.new': { operator: string; address: string }
  'key.added': { party: string; kind: 'merchant' | 'provider'; key: string }
  /** From when on its money goes there; null where the change was taken back. The account itself is not told. */
  'account.changed': { party: string; kind: 'merchant' | 'provider'; currency: string; from: string | null }
  /** Moves as `1000.01 MXN`. Who asked is null where the name is what whoever has the token says. */
  'approval.asked': { approval: number; operation: string; moves: string[]; askedBy: string | null }
}

export type EventName = keyof FactsOf

/**
 * How an event is told. `lasting` ones are there until they are over: told when they begin, counted while they last,
 * and told when they are over. Of `single` ones each is told. A `repeating` one is told, and counted while it repeats.
 */
export const eventSorts = {
  'exception.opened': 'lasting',
  'webhook.dead': 'lasting',
  alarm: 'lasting',
  'node.degraded': 'lasting',
  'clock.doubt': 'lasting',
  'chain.doubt': 'lasting',
  'rate.doubt': 'lasting',
  'backup.missed': 'lasting',
  'disk.low': 'lasting',
  'exposure.high': 'lasting',
  'balance.low': 'lasting',
  'statement.closed': 'single',
  'sign_in.new': 'repeating',
  'key.added': 'single',
  'account.changed': 'single',
  'approval.asked': 'lasting',
} as const satisfies Record<EventName, 'lasting' | 'single' | 'repeating'>

export type LastingEvent = {
  [Name in EventName]: (typeof eventSorts)[Name] extends 'lasting' ? Name : never
}[EventName]

export const eventNames = [
  'exception.opened',
  'webhook.dead',
  'alarm',
  'node.degraded',
  'clock.doubt',
  'chain.doubt',
  'rate.doubt',
  'backup.missed',
  'disk.low',
  'exposure.high',
  'balance.low',
  'statement.closed',
  'sign_in.new',
  'key.added',
  'account.changed',
  'approval.asked',
] as const satisfies readonly EventName[]

export function isEventName(text: string): text is EventName {
  return Object.hasOwn(eventSorts, text)
}

/** An event with its facts. */
export type Happened = { [Name in EventName]: { event: Name; facts: FactsOf[Name] } }[EventName]

/** What of it is told: that it is there, or that it is over. Those that do not last are `once`. */
export type Phase = 'on' | 'over' | 'once'

/** A line of a notification. */
export type Told = Happened & {
  phase: Phase
  /** How often it happened since something was told of it, this time included. */
  count: number
  /** ISO 8601. */
  first: string
  last: string
}

/** What one notification says; the body of a webhook, and what a mail is written from. */
export interface Notice {
  purpose: 'event' | 'digest' | 'test' | 'invitation'
  mode: 'sandbox' | 'production'
  created: string
  channel: string
  language: 'en' | 'es' | 'pt'
  /** An IANA zone: times in mails are told in it. */
  timeZone: string
  /** The party that it is for. */
  party: string | null
  told: Told[]
  /** There were more than a digest holds. */
  more: boolean
  /** Of an invitation, and of nothing else. */
  invited?: Invited
}

/** Whom the mail of an invitation is for. */
export interface Invited {
  name: string
  role: Role
  invitedBy: string
  /** ISO 8601. */
  expires: string
  /** The link, under the master key. */
  sealed: string
}
