/** Statements: arguments, values and their types, and who may write. */
import { sql } from 'kysely'
import * as assert from 'uvu/assert'
import { statement } from '../../persistence/statement.ts'
import { row, type Write } from '../../persistence/store.ts'
import { find, merchantId, network, rejection, type WithStore, write } from './rows.ts'

export const partiesOf = statement<{ kind: 'merchant' | 'provider' }>()('parties.ofKind', ({ db }, arg) =>
  db.selectFrom('parties').select(['id', 'name', 'created_at']).where('kind', '=', arg('kind')).orderBy('id'),
)

const pairs = statement<Record<never, never>>()('pairs.all', ({ db }) => db.selectFrom('pairs').selectAll())

export const rename = statement<{ id: string; name: string }>()('parties.rename', ({ db }, arg) =>
  db
    .updateTable('parties')
    .set({ name: arg('name') })
    .where('id', '=', arg('id'))
    .returning(['id', 'name']),
)

const removeNetworks = statement<{ providerId: string }>()('networks.removeOf', ({ db }, arg) =>
  db.deleteFrom('networks').where('provider_id', '=', arg('providerId')),
)

export function statementContract(withStore: WithStore): void {
  withStore('a statement runs with other arguments each time', async (store) => {
    assert.equal(await store.query(partiesOf, { kind: 'merchant' }), [
      { id: merchantId, name: 'Demo Shop', created_at: 0 },
    ])
    assert.equal(await store.query(partiesOf, { kind: 'provider' }), [
      { id: 'p1', name: 'Demo Network', created_at: 0 },
    ])
  })

  withStore(
    'amounts are read exactly to the border of 2^63, instants and flags as numbers',
    async (store) => {
      const values = {
        merchant_id: merchantId,
        country: 'MX',
        currency: 'MXN',
        min_minor: 0n,
        max_minor: 2n ** 63n - 1n,
        cash_increment_minor: 2n ** 53n + 1n,
        pay_out: 1,
        pay_in: 0,
      } as const
      await write(store, [{ insert: 'pairs', values }])
      assert.equal(await store.query(pairs, {}), [values])
      const { merchant_id, country, currency } = values
      assert.equal(await find(store, row('pairs', { merchant_id, country, currency })), values)
    },
  )

  withStore('a number that would be rounded is an error, not a wrong number', async (store) => {
    await write(store, [
      { update: 'parties', key: { id: merchantId }, set: { frozen_at: Number.MAX_SAFE_INTEGER + 1 } },
    ])
    assert.match(String(await rejection(find(store, row('parties', { id: merchantId })))), 'frozen_at')
  })

  withStore('an amount that was computed with a fraction is an error', async (store) => {
    const half = statement<Record<never, never>>()('half', ({ db }) =>
      db.selectFrom('parties').select(sql<bigint>`1.5`.as('half_minor')),
    )
    assert.match(String(await rejection(store.query(half, {}))), 'half_minor')
  })

  withStore(
    'an argument that is missing or no value of a column is an error that names it',
    async (store) => {
      for (const args of [{}, { kind: true }, { kind: ['merchant'] }]) {
        const failed = await rejection(store.query(partiesOf, args as never))
        assert.match(String(failed), 'kind of parties.ofKind')
      }
    },
  )

  withStore('what is executed is committed and gives back its rows', async (store) => {
    assert.equal(await store.execute(rename, { id: merchantId, name: 'New Shop' }), [
      { id: merchantId, name: 'New Shop' },
    ])
    assert.equal(await store.execute(rename, { id: 'nobody', name: 'x' }), [])
    await write(store, [network('0001')])
    assert.equal(await store.execute(removeNetworks, { providerId: 'p1' }), [])
    assert.is(await find(store, row('networks', { network_id: '0001' })), null)
    assert.equal(await store.query(partiesOf, { kind: 'merchant' }), [
      { id: merchantId, name: 'New Shop', created_at: 0 },
    ])
  })

  withStore('an execution that fails rejects alone', async (store) => {
    const second: Write = {
      insert: 'parties',
      values: { id: 'm2', kind: 'merchant', name: 'Second', contact: '', created_at: 0 },
    }
    await write(store, [second])
    const [failed, other] = await Promise.all([
      rejection(store.execute(rename, { id: 'm2', name: 'Demo Shop' })),
      store.execute(rename, { id: 'p1', name: 'New Network' }),
    ])
    assert.instance(failed, Error)
    assert.equal(other, [{ id: 'p1', name: 'New Network' }])
  })

  withStore('a query may not write, and a decision may not query', async (store) => {
    assert.match(
      String(await rejection(store.query(rename, { id: merchantId, name: 'x' }))),
      'parties.rename',
    )
    let inside: Promise<unknown> = Promise.resolve()
    await store.step({
      rows: {},
      decide: () => {
        inside = rejection(store.query(partiesOf, { kind: 'merchant' }))
        return { answer: null, writes: [] }
      },
    })
    assert.match(String(await inside), 'parties.ofKind')
  })
}
