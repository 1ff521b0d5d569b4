/**
 * Stored answers: what a repeated message gets instead of a second effect (protocol 5.6
 * and 5.7). They are written in the step whose answer they keep.
 */
import type { Instant } from '../../machines/time.ts'
import { type Row, row, type Write } from '../../persistence/store.ts'

/** An HTTP answer, byte for byte. */
export interface Answer {
  status: number
  body: string
}

export interface MessageGuard {
  partyId: string
  /** The signature of a start or cancel: the same one again is the same message. */
  digest?: string
  idempotency?: { key: string; payloadDigest: string }
  /** Start and cancel are answered from the store only while the order has not changed since. */
  bindsRevision: boolean
}

/** What is known of a message before it is applied. */
export type Repetition =
  | { kind: 'new' }
  | { kind: 'repeated'; answer: Answer }
  /** The order has moved on since; doing it again would be another deed. */
  | { kind: 'stale' }
  | { kind: 'other_payload' }

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

/** Whether this message was accepted before; `revision` is the order's present one. */
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
    return fromStore(guard, idempotent.revision, revision, idempotent.answer_json)
  }
  if (repeated) return fromStore(guard, repeated.revision, revision, repeated.answer_json)
  return { kind: 'new' }
}

function fromStore(
  guard: MessageGuard,
  storedRevision: number | null,
  revision: number | null,
  answer: string,
): Repetition {
  if (guard.bindsRevision && storedRevision !== revision) return { kind: 'stale' }
  return { kind: 'repeated', answer: JSON.parse(answer) }
}

/** What an answer is about, and how far it had come; a quote never changes, and has neither. */
type Subject = Pick<Row<'idempotency_keys'>, 'order_id' | 'revision'>

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
  const { partyId, digest } = guard
  if (digest === undefined) return underKey
  const answer_json = JSON.stringify(answer)
  const values = { party_id: partyId, digest, ...subject, answer_json, accepted_at: at }
  return [{ insert: 'repeated_messages', values }, ...underKey]
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
