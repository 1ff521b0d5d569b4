/** Numbers and days of postings: each side has those of its account. */
import * as assert from 'uvu/assert'
import type { Instant } from '../../machines/time.ts'
import { row, type Store, type Write } from '../../persistence/store.ts'
import { accountsOf, deposit, merchantId, postings, type WithStore, write } from './rows.ts'

export function postingDaysContract(withStore: WithStore): void {
  numbers(withStore)
  days(withStore)
  planning(withStore)
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

function planning(withStore: WithStore): void {
  withStore('a step that plans days posts by them, as they are at that place of it', async (store, clock) => {
    const plan = (day: string, ends_at: Instant): Write => ({
      insert: 'cut_offs',
      values: { party_id: merchantId, currency: 'MXN', day, ends_at },
    })
    const drop = (day: string): Write => ({
      delete: 'cut_offs',
      key: { party_id: merchantId, currency: 'MXN', day },
    })
    clock.at = dayMs
    await write(store, [
      deposit(1n),
      ...cutOffs({ '1970-01-03': dayMs + 3_000, '1970-01-04': dayMs + 4_000 }),
      deposit(1n),
    ])
    clock.at = dayMs + 3_500
    await write(store, [
      deposit(1n),
      drop('1970-01-04'),
      plan('1970-01-05', dayMs + 4_000),
      deposit(1n),
      plan('1970-01-06', dayMs + 3_800),
      deposit(1n),
    ])
    assert.equal(await sidesOf(store, 'available:m1:MXN'), [
      '1 1970-01-02',
      '2 1970-01-03',
      '3 1970-01-04',
      '4 1970-01-05',
      '5 1970-01-06',
    ])
  })

  withStore('a step that is refused has planned nothing for those beside it', async (store, clock) => {
    clock.at = dayMs
    const { debit, credit } = accountsOf('MXN')
    const tooMuch = deposit(9n, { debit: credit, credit: debit })
    const [refused] = await Promise.all([
      write(store, [...cutOffs({ '1970-01-03': 2 * dayMs }), deposit(1n), tooMuch]),
      write(store, [deposit(1n)]),
    ])
    assert.is(refused?.outcome, 'violated')
    assert.equal(await sidesOf(store, 'available:m1:MXN'), ['1 1970-01-02'])
  })
}
