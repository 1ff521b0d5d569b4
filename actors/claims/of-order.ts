/** The claims of an order with all their evidence, for whoever puts together what is known of it. */
import { formatPrice } from '../../machines/money.ts'
import type { Instant } from '../../machines/time.ts'
import { claimsOfOrderRows, evidenceOfClaim } from '../../persistence/queries/claims.ts'
import { accountId, type Store } from '../../persistence/store.ts'
import { type ClaimDocument, claimDocument } from './documents.ts'
import { readEvidence } from './evidence.ts'
import { postingsOfClaim } from './postings.ts'

export interface ClaimWithFiles {
  claim: ClaimDocument
  /** Those that were not erased; `number` is that of the document's evidence. Texts are in the document alone. */
  /** What it has moved; of one that its exception has decided the order's postings tell. */
  postings: { kind: string; debit: string; credit: string; amount: string; currency: string }[]
  files: { number: number; name: string; type: string; bytes: Uint8Array }[]
}

/** The oldest first; none where nobody has claimed anything. */
export async function claimsOfOrder(
  store: Pick<Store, 'query'>,
  orderId: string,
  now: Instant,
): Promise<ClaimWithFiles[]> {
  const found: ClaimWithFiles[] = []
  for (const row of await store.query(claimsOfOrderRows, { orderId })) {
    const files: ClaimWithFiles['files'] = []
    for (const piece of await store.query(evidenceOfClaim, { claimId: row.id })) {
      if (piece.file_name === null) continue
      const bytes = await readEvidence(store, piece)
      if (bytes !== null)
        files.push({ number: piece.sequence, name: piece.file_name, type: piece.media_type, bytes })
    }
    const isBooked = (row.state === 'accepted' || row.state === 'upheld') && row.is_by_exception === 0
    const postings = !isBooked
      ? []
      : postingsOfClaim(row, 'upheld', null).map(({ kind, debit, credit, amountMinor }) => ({
          kind,
          debit: accountId(debit),
          credit: accountId(credit),
          amount: formatPrice(amountMinor, row.currency),
          currency: row.currency,
        }))
    found.push({ claim: await claimDocument(store, row, now), postings, files })
  }
  return found
}
