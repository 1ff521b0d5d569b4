/**
 * The watch of one chain's latest blocks, that are not final yet: an order whose money is on its way is offered no
 * further transaction, and is offered one again when the money has vanished. Nothing is credited for a sighting.
 */
import type { ChainAdapter, Deposit } from '../../chain/chain.ts'
import type { Instant } from '../../machines/time.ts'
import type { ChainStanding } from './chain-standing.ts'
import type { PassResult } from './worker.ts'

export interface SightedOrder {
  readonly orderId: string
  readonly wallet: string
  readonly reference: string
  readonly assetId: string
  /** When its money was seen first; `null` while it was not. */
  readonly seenAt: Instant | null
}

export interface SightingsOptions {
  readonly chain: Pick<ChainAdapter, 'unfinalizedDeposits'>
  readonly clock: { now(): Instant }
  readonly standing: ChainStanding
  readonly pollMs: number
  /** Orders that can still be funded, and have not been. */
  waiting(now: Instant): Promise<readonly SightedOrder[]>
  /** Chain time before which no final deposit can be missing. */
  scannedTo(): Promise<Instant | null>
  seen(orderId: string, deposit: Deposit): Promise<void>
  vanished(orderId: string): Promise<void>
}

/** Clocks of chains and of this node may be so far apart. */
const toleranceMs = 60_000

export function createSightings(options: SightingsOptions) {
  const { chain, clock, standing, pollMs } = options

  return async function pass(): Promise<PassResult> {
    const waiting = await options.waiting(clock.now())
    if (waiting.length === 0) return { more: false, seen: { onTheirWay: 0 } }
    // Read before the blocks: what it has passed cannot become final behind it.
    const scannedTo = await options.scannedTo()
    const read = await chain.unfinalizedDeposits()
    if (!read.ok) return { more: false, nextAt: standing.failed('sightings', read.failure) }
    standing.answered('sightings')
    const byReference = new Map(
      read.value.flatMap((deposit) => deposit.references.map((reference) => [reference, deposit] as const)),
    )
    let onTheirWay = 0
    for (const order of waiting) {
      const deposit = byReference.get(order.reference)
      const isOn = deposit?.sender === order.wallet && deposit.assetId === order.assetId
      if (isOn) onTheirWay += 1
      if (isOn && order.seenAt === null) await options.seen(order.orderId, deposit)
      if (!isOn && isPast(order.seenAt, scannedTo)) await options.vanished(order.orderId)
    }
    return { more: false, nextAt: clock.now() + pollMs, seen: { onTheirWay } }
  }
}

/** The chain's final blocks have been read past the moment, so that they have it or it is gone. */
function isPast(seenAt: Instant | null, scannedTo: Instant | null): boolean {
  return seenAt !== null && scannedTo !== null && scannedTo > seenAt + toleranceMs
}
