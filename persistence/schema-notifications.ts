/** The tables of notifications; what columns hold is said in `schema.ts`. */
import type { Generated } from 'kysely'
import type { Instant } from '../machines/time.ts'

export type ChannelKind = 'email' | 'webhook'

/** Where notifications go. */
export interface NotificationChannelTable {
  name: string
  kind: ChannelKind
  /** A `ChannelConfig` of actors/notifications. The secret of a webhook is among the node's, as `notification:NAME`. */
  config_json: string
  /** When the next digest is due, whether there will be anything to tell or not. */
  digest_due_at: Instant
  created_at: Instant
  revision: number
}

/** What is told, and where. */
export interface NotificationRuleTable {
  name: string
  channel: string
  rule_json: string
  created_at: Instant
  revision: number
}

/** What happened and was not handed to the rules yet: written in the step that causes it, by triggers or by that step. */
export interface NotificationEventTable {
  id: Generated<number>
  /** What was done to what: `exception.opened`, `session.begun`, … */
  source: string
  /** Its id. */
  subject: string
  facts_json: string
  happened_at: Instant
}

/** A condition that lasts and was seen: it is there until it was seen to be over. */
export interface NotificationLevelTable {
  id: string
  event: string
  since_at: Instant
  facts_json: string
}

/** What a rule was told of, so that what repeats is counted and not told again. */
export interface NotificationTopicTable {
  rule: string
  topic: string
  channel: string
  /** '' where it is nobody's. */
  party_id: string
  /** What happened last. */
  told_json: string
  is_on: 0 | 1
  /** Whether what was told last is that it is there: what is told next is the other. */
  was_told_on: 0 | 1
  /** Null while nothing was told but in a digest to come. */
  told_at: Instant | null
  /** How often it happened since something was told of it. */
  untold_count: number
  first_at: Instant
  last_at: Instant
}

/** The outbox: one row for each notification and whom it is sent to. */
export interface NotificationTable {
  /** The same over all attempts: receivers recognise a repetition by it. */
  id: string
  /** '' for an invitation. */
  channel: string
  kind: ChannelKind
  purpose: 'event' | 'digest' | 'test' | 'invitation'
  /** An e-mail address or a URL; '' where there is none, which is a dead letter. */
  target: string
  party_id: string
  /** A `Notice` of actors/notifications. */
  body_json: string
  state: 'pending' | 'delivered' | 'dead'
  created_at: Instant
  /** When it may be tried. While an attempt is under way it is the end of the lease. */
  due_at: Instant
  attempts: number
  /** Made before it was last sent again by hand: they do not count against the limit. */
  attempts_before: number
  first_attempt_at: Instant | null
  last_attempt_at: Instant | null
  lease_until_at: Instant | null
  settled_at: Instant | null
  last_answer: string | null
  error: string | null
}

export interface NotificationTables {
  notification_channels: NotificationChannelTable
  notification_rules: NotificationRuleTable
  notification_events: NotificationEventTable
  notification_levels: NotificationLevelTable
  notification_topics: NotificationTopicTable
  notifications: NotificationTable
}
