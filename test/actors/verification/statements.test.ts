/** What `verify` finds of statements: each fault that is planted, by a line that names the statement and what differs. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { cutOffOf } from '../../../actors/terms/days.ts'
import { readStatementFindings } from '../../../actors/verification/statements.ts'
import { openReader } from '../../../persistence/index.ts'
import { isOnPostgres, testDatabases } from '../../support/database.ts'
import { orderWorlds, shop, tills } from '../../support/order-world.ts'
import { agree, closerOf } from '../../support/statement-world.ts'

const inWorld = orderWorlds(test)
const databases = testDatabases(test)
const days = ['2026-03-01', '2026-03-02']
const mexico = { timeZone: 'America/Mexico_City', cutOff: '22:00' }
let sound = ''

async function findingsOf(url: string) {
  const reader = await openReader(url)
  try {
    return await readStatementFindings(reader)
  } finally {
    await reader.close()
  }
}

test('statements that were closed, swept, set off and sealed are what their postings say', async () => {
  await inWorld(async (world) => {
    await agree(world.store, tills.A.id, days)
    await agree(world.store, shop.id, days)
    const goTo = (at: number) => world.clock.advance(at - world.clock.now())
    const take = async (direction: 'PAY_IN' | 'PAY_OUT', priceMinor: bigint) => {
      const order = await world.order({ direction, priceMinor })
      await world.start(order.id, 'A')
      await world.confirm(order.id, 'A')
    }
    await take('PAY_IN', 30_000n)
    await take('PAY_IN', 20_000n)
    goTo(cutOffOf('2026-03-01', mexico))
    const closer = closerOf(world)
    await closer.pass()
    await world.deposit(90_000n)
    await take('PAY_OUT', 60_000n)
    goTo(cutOffOf('2026-03-02', mexico))
    await closer.pass()
    assert.equal(closer.errors, [])
    assert.equal(await findingsOf(world.url), { statements: 4, problems: [] })
    sound = await databases.copy(world.url)
  })
})

const first = `party_id = '${tills.A.id}' AND number = 1`
const second = `party_id = '${tills.A.id}' AND number = 2`
const ofShop = `party_id = '${shop.id}' AND number = 1`

const faults: [what: string, sql: string, told: RegExp][] = [
  [
    'a number is missing',
    `UPDATE statements SET number = 5 WHERE ${second}`,
    /^statement 5 of .*: 3 numbers before it are missing, and 0 are recorded as lost$/,
  ],
  [
    'the last statement is gone',
    `DELETE FROM statements WHERE ${second}`,
    /counts 2 statements, and has none beyond 1$/,
  ],
  [
    'an opening balance is another',
    `UPDATE statements SET opening_minor = opening_minor + 1 WHERE ${second}`,
    /^statement 2 of .*: it opens with -49999, and statement 1 closed with -50000$/,
  ],
  [
    'a closing balance is another',
    `UPDATE statements SET closing_minor = closing_minor + 1 WHERE ${first}`,
    /^statement 1 of .*: its accounts come to -50000, and it closes with -49999$/,
  ],
  [
    'days overlap',
    `UPDATE statements SET from_day = '2026-03-01' WHERE ${second}`,
    /: it begins with 2026-03-01, and statement 1 ended with 2026-03-01$/,
  ],
  [
    'numbers of an account overlap',
    `UPDATE statement_ranges SET first_number = first_number - 1 WHERE ${second} AND account_id LIKE 'provider:%'`,
    /: its numbers of provider:.* begin with 2, and the one before ended with 2$/,
  ],
  [
    'numbers of an account are left out',
    `UPDATE statement_ranges SET last_number = 1, sealed_number = 1 WHERE ${first} AND account_id LIKE 'provider:%'`,
    /: its line 2 has no postings$/,
  ],
  [
    'an account is left out',
    `DELETE FROM statement_ranges WHERE ${first} AND account_id LIKE 'transit:%'`,
    /: it has no range of transit:/,
  ],
  ['a line is gone', `DELETE FROM statement_lines WHERE ${first} AND line = 1`, /: its line 1 is missing$/],
  [
    'the last line is gone',
    `DELETE FROM statement_lines WHERE ${first} AND line = 2`,
    /: it has no line of number 2 of provider:/,
  ],
  [
    'a line has another amount',
    `UPDATE statement_lines SET amount_minor = amount_minor + 1 WHERE ${first} AND line = 2`,
    /: its line 2 is not what its postings say$/,
  ],
  [
    'a line has another balance',
    `UPDATE statement_lines SET balance_minor = 0 WHERE ${first} AND line = 1`,
    /: its line 1 has a balance of 0, not of -30000$/,
  ],
  [
    'a reference of a line was changed',
    `UPDATE statement_lines SET reference = 'another' WHERE ${ofShop} AND line = 1`,
    /: its digest is not that of the lines that are stored$/,
  ],
  [
    'a sum is another',
    `UPDATE statement_sums SET amount_minor = 5 WHERE ${first}`,
    /: it has the sum settle PAY_IN: 2 lines, 5 0 0, which its lines do not$/,
  ],
  [
    'a sum is gone',
    `DELETE FROM statement_sums WHERE ${first}`,
    /: its lines add up to settle PAY_IN: 2 lines, -50000 0 0, which is not kept$/,
  ],
  [
    'a count is another',
    `UPDATE statements SET line_count = 3 WHERE ${first}`,
    /: it was closed with 3 lines, and has 2$/,
  ],
  [
    'what is due to a provider is another',
    `UPDATE statements SET due_minor = due_minor - 1 WHERE ${first}`,
    /: -50001 are due by it, and its lines but for those by a bank come to -50000$/,
  ],
  [
    'what is due to a merchant is another',
    `UPDATE statements SET due_minor = due_minor + 1 WHERE ${ofShop}`,
    /: 50001 are due by it, and 50000 were taken to payable$/,
  ],
  [
    'what was swept is another',
    `UPDATE postings SET amount_minor = 1 WHERE kind = 'sweep' AND reference = 'statement 1'`,
    /: it has 50000 taken to payable, its posting says 1$/,
  ],
  [
    'a statement does not follow on the one before',
    `UPDATE statements SET previous_digest = 'another' WHERE ${second}`,
    /: it follows on the digest another, and the statement before has /,
  ],
  [
    'a set-off is not met',
    `DELETE FROM allocations WHERE ${second}`,
    /^statement 1 of .*: -50000 are set off against statement 2, which is not set off as much against it$/,
  ],
]

// PostgreSQL itself refuses it, whoever writes it.
if (!isOnPostgres) {
  faults.push([
    'more is settled than is due',
    `UPDATE statements SET allocated_minor = -50001 WHERE ${first}`,
    /: -50000 are due by it, and -50001 of that are settled$/,
  ])
}

for (const [what, sql, told] of faults) {
  test(`it is found that ${what}`, async () => {
    const { problems } = await findingsOf(await databases.changed(sound, sql))
    assert.ok(
      problems.some((problem) => told.test(problem)),
      problems.join('\n'),
    )
  })
}

test('a line whose order is in the archive needs no postings', async () => {
  const archived = `
    INSERT INTO archived_orders (id, code, merchant_id, merchant_order_id, direction, status, created_at, archived_at, file,
        digest, journal_count, journal_head, erased_at)
      SELECT id, code, merchant_id, merchant_order_id, direction, status, created_at, 1, 'a file', '', 0, '', 1
      FROM orders WHERE id IN (SELECT order_id FROM statement_lines WHERE ${first} AND line = 1)`
  const gone = `DELETE FROM postings WHERE order_id IN (SELECT order_id FROM statement_lines WHERE ${first} AND line = 1)`
  const missing = await findingsOf(await databases.changed(sound, gone))
  assert.ok(missing.problems.some((problem) => /: its line 1 has no postings$/.test(problem)))
  const { problems } = await findingsOf(await databases.changed(sound, `${gone}; ${archived}`))
  assert.equal(problems, [])
})

test.run()
