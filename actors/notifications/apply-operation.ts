/** Channels and rules by one document, all of it or nothing; said again, it changes nothing. */

import { allChannels, ruleByName } from '../../persistence/queries/notifications.ts'
import type { Decision, Row, Write } from '../../persistence/store.ts'
import { type Field, type Fields, flag, optional, text } from '../foundation/fields.ts'
import { parseJson } from '../foundation/json-text.ts'
import { defineOperation, OperationError } from '../foundation/operation.ts'
import { generateSecret } from '../keys/vault.ts'
import { findParty } from '../parties/operations.ts'
import { changeProvisioning } from '../parties/revision.ts'
import { unknownChannel } from './operations.ts'
import {
  type ChannelInput,
  channelAsIs,
  configOf,
  type RuleInput,
  ruleOf,
  type SettingContext,
  secretWrite,
  setChannel,
  setRule,
} from './setting.ts'
import { channelFields, ruleFields } from './setting-fields.ts'

export interface AppliedNotifications {
  dryRun: boolean
  changes: string[]
  /** Of new webhooks, by channel; shown only once. */
  secrets: Record<string, string>
}

const maxEntries = 200

export const notificationApply = defineOperation({
  name: 'notification.apply',
  summary: 'Set channels and rules of notifications from a JSON file, all of it or nothing.',
  fields: {
    text: text({ description: 'JSON: { "channels": […], "rules": […] }.', maxLength: 200_000 }),
    dryRun: optional(
      flag({
        description: 'Only tell what would change.',
        option: ['--dry-run', 'only tell what would change'],
        form: { label: 'Only show what would change' },
      }),
    ),
  },
  isRead: false,
  audited: ({ dryRun = false }) => ({ dryRun }),
  concluded: ({ changes, dryRun }: AppliedNotifications) =>
    dryRun ? 'nothing was changed: a dry run' : `${changes.length} changes`,
  async run(context: SettingContext, { text: json, dryRun = false }): Promise<AppliedNotifications> {
    const { channels, rules } = readDocument(json)
    const settings = channels.map((input) => ({ input, config: configOf(context, input) }))
    const parties = await Promise.all(
      rules.map(({ party }) => (party === undefined ? null : findParty(context.store, party))),
    )
    const ruled = rules.map((input, index) => ({ input, rule: ruleOf(input, parties[index]?.id ?? null) }))
    const known = new Set((await context.store.query(allChannels, {})).map(({ name }) => name))
    for (const { channel } of rules)
      if (!known.has(channel) && !channels.some(({ name }) => name === channel)) throw unknownChannel(channel)
    const secrets = new Map(
      channels.filter(({ kind }) => kind === 'webhook').map(({ name }) => [name, generateSecret()]),
    )
    const { store, vault } = context
    // Secrets are sealed under the master key that the revision stands for: it may be changed meanwhile.
    return changeProvisioning(store, {
      read: async () => ({
        channels: await Promise.all(channels.map(({ name }) => channelAsIs(store, name))),
        rules: await Promise.all(rules.map(async ({ name }) => (await store.query(ruleByName, { name }))[0])),
      }),
      decide(held, at): Decision<AppliedNotifications> {
        const changes: string[] = []
        const made: Record<string, string> = {}
        const writes: Write[] = []
        for (const [index, { input, config }] of settings.entries()) {
          const { channel: before = null, isSealed = false } = held.channels[index] ?? {}
          const set = setChannel(before, input, config, at)
          if (before?.config_json !== set.row.config_json) {
            changes.push(`channel ${input.name}: ${before === null ? 'added' : 'changed'}`)
            writes.push(set.write)
          }
          const secret = secrets.get(input.name)
          if (secret === undefined || isSealed) continue
          writes.push(secretWrite(vault, input.name, secret))
          made[input.name] = secret
        }
        for (const [index, { input, rule }] of ruled.entries()) {
          const before: Row<'notification_rules'> | null = held.rules[index] ?? null
          const set = setRule(before, input, rule, at)
          if (before?.rule_json === set.row.rule_json && before.channel === input.channel) continue
          changes.push(`rule ${input.name}: ${before === null ? 'added' : 'changed'}`)
          writes.push(set.write)
        }
        const answer = { dryRun, changes, secrets: dryRun ? {} : made }
        return dryRun ? { answer, writes: [] } : { answer, writes, wake: ['notifications'] }
      },
    })
  },
})

/** @throws OperationError with each bad place. */
function readDocument(json: string): { channels: ChannelInput[]; rules: RuleInput[] } {
  const read = parseJson(Buffer.from(json))
  if (!read.ok) throw new OperationError('invalid', `The document: ${read.problem}`)
  const problems: string[] = []
  const document = membersOf(read.value)
  for (const name of Object.keys(document ?? {}))
    if (name !== 'channels' && name !== 'rules') problems.push(`${name}: there are channels and rules`)
  const channels = entriesOf(document?.channels ?? [], 'channels', channelFields, problems)
  const rules = entriesOf(document?.rules ?? [], 'rules', ruleFields, problems)
  if (document === null) problems.push('it must be an object with channels and rules')
  if (problems.length > 0)
    throw new OperationError('invalid', 'The document is not in order.', { details: problems })
  // Each member was read by its field.
  return { channels: channels as unknown as ChannelInput[], rules: rules as unknown as RuleInput[] }
}

function membersOf(value: unknown): Record<string, unknown> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null
}

function entriesOf(
  value: unknown,
  path: string,
  fields: Fields,
  problems: string[],
): Record<string, string>[] {
  if (!Array.isArray(value) || value.length > maxEntries) {
    problems.push(`${path}: must be a list of at most ${maxEntries}`)
    return []
  }
  const entries = value.map((entry, index) => entryOf(entry, `${path}[${index}]`, fields, problems))
  const names = entries.map(({ name }) => name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) problems.push(`${path}: ${twice} is there twice`)
  return entries
}

/** A list of texts is a text with commas between them. */
function entryOf(value: unknown, path: string, fields: Fields, problems: string[]): Record<string, string> {
  const members = membersOf(value)
  if (members === null) problems.push(`${path}: must be an object`)
  const unknown = Object.keys(members ?? {}).filter((name) => !Object.hasOwn(fields, name))
  for (const name of unknown) problems.push(`${path}.${name}: there is no such member`)
  const entry: Record<string, string> = {}
  for (const [name, field] of Object.entries(fields)) {
    const given: unknown = members?.[name]
    const written = Array.isArray(given) ? given.join(',') : given
    if (written === undefined || written === null) {
      if (!field.isOptional) problems.push(`${path}.${name}: is missing`)
    } else if (typeof written === 'string' && fits(field, written)) entry[name] = written
    else problems.push(`${path}.${name}: is not what it may be`)
  }
  return entry
}

function fits({ schema, read }: Field, written: string): boolean {
  const { pattern, maxLength } = schema
  const isLong = typeof maxLength === 'number' && written.length > maxLength
  const isOther = typeof pattern === 'string' && !new RegExp(pattern, 'u').test(written)
  return !isLong && !isOther && read(written) !== undefined
}
