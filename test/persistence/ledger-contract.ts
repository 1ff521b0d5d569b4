/** Postings: both accounts and the posting move together, exactly. */
import * as assert from 'uvu/assert'
import { statement } from '../../persistence/statement.ts'
import type { Store, Write } from '../../persistence/store.ts'
import {
  accountsOf,
  balanceOf,
  deposit,
  merchantId,
  newOrder,
  postings,
  rejection,
  type WithStore,
  write,
} from './rows.ts'

const waiting = statement<Record<never, never>>()('funding.waiting', ({ db }) =>
  db.selectFrom('funding_requests').select(['order_id', 'position']).orderBy('position'),
)

async function balances(store: Store): Promise<(bigint | null)[]> {
  return [await balanceOf(store, 'bank::MXN'), await balanceOf(store, 'available:m1:MXN')]
}

export function ledgerContract(withStore: WithStore): void {
  amounts(withStore)
  debts(withStore)
  queue(withStore)
}

function amounts(withStore: WithStore): void {
  withStore(
    'a posting takes from one account and gives to the other, at the time of its step',
    async (store) => {
      await write(store, [deposit(500n)])
      await write(store, [newOrder('o1', 1), deposit(200n, { kind: 'again', orderId: 'o1', reference: 'r' })])
      assert.equal(await balances(store), [-700n, 700n])
      const rows = await store.query(postings, {})
      const ids = rows.map((posting) => posting.id)
      assert.ok(Number(ids[0]) < Number(ids[1]))
      assert.equal(
        rows.map(({ id: _, ...posting }) => posting),
        [
          {
            kind: 'deposit',
            debit_account: 'bank::MXN',
            credit_account: 'available:m1:MXN',
            amount_minor: 500n,
            currency: 'MXN',
            order_id: null,
            reference: null,
            posted_at: 1000,
            debit_day: '1970-01-01',
            debit_number: 1,
            credit_day: '1970-01-01',
            credit_number: 1,
            about_day: null,
          },
          {
            kind: 'again',
            debit_account: 'bank::MXN',
            credit_account: 'available:m1:MXN',
            amount_minor: 200n,
            currency: 'MXN',
            order_id: 'o1',
            reference: 'r',
            posted_at: 1000,
            debit_day: '1970-01-01',
            debit_number: 2,
            credit_day: '1970-01-01',
            credit_number: 2,
            about_day: null,
          },
        ],
      )
    },
  )

  withStore('a balance reaches 2^63 − 1, and a sum beyond it is refused, not rounded', async (store) => {
    const largest = 2n ** 63n - 1n
    await write(store, [deposit(largest)])
    assert.equal(await balances(store), [-largest, largest])
    assert.instance(await rejection(write(store, [deposit(1n)])), Error)
    // The bank could take one more: −2^63 is an integer still, and a float beyond it would look like it.
    const { debit } = accountsOf('MXN')
    const toSuspense = { credit: { ...debit, kind: 'suspense' } } as const
    await write(store, [deposit(1n, toSuspense)])
    assert.is(await balanceOf(store, 'bank::MXN'), -(2n ** 63n))
    assert.instance(await rejection(write(store, [deposit(1n, toSuspense)])), Error)
    assert.equal(await balances(store), [-(2n ** 63n), largest])
    assert.is(await balanceOf(store, 'suspense::MXN'), 1n)
    assert.is((await store.query(postings, {})).length, 2)
  })

  withStore('a posting of nothing, of less, or between two currencies is refused', async (store) => {
    const { debit } = accountsOf('MXN')
    const faults = [deposit(0n), deposit(-1n), deposit(1n, { debit: { ...debit, currency: 'USD' } })]
    for (const fault of faults)
      assert.match(String(await rejection(write(store, [fault]))), 'posting deposit')
    assert.equal(await balances(store), [null, null])
  })
}

function debts(withStore: WithStore): void {
  withStore(
    'what is owed is taken out of what is available, and no more than either of them',
    async (store) => {
      const { credit: available } = accountsOf('MXN')
      const debt = { ...available, kind: 'debt' } as const
      const repay = (currency = 'MXN'): Write => ({ repay: { merchantId, currency, reference: 'r' } })
      const owing = async () => [
        await balanceOf(store, 'available:m1:MXN'),
        (await balanceOf(store, 'debt:m1:MXN')) ?? 0n,
      ]
      await write(store, [deposit(500n), repay()])
      assert.equal(await owing(), [500n, 0n], 'nothing is owed')
      await write(store, [
        deposit(300n, { kind: 'borrow', debit: debt, credit: { ...available, kind: 'bank' } }),
      ])
      await write(store, [repay('USD')])
      assert.equal(await owing(), [500n, -300n], 'a debt of one currency is not repaid in another')
      await write(store, [repay()])
      assert.equal(await owing(), [200n, 0n])
      await write(store, [
        deposit(1000n, { kind: 'borrow', debit: debt, credit: { ...available, kind: 'bank' } }),
      ])
      // In one step with what arrives, and behind it.
      await write(store, [deposit(50n), repay()])
      assert.equal(await owing(), [0n, -750n])
      await write(store, [repay()])
      assert.equal(await owing(), [0n, -750n], 'nothing is available')
      const repaid = (await store.query(postings, {})).filter(({ kind }) => kind === 'repay')
      assert.equal(
        repaid.map(({ debit_account, credit_account, amount_minor, order_id, reference }) => [
          debit_account,
          credit_account,
          amount_minor,
          order_id,
          reference,
        ]),
        [300n, 250n].map((amount) => ['available:m1:MXN', 'debt:m1:MXN', amount, null, 'r']),
      )
    },
  )
}

function queue(withStore: WithStore): void {
  withStore('requests for funding queue in the order they were made', async (store) => {
    for (const id of ['o2', 'o1', 'o3']) {
      await write(store, [
        newOrder(id, 1),
        {
          insert: 'funding_requests',
          values: { order_id: id, merchant_id: 'm1', currency: 'MXN', price_minor: 1n },
        },
      ])
    }
    const queue = await store.query(waiting, {})
    assert.equal(
      queue.map((request) => request.order_id),
      ['o2', 'o1', 'o3'],
    )
  })
}
