/**
 * Hands what happened to the rules: each event leaves the outbox in the step that counts it, or writes what is sent
 * of it. Killed anywhere, the next pass goes on with what is still there.
 */
import type { Instant } from '../../machines/time.ts'
import {
  allChannels,
  allRules,
  newEvents,
  topicsBack,
  topicsOfChannel,
} from '../../persistence/queries/notifications.ts'
import { partyById } from '../../persistence/queries/parties.ts'
import { type Decision, type Row, row, rows, type Store, type Write } from '../../persistence/store.ts'
import type { PassResult } from '../foundation/worker.ts'
import { type Channel, nextDigestAt, type Rule, readChannel, readRule } from './channels.ts'
import type { Told } from './events.ts'
import { type Addressee, insertions, newNotices } from './notices.ts'
import { isTold, occurrenceOf } from './occurrences.ts'
import { digested, judge, quietMs, tellAgain } from './topics.ts'

export interface TellingOptions {
  clock: { now(): Instant }
  mode: 'sandbox' | 'production'
}

const eventsPerPass = 100
const topicsPerPass = 100
/** A digest says no more than this at once. */
const topicsPerDigest = 200

interface Known {
  channels: ReadonlyMap<string, Channel>
  rules: readonly Rule[]
}

export function createTelling({ clock, mode }: TellingOptions): (store: Store) => Promise<PassResult> {
  return async (store) => {
    const known = {
      channels: new Map(
        (await store.query(allChannels, {})).map((found) => [found.name, readChannel(found)] as const),
      ),
      rules: (await store.query(allRules, {})).map(readRule),
    }
    const events = await store.query(newEvents, { limit: eventsPerPass })
    for (const event of events) await tellEvent(store, known, event, mode)
    const back = await store.query(topicsBack, { before: clock.now() - quietMs, limit: topicsPerPass })
    for (const topic of back) await tellBack(store, known, topic, mode)
    for (const channel of known.channels.values())
      if (channel.digestDueAt <= clock.now()) await tellDigest(store, channel, mode)
    const digests = [...known.channels.values()].map(({ digestDueAt }) => digestDueAt)
    const isMore = events.length === eventsPerPass || back.length === topicsPerPass
    return {
      more: isMore,
      nextAt: digests.length === 0 ? null : Math.max(clock.now() + 1, Math.min(...digests)),
    }
  }
}

async function addresseeOf(store: Store, partyId: string): Promise<Addressee | null> {
  if (partyId === '') return null
  return (await store.query(partyById, { id: partyId }))[0] ?? null
}

async function tellEvent(
  store: Store,
  { channels, rules }: Known,
  event: Row<'notification_events'>,
  mode: TellingOptions['mode'],
): Promise<void> {
  const occurrence = await occurrenceOf(store, event)
  const told = occurrence === null ? [] : rules.filter((rule) => isTold(rule, occurrence))
  const party = occurrence === null ? null : await addresseeOf(store, occurrence.partyId)
  const keys = told.map(({ name }) => ({ rule: name, topic: occurrence?.topic ?? '' }))
  const result = await store.step({
    rows: {
      event: row('notification_events', { id: event.id }),
      topics: rows('notification_topics', keys),
    },
    decide: ({ event: present, topics }, at): Decision<null> => {
      if (present === null || occurrence === null)
        return { answer: null, writes: present ? [gone(event)] : [] }
      const writes = told.flatMap((rule, index): Write[] => {
        const before = topics[index] ?? null
        const judged = judge(before, occurrence, rule, at)
        const channel = channels.get(rule.channel)
        return [
          ...kept(before, judged.topic),
          ...(judged.told === null || channel === undefined
            ? []
            : sent(channel, judged.told, party, at, mode)),
        ]
      })
      return { answer: null, writes: [gone(event), ...writes], wake: ['notifications'] }
    },
  })
  if (result.outcome === 'violated') throw new Error(`Telling of an event violated ${result.constraint}.`)
}

function gone({ id }: Row<'notification_events'>): Write {
  return { delete: 'notification_events', key: { id } }
}

function sent(
  channel: Channel,
  told: Told,
  party: Addressee | null,
  at: Instant,
  mode: TellingOptions['mode'],
): Write[] {
  return insertions(newNotices(channel, { purpose: 'event', mode, told: [told], more: false }, party, at))
}

/** @param before as it is in the database */
function kept(before: Row<'notification_topics'> | null, after: Row<'notification_topics'> | null): Write[] {
  if (after === null) return before === null ? [] : [{ delete: 'notification_topics', key: keyOf(before) }]
  if (before === null) return [{ insert: 'notification_topics', values: after }]
  if (before === after) return []
  const { rule: _, topic: __, ...set } = after
  return [{ update: 'notification_topics', key: keyOf(before), set }]
}

function keyOf({ rule, topic }: Pick<Row<'notification_topics'>, 'rule' | 'topic'>) {
  return { rule, topic }
}

async function tellBack(
  store: Store,
  { channels }: Known,
  back: Pick<Row<'notification_topics'>, 'rule' | 'topic' | 'channel' | 'party_id'>,
  mode: TellingOptions['mode'],
): Promise<void> {
  const channel = channels.get(back.channel)
  const party = await addresseeOf(store, back.party_id)
  await store.step({
    rows: { topic: row('notification_topics', keyOf(back)) },
    decide: ({ topic }, at): Decision<null> => {
      const isBack = topic !== null && topic.is_on === 1 && topic.was_told_on === 0
      if (!isBack) return { answer: null, writes: [] }
      const judged = tellAgain(topic, at)
      const writes = channel === undefined ? [] : sent(channel, judged.told, party, at, mode)
      return {
        answer: null,
        writes: [...kept(topic, judged.topic), ...writes],
        wake: ['notifications'],
      }
    },
  })
}

/** One digest for each party, where the channel sends to parties, and one for all of it where it does not. */
async function tellDigest(store: Store, channel: Channel, mode: TellingOptions['mode']): Promise<void> {
  const found = await store.query(topicsOfChannel, { channel: channel.name, limit: topicsPerDigest + 1 })
  const more = found.length > topicsPerDigest
  const keys = found.slice(0, topicsPerDigest).map(keyOf)
  const parties = new Map<string, Addressee | null>()
  for (const { party_id: id } of found) if (!parties.has(id)) parties.set(id, await addresseeOf(store, id))
  const isForParties = channel.config.to === 'party'
  const result = await store.step({
    rows: {
      channel: row('notification_channels', { name: channel.name }),
      topics: rows('notification_topics', keys),
    },
    decide: ({ channel: present, topics }, at): Decision<null> => {
      if (present === null || present.digest_due_at > at) return { answer: null, writes: [] }
      const told = new Map<string, Told[]>()
      const writes = topics.flatMap((topic): Write[] => {
        if (topic === null) return []
        const judged = digested(topic, at)
        const group = isForParties ? topic.party_id : ''
        if (judged.told !== null) told.set(group, [...(told.get(group) ?? []), judged.told])
        return kept(topic, judged.topic)
      })
      const digests = [...told].flatMap(([id, lines]) =>
        insertions(
          newNotices(channel, { purpose: 'digest', mode, told: lines, more }, parties.get(id) ?? null, at),
        ),
      )
      const set = { digest_due_at: nextDigestAt(channel.config, at) }
      return {
        answer: null,
        writes: [
          ...writes,
          ...digests,
          { update: 'notification_channels', key: { name: channel.name }, set },
        ],
        wake: ['notifications'],
      }
    },
  })
  if (result.outcome === 'violated') throw new Error(`A digest violated ${result.constraint}.`)
}
