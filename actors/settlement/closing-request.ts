/** What a closing is told by whoever asks for it: how much is withdrawn, what may forbid it, and what is kept of its answer. */
import type { Instant } from '../../machines/time.ts'
import { type LockedRows, type RowRef, sharedRow, type Write } from '../../persistence/store.ts'
import { guardRows, type MessageGuard } from '../orders/answers.ts'
import { creationVetoRows } from '../orders/vetoes.ts'
import type { Holder } from './position.ts'

export interface Withdrawn {
  /** At most so much is swept; null for all that can be. */
  amountMinor: bigint | null
}

export interface ClosingRequest<Plan, Refusal> extends Withdrawn {
  /** What the step holds besides. */
  rows: RequestRows
  /** Judged in the step; what it writes is committed with the statement. */
  judge(held: HeldRequest, plan: Plan | null, at: Instant): Judged<Refusal>
}

type Judged<Refusal> = { ok: true; writes: readonly Write[] } | { ok: false; refusal: Refusal }

export interface RequestRows extends Record<string, RowRef | undefined> {
  drain: RowRef<'facts'> | undefined
  merchant: RowRef<'parties'> | undefined
  terms: RowRef<'settlement_terms'> | undefined
  repeated: RowRef<'repeated_messages'> | undefined
  idempotent: RowRef<'idempotency_keys'> | undefined
}

export type HeldRequest = LockedRows<
  Pick<RequestRows, 'drain' | 'merchant' | 'terms' | 'repeated' | 'idempotent'>
>

export function requestRows({ partyId, currency }: Holder, guard: MessageGuard | undefined) {
  return {
    ...creationVetoRows(partyId),
    terms: sharedRow('settlement_terms', { party_id: partyId, currency }),
    ...guardRows(guard),
  } satisfies RequestRows
}

/** Of a closing that nobody asks for. */
export const noRequestRows: RequestRows = {
  drain: undefined,
  merchant: undefined,
  terms: undefined,
  repeated: undefined,
  idempotent: undefined,
}
