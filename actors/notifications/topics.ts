/**
 * What is told of what, and when it is only counted: pure (protocol 17.3).
 *
 * A topic is one thing that a rule tells of: all exceptions of a kind, one chain, one balance. It is told when it
 * begins and when it is over; what repeats in between is counted, and the count is told with the next of these or in
 * the digest. One that comes back soon after it was said to be over waits a while, and is told if it stays. What does
 * not last and repeats soon after it was told is counted, and its count is told an hour after that.
 */
import { formatInstant, type Instant } from '../../machines/time.ts'
import type { Row } from '../../persistence/store.ts'
import { eventSorts, type Happened, type Phase, type Told } from './events.ts'

/** What comes back, or happens again, within an hour of what was told last is told when the hour has passed. */
export const quietMs = 3_600_000

/** Something that happened, as one rule sees it. */
export type Occurrence = Happened & {
  topic: string
  phase: Phase
  partyId: string
  at: Instant
}

type Topic = Row<'notification_topics'>

export interface Judged {
  /** As it is from now on; `null` where nothing is to be remembered. */
  topic: Topic | null
  /** What is told at once. */
  told: Told | null
}

const ignored = (topic: Topic | null): Judged => ({ topic, told: null })

/**
 * @param rule whose topic it is
 * @param now when it is judged: it may have happened before
 */
export function judge(
  topic: Topic | null,
  occurrence: Occurrence,
  rule: { name: string; channel: string; how: 'now' | 'digest' },
  now: Instant,
): Judged {
  const { phase, at } = occurrence
  const isSoon = topic !== null && topic.told_at !== null && now - topic.told_at < quietMs
  const sort = eventSorts[occurrence.event]
  if (sort !== 'lasting') {
    const again = counted(topic ?? newTopic(rule, occurrence), occurrence)
    if (rule.how === 'digest') return ignored(again)
    // No other one will ever be of its topic.
    if (sort === 'single') return { topic, told: told(occurrence, 'once', 1, at, at) }
    return isSoon ? ignored({ ...again, is_on: 1 }) : tellAgain(again, now)
  }
  if (phase === 'over') {
    if (topic === null || topic.is_on === 0) return ignored(topic)
    const over = { ...topic, is_on: 0 as const, last_at: Math.max(topic.last_at, at) }
    if (rule.how === 'digest' || topic.was_told_on === 0) return ignored(over)
    const since = topic.told_at ?? topic.first_at
    return {
      topic: { ...over, was_told_on: 0, told_at: now, untold_count: 0, first_at: at },
      told: told(occurrence, 'over', topic.untold_count, since, at),
    }
  }
  const known = topic ?? newTopic(rule, occurrence)
  const repeated = { ...counted(known, occurrence), is_on: 1 as const }
  if (rule.how === 'digest' || known.was_told_on === 1) return ignored(repeated)
  return isSoon ? ignored(repeated) : tellAgain(repeated, now)
}

/** Tells of a topic that is there and was not told of since it came back; of what does not last that it happened, and how often. */
export function tellAgain(topic: Topic, now: Instant): Judged & { told: Told } {
  const happened: Happened = JSON.parse(topic.told_json)
  const isLasting = eventSorts[happened.event] === 'lasting'
  const on = isLasting ? ({ was_told_on: 1 } as const) : ({ is_on: 0, was_told_on: 0 } as const)
  return {
    topic: { ...topic, ...on, told_at: now, untold_count: 0 },
    told: told(happened, isLasting ? 'on' : 'once', topic.untold_count, topic.first_at, topic.last_at),
  }
}

/** What a digest says of a topic; nothing where nothing is new. */
export function digested(topic: Topic, now: Instant): Judged {
  const happened: Happened = JSON.parse(topic.told_json)
  const isLasting = eventSorts[happened.event] === 'lasting'
  const phase = !isLasting ? 'once' : topic.is_on === 1 ? 'on' : 'over'
  const isNew = topic.untold_count > 0 || (topic.was_told_on === 1 && topic.is_on === 0)
  const line = isNew ? told(happened, phase, topic.untold_count, topic.first_at, topic.last_at) : null
  // What is over is forgotten, unless it was told of so lately that its coming back has to wait.
  const isQuiet = topic.told_at !== null && now - topic.told_at < quietMs
  if ((!isLasting || topic.is_on === 0) && !isQuiet) return { topic: null, told: line }
  const on = isLasting ? topic.is_on : 0
  const since = isNew ? { told_at: now, is_on: on, was_told_on: on, first_at: topic.last_at } : {}
  return { topic: { ...topic, ...since, untold_count: 0 }, told: line }
}

function newTopic(rule: { name: string; channel: string }, occurrence: Occurrence): Topic {
  return {
    rule: rule.name,
    topic: occurrence.topic,
    channel: rule.channel,
    party_id: occurrence.partyId,
    told_json: '',
    is_on: 0,
    was_told_on: 0,
    told_at: null,
    untold_count: 0,
    first_at: occurrence.at,
    last_at: occurrence.at,
  }
}

function counted(topic: Topic, { event, facts, at }: Occurrence): Topic {
  return {
    ...topic,
    told_json: JSON.stringify({ event, facts }),
    untold_count: topic.untold_count + 1,
    first_at: topic.untold_count === 0 ? at : topic.first_at,
    last_at: Math.max(topic.last_at, at),
  }
}

function told(happened: Happened, phase: Phase, count: number, first: Instant, last: Instant): Told {
  const { event, facts } = happened
  // Each event has its own facts, which TypeScript does not follow through a copy.
  return { event, facts, phase, count, first: formatInstant(first), last: formatInstant(last) } as Told
}
