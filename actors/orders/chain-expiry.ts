/**
 * When an order that waits for its chain may expire: not before the chain has been read past its expiry, so that a
 * deposit made in time and read late still counts; but not for ever either (protocol 3.5).
 */
import type { Instant } from '../../machines/time.ts'
import { chainCursor, foreignOrderById } from '../../persistence/queries/foreign-orders.ts'
import type { Row, Store } from '../../persistence/store.ts'

/**
 * `due`: its chain says nothing against it. `chain_behind`: the chain has not been read that far. `chain_out`: and
 * has not been read at all for so long that it ends nevertheless.
 */
export type Ending = 'due' | 'chain_behind' | 'chain_out'

export interface ChainExpiryOptions {
  maxOutageMs: number
  /** Since when this node looks: while it was stopped nobody could have read the chain. */
  startedAt: Instant
}

/** Whether an order's expiry asks its chain first. */
export function waitsForChain({ machine, status }: Pick<Row<'orders'>, 'machine' | 'status'>): boolean {
  return machine === 'payOutForeign' && status === 'CREATED'
}

/** An outage that began before this moment ends the waiting. */
export function outageBefore({ maxOutageMs, startedAt }: ChainExpiryOptions, now: Instant): Instant {
  const before = now - maxOutageMs
  return startedAt < before ? before : Number.MIN_SAFE_INTEGER
}

/**
 * Read beside the step that applies it: a chain's cursor only moves on, and what it has passed is stored, so an older
 * one merely waits longer.
 */
export async function judgeEnding(
  store: Store,
  order: Pick<Row<'orders'>, 'id' | 'expiry_at' | 'created_at'>,
  options: ChainExpiryOptions,
  now: Instant,
): Promise<Ending> {
  const [foreign] = await store.query(foreignOrderById, { orderId: order.id })
  if (foreign === undefined) throw new Error(`Order ${order.id} has no foreign side.`)
  const [cursor] = await store.query(chainCursor, { blockchain: foreign.blockchain })
  const scannedTo = cursor?.scanned_to_at ?? null
  if (scannedTo !== null && scannedTo > order.expiry_at) return 'due'
  const readAt = cursor?.read_at ?? order.created_at
  return readAt < outageBefore(options, now) ? 'chain_out' : 'chain_behind'
}
