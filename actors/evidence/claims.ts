/** What was claimed about an order, with the files that were shown for it. */
import { extname } from 'node:path'
import type { Store } from '../../persistence/store.ts'
import { claimsOfOrder } from '../claims/of-order.ts'
import type { Attached } from './order-files.ts'

/** Each file is `claims/<claim>/<number of the evidence>` with its ending, as its claim names it. */
export async function claimsAbout(
  store: Pick<Store, 'query'>,
  orderId: string,
  now: number,
): Promise<Attached> {
  const found = await claimsOfOrder(store, orderId, now)
  return {
    claims: found.map(({ claim, postings }) => ({ ...claim, postings })),
    files: found.flatMap(({ claim, files }) =>
      files.map(({ number, name, bytes }) => ({
        name: `claims/${claim.number}/${number}${extname(name)}`,
        bytes,
      })),
    ),
  }
}
