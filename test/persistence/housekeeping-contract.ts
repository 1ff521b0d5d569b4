/** What is removed when it is old, and what has to stay of it. */
import * as assert from 'uvu/assert'
import { journalHashes } from '../../persistence/queries/anchors.ts'
import { forgetUnusedQuotes } from '../../persistence/queries/quote-retention.ts'
import { statement } from '../../persistence/statement.ts'
import { row, type Write } from '../../persistence/store.ts'
import { find, merchantId, newOrder, newQuote, type WithStore, write } from './rows.ts'

const quotes = statement<Record<never, never>>()('quotes.ids', ({ db }) =>
  db.selectFrom('quotes').select('id').orderBy('id'),
)

/** What stays of an order that was archived. */
function archivedOrder(id: string): Write {
  return {
    insert: 'archived_orders',
    values: {
      id,
      code: `code-${id}`,
      merchant_id: merchantId,
      merchant_order_id: `shop-${id}`,
      direction: 'PAY_OUT',
      status: 'COMPLETED',
      created_at: 1,
      archived_at: 2,
      file: '1970-01.jsonl',
      digest: '',
      journal_count: 0,
      journal_head: '',
      personal_key: 'key',
      email_digest: null,
      phone_digest: null,
      erased_at: null,
    },
  }
}

const entry = (orderId: string, position: number): Write => ({
  insert: 'journal',
  values: {
    position,
    order_id: orderId,
    sequence: position,
    entry_at: 1,
    actor: 'clock',
    credential_key: null,
    event_json: '{}',
    from_status: null,
    to_status: 'CREATED',
    outcome: 'accepted',
    hash: `hash ${position}`,
  },
})

export function housekeepingContract(withStore: WithStore): void {
  withStore('quotes that nobody has used are forgotten, the oldest first, and no others', async (store) => {
    await write(store, [
      newOrder('o1', 1),
      newQuote('used', 10, { order_id: 'o1' }),
      newQuote('oldest', 10),
      newQuote('old', 20),
      newQuote('young', 30),
    ])
    const ids = async () => (await store.query(quotes, {})).map(({ id }) => id)
    assert.is((await store.execute(forgetUnusedQuotes, { before: 30, limit: 1 })).length, 1)
    assert.equal(await ids(), ['old', 'used', 'young'])
    assert.is((await store.execute(forgetUnusedQuotes, { before: 30, limit: 9 })).length, 1)
    assert.equal(await ids(), ['used', 'young'])
  })

  withStore('neither code nor merchant_order_id of an archived order is used again', async (store) => {
    await write(store, [archivedOrder('o1')])
    const made = async (changes: { code: string; merchant_order_id: string }) => {
      const result = await write(store, [newOrder('o2', 3, changes)])
      return result.outcome === 'violated' ? result.constraint : result.outcome
    }
    const [code, merchant_order_id] = ['code-o1', 'shop-o1']
    assert.is(await made({ code: 'other', merchant_order_id }), 'orders.merchant_order_id')
    assert.is(await made({ code, merchant_order_id: 'other' }), 'orders.code')
    assert.is(await find(store, row('orders', { id: 'o2' })), null)
    assert.is(await made({ code: 'other', merchant_order_id: 'other' }), 'committed')
  })

  withStore('the hashes of the journal are read in their order, archived or not', async (store) => {
    const archived = [2, 3, 6].map(
      (position): Write => ({
        insert: 'archived_entries',
        values: { position, hash: `hash ${position}` },
      }),
    )
    await write(store, [newOrder('o1', 1), ...[1, 4, 5, 7].map((at) => entry('o1', at)), ...archived])
    const read = async (after: number, until: number, limit = 9) =>
      (await store.query(journalHashes, { after, until, limit })).map(({ position, hash }) => {
        assert.is(hash, `hash ${position}`)
        return position
      })
    assert.equal(await read(0, 9), [1, 2, 3, 4, 5, 6, 7])
    assert.equal(await read(1, 6), [2, 3, 4, 5, 6])
    assert.equal(await read(2, 9, 3), [3, 4, 5])
  })
}
