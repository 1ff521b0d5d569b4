/** What every engine behind the store's port does, as one suite that each engine's test runs. */
import type { test as uvuTest } from 'uvu'
import * as assert from 'uvu/assert'
import type { Instant } from '../../machines/time.ts'
import { row, rows, type Store, StoreUnavailable, sharedRow, type Write } from '../../persistence/store.ts'
import { checkoutContract } from './checkout-contract.ts'
import { constraintContract } from './constraint-contract.ts'
import { housekeepingContract } from './housekeeping-contract.ts'
import { ledgerContract } from './ledger-contract.ts'
import { manyWritesContract } from './many-writes-contract.ts'
import { orderCountsContract } from './order-counts-contract.ts'
import { postingDaysContract } from './posting-days-contract.ts'
import { find, merchantId, network, newOrder, provision, rejection, type WithStore, write } from './rows.ts'
import { partiesOf, rename, statementContract } from './statement-contract.ts'

/** An empty database of its own, for one test. */
export interface TestDatabase {
  open(clock: { now(): Instant }): Promise<Store>
}

export type TestDatabases = () => TestDatabase

/** Registers the suite on `test`, each test on a database of its own. */
export function storeContract(test: typeof uvuTest, databases: TestDatabases): void {
  /** A clock that stands at 1,000 until it is set. */
  const withStore = (name: string, run: (store: Store, clock: { at: Instant }) => Promise<void>) => {
    test(name, async () => {
      const clock = { at: 1000, now: () => clock.at }
      const store = await databases().open(clock)
      try {
        await provision(store)
        await run(store, clock)
      } finally {
        await store.close()
      }
    })
  }

  steps(withStore)
  manyRows(withStore)
  manyWritesContract(withStore)
  failures(withStore)
  timeAndTopics(withStore)
  closing(test, databases)
  checkoutContract(withStore)
  constraintContract(withStore)
  ledgerContract(withStore)
  postingDaysContract(withStore)
  statementContract(withStore)
  housekeepingContract(withStore)
  orderCountsContract(withStore)
}

function steps(withStore: WithStore): void {
  withStore('a step sees the rows it names, and null where there is none', async (store) => {
    const result = await store.step({
      rows: {
        merchant: row('parties', { kind: 'merchant', name: 'Demo Shop' }),
        key: row('credentials', { key: 'mk_unknown' }),
        order: undefined,
      },
      decide: (rows) => ({ answer: { ...rows }, writes: [] }),
    })
    assert.equal(result, {
      outcome: 'committed',
      at: 1000,
      answer: {
        merchant: {
          id: merchantId,
          kind: 'merchant',
          name: 'Demo Shop',
          contact: 'ops@shop.example',
          requests_per_minute: null,
          frozen_at: null,
          frozen_reason: null,
          webhooks_paused_at: null,
          webhooks_resumed_at: null,
          webhook_credential_key: null,
          webhook_credential_at: null,
          created_at: 0,
          webhook_secret_ciphertext: null,
          webhook_secret_at: null,
          former_webhook_secret_ciphertext: null,
          former_webhook_secret_until_at: null,
        },
        key: null,
        order: null,
      },
    })
  })

  withStore('a step inserts, updates and deletes in the order it decided', async (store) => {
    await write(store, [
      network('0001'),
      network('0002'),
      { delete: 'networks', key: { network_id: '0001' } },
    ])
    await write(store, [
      { update: 'parties', key: { id: merchantId }, set: { frozen_at: 5, frozen_reason: 'lost key' } },
      { update: 'parties', key: { id: merchantId }, set: { frozen_reason: 'stolen key' } },
    ])
    assert.is(await find(store, row('networks', { network_id: '0001' })), null)
    const second = await find(store, row('networks', { network_id: '0002' }))
    assert.equal(JSON.parse(JSON.stringify(second)), {
      ...{ network_id: '0002', provider_id: 'p1', name: null, country: null, currency: null },
      ...{
        min_minor: null,
        max_minor: null,
        counter_fee_minor: null,
        hours: null,
        text_json: null,
        report_json: null,
      },
    })
    const party = await find(store, row('parties', { id: merchantId }))
    assert.is(JSON.stringify(party).includes('"frozen_at":5,"frozen_reason":"stolen key"'), true)
  })

  withStore('a delete may find nothing', async (store) => {
    const result = await write(store, [{ delete: 'networks', key: { network_id: '0001' } }])
    assert.is(result.outcome, 'committed')
  })

  withStore(
    'steps that arrive together follow one another: none overwrites what it did not see',
    async (store) => {
      await write(store, [{ insert: 'facts', values: { name: 'count', value: '0' } }])
      const answers = await Promise.all(
        Array.from({ length: 100 }, () =>
          store.step({
            rows: { fact: row('facts', { name: 'count' }) },
            decide: ({ fact }) => {
              const value = String(Number(fact?.value) + 1)
              return { answer: value, writes: [{ update: 'facts', key: { name: 'count' }, set: { value } }] }
            },
          }),
        ),
      )
      const seen = answers.map((result) => (result.outcome === 'committed' ? Number(result.answer) : result))
      assert.equal(
        seen.sort((a, b) => Number(a) - Number(b)),
        Array.from({ length: 100 }, (_, index) => index + 1),
      )
      assert.equal(await find(store, row('facts', { name: 'count' })), { name: 'count', value: '100' })
    },
  )
}

function manyRows(withStore: WithStore): void {
  withStore(
    'many rows of one table come in the order of their keys, and null where there is none',
    async (store) => {
      const keys = ['0002', 'nowhere', '0001', '0002'].map((id) => ({ network_id: id }))
      await write(store, [network('0001'), network('0002')])
      const result = await store.step({
        rows: {
          networks: rows('networks', keys),
          none: rows('orders', []),
          party: row('parties', { id: merchantId }),
        },
        decide: ({ networks, none, party }) => ({
          answer: { networks: networks.map((found) => found?.network_id ?? null), none, party: party?.id },
          writes: [],
        }),
      })
      assert.equal(result.outcome === 'committed' && result.answer, {
        networks: ['0002', null, '0001', '0002'],
        none: [],
        party: merchantId,
      })
    },
  )

  withStore(
    'a row that is shared is read by many steps, and none of them misses a change before it',
    async (store) => {
      const steps = Array.from({ length: 50 }, (_, index) =>
        index === 25
          ? store.step({
              rows: { merchant: row('parties', { id: merchantId }) },
              decide: (_found, at) => ({
                answer: 'frozen',
                writes: [{ update: 'parties', key: { id: merchantId }, set: { frozen_at: at } }],
              }),
            })
          : store.step({
              rows: { merchant: sharedRow('parties', { id: merchantId }) },
              decide: ({ merchant }) => ({ answer: merchant?.frozen_at ?? null, writes: [] }),
            }),
      )
      const answers = (await Promise.all(steps)).map((each) => each.outcome === 'committed' && each.answer)
      assert.is(answers[25], 'frozen')
      assert.equal(
        new Set(answers.filter((answer) => answer !== 'frozen' && answer !== null)),
        new Set([1000]),
      )
      const after = await store.step({
        rows: { merchant: sharedRow('parties', { id: merchantId }) },
        decide: ({ merchant }) => ({ answer: merchant?.frozen_at, writes: [] }),
      })
      assert.is(after.outcome === 'committed' && after.answer, 1000)
    },
  )
}

function failures(withStore: WithStore): void {
  withStore('what a decision throws rejects that step alone', async (store) => {
    const thrown = new Error('a broken invariant')
    const [before, failed, after] = await Promise.allSettled([
      write(store, [network('0001')]),
      store.step({
        rows: {},
        decide: () => {
          throw thrown
        },
      }),
      write(store, [network('0002')]),
    ])
    assert.is(before.status, 'fulfilled')
    assert.equal(failed, { status: 'rejected', reason: thrown })
    assert.is(after.status, 'fulfilled')
    assert.ok(await find(store, row('networks', { network_id: '0001' })))
    assert.ok(await find(store, row('networks', { network_id: '0002' })))
  })

  const faults: Record<string, Write> = {
    'an update of no row': { update: 'parties', key: { id: 'nobody' }, set: { contact: '' } },
    'an update by a key of many rows': { update: 'parties', key: { kind: 'merchant' }, set: { contact: '' } },
    'a deletion without a key': { delete: 'parties', key: {} },
    'a deletion by a key of many rows': { delete: 'parties', key: { kind: 'merchant' } },
    'a constraint that is no expected outcome': newOrder('o0', 1, { price_minor: 0n }),
    'a reference to nothing': newOrder('o0', 1, { credential_key: 'mk_unknown' }),
    'a number that is none': { update: 'parties', key: { id: merchantId }, set: { frozen_at: Number.NaN } },
    'an amount beyond 2^63': newOrder('o0', 1, { price_minor: 2n ** 63n }),
  }
  for (const [name, fault] of Object.entries(faults)) {
    withStore(`${name} rejects the step, with nothing of it written`, async (store) => {
      const [failed, other] = await Promise.all([
        rejection(write(store, [network('0001'), fault])),
        write(store, [network('0002')]),
      ])
      assert.instance(failed, Error)
      assert.is(other.outcome, 'committed')
      assert.is(await find(store, row('networks', { network_id: '0001' })), null)
      assert.ok(await find(store, row('networks', { network_id: '0002' })))
      assert.is((await store.query(partiesOf, { kind: 'merchant' })).length, 1)
    })
  }

  withStore('a row that many could be is not given to a step', async (store) => {
    const failed = await rejection(find(store, row('credentials', { party_id: merchantId })))
    assert.match(String(failed), 'credentials')
  })
}

function timeAndTopics(withStore: WithStore): void {
  withStore('a step has one time, and time never runs back', async (store, clock) => {
    const time = async () => {
      const result = await store.step({ rows: {}, decide: (_, at) => ({ answer: at, writes: [] }) })
      assert.is(result.outcome === 'committed' && result.answer === result.at, true)
      return result.outcome === 'committed' ? result.at : null
    }
    clock.at = 5000
    assert.is(await time(), 5000)
    clock.at = 4000
    assert.is(await time(), 5000)
    clock.at = 6000
    assert.is(await time(), 6000)
    clock.at = 2000
    store.followClock()
    assert.is(await time(), 2000, 'unless somebody says that the clock is right')
    clock.at = 1000
    assert.is(await time(), 2000)
  })

  withStore('listeners hear of a topic after a commit that named it', async (store) => {
    const heard: string[] = []
    const warned = new Promise<Error>((resolve) => process.once('warning', resolve))
    store.subscribe('orders', () => {
      throw new Error('a listener failed')
    })
    const stop = store.subscribe('orders', () => heard.push('stopped'))
    stop()
    store.subscribe('funding', () => heard.push('funding'))
    const called = new Promise<void>((resolve) => {
      store.subscribe('orders', () => {
        heard.push('orders')
        resolve()
      })
    })
    await store.step({
      rows: {},
      decide: () => ({ answer: null, writes: [network('0001')], wake: ['orders'] }),
    })
    await called
    assert.equal(heard, ['orders'])
    assert.is((await warned).message, 'a listener failed')
  })

  withStore('nobody is woken by a step that was not committed', async (store) => {
    const heard: string[] = []
    store.subscribe('orders', () => heard.push('orders'))
    const woken = new Promise<void>((resolve) => store.subscribe('webhooks', resolve))
    await write(store, [network('0001')])
    await store.step({
      rows: {},
      decide: () => ({ answer: null, writes: [network('0001')], wake: ['orders'] }),
    })
    await store.step({ rows: {}, decide: () => ({ answer: null, writes: [], wake: ['webhooks'] }) })
    await woken
    assert.equal(heard, [])
  })
}

function closing(test: typeof uvuTest, databases: TestDatabases): void {
  const clock = { now: () => 1000 }

  test('closing finishes what was begun, and what comes later is refused', async () => {
    const database = databases()
    const store = await database.open(clock)
    await provision(store)
    const begun = Array.from({ length: 100 }, (_, index) => write(store, [network(String(index))]))
    const renamed = store.execute(rename, { id: merchantId, name: 'New Shop' })
    const read = store.query(partiesOf, { kind: 'provider' })
    const closed = store.close()
    for (const late of [
      write(store, []),
      store.query(partiesOf, { kind: 'merchant' }),
      store.execute(rename, { id: merchantId, name: 'x' }),
    ]) {
      const failed = await rejection(late)
      assert.instance(failed, StoreUnavailable)
      assert.is(failed instanceof StoreUnavailable && failed.reason, 'closed')
    }
    for (const result of await Promise.all(begun)) assert.is(result.outcome, 'committed')
    assert.equal([(await renamed).length, (await read).length], [1, 1])
    await closed
    await store.close()

    const again = await database.open(clock)
    assert.ok(await find(again, row('networks', { network_id: '99' })))
    assert.equal(await again.query(partiesOf, { kind: 'merchant' }), [
      { id: merchantId, name: 'New Shop', created_at: 0 },
    ])
    await again.close()
  })
}
