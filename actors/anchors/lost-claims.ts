/**
 * Claims that the anchors know and the database does not: opened or ended in a database that an older one is in the place of now, and
 * their parties were told. Their numbers are never given again, and each is an exception, so that somebody opens it or decides it anew.
 */
import { formatPrice } from '../../machines/money.ts'
import type { Instant } from '../../machines/time.ts'
import { eventsOfClaim } from '../../persistence/queries/claims.ts'
import { type Row, row, type Store, type Write } from '../../persistence/store.ts'
import { exceptionId } from '../exceptions/exception-id.ts'
import { newException } from '../exceptions/kinds.ts'
import { type AnchoredClaim, parseAnchor } from './anchor.ts'
import { lastNumber, numbered, numberFact } from './claim-numbers.ts'

/** Of what a claim was told last, and a restore has lost. */
export function claimLostId({ id, head }: Pick<AnchoredClaim, 'id' | 'head'>): string {
  return exceptionId('claim_lost', id, head)
}

/** Done twice it changes nothing, nor does it where somebody has said already what became of one. */
export async function recordLostClaims(
  store: Store,
  lines: AsyncIterable<string>,
  at: Instant,
): Promise<void> {
  // Of each the latest alone: what it was before is behind it.
  const latest = new Map<string, AnchoredClaim>()
  for await (const line of lines)
    for (const claim of parseAnchor(line)?.claims ?? []) latest.set(claim.id, claim)
  for (const claim of [...latest.values()].toSorted((one, other) => one.number - other.number))
    await recordLost(store, claim, at)
}

async function recordLost(store: Store, claim: AnchoredClaim, at: Instant): Promise<void> {
  const events = await store.query(eventsOfClaim, { claimId: claim.id })
  if (events.some(({ hash }) => hash === claim.head)) return
  const id = claimLostId(claim)
  const result = await store.step({
    rows: {
      counter: row('facts', { name: numberFact }),
      order: row('orders', { id: claim.order }),
      merchant: row('parties', { id: claim.merchant }),
      provider: row('parties', { id: claim.provider }),
      known: row('exceptions', { id }),
    },
    decide: ({ counter, known, ...of }) => ({
      answer: null,
      writes: [
        ...(known === null
          ? [{ insert: 'exceptions', values: exceptionOf(claim, of, events.length > 0, at) } as const]
          : []),
        ...numbersLost(counter, claim.number, at),
      ],
      wake: ['exceptions'],
    }),
  })
  if (result.outcome === 'violated') throw new Error(`Lost claims violated ${result.constraint}.`)
}

/** All that come before it, too, where the anchors lack their lines. */
function numbersLost(counter: Row<'facts'> | null, number: number, at: Instant): Write[] {
  const last = lastNumber(counter)
  if (number <= last) return []
  const lost = Array.from({ length: number - last }, (_, index) => last + 1 + index)
  return [
    numbered(counter, number),
    ...lost.map((one): Write => ({ insert: 'lost_claims', values: { number: one, recorded_at: at } })),
  ]
}

interface Known {
  order: Row<'orders'> | null
  merchant: Row<'parties'> | null
  provider: Row<'parties'> | null
}

function exceptionOf(
  claim: AnchoredClaim,
  { order, merchant, provider }: Known,
  isOpenHere: boolean,
  at: Instant,
): Row<'exceptions'> {
  const { number, kind, state, currency } = claim
  const amount = formatPrice(BigInt(claim.amountMinor), currency)
  const became = state === 'open' ? 'was opened' : `was ${state}`
  const here = isOpenHere ? 'here it waits' : 'here it is not'
  return newException({
    id: claimLostId(claim),
    kind: 'claim_lost',
    order_id: order?.id ?? null,
    reason:
      `Claim ${number} (${kind}, ${amount} ${currency}) about order ${claim.order} ${became} after the backup that was restored: ` +
      `its parties may have been told, and ${here}.`,
    evidence: {
      ...{ claim: number, claimKind: kind, state, order: claim.order, amount, currency },
      merchant: merchant?.name ?? claim.merchant,
      provider: provider?.name ?? claim.provider,
    },
    opened_at: at,
    amount,
    asset: currency,
  })
}
