/** Makes the digests of consumers' e-mail addresses and telephone numbers that were stored before there were any, a few at a time. */
import { consumersWithoutDigest, consumersWithoutPhoneDigest } from '../../persistence/queries/orders.ts'
import { type Row, rows, type Store, type Write } from '../../persistence/store.ts'
import type { PassResult } from '../foundation/worker.ts'
import { emailDigest, phoneDigest } from './consumer-digest.ts'

/** Few enough that no creation waits for it. */
const consumersPerPass = 200

type Digests = Partial<Pick<Row<'consumers'>, 'email_digest' | 'phone_digest'>>

export async function makeDigests(store: Store, journalKey: string): Promise<PassResult> {
  const limit = consumersPerPass
  const found = [
    ...(await store.query(consumersWithoutDigest, { limit })),
    ...(await store.query(consumersWithoutPhoneDigest, { limit })),
  ]
  if (found.length === 0) return { more: false }
  const ids = [...new Set(found.map(({ order_id }) => order_id))]
  const result = await store.step({
    rows: {
      consumers: rows(
        'consumers',
        ids.map((order_id) => ({ order_id })),
      ),
    },
    decide: ({ consumers }) => {
      const writes = consumers.flatMap((consumer): Write[] => {
        const set = consumer === null ? {} : missingDigests(consumer, journalKey)
        if (consumer === null || Object.keys(set).length === 0) return []
        return [{ update: 'consumers', key: { order_id: consumer.order_id }, set }]
      })
      return { answer: writes.length, writes }
    },
  })
  if (result.outcome !== 'committed') throw new Error(`Digests violated ${result.constraint}.`)
  return { more: result.answer >= limit }
}

/** Erased meanwhile, there is nothing to be found by. */
function missingDigests(consumer: Row<'consumers'>, journalKey: string): Digests {
  const { email, phone_number, email_digest, phone_digest } = consumer
  const ofEmail = email_digest === null ? emailDigest(journalKey, email) : null
  const ofPhone = phone_digest === null ? phoneDigest(journalKey, phone_number) : null
  return {
    ...(ofEmail === null ? {} : { email_digest: ofEmail }),
    ...(ofPhone === null ? {} : { phone_digest: ofPhone }),
  }
}
