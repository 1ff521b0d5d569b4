/** The ledger as hledger reads it: every balance is ours, to the minor unit. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { agree } from '../../support/agreed-terms.ts'
import { archiveOf } from '../../support/archive.ts'
import { assertSameBalances, hasHledger, hledgerBalances, journalOf } from '../../support/hledger.ts'
import { commit, hourMs, inOrderWorld, otherShop, shop, tills } from '../../support/order-world.ts'
import { playRandomly } from '../../support/random-orders.ts'

const play = inOrderWorld(test)

const names = new Map<string, string>([shop, otherShop, tills.A, tills.B].map(({ id, name }) => [id, name]))
const plainName = (id: string): string => names.get(id) ?? id

if (hasHledger('the ledger as hledger reads it')) {
  for (const seed of [1, 2, 3]) {
    play(`random orders with fees have the same balances in hledger (seed ${seed})`, async (world) => {
      await agree(world)
      await playRandomly(world, seed, 60)
      assert.ok((await world.rows('postings')).length > 10)
      assertSameBalances(await journalOf(world.url), await world.rows('accounts'), plainName)
    })
  }

  play('what was archived is in the opening balances, so that totals are right', async (world) => {
    const archive = archiveOf(world)
    try {
      await agree(world)
      await playRandomly(world, 4, 40)
      await archive.deliver()
      const before = (await world.rows('postings')).length
      await archive.archive()
      assert.ok((await world.rows('postings')).length < before, 'some were archived')
      await playRandomly(world, 5, 20)
      const journal = await journalOf(world.url)
      assert.match(journal, 'opening balances  ; currency:MXN')
      assertSameBalances(journal, await world.rows('accounts'), plainName)
    } finally {
      archive.close()
    }
  })

  play('a period begins with what was before it, and ends with its last day', async (world) => {
    await world.deposit(100_000n)
    const first = new Date(world.clock.now()).toISOString().slice(0, 10)
    world.clock.advance(48 * hourMs)
    const second = new Date(world.clock.now()).toISOString().slice(0, 10)
    await world.deposit(20_000n)
    const both = await journalOf(world.url, { from: second })
    assert.match(both, `${second} opening balances`)
    assert.is(both.split(' deposit  ;').length, 2, 'one is told by itself')
    assertSameBalances(both, await world.rows('accounts'), plainName)
    const early = hledgerBalances(await journalOf(world.url, { to: first }))
    assert.is(early.get('assets:bank MXN'), 100_000n)
  })

  play(
    'names that mean something to hledger are names all the same, and two parties stay two',
    async (world) => {
      const odd = 'A:b  c;d  ; (e) [f] = @ "g" ñ\u00a0\u3000日本 *'
      await commit(world.store, [
        { update: 'parties', key: { id: shop.id }, set: { name: odd } },
        { update: 'parties', key: { id: otherShop.id }, set: { name: odd.replace(':', '.') } },
      ])
      const move = (ownerId: string, amountMinor: bigint) => ({
        kind: 'deposit',
        debit: { kind: 'bank', ownerId: '', currency: 'MXN' } as const,
        credit: { kind: 'available', ownerId, currency: 'MXN' } as const,
        amountMinor,
        orderId: null,
        reference: 'wire 1, tag:x; (y)\nz',
      })
      await commit(world.store, [{ post: move(shop.id, 5n) }, { post: move(otherShop.id, 7n) }])
      const spelled = 'A.b c,d , (e) [f] = @ "g" ñ 日本 *'
      const balances = hledgerBalances(await journalOf(world.url))
      assert.equal([...balances].filter(([, minor]) => minor !== 0n).toSorted(), [
        ['assets:bank MXN', 12n],
        [`liabilities:available:${spelled} (other) MXN`, -7n],
        [`liabilities:available:${spelled} (shop) MXN`, -5n],
      ])
    },
  )

  play('banks whose names hledger could not tell apart stay as many as they are', async (world) => {
    const banks = [
      'b:1',
      'b.1',
      'b.1 (b.1)',
      'b.1 (b%3A1)',
      'x;y',
      'x,y',
      'a  b',
      'a b',
      'a\u3000b',
      'main',
      '(main)',
    ]
    await commit(
      world.store,
      banks.map((name) => ({ insert: 'banks', values: { name, currency: 'MXN' } })),
    )
    for (const [index, ownerId] of banks.entries()) {
      const debit = { kind: 'bank', ownerId, currency: 'MXN' } as const
      const credit = { kind: 'equity', ownerId: '', currency: 'MXN' } as const
      const moved = { debit, credit, amountMinor: 2n ** BigInt(index), orderId: null, reference: null }
      await commit(world.store, [{ post: { kind: 'bank_capital', ...moved } }])
    }
    const balances = hledgerBalances(await journalOf(world.url))
    assert.equal(
      [...balances]
        .filter(([name]) => name.startsWith('assets:bank'))
        .toSorted(([, a], [, b]) => Number(a - b)),
      [
        ['assets:bank:b.1 (b%3A1) MXN', 1n],
        ['assets:bank:b.1 (b.1) MXN', 2n],
        ['assets:bank:b.1 (b.1) (b.1 %28b.1%29) MXN', 4n],
        ['assets:bank:b.1 (b%3A1) (b.1 %28b%253A1%29) MXN', 8n],
        ['assets:bank:x,y (x%3By) MXN', 16n],
        ['assets:bank:x,y (x,y) MXN', 32n],
        ['assets:bank:a b (a%20 b) MXN', 64n],
        ['assets:bank:a b (a b) MXN', 128n],
        ['assets:bank:a b (a%E3%80%80b) MXN', 256n],
        ['assets:bank:main MXN', 512n],
        ['assets:bank:(main) MXN', 1024n],
      ],
    )
  })

  play('currencies keep their decimals: none, two, three and six', async (world) => {
    for (const currency of ['CLP', 'MXN', 'KWD', 'USDC.SOLANA/6']) await world.deposit(1_234_567n, currency)
    const journal = await journalOf(world.url)
    for (const text of ['1234567 CLP', '12345.67 MXN', '1234.567 KWD', '1.234567 "USDC.SOLANA/6"'])
      assert.match(journal, `  ${text}  ;`)
    assertSameBalances(journal, await world.rows('accounts'), plainName)
  })

  play('the postings of an order at one instant are one transaction, with its id as code', async (world) => {
    await agree(world)
    await world.deposit(500_000n)
    const { id } = await world.order()
    await world.start(id, 'A')
    await world.confirm(id, 'A')
    const journal = await journalOf(world.url)
    const codes = journal.split('\n').filter((line) => line.includes(`(${id})`))
    const at = new Set(
      (await world.rows('postings'))
        .filter(({ order_id }) => order_id === id)
        .map(({ posted_at }) => posted_at),
    )
    assert.is(codes.length, at.size)
    for (const line of codes) assert.match(line, `order:${id}, at:`)
    hledgerBalances(journal)
  })

  play('an empty ledger is a journal, too', async (world) => {
    assert.equal([...hledgerBalances(await journalOf(world.url))], [])
  })
}

test.run()
