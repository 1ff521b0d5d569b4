/** How a channel or a rule that is set becomes its row, whoever sets it. */
import type { Instant } from '../../machines/time.ts'
import { secretByName } from '../../persistence/queries/node.ts'
import { channelByName } from '../../persistence/queries/notifications.ts'
import type { Row, Store, Write } from '../../persistence/store.ts'
import { type OperationContext, OperationError } from '../foundation/operation.ts'
import type { ChangingVault } from '../keys/changing-vault.ts'
import { secretName } from '../keys/node-secrets.ts'
import type { Vault } from '../keys/vault.ts'
import { judgeNotifyUrl, type TargetRules } from '../outbound/target.ts'
import {
  type ChannelConfig,
  type Language,
  nextDigestAt,
  type Rule,
  readAddresses,
  readBelow,
  readEvents,
  readTime,
  readZone,
} from './channels.ts'
import { channelKey } from './sending.ts'

export interface SettingContext extends OperationContext {
  vault: ChangingVault
  /** Where webhooks of the operator's own may go. */
  hookRules: TargetRules
}

export interface ChannelInput {
  name: string
  kind: 'email' | 'webhook'
  to?: string
  url?: string
  language?: Language
  timeZone?: string
  digestAt?: string
}

export interface RuleInput {
  name: string
  channel: string
  events: string
  how?: 'now' | 'digest'
  party?: string
  below?: string
}

/** @throws OperationError that says what is wrong with it. */
export function configOf(
  { hookRules }: Pick<SettingContext, 'hookRules'>,
  input: ChannelInput,
): ChannelConfig {
  const { kind, to, url, language = 'en', timeZone = 'UTC', digestAt = '08:00' } = input
  const isMail = kind === 'email'
  if (isMail ? to === undefined || url !== undefined : url === undefined || to !== undefined) {
    const told = isMail
      ? 'A channel of mails has addresses, and no URL.'
      : 'A webhook has a URL, and no addresses.'
    throw new OperationError('invalid', told)
  }
  const problem = url === undefined ? null : judgeNotifyUrl(url, hookRules)
  if (problem !== null) throw new OperationError('invalid', `url: ${problem}`)
  return {
    to: to === undefined ? [] : readAddresses(to),
    url: url ?? null,
    language,
    timeZone: readZone(timeZone),
    digestAt: readTime(digestAt),
  }
}

export function ruleOf(input: RuleInput, partyId: string | null): Omit<Rule, 'name' | 'channel'> {
  const events = readEvents(input.events)
  const isOfBalance = events.includes('balance.low')
  if (isOfBalance !== (input.below !== undefined)) {
    throw new OperationError(
      'invalid',
      'balance.low goes with an amount that balances are held against, and no other event does.',
      {
        hint: 'Such as --below "1000.00 MXN".',
      },
    )
  }
  const below = input.below === undefined ? null : readBelow(input.below)
  return { events, how: input.how ?? 'now', partyId, below }
}

export function setChannel(
  known: Row<'notification_channels'> | null,
  { name, kind }: ChannelInput,
  config: ChannelConfig,
  at: Instant,
): { row: Row<'notification_channels'>; write: Write } {
  if (known !== null && known.kind !== kind) {
    throw new OperationError('conflict', `${name} is a channel of the kind ${known.kind} already.`, {
      hint: 'Give the new one another name.',
    })
  }
  const set = { config_json: JSON.stringify(config), digest_due_at: nextDigestAt(config, at) }
  if (known !== null) {
    const changed = { ...set, revision: known.revision + 1 }
    return {
      row: { ...known, ...changed },
      write: { update: 'notification_channels', key: { name }, set: changed },
    }
  }
  const values = { name, kind, ...set, created_at: at, revision: 1 }
  return { row: values, write: { insert: 'notification_channels', values } }
}

export function setRule(
  known: Row<'notification_rules'> | null,
  { name, channel }: RuleInput,
  rule: Omit<Rule, 'name' | 'channel'>,
  at: Instant,
): { row: Row<'notification_rules'>; write: Write } {
  const set = { channel, rule_json: JSON.stringify(rule) }
  if (known !== null) {
    const changed = { ...set, revision: known.revision + 1 }
    return {
      row: { ...known, ...changed },
      write: { update: 'notification_rules', key: { name }, set: changed },
    }
  }
  const values = { name, ...set, created_at: at, revision: 1 }
  return { row: values, write: { insert: 'notification_rules', values } }
}

export function secretWrite(vault: Vault, channel: string, secret: string): Write {
  const name = channelKey(channel)
  return { insert: 'secrets', values: { name, ciphertext: vault.seal(secretName(name), secret) } }
}

/** A channel as it is, and whether it has a secret. */
export async function channelAsIs(
  store: Store,
  name: string,
): Promise<{ channel: Row<'notification_channels'> | null; isSealed: boolean }> {
  const [channel = null] = await store.query(channelByName, { name })
  return { channel, isSealed: (await store.query(secretByName, { name: channelKey(name) })).length > 0 }
}
