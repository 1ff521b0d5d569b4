/** Steps that write many rows of one table: each as it is, and in the order in which they were written. */
import * as assert from 'uvu/assert'
import { row, type Write } from '../../persistence/store.ts'
import { find, newOrder, type WithStore, write } from './rows.ts'

const texts = ['', 'NULL', '{"a": [1, "b"]}', 'back\\slash', '"', ',', "'", 'Ñandú\n🌮', ' متجر ', '{}']
const textOf = (index: number) => texts[index % texts.length] ?? ''
const count = 20

const valuesOf = (index: number) => ({
  price_minor: index === 7 ? 2n ** 63n - 1n : BigInt(index + 1),
  description: textOf(index),
  lock_network_id: index % 3 === 0 ? textOf(index) : null,
  locked_at: index % 4 === 0 ? index : null,
})

const entry = (orderId: string, at: number): Write => ({
  insert: 'journal',
  values: {
    ...{ order_id: orderId, sequence: 1, entry_at: at, actor: '', event_json: '{}', hash: '' },
    ...{ credential_key: null, from_status: null, to_status: 'CREATED', outcome: 'accepted' },
  },
})

export function manyWritesContract(withStore: WithStore): void {
  withStore('many rows of one step are written as they are, in its order', async (store) => {
    const numbers = Array.from({ length: count }, (_, index) => index)
    const orders = numbers.map((index) => newOrder(`o${index}`, 1, valuesOf(index)))
    const moved: Write = { update: 'orders', key: { id: 'o3' }, set: { locked_at: 99 } }
    const facts = texts.map(
      (value, index): Write => ({ insert: 'facts', values: { name: `${index}`, value } }),
    )
    const backwards = numbers.toReversed()
    const entries = backwards.map((index) => entry(`o${index}`, index))
    const writes = [...orders, moved, ...facts.slice(0, 5), ...entries, ...facts.slice(5)]
    assert.is((await write(store, writes)).outcome, 'committed')
    for (const index of numbers) {
      const found = Object(await find(store, row('orders', { id: `o${index}` })))
      const { price_minor, description, lock_network_id, locked_at } = found
      const given = { ...valuesOf(index), ...(index === 3 ? { locked_at: 99 } : {}) }
      assert.equal({ price_minor, description, lock_network_id, locked_at }, given)
    }
    for (const [index, value] of texts.entries())
      assert.equal(await find(store, row('facts', { name: `${index}` })), { name: `${index}`, value })
    const positions = backwards.map(async (index) => {
      const found = await find(store, row('journal', { order_id: `o${index}`, sequence: 1 }))
      return Object(found).position
    })
    assert.equal(
      await Promise.all(positions),
      numbers.map((index) => index + 1),
    )
  })
}
