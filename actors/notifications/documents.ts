/** Channels, rules and notifications as people and programs read them. */
import { formatInstant } from '../../machines/time.ts'
import type { Row } from '../../persistence/store.ts'
import { readChannel, readRule } from './channels.ts'
import type { Notice } from './events.ts'
import { messageOf } from './message.ts'
import { channelKey } from './sending.ts'

export interface ChannelDocument {
  name: string
  kind: 'email' | 'webhook'
  /** Addresses, or `party`: the contact of the party that an event is about. */
  to: readonly string[] | 'party'
  url: string | null
  /** What its webhooks are signed with. */
  key: string | null
  language: string
  timeZone: string
  digestAt: string
  nextDigest: string
}

export interface RuleDocument {
  name: string
  channel: string
  events: readonly string[]
  how: 'now' | 'digest'
  party: string | null
  below: string | null
}

export interface NotificationSummary {
  id: string
  /** `null` for an invitation. */
  channel: string | null
  kind: 'email' | 'webhook'
  purpose: Notice['purpose']
  to: string
  subject: string
  state: 'pending' | 'delivered' | 'dead'
  attempts: number
  /** What the last attempt ended with: `250`, `timeout` … */
  lastAnswer: string | null
  error: string | null
  created: string
  dueAt: string
  settled: string | null
}

export interface NotificationDocument extends NotificationSummary {
  notice: Notice
  /** As a mail has it. */
  text: string
}

export function channelDocument(row: Row<'notification_channels'>): ChannelDocument {
  const { name, kind, config, digestDueAt } = readChannel(row)
  const { to, url, language, timeZone, digestAt } = config
  const key = kind === 'webhook' ? channelKey(name) : null
  return { name, kind, to, url, key, language, timeZone, digestAt, nextDigest: formatInstant(digestDueAt) }
}

/** @param party the name of the rule's */
export function ruleDocument(row: Row<'notification_rules'>, party: string | null): RuleDocument {
  const { name, channel, events, how, below } = readRule(row)
  return {
    ...{ name, channel, events, how, party },
    below: below === null ? null : `${below.amount} ${below.currency}`,
  }
}

export function notificationSummary(row: Row<'notifications'>): NotificationSummary {
  const { id, channel, kind, purpose, target: to, state, attempts, last_answer, error, settled_at } = row
  const { subject } = messageOf(JSON.parse(row.body_json))
  return {
    ...{ id, channel: channel === '' ? null : channel, kind, purpose, to, subject, state, attempts },
    ...{ lastAnswer: last_answer, error },
    created: formatInstant(row.created_at),
    dueAt: formatInstant(row.due_at),
    settled: settled_at === null ? null : formatInstant(settled_at),
  }
}

export function notificationDocument(row: Row<'notifications'>): NotificationDocument {
  const notice: Notice = JSON.parse(row.body_json)
  // Nobody but the invited gets the link.
  const { invited: _, ...shown } = notice
  return { ...notificationSummary(row), notice: shown, text: messageOf(notice).text }
}
