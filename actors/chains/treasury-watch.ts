/**
 * On every node: a treasury that holds something else than its books say degrades it, until that is explained; refunds
 * that were not seen leaving are told. So does a chain of which it was lost how far it was read.
 */
import { blockchains } from '../../machines/blockchains.ts'
import { formatUnits } from '../../machines/money.ts'
import { placesLost } from '../../persistence/queries/alarms.ts'
import { treasuryCounts } from '../../persistence/queries/treasuries.ts'
import type { Store } from '../../persistence/store.ts'
import type { Condition } from '../condition/condition.ts'
import type { PassResult } from '../foundation/worker.ts'
import { createRefundWatch } from './refund-watch.ts'

export function createTreasuryWatch(options: {
  store: Store
  condition: Condition
}): () => Promise<PassResult> {
  const { store, condition } = options
  const lookAtRefunds = createRefundWatch(store)
  return async () => {
    await lookAtRefunds()
    await lookAtPlaces(store, condition)
    const told = (await store.query(treasuryCounts, {})).filter(({ told_units }) => told_units !== '0')
    for (const blockchain of blockchains) {
      const part = `treasury:${blockchain}`
      const reasons = told
        .filter((count) => count.blockchain === blockchain)
        .map(({ told_units, decimals, symbol, exception_id }) => {
          const units = BigInt(told_units)
          const amount = formatUnits(units < 0n ? -units : units, decimals)
          const which = units < 0n ? 'less' : 'more'
          return `The treasury on ${blockchain} holds ${amount} ${symbol} ${which} than its books say: exception show ${exception_id}`
        })
      const [reason] = reasons
      if (reason === undefined) condition.send({ type: 'recover', part })
      else condition.send({ type: 'degrade', part, reason })
    }
    return { more: false, seen: { differences: told.length } }
  }
}

async function lookAtPlaces(store: Store, condition: Condition): Promise<void> {
  const lost = await store.query(placesLost, {})
  for (const blockchain of blockchains) {
    const part = `reading:${blockchain}`
    const told = lost.find(({ chain }) => chain === blockchain)
    if (told === undefined) condition.send({ type: 'recover', part })
    else condition.send({ type: 'degrade', part, reason: `${told.reason} (exception show ${told.id})` })
  }
}
