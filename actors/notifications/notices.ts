/** The rows of the outbox: one for each notification and whom it is sent to. */
import { formatInstant, type Instant } from '../../machines/time.ts'
import type { ChannelKind } from '../../persistence/schema-notifications.ts'
import type { Row, Write } from '../../persistence/store.ts'
import { timeOrderedId } from '../orders/time-ordered-id.ts'
import { type Channel, isAddress } from './channels.ts'
import type { Notice } from './events.ts'

export interface Addressee {
  id: string
  name: string
  contact: string
}

/**
 * @param party whom it is about, where that is a party
 * @returns one for each address of the channel; one that is a dead letter at once where the party has no address
 */
export function newNotices(
  channel: Channel,
  notice: Pick<Notice, 'purpose' | 'mode' | 'told' | 'more'>,
  party: Addressee | null,
  at: Instant,
): Row<'notifications'>[] {
  const { name, kind, config } = channel
  const { language, timeZone } = config
  const created = formatInstant(at)
  const isForParty = config.to === 'party'
  const body: Notice = {
    ...{ purpose: notice.purpose, mode: notice.mode, created, channel: name, language, timeZone },
    ...{ party: isForParty ? (party?.name ?? null) : null, told: notice.told, more: notice.more },
  }
  return targetsOf(channel, party).map((target): Row<'notifications'> => {
    const pending = pendingNotice({ kind, target, partyId: party?.id ?? '' }, body, at)
    return target === '' ? { ...pending, state: 'dead', settled_at: at, error: noAddress(party) } : pending
  })
}

export function pendingNotice(
  { kind, target, partyId }: { kind: ChannelKind; target: string; partyId: string },
  notice: Notice,
  at: Instant,
): Row<'notifications'> {
  return {
    ...{ id: timeOrderedId(at), channel: notice.channel, kind, purpose: notice.purpose, target },
    ...{ party_id: partyId, body_json: JSON.stringify(notice) },
    ...{ state: 'pending', created_at: at, due_at: at },
    ...{ attempts: 0, attempts_before: 0, first_attempt_at: null, last_attempt_at: null },
    ...{ lease_until_at: null, settled_at: null, last_answer: null, error: null },
  }
}

function targetsOf({ kind, config }: Channel, party: Addressee | null): readonly string[] {
  if (kind === 'webhook') return [config.url ?? '']
  if (config.to !== 'party') return config.to
  const contact = party?.contact.trim() ?? ''
  return [isAddress(contact) ? contact : '']
}

function noAddress(party: Addressee | null): string {
  return party === null
    ? 'It is about no party, and the channel sends to parties.'
    : `The contact of ${party.name} is no e-mail address.`
}

export function insertions(notices: readonly Row<'notifications'>[]): Write[] {
  return notices.map((values) => ({ insert: 'notifications', values }))
}
