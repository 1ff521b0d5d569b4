/** Makes the digests of consumers' e-mail addresses that were stored before there were digests, a few at a time. */
import { consumersWithoutDigest } from '../../persistence/queries/orders.ts'
import { rows, type Store, type Write } from '../../persistence/store.ts'
import type { PassResult } from '../foundation/worker.ts'
import { emailDigest } from './consumer-digest.ts'

/** Few enough that no creation waits for it. */
const consumersPerPass = 200

export async function makeDigests(store: Store, journalKey: string): Promise<PassResult> {
  const found = await store.query(consumersWithoutDigest, { limit: consumersPerPass })
  if (found.length === 0) return { more: false }
  const result = await store.step({
    rows: { consumers: rows('consumers', found) },
    decide: ({ consumers }) => {
      // Erased meanwhile, it has no address to be found by.
      const writes = consumers.flatMap((consumer): Write[] => {
        const digest = consumer === null ? null : emailDigest(journalKey, consumer.email)
        if (consumer === null || digest === null) return []
        const key = { order_id: consumer.order_id }
        return [{ update: 'consumers', key, set: { email_digest: digest } }]
      })
      return { answer: writes.length, writes }
    },
  })
  if (result.outcome !== 'committed') throw new Error(`Digests violated ${result.constraint}.`)
  return { more: result.answer === consumersPerPass }
}
