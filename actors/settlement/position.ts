/**
 * What a statement tells of: a party's *position*, all of its accounts with the operator in one currency together. Moves between
 * them are no lines (protocol 15.10).
 */
import type { PartyKind } from '../../persistence/schema.ts'
import { type AccountRef, accountId } from '../../persistence/store.ts'

const kinds: Readonly<Record<PartyKind, readonly AccountRef['kind'][]>> = {
  merchant: ['available', 'reserved', 'payable', 'transit', 'suspense', 'debt'],
  provider: ['provider', 'transit'],
}

/** Whose statements, and in what. */
export interface Holder {
  partyId: string
  kind: PartyKind
  currency: string
}

export function positionOf({ partyId, kind, currency }: Holder): AccountRef[] {
  return kinds[kind].map((of) => ({ kind: of, ownerId: partyId, currency }))
}

/** The account of one kind. */
export function accountOf({ partyId, currency }: Holder, kind: AccountRef['kind']): string {
  return accountId({ kind, ownerId: partyId, currency })
}
