/** Which orders have money on its way: seen on their chain, and not final yet. */
import type { ChainDeposit } from '../../chain/chain-deposits.ts'
import type { Blockchain } from '../../machines/blockchains.ts'
import { chainCursor, foreignOrderByReference, ordersSeen } from '../../persistence/queries/foreign-orders.ts'
import { type Decision, type Row, row, type Store } from '../../persistence/store.ts'
import { missingOf } from './transactions.ts'

/** How far a chain has to be read past what was seen until it counts as vanished. */
const vanishedAfterMs = 30_000

export async function markSeen(
  store: Store,
  blockchain: Blockchain,
  deposits: readonly ChainDeposit[],
): Promise<void> {
  const onTheWay = new Set<string>()
  for (const deposit of deposits) {
    for (const reference of deposit.references) {
      const [foreign] = await store.query(foreignOrderByReference, { reference })
      if (foreign === undefined || !isMeantFor(deposit, foreign)) continue
      onTheWay.add(foreign.order_id)
      if (foreign.seen_at === null && missingOf(foreign) > 0n) await setSeen(store, foreign.order_id, true)
    }
  }
  const [cursor] = await store.query(chainCursor, { blockchain })
  const scannedTo = cursor?.scanned_to_at ?? null
  if (scannedTo === null) return
  for (const { order_id, seen_at } of await store.query(ordersSeen, { blockchain })) {
    const hasVanished = !onTheWay.has(order_id) && seen_at !== null && scannedTo > seen_at + vanishedAfterMs
    if (hasVanished) await setSeen(store, order_id, false)
  }
}

async function setSeen(store: Store, orderId: string, isSeen: boolean): Promise<void> {
  await store.step({
    rows: { foreign: row('foreign_orders', { order_id: orderId }) },
    decide: ({ foreign }, at): Decision<null> => {
      if (foreign === null || (foreign.seen_at !== null) === isSeen) return { answer: null, writes: [] }
      const set = { seen_at: isSeen ? at : null }
      return { answer: null, writes: [{ update: 'foreign_orders', key: { order_id: orderId }, set }] }
    },
  })
}

function isMeantFor({ sender, assetId }: ChainDeposit, { wallet, asset_id }: Row<'foreign_orders'>): boolean {
  return sender === wallet && assetId === asset_id
}
