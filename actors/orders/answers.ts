/**
 * Stored answers: what a repeated message gets instead of a second judgement (protocol 5.6). They are
 * written in the step whose answer they keep.
 *
 * A message is judged once. What was refused is kept as well, or whoever has seen it could send it again once it would
 * be accepted.
 */
import type { Instant } from '../../machines/time.ts'
import { type Row, row, type Write } from '../../persistence/store.ts'

/** An HTTP answer, byte for byte. */
export interface Answer {
  status: number
  body: string
}

/**
 * What the very same bytes mean once they were accepted. answered: the same message, which gets its answer again.
 * judged: perhaps another till's of the same second. harmless: nothing can happen twice, and nothing is kept.
 */
export type AcceptedAgain = 'answered' | 'judged' | 'harmless'

export interface MessageGuard {
  partyId: string
  /** The signature of a start, confirm or cancel: the same one again is the same message. */
  digest?: string
  /** `answered` unless said otherwise. */
  acceptedAgain?: AcceptedAgain
  /** When the message says that it was made: it may come again until then, and for as long as it is taken after it. */
  saidAt?: Instant
  idempotency?: { key: string; payloadDigest: string }
  /** Start and cancel are answered from the store under their key only while the order has not changed since. */
  bindsRevision: boolean
}

/** A message that was judged before, or that cannot be told from one that was. */
export type Repeated =
  | { outcome: 'repeated'; answer: Answer }
  /** The order has changed since the first time. */
  | { outcome: 'stale_repetition' }
  /** The idempotency key was used for something else. */
  | { outcome: 'other_payload' }
  | { outcome: 'in_flight' }

/** What is known of a message before it is applied. */
export type Repetition =
  | { kind: 'new' }
  | { kind: 'repeated'; answer: Answer }
  /** The order has moved on since; doing it again would be another deed. */
  | { kind: 'stale' }
  | { kind: 'other_payload' }

export function repeated(known: Exclude<Repetition, { kind: 'new' }>): Repeated {
  switch (known.kind) {
    case 'repeated':
      return { outcome: 'repeated', answer: known.answer }
    case 'stale':
      return { outcome: 'stale_repetition' }
    case 'other_payload':
      return { outcome: 'other_payload' }
  }
}

/** Whether an answer judges its message; a fault or a limit of the node does not. */
export function isJudgement({ status }: Answer): boolean {
  return status < 500 && status !== 429
}

export const idempotencyLifeMs = 24 * 60 * 60 * 1000

export function guardRows(guard: MessageGuard | undefined) {
  return {
    repeated:
      guard?.digest === undefined
        ? undefined
        : row('repeated_messages', { party_id: guard.partyId, digest: guard.digest }),
    idempotent: guard?.idempotency
      ? row('idempotency_keys', { party_id: guard.partyId, key: guard.idempotency.key })
      : undefined,
  }
}

export interface GuardRows {
  repeated: Row<'repeated_messages'> | null
  idempotent: Row<'idempotency_keys'> | null
}

/** Whether this message was judged before; `revision` is the order's present one. */
export function recall(
  guard: MessageGuard | undefined,
  rows: GuardRows,
  revision: number | null,
  at: Instant,
): Repetition {
  if (!guard) return { kind: 'new' }
  const { idempotent, repeated } = rows
  if (idempotent && at - idempotent.created_at < idempotencyLifeMs) {
    if (idempotent.payload_digest !== guard.idempotency?.payloadDigest) return { kind: 'other_payload' }
    const isStale = guard.bindsRevision && idempotent.revision !== revision
    return isStale ? { kind: 'stale' } : fromStore(idempotent)
  }
  if (repeated === null) return { kind: 'new' }
  if (repeated.order_id !== noOrder.order_id && repeated.revision !== revision) return { kind: 'stale' }
  return repeated.is_repeatable === 1 ? fromStore(repeated) : { kind: 'new' }
}

function fromStore({ answer_json }: { answer_json: string }): Repetition {
  return { kind: 'repeated', answer: JSON.parse(answer_json) }
}

/** What an answer is about, and how far it had come; a quote never changes, and has neither. */
type Subject = Pick<Row<'idempotency_keys'>, 'order_id' | 'revision'>

const noOrder = { order_id: '', revision: 0 }

/** Writes that keep the answer of an accepted message to an order. */
export function remember(
  guard: MessageGuard | undefined,
  rows: GuardRows,
  order: Row<'orders'>,
  answer: Answer,
  at: Instant,
): Write[] {
  if (!guard) return []
  const subject = { order_id: order.id, revision: order.revision }
  const underKey = rememberUnderKey(guard, rows, subject, answer, at)
  const { acceptedAgain = 'answered' } = guard
  if (acceptedAgain === 'harmless') return underKey
  return [...rememberMessage(guard, rows, subject, answer, at, acceptedAgain === 'answered'), ...underKey]
}

/** Writes that keep the answer of an accepted message that is about no order: the same bytes never do it again. */
export function rememberAnswer(
  guard: MessageGuard | undefined,
  rows: GuardRows,
  answer: Answer,
  at: Instant,
): Write[] {
  if (!guard) return []
  return [
    ...rememberMessage(guard, rows, noOrder, answer, at, true),
    ...rememberUnderKey(guard, rows, { order_id: null, revision: null }, answer, at),
  ]
}

/**
 * Writes that keep the answer of a refused message, where it is a judgement; `order` is null where it was refused before
 * it was looked at.
 */
export function rememberRefusal(
  guard: MessageGuard | undefined,
  rows: GuardRows,
  order: Pick<Row<'orders'>, 'id' | 'revision'> | null,
  answer: Answer,
  at: Instant,
): Write[] {
  const subject = order === null ? noOrder : { order_id: order.id, revision: order.revision }
  if (guard === undefined || !isJudgement(answer)) return []
  return rememberMessage(guard, rows, subject, answer, at, true)
}

function rememberMessage(
  { partyId, digest, saidAt = 0 }: MessageGuard,
  { repeated }: GuardRows,
  subject: { order_id: string; revision: number },
  answer: Answer,
  at: Instant,
  isRepeatable: boolean,
): Write[] {
  // A second message of the same bytes is answered for itself; what is kept is the first one.
  if (digest === undefined || repeated !== null) return []
  const values = {
    party_id: partyId,
    digest,
    ...subject,
    answer_json: JSON.stringify(answer),
    accepted_at: Math.max(at, saidAt),
    is_repeatable: isRepeatable ? (1 as const) : (0 as const),
  }
  return [{ insert: 'repeated_messages', values }]
}

/** Writes that keep an answer under the Idempotency-Key it came with. */
export function rememberUnderKey(
  guard: MessageGuard | undefined,
  { idempotent }: Pick<GuardRows, 'idempotent'>,
  subject: Subject,
  answer: Answer,
  at: Instant,
): Write[] {
  if (guard?.idempotency === undefined) return []
  const { partyId, idempotency } = guard
  const key = { party_id: partyId, key: idempotency.key }
  return [
    // One that outlived its day gives its place to the new one.
    ...(idempotent ? [{ delete: 'idempotency_keys' as const, key }] : []),
    {
      insert: 'idempotency_keys',
      values: {
        ...key,
        payload_digest: idempotency.payloadDigest,
        ...subject,
        answer_json: JSON.stringify(answer),
        created_at: at,
      },
    },
  ]
}
