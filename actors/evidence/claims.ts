/** What was claimed about an order, with the files that were given for it. */
import type { Instant } from '../../machines/time.ts'
import type { Store } from '../../persistence/store.ts'
import { claimsOfOrder } from '../claims/of-order.ts'
import type { Attached } from './order-files.ts'

/** By what is in them; a name of somebody's own is in claims.json alone. */
const endings: Readonly<Record<string, string>> = {
  'application/pdf': 'pdf',
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'text/csv': 'csv',
  'text/plain': 'txt',
}

/** Without what is erased. */
export async function claimsAbout(
  store: Pick<Store, 'query'>,
  orderId: string,
  now: Instant,
): Promise<Attached> {
  const found = await claimsOfOrder(store, orderId, now)
  const files = found.flatMap(({ claim, files: of }) =>
    of.map(({ number, type, bytes }) => ({
      name: `claims/${claim.number}/${number}.${endings[type.split(';')[0] ?? ''] ?? 'bin'}`,
      bytes,
    })),
  )
  // Whether it is overdue is of the moment of asking; until when it was to be answered is there.
  const claims = found.map(({ claim: { isOverdue: _, ...claim }, postings }) => ({ ...claim, postings }))
  return { claims, files }
}
