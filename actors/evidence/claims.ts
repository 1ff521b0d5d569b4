/** What was claimed about an order. */
import type { Store } from '../../persistence/store.ts'
import type { Attached } from './order-files.ts'

/** Nobody can claim anything yet. */
export async function claimsAbout(
  _store: Pick<Store, 'query'>,
  _orderId: string,
  _now: number,
): Promise<Attached> {
  return { claims: [], files: [] }
}
