/**
 * Claims as the parties open, answer and read them: their own alone, and another's is as unknown as one that does not exist
 * (protocol 16.8). A merchant names an order by its id; a provider by its code or id, and only one that it has held.
 */
import type { ClaimKind, ClaimState } from '../../machines/claim.ts'
import { currencyDecimals, parseAmount } from '../../machines/money.ts'
import { claimByNumber, claimsPage } from '../../persistence/queries/claims.ts'
import { archivedNamed, ordersNamed } from '../../persistence/queries/reconciliation.ts'
import type { Row, Store } from '../../persistence/store.ts'
import type { Answer, MessageGuard } from '../orders/answers.ts'
import type { Actor } from '../orders/journal.ts'
import { type ClaimSummary, claimSummary, namesIn, undecidedOr } from './documents.ts'
import { shownEvidence, textPiece } from './evidence.ts'
import { type ClaimsContext, holdersOf, type Opened, openClaim } from './opening.ts'
import { type ClaimTold, type Said, tellOfClaim } from './telling.ts'

export type ClaimSpeaker = Extract<Actor, { credential: string }>

/** A claim as one of its parties may see it. */
export interface OwnClaim extends ClaimSummary {
  /** The order's id for its merchant; its code for a provider that has held it, and null for another. */
  named: string | null
}

export interface OwnText {
  at: string
  by: 'operator' | 'merchant' | 'provider'
  /** Null once it was erased. */
  text: string | null
}

export interface AskedByParty {
  speaker: ClaimSpeaker
  order: string
  kind: ClaimKind
  amount: string | null
  text: string | null
}

export type PartyOpened =
  | Opened
  | { outcome: 'refused'; reason: 'order_unknown' }
  /** No amount of the order's currency, which has so many decimals; or not above zero. */
  | { outcome: 'refused'; reason: 'amount_invalid'; decimals: number }

type View = (claim: OwnClaim) => Answer

export async function openByParty(
  context: ClaimsContext,
  { speaker, order: named, kind, amount, text }: AskedByParty,
  guard: MessageGuard,
  answer: View,
): Promise<PartyOpened> {
  const { store, clock } = context
  const order = await ownOrder(store, speaker, named)
  if (order === null) return { outcome: 'refused', reason: 'order_unknown' }
  const decimals = currencyDecimals(order.currency)
  const amountMinor = amount === null ? null : parseAmount(amount, decimals)
  if (typeof amountMinor === 'string' || (amountMinor !== null && amountMinor <= 0n))
    return { outcome: 'refused', reason: 'amount_invalid', decimals }
  const providerId =
    speaker.kind === 'provider' ? speaker.id : ((await holdersOf(store, order)).at(-1) ?? null)
  const names = await namesIn(store, [{ merchant_id: order.merchant_id, provider_id: providerId ?? '' }])
  const shown = speaker.kind === 'merchant' ? order.id : order.code
  return openClaim(context, {
    ...{ kind, order, claimant: speaker.kind, actor: speaker, providerId, amountMinor, text },
    exceptionId: null,
    message: {
      guard,
      answer: (claim) => answer({ ...claimSummary(claim, names, clock.now()), named: shown }),
    },
  })
}

async function ownOrder(
  store: Pick<Store, 'query'>,
  { kind, id }: ClaimSpeaker,
  named: string,
): Promise<Row<'orders'> | null> {
  const text = named.trim().toLowerCase()
  const codes = kind === 'provider' ? [text.replace(/[ -]/g, '')] : []
  const [order] = await store.query(ordersNamed, {
    ids: JSON.stringify([text]),
    codes: JSON.stringify(codes),
  })
  if (order === undefined) return null
  if (kind === 'merchant') return order.merchant_id === id ? order : null
  return (await holdersOf(store, order)).includes(id) ? order : null
}

export async function tellByParty(
  { store, journalKey, clock }: Omit<ClaimsContext, 'bankingDays'>,
  { speaker, number, said, text }: { speaker: ClaimSpeaker; number: number; said: Said; text: string | null },
  guard: MessageGuard,
  answer: View,
): Promise<ClaimTold | { outcome: 'unknown' }> {
  const seen = await ownRow(store, speaker, number)
  if (seen === null) return { outcome: 'unknown' }
  const names = await namesIn(store, [seen])
  const shown = (await namedFor(store, speaker.kind, [seen])).get(seen.order_id) ?? null
  return tellOfClaim({ store, journalKey }, seen, {
    said,
    actor: speaker,
    piece: text === null ? null : textPiece(text),
    message: {
      guard,
      answer: (claim) => answer({ ...claimSummary(claim, names, clock.now()), named: shown }),
    },
  })
}

async function ownRow(
  store: Pick<Store, 'query'>,
  { kind, id }: Pick<ClaimSpeaker, 'kind' | 'id'>,
  number: number,
): Promise<Row<'claims'> | null> {
  const [claim] = await store.query(claimByNumber, { number })
  const owner = kind === 'merchant' ? claim?.merchant_id : claim?.provider_id
  return claim !== undefined && owner === id ? claim : null
}

/** How each order is called for a party. */
async function namedFor(
  store: Pick<Store, 'query'>,
  kind: 'merchant' | 'provider',
  claims: readonly Row<'claims'>[],
): Promise<ReadonlyMap<string, string>> {
  if (kind === 'merchant') return new Map(claims.map(({ order_id }) => [order_id, order_id]))
  const held = claims.filter(({ is_held }) => is_held === 1).map(({ order_id }) => order_id)
  const asked = { ids: JSON.stringify([...new Set(held)]), codes: '[]' }
  const found = [...(await store.query(ordersNamed, asked)), ...(await store.query(archivedNamed, asked))]
  return new Map(found.map(({ id, code }) => [id, code]))
}

type Owner = Pick<ClaimSpeaker, 'kind' | 'id'>

/** The latest opened first. `null` where the cursor is not the `next` of an earlier page. */
export async function ownClaims(
  store: Pick<Store, 'query'>,
  owner: Owner,
  { state, limit, cursor }: { state: ClaimState | 'undecided' | null; limit: number; cursor: string | null },
  now: number,
): Promise<{ claims: OwnClaim[]; next: string | null } | null> {
  if (cursor !== null && !/^[1-9]\d{0,8}$/.test(cursor)) return null
  const filter = { states: undecidedOr(state ?? undefined), party: owner }
  const after = cursor === null ? null : { at: Number(cursor), id: '' }
  const found = await store.query(claimsPage(filter, { after, limit: limit + 1 }), {})
  const page = found.slice(0, limit)
  const names = await namesIn(store, page)
  const named = await namedFor(store, owner.kind, page)
  return {
    claims: page.map((claim) => ({
      ...claimSummary(claim, names, now),
      named: named.get(claim.order_id) ?? null,
    })),
    next: found.length > limit ? `${page.at(-1)?.number}` : null,
  }
}

export async function ownClaim(
  store: Pick<Store, 'query'>,
  owner: Owner,
  number: number,
  now: number,
): Promise<{ claim: OwnClaim; texts: OwnText[] } | null> {
  const row = await ownRow(store, owner, number)
  if (row === null) return null
  const names = await namesIn(store, [row])
  const named = (await namedFor(store, owner.kind, [row])).get(row.order_id) ?? null
  const evidence = await shownEvidence(store, row.id)
  return {
    claim: { ...claimSummary(row, names, now), named },
    texts: evidence.flatMap(({ piece, text }) =>
      piece.file_name === null
        ? [{ at: new Date(piece.added_at).toISOString(), by: kindOf(piece.actor), text }]
        : [],
    ),
  }
}

/** Whoever wrote it, without a name: an operator's is not a party's business. */
function kindOf(actor: string): OwnText['by'] {
  const [kind] = actor.split(':')
  return kind === 'merchant' || kind === 'provider' ? kind : 'operator'
}
