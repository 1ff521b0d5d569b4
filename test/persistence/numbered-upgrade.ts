/** A ledger from before postings had days and numbers, and what an upgrade makes of it, on either engine. */
import * as assert from 'uvu/assert'

const day = 86_400_000

/** One whose clock was set back between its second posting and its third. */
export const ledgerBefore = `
  INSERT INTO accounts (id, kind, owner_id, currency, balance_minor) VALUES
    ('bank::MXN', 'bank', '', 'MXN', -3), ('available:shop:MXN', 'available', 'shop', 'MXN', 1),
    ('reserved:shop:MXN', 'reserved', 'shop', 'MXN', 2), ('fee::MXN', 'fee', '', 'MXN', 0);
  INSERT INTO postings (id, kind, debit_account, credit_account, amount_minor, currency, posted_at) VALUES
    (3, 'deposit', 'bank::MXN', 'available:shop:MXN', 3, 'MXN', ${day - 1}),
    (5, 'reserve', 'available:shop:MXN', 'reserved:shop:MXN', 3, 'MXN', ${3 * day}),
    (6, 'release', 'reserved:shop:MXN', 'available:shop:MXN', 1, 'MXN', ${2 * day});
  INSERT INTO archived_balances (account_id, balance_minor) VALUES ('fee::MXN', 0);`

const readSides = `
  SELECT id, debit_day || ' ' || debit_number AS debit, credit_day || ' ' || credit_number AS credit
    FROM postings ORDER BY id`
const readAccounts = `
  SELECT id || ' ' || first_open_day || ' ' || posting_count AS account FROM accounts ORDER BY id`
const readFact = `SELECT value FROM facts WHERE name = 'postings.days_filled_up_to'`

/** @param read runs one of the queries above */
export async function assertNumbered(
  read: (sql: string) => Promise<Record<string, unknown>[]>,
): Promise<void> {
  const sides = await read(readSides)
  assert.equal(
    sides.map(({ id, debit, credit }) => [Number(id), debit, credit]),
    [
      [3, '1970-01-01 1', '1970-01-01 1'],
      [5, '1970-01-04 2', '1970-01-04 1'],
      // Its own day is the third: within an account no day goes back.
      [6, '1970-01-04 2', '1970-01-04 3'],
    ],
  )
  assert.equal(
    (await read(readAccounts)).map(({ account }) => account),
    [
      'available:shop:MXN 1970-01-04 3',
      'bank::MXN 1970-01-01 1',
      'fee::MXN  0',
      'reserved:shop:MXN 1970-01-04 2',
    ],
  )
  assert.equal(await read(readFact), [{ value: '6' }])
}
