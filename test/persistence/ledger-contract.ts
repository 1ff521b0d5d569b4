/** Postings: both accounts and the posting move together, exactly. */
import * as assert from 'uvu/assert'
import type { Instant } from '../../machines/time.ts'
import { statement } from '../../persistence/statement.ts'
import { type Posting, row, type Store, type Write } from '../../persistence/store.ts'
import { accountsOf, balanceOf, merchantId, newOrder, rejection, type WithStore, write } from './rows.ts'

const postings = statement<Record<never, never>>()('postings.all', ({ db }) =>
  db.selectFrom('postings').selectAll().orderBy('id'),
)
const waiting = statement<Record<never, never>>()('funding.waiting', ({ db }) =>
  db.selectFrom('funding_requests').select(['order_id', 'position']).orderBy('position'),
)

const deposit = (amountMinor: bigint, changes: Partial<Posting> = {}): Write => ({
  post: {
    kind: 'deposit',
    ...accountsOf('MXN'),
    amountMinor,
    orderId: null,
    reference: null,
    ...changes,
  },
})

async function balances(store: Store): Promise<(bigint | null)[]> {
  return [await balanceOf(store, 'bank::MXN'), await balanceOf(store, 'available:m1:MXN')]
}

export function ledgerContract(withStore: WithStore): void {
  amounts(withStore)
  debts(withStore)
  numbers(withStore)
  days(withStore)
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

const dayMs = 86_400_000

/** What the sides of an account are: number and day, in the order of the numbers. */
async function sidesOf(store: Store, account: string): Promise<string[]> {
  const rows = await store.query(postings, {})
  const sides = rows.flatMap((row) => [
    { account: row.debit_account, number: row.debit_number, day: row.debit_day },
    { account: row.credit_account, number: row.credit_number, day: row.credit_day },
  ])
  return sides
    .filter((side) => side.account === account)
    .sort((a, b) => a.number - b.number)
    .map(({ number, day }) => `${number} ${day}`)
}

/** The merchant's, in pesos: the instants at which its days end. */
function cutOffs(ends: Readonly<Record<string, Instant>>): Write[] {
  const terms = { party_id: merchantId, currency: 'MXN', time_zone: 'America/Mexico_City', cut_off: '22:00' }
  return [
    {
      insert: 'settlement_terms',
      values: { ...terms, every_json: '"day"', after_banking_days: 1, changed_at: 0 },
    },
    ...Object.entries(ends).map(
      ([day, ends_at]): Write => ({
        insert: 'cut_offs',
        values: { party_id: merchantId, currency: 'MXN', day, ends_at },
      }),
    ),
  ]
}

async function accountOf(store: Store, id: string) {
  const account = row('accounts', { id })
  const read = await store.step({
    rows: { account },
    decide: ({ account }) => ({ answer: account, writes: [] }),
  })
  return read.outcome === 'committed' ? read.answer : null
}

const bank = 'bank::MXN'

function numbers(withStore: WithStore): void {
  withStore(
    'each side of a posting has the next number of its account, whoever is on the other',
    async (store) => {
      const { debit, credit } = accountsOf('MXN')
      const suspense = { ...debit, kind: 'suspense' } as const
      await write(store, [deposit(5n), deposit(2n, { debit: credit, credit: debit })])
      await write(store, [deposit(1n, { credit: suspense })])
      assert.equal(await sidesOf(store, bank), ['1 1970-01-01', '2 1970-01-01', '3 1970-01-01'])
      assert.equal(await sidesOf(store, 'available:m1:MXN'), ['1 1970-01-01', '2 1970-01-01'])
      assert.equal(await sidesOf(store, 'suspense::MXN'), ['1 1970-01-01'])
      assert.is((await accountOf(store, bank))?.posting_count, 3)
    },
  )

  withStore('a step that is refused uses no number', async (store) => {
    const { debit, credit } = accountsOf('MXN')
    await write(store, [deposit(1n)])
    const tooMuch = deposit(2n, { debit: credit, credit: debit })
    assert.equal(await write(store, [deposit(1n), tooMuch, tooMuch]), {
      outcome: 'violated',
      constraint: 'accounts.funds',
    })
    await write(store, [deposit(1n)])
    assert.equal(await sidesOf(store, bank), ['1 1970-01-01', '2 1970-01-01'])
    assert.is((await accountOf(store, 'available:m1:MXN'))?.posting_count, 2)
  })

  withStore('steps that arrive together share no number', async (store) => {
    await Promise.all(Array.from({ length: 100 }, () => write(store, [deposit(1n)])))
    const expected = Array.from({ length: 100 }, (_, index) => `${index + 1} 1970-01-01`)
    assert.equal(await sidesOf(store, bank), expected)
    assert.equal(await sidesOf(store, 'available:m1:MXN'), expected)
  })

  withStore('what is on its way to a party never goes below zero', async (store) => {
    const { debit, credit } = accountsOf('MXN')
    const payable = { ...credit, kind: 'payable' } as const
    await write(store, [deposit(5n, { credit: payable })])
    const more = await write(store, [deposit(6n, { debit: payable, credit: debit })])
    assert.equal(more, { outcome: 'violated', constraint: 'accounts.funds' })
  })
}

function days(withStore: WithStore): void {
  withStore('a day is that of UTC, to the millisecond', async (store, clock) => {
    for (const at of [dayMs - 1, dayMs, 2 * dayMs - 1]) {
      clock.at = at
      await write(store, [deposit(1n)])
    }
    assert.equal(await sidesOf(store, bank), ['1 1970-01-01', '2 1970-01-02', '3 1970-01-02'])
  })

  withStore(
    'with terms a day ends at the planned instant, and is its owner’s alone',
    async (store, clock) => {
      const noon = 12 * 3_600_000
      await write(store, [
        ...cutOffs({ '1970-01-01': noon, '1970-01-02': noon + dayMs }),
        deposit(1n, {
          debit: accountsOf('USD').debit,
          credit: { ...accountsOf('USD').credit, kind: 'reserved' },
        }),
      ])
      for (const at of [noon - 1, noon, noon + dayMs - 1, noon + dayMs]) {
        clock.at = at
        await write(store, [deposit(1n)])
      }
      assert.equal(await sidesOf(store, 'available:m1:MXN'), [
        '1 1970-01-01',
        '2 1970-01-02',
        '3 1970-01-02',
        // Nothing was planned beyond: UTC's.
        '4 1970-01-02',
      ])
      assert.equal(await sidesOf(store, bank), [
        '1 1970-01-01',
        '2 1970-01-01',
        '3 1970-01-02',
        '4 1970-01-02',
      ])
    },
  )

  withStore('steps that share a transaction have each the day of its own time', async (store, clock) => {
    await write(store, cutOffs({ '1970-01-01': 2_000, '1970-01-05': 3_000, '1970-01-07': 9_000 }))
    const readings = [2_000, 2_999, 3_000, 3_000]
    await Promise.all(
      readings.map((next) =>
        store.step({
          rows: {},
          decide: () => {
            // Each step reads the clock before it decides; the next one finds it so.
            clock.at = next
            return { answer: null, writes: [deposit(1n)] }
          },
        }),
      ),
    )
    const days = await sidesOf(store, 'available:m1:MXN')
    assert.equal(days, ['1 1970-01-01', '2 1970-01-05', '3 1970-01-05', '4 1970-01-07'])
  })

  withStore('an account goes back to no day, whatever the clock says', async (store, clock) => {
    clock.at = 3 * dayMs
    await write(store, [deposit(1n)])
    clock.at = dayMs
    store.followClock()
    const { debit } = accountsOf('MXN')
    await write(store, [deposit(1n, { credit: { ...debit, kind: 'suspense' } })])
    assert.equal(await sidesOf(store, bank), ['1 1970-01-04', '2 1970-01-04'])
    assert.equal(await sidesOf(store, 'suspense::MXN'), ['1 1970-01-02'], 'which has no such day yet')
  })

  withStore('nothing is posted before the first open day of an account', async (store) => {
    await write(store, [deposit(1n)])
    await write(store, [{ update: 'accounts', key: { id: bank }, set: { first_open_day: '1970-02-01' } }])
    await write(store, [deposit(1n)])
    assert.equal(await sidesOf(store, bank), ['1 1970-01-01', '2 1970-02-01'])
    assert.equal(await sidesOf(store, 'available:m1:MXN'), ['1 1970-01-01', '2 1970-01-01'])
  })

  withStore('a late booking says which day it is about, where that is another', async (store, clock) => {
    clock.at = 5 * dayMs
    const about = async (aboutAt: Instant) => {
      await write(store, [deposit(1n, { aboutAt })])
      return (await store.query(postings, {})).at(-1)?.about_day
    }
    assert.is(await about(5 * dayMs + 1), null)
    assert.is(await about(4 * dayMs - 1), '1970-01-04')
  })
}
