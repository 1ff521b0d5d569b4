/** Where an order may be paid: a table of networks, and who of them is listed for an order of 100.00 MXN in Mexico. */
import * as assert from 'uvu/assert'
import { placesForOrder } from '../../persistence/queries/checkout.ts'
import type { Write } from '../../persistence/store.ts'
import { type WithStore, write } from './rows.ts'

type Network = Extract<Write, { insert: 'networks' }>['values']

const order = { country: 'MX', currency: 'MXN', priceMinor: 10_000n }
const agreed = { country: 'MX', currency: 'MXN' }

const networks: readonly [name: string | null, terms: Partial<Network>, isListed: boolean][] = [
  ['without terms', {}, true],
  [null, agreed, false],
  ['cheap', { ...agreed, counter_fee_minor: 0n }, true],
  ['dear', { ...agreed, counter_fee_minor: 1200n }, true],
  ['exactly the least', { ...agreed, min_minor: 10_000n }, true],
  ['less than the least', { ...agreed, min_minor: 10_001n }, false],
  ['exactly the most', { ...agreed, max_minor: 10_000n }, true],
  ['more than the most', { ...agreed, max_minor: 9_999n }, false],
  ['another currency', { country: 'MX', currency: 'USD' }, false],
  ['another country', { country: 'CL', currency: 'MXN' }, false],
  ['any country', { currency: 'MXN' }, true],
  ['of a frozen provider', { ...agreed, provider_id: 'p2' }, false],
]

export function checkoutContract(withStore: WithStore): void {
  withStore('networks are listed for an order that they take, the cheapest first', async (store) => {
    const frozen = {
      id: 'p2',
      kind: 'provider',
      name: 'Frozen',
      contact: '',
      created_at: 0,
      frozen_at: 5,
    } as const
    const inserts = networks.map(([name, terms], index): Write => {
      const networkId = String(index).padStart(4, '0')
      return { insert: 'networks', values: { network_id: networkId, provider_id: 'p1', name, ...terms } }
    })
    await write(store, [{ insert: 'parties', values: frozen }, ...inserts])
    const found = await store.query(placesForOrder, order)
    const expected = networks.filter(([, , isListed]) => isListed).map(([name]) => name)
    const cheapest = ['cheap', 'dear']
    assert.equal(
      found.map(({ name }) => name),
      [...cheapest, ...expected.filter((name) => !cheapest.includes(name ?? ''))],
    )
    assert.ok(found.every(({ places }) => places === expected.length))
  })

  withStore('of forty networks twelve are read, and all are counted', async (store) => {
    const inserts = Array.from({ length: 40 }, (_, index): Write => {
      const name = `Network ${index}`
      return {
        insert: 'networks',
        values: { network_id: `${1000 + index}`, provider_id: 'p1', name, ...agreed },
      }
    })
    await write(store, inserts)
    const found = await store.query(placesForOrder, order)
    assert.equal([found.length, found[0]?.places], [12, 40])
  })
}
