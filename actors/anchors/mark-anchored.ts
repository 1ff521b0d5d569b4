/** What was closed, ordered and claimed is outside the database now. Killed before this, it is anchored a second time, which says the same. */
import { type ClaimState, undecidedStates } from '../../machines/claim.ts'
import type { Instant } from '../../machines/time.ts'
import { type Row, rows, type Store, type Write } from '../../persistence/store.ts'
import type { AnchoredClaim } from './anchor.ts'

type Closed = Pick<Row<'statements'>, 'party_id' | 'currency' | 'number'>
type Claimed = Pick<
  Row<'claims'>,
  | 'id'
  | 'number'
  | 'kind'
  | 'state'
  | 'order_id'
  | 'merchant_id'
  | 'provider_id'
  | 'currency'
  | 'price_minor'
  | 'amount_minor'
  | 'head'
>

export interface ToMark {
  closed: readonly Closed[]
  ordered: readonly Pick<Row<'payments'>, 'id'>[]
  claimed: readonly Pick<Row<'claims'>, 'id' | 'state'>[]
}

const undecided: readonly ClaimState[] = undecidedStates

/** What its respondent says of one that waits is told to nobody by the anchors. */
export function stateToAnchor(state: ClaimState): ClaimState {
  return undecided.includes(state) ? 'open' : state
}

export function anchoredClaim(claim: Claimed): AnchoredClaim {
  return {
    number: claim.number,
    id: claim.id,
    kind: claim.kind,
    state: stateToAnchor(claim.state),
    order: claim.order_id,
    merchant: claim.merchant_id,
    provider: claim.provider_id,
    currency: claim.currency,
    amountMinor: (claim.amount_minor ?? claim.price_minor).toString(),
    head: claim.head,
  }
}

export async function markAnchored(store: Store, { closed, ordered, claimed }: ToMark): Promise<void> {
  if (closed.length + ordered.length + claimed.length === 0) return
  const told = new Map(claimed.map(({ id, state }) => [id, stateToAnchor(state)]))
  await store.step({
    rows: {
      statements: rows(
        'statements',
        closed.map(({ party_id, currency, number }) => ({ party_id, currency, number })),
      ),
      payments: rows(
        'payments',
        ordered.map(({ id }) => ({ id })),
      ),
      claims: rows(
        'claims',
        claimed.map(({ id }) => ({ id })),
      ),
    },
    decide: ({ statements, payments, claims }, at) => ({
      answer: null,
      writes: [
        ...statements.flatMap((one): Write[] => {
          if (one === null || one.anchored_at !== null) return []
          const { party_id, currency, number } = one
          return [{ update: 'statements', key: { party_id, currency, number }, set: { anchored_at: at } }]
        }),
        ...payments.flatMap((one): Write[] =>
          one === null || one.anchored_at !== null
            ? []
            : [{ update: 'payments', key: { id: one.id }, set: { anchored_at: at } }],
        ),
        ...claims.flatMap((one) => claimMark(one, told, at)),
      ],
    }),
  })
}

/** One that has ended behind the line is not outside the database as it is now. */
function claimMark(claim: Row<'claims'> | null, told: ReadonlyMap<string, ClaimState>, at: Instant): Write[] {
  if (claim === null || claim.anchored_at !== null) return []
  if (told.get(claim.id) !== stateToAnchor(claim.state)) return []
  return [{ update: 'claims', key: { id: claim.id }, set: { anchored_at: at } }]
}
