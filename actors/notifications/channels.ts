/** Channels and rules: where notifications go, and what is told there (protocol 17.2). */
import { currencyDecimals, parseAmount } from '../../machines/money.ts'
import type { Instant } from '../../machines/time.ts'
import { isTimeZone } from '../../machines/time-zones.ts'
import type { ChannelKind } from '../../persistence/schema-notifications.ts'
import type { Row } from '../../persistence/store.ts'
import { OperationError } from '../foundation/operation.ts'
import { addDays, cutOffOf, localDay } from '../terms/days.ts'
import { type EventName, isEventName } from './events.ts'

export const languages = ['en', 'es', 'pt'] as const
export type Language = (typeof languages)[number]

export const channelKinds = ['email', 'webhook'] as const satisfies readonly ChannelKind[]

export interface ChannelConfig {
  /** Addresses, or the contact of the party that an event is about. */
  to: readonly string[] | 'party'
  /** Of a webhook. */
  url: string | null
  language: Language
  timeZone: string
  /** `HH:MM` on the wall of the zone. */
  digestAt: string
}

export interface Rule {
  name: string
  channel: string
  events: readonly EventName[]
  /** `now`: what is new at once, and what repeats in the digest. `digest`: all of it in the digest. */
  how: 'now' | 'digest'
  /** Of this party alone, by its id. */
  partyId: string | null
  /** Of `balance.low`: what a balance is held against. */
  below: { currency: string; amount: string; minor: string } | null
}

export interface Channel {
  name: string
  kind: ChannelKind
  config: ChannelConfig
  digestDueAt: Instant
}

/** Written by this program alone. */
export function readChannel({
  name,
  kind,
  config_json,
  digest_due_at,
}: Row<'notification_channels'>): Channel {
  const config: ChannelConfig = JSON.parse(config_json)
  return { name, kind, config, digestDueAt: digest_due_at }
}

export function readRule({ name, channel, rule_json }: Row<'notification_rules'>): Rule {
  const rule: Omit<Rule, 'name' | 'channel'> = JSON.parse(rule_json)
  return { ...rule, name, channel }
}

/** So many addresses a channel has at most: each is sent a message of its own. */
const maxAddresses = 10

/**
 * An address that is certainly one, and that no header or command can be hidden in: a local part of the usual
 * characters, and a name or a literal IPv4 address behind it. Quoted local parts and comments are refused.
 */
const address =
  /^(?=.{3,254}$)[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*@[A-Za-z0-9]([A-Za-z0-9-]{0,62})(\.[A-Za-z0-9]([A-Za-z0-9-]{0,62}))*$/

export function isAddress(text: string): boolean {
  return address.test(text) && text.indexOf('@') <= 64
}

/** @throws OperationError that says which is none. */
export function readAddresses(text: string): ChannelConfig['to'] {
  const named = text.trim()
  if (named === 'party') return 'party'
  const addresses = [...new Set(named.split(/[\s,;]+/).filter((each) => each !== ''))]
  const wrong = addresses.find((each) => !isAddress(each))
  if (wrong !== undefined)
    throw new OperationError('invalid', `to: "${wrong.slice(0, 80)}" is not an e-mail address.`)
  if (addresses.length === 0 || addresses.length > maxAddresses) {
    throw new OperationError('invalid', `to: name 1 to ${maxAddresses} addresses, or "party".`)
  }
  return addresses
}

/** @throws OperationError */
export function readEvents(text: string): EventName[] {
  const named = [...new Set(text.split(/[\s,]+/).filter((each) => each !== ''))]
  const events = named.filter(isEventName)
  const unknown = named.find((each) => !isEventName(each))
  if (unknown !== undefined || events.length === 0) {
    const told = unknown === undefined ? 'name at least one' : `there is no event "${unknown.slice(0, 80)}"`
    throw new OperationError('invalid', `events: ${told}.`, { hint: 'notification events lists them.' })
  }
  return events
}

/** @throws OperationError */
export function readZone(name: string): string {
  if (isTimeZone(name)) return name
  throw new OperationError('invalid', `timeZone: "${name.slice(0, 80)}" is not a time zone.`, {
    hint: 'A zone is named as in America/Mexico_City.',
  })
}

/** @throws OperationError */
export function readTime(text: string): string {
  if (/^(?:[01]\d|2[0-3]):[0-5]\d$/.test(text)) return text
  throw new OperationError('invalid', `digestAt: "${text.slice(0, 80)}" is not a time such as 08:00.`)
}

/** @param text such as `1000.00 MXN`. @throws OperationError */
export function readBelow(text: string): NonNullable<Rule['below']> {
  const match = /^(\d{1,15}(?:\.\d{1,8})?) ([A-Z]{3})$/.exec(text.trim())
  const [, amount = '', currency = ''] = match ?? []
  const minor = match === null ? 'format' : minorOf(amount, currency)
  if (typeof minor !== 'bigint' || minor <= 0n) {
    throw new OperationError('invalid', `below: "${text.slice(0, 80)}" is not an amount such as 1000.00 MXN.`)
  }
  return { currency, amount, minor: `${minor}` }
}

function minorOf(amount: string, currency: string): bigint | string {
  try {
    return parseAmount(amount, currencyDecimals(currency))
  } catch {
    return 'currency'
  }
}

/**
 * The first time of the digest behind an instant. In the night in which clocks go forward a time that is skipped is the
 * first instant behind the gap; in the one in which they go back a time that comes twice is the later.
 */
export function nextDigestAt(
  { timeZone, digestAt }: Pick<ChannelConfig, 'timeZone' | 'digestAt'>,
  after: Instant,
): Instant {
  let day = addDays(localDay(after, timeZone), -1)
  for (;;) {
    const at =
      digestAt === '00:00'
        ? cutOffOf(addDays(day, -1), { timeZone, cutOff: '24:00' })
        : cutOffOf(day, { timeZone, cutOff: digestAt })
    if (at > after) return at
    day = addDays(day, 1)
  }
}
