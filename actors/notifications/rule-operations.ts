/** Channels and rules: listed, set one by one or by a document, and removed. */

import type { Instant } from '../../machines/time.ts'
import {
  allChannels,
  allLevels,
  allRules,
  pendingOfChannel,
  topicsOfRule,
} from '../../persistence/queries/notifications.ts'
import { type Decision, type Row, row, rows, type Write } from '../../persistence/store.ts'
import { auditReason, optional } from '../foundation/fields.ts'
import { defineOperation, type OperationContext, OperationError } from '../foundation/operation.ts'
import { generateSecret } from '../keys/vault.ts'
import { partyNames } from '../parties/names.ts'
import { findParty } from '../parties/operations.ts'
import { changeProvisioning } from '../parties/revision.ts'
import type { Rule } from './channels.ts'
import { type ChannelDocument, channelDocument, type RuleDocument, ruleDocument } from './documents.ts'
import type { Level } from './occurrences.ts'
import { unknownChannel } from './operations.ts'
import { channelKey } from './sending.ts'
import {
  channelAsIs,
  configOf,
  ruleOf,
  type SettingContext,
  secretWrite,
  setChannel,
  setRule,
} from './setting.ts'
import { channelFields, ownName, ruleFields } from './setting-fields.ts'

export interface SetChannel extends ChannelDocument {
  /** Of a new webhook; shown only once. */
  secret: string | null
}

export const notificationChannelList = defineOperation({
  name: 'notification.channel.list',
  summary: 'List the channels of notifications.',
  examples: ['notification channel list'],
  fields: {},
  isRead: true,
  async run({ store }: OperationContext): Promise<{ channels: ChannelDocument[] }> {
    return { channels: (await store.query(allChannels, {})).map(channelDocument) }
  },
})

export const notificationChannelSet = defineOperation({
  name: 'notification.channel.set',
  summary: 'Add a channel of notifications, or change one. The secret of a new webhook is shown only once.',
  examples: [
    'notification channel set operations --kind email --to ops@shop.example --time-zone America/Mexico_City',
    'notification channel set parties --kind email --to party --language es',
    'notification channel set pager --kind webhook --url https://pager.example/hook',
  ],
  done: 'The channel is saved.',
  fields: channelFields,
  arguments: ['name'],
  isRead: false,
  async run(context: SettingContext, input): Promise<SetChannel> {
    const secret = generateSecret()
    const config = configOf(context, input)
    const { store, vault } = context
    // Secrets are sealed under the master key that the revision stands for: it may be changed meanwhile.
    return changeProvisioning(store, {
      read: () => channelAsIs(store, input.name),
      decide({ channel, isSealed }, at) {
        const set = setChannel(channel, input, config, at)
        const isNew = input.kind === 'webhook' && !isSealed
        return {
          answer: { ...channelDocument(set.row), secret: isNew ? secret : null },
          writes: [set.write, ...(isNew ? [secretWrite(vault, input.name, secret)] : [])],
          wake: ['notifications'],
        }
      },
    })
  },
})

export const notificationChannelRemove = defineOperation({
  name: 'notification.channel.remove',
  summary: 'Remove a channel that no rule names. What was sent stays in the list.',
  examples: ['notification channel remove pager'],
  done: 'The channel is removed.',
  fields: { name: ownName, reason: optional(auditReason) },
  arguments: ['name'],
  isRead: false,
  async run({ store }: OperationContext, { name }): Promise<{ removed: string }> {
    const naming = (await store.query(allRules, {})).filter(({ channel }) => channel === name)
    const [rule] = naming
    if (rule !== undefined) {
      throw new OperationError('refused', `The rule ${rule.name} names ${name}.`, {
        hint: `notification rule remove ${rule.name}`,
      })
    }
    if ((await store.query(pendingOfChannel, { channel: name })).length > 0) {
      throw new OperationError('refused', `Notifications of ${name} still wait to be sent.`, {
        hint: 'They are sent, or given up, within days: notification list --state pending',
      })
    }
    return changeProvisioning(store, {
      read: () => channelAsIs(store, name),
      decide({ channel, isSealed }) {
        if (channel === null) throw unknownChannel(name)
        const writes: Write[] = [{ delete: 'notification_channels', key: { name } }]
        if (isSealed) writes.push({ delete: 'secrets', key: { name: channelKey(name) } })
        return { answer: { removed: name }, writes }
      },
    })
  },
})

export const notificationRuleList = defineOperation({
  name: 'notification.rule.list',
  summary: 'List the rules of notifications.',
  examples: ['notification rule list'],
  fields: {},
  isRead: true,
  async run({ store }: OperationContext): Promise<{ rules: RuleDocument[] }> {
    const nameOf = partyNames(store)
    const found = await store.query(allRules, {})
    const rules = await Promise.all(
      found.map(async (rule) => {
        const { partyId }: { partyId: string | null } = JSON.parse(rule.rule_json)
        return ruleDocument(rule, partyId === null ? null : await nameOf(partyId))
      }),
    )
    return { rules }
  },
})

export const notificationRuleSet = defineOperation({
  name: 'notification.rule.set',
  summary: 'Add a rule of notifications, or change one.',
  examples: [
    'notification rule set urgent --events exception.opened,clock.doubt,disk.low --channel operations',
    'notification rule set statements --events statement.closed --channel parties',
    'notification rule set low --events balance.low --below "1000.00 MXN" --channel parties --party "Demo Shop"',
  ],
  done: 'The rule is saved.',
  fields: ruleFields,
  arguments: ['name'],
  isRead: false,
  async run({ store }: OperationContext, input): Promise<RuleDocument> {
    const party = input.party === undefined ? null : await findParty(store, input.party)
    const rule = ruleOf(input, party?.id ?? null)
    const topics = await store.query(topicsOfRule, { rule: input.name, limit: maxTopics })
    const levels = await store.query(allLevels, {})
    const result = await store.step({
      rows: {
        channel: row('notification_channels', { name: input.channel }),
        rule: row('notification_rules', { name: input.name }),
        topics: rows('notification_topics', topics),
      },
      decide: ({ channel, rule: known, topics: held }, at): Decision<RuleDocument> => {
        if (channel === null) throw unknownChannel(input.channel)
        const set = setRule(known, input, rule, at)
        return {
          answer: ruleDocument(set.row, party?.name ?? null),
          // What its topics were told was told elsewhere.
          writes: [
            set.write,
            ...(known?.channel === input.channel ? [] : forget(held)),
            ...tellPresent(levels, { ...rule, name: input.name }, at),
          ],
          wake: ['notifications'],
        }
      },
    })
    if (result.outcome === 'violated') throw new Error(`A rule violated ${result.constraint}.`)
    return result.answer
  },
})

/** What lasts already is told to a rule that is new, and to no other. */
function tellPresent(
  levels: readonly Row<'notification_levels'>[],
  { name, events, partyId }: Pick<Rule, 'name' | 'events' | 'partyId'>,
  at: Instant,
): Write[] {
  return levels.flatMap(({ id, facts_json }): Write[] => {
    const level: Level = JSON.parse(facts_json)
    const isTold = level.rule === null && events.includes(level.event)
    if (!isTold || (partyId !== null && partyId !== level.partyId)) return []
    const facts = JSON.stringify({ ...level, rule: name })
    const values = { source: 'level.on', subject: id, facts_json: facts, happened_at: at }
    return [{ insert: 'notification_events', values }]
  })
}

/** What a rule remembers at most: a kind of exception, a chain, a party each. What is left is forgotten by the digest. */
const maxTopics = 1000

function forget(held: readonly ({ rule: string; topic: string } | null)[]): Write[] {
  return held.flatMap((topic): Write[] =>
    topic === null ? [] : [{ delete: 'notification_topics', key: { rule: topic.rule, topic: topic.topic } }],
  )
}

export const notificationRuleRemove = defineOperation({
  name: 'notification.rule.remove',
  summary: 'Remove a rule of notifications. What it counted and has not told is forgotten.',
  examples: ['notification rule remove low'],
  done: 'The rule is removed.',
  fields: { name: ownName, reason: optional(auditReason) },
  arguments: ['name'],
  isRead: false,
  async run({ store }: OperationContext, { name }): Promise<{ removed: string }> {
    const topics = await store.query(topicsOfRule, { rule: name, limit: maxTopics })
    const result = await store.step({
      rows: {
        rule: row('notification_rules', { name }),
        topics: rows('notification_topics', topics),
      },
      decide: ({ rule, topics: held }): Decision<{ removed: string }> => {
        if (rule === null) {
          throw new OperationError('not_found', `There is no rule ${name}.`, {
            hint: 'notification rule list shows them.',
          })
        }
        return {
          answer: { removed: name },
          writes: [{ delete: 'notification_rules', key: { name } }, ...forget(held)],
        }
      },
    })
    if (result.outcome === 'violated') throw new Error(`A removal violated ${result.constraint}.`)
    return result.answer
  },
})
