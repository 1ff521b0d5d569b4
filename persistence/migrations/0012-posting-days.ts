/** Each side of a posting has a day and a number in its account; accounts count them, and may be of more kinds. */
import type { Migration } from './migration.ts'

const kinds = `'available', 'reserved', 'bank', 'provider', 'suspense', 'rounding', 'treasury', 'debt', 'deposit',
  'exchange', 'fee', 'tax_collected', 'tax_credited', 'payable', 'transit', 'equity', 'fx_result'`

/** Of these nobody has less than nothing. */
const funds = "'available', 'reserved', 'payable'"

/** Numbers by id in each account; the latest day so far, because clocks that were set back left earlier ones behind. */
const sides = `
  SELECT id, side, account, row_number() OVER (PARTITION BY account ORDER BY id) AS number,
      max(posted_at) OVER (PARTITION BY account ORDER BY id) AS latest_at
    FROM (SELECT id, 'debit' AS side, debit_account AS account, posted_at FROM postings
      UNION ALL SELECT id, 'credit', credit_account, posted_at FROM postings) AS each_side`

/** What is there gets UTC's days; the fact says up to which posting. */
const fill = (day: (instant: string) => string) => `
  UPDATE postings SET debit_number = sides.number, debit_day = ${day('sides.latest_at')}
    FROM (${sides}) AS sides WHERE sides.id = postings.id AND sides.side = 'debit';
  UPDATE postings SET credit_number = sides.number, credit_day = ${day('sides.latest_at')}
    FROM (${sides}) AS sides WHERE sides.id = postings.id AND sides.side = 'credit';
  CREATE UNIQUE INDEX postings_by_debit ON postings (debit_account, debit_number);
  CREATE UNIQUE INDEX postings_by_credit ON postings (credit_account, credit_number);
  UPDATE accounts SET posting_count = last.number, first_open_day = ${day('last.latest_at')}
    FROM (SELECT account, max(number) AS number, max(latest_at) AS latest_at FROM (${sides}) AS sides GROUP BY account)
      AS last WHERE last.account = accounts.id;
  INSERT INTO facts (name, value)
    SELECT 'postings.days_filled_up_to', CAST(max(id) AS TEXT) FROM postings HAVING count(*) > 0;`

export const postingDays: Migration = {
  name: '0012-posting-days',
  sqlite: `
    ALTER TABLE postings ADD COLUMN debit_day TEXT NOT NULL DEFAULT '';
    ALTER TABLE postings ADD COLUMN debit_number INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE postings ADD COLUMN credit_day TEXT NOT NULL DEFAULT '';
    ALTER TABLE postings ADD COLUMN credit_number INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE postings ADD COLUMN about_day TEXT;
    ALTER TABLE accounts ADD COLUMN posting_count INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE accounts ADD COLUMN first_open_day TEXT NOT NULL DEFAULT '';
    ALTER TABLE archived_balances ADD COLUMN posting_count INTEGER NOT NULL DEFAULT 0;
  `,
  onlySqlite: `
    ${fill((instant) => `strftime('%Y-%m-%d', ${instant} / 1000, 'unixepoch')`)}

    -- A CHECK cannot be changed: the table is made again. What refers to it is looked at once it is whole.
    PRAGMA defer_foreign_keys = ON;
    CREATE TEMP TABLE kept_accounts AS SELECT * FROM accounts;
    DROP TABLE accounts;
    CREATE TABLE accounts (
      id TEXT PRIMARY KEY,
      kind TEXT NOT NULL CHECK (kind IN (${kinds})),
      owner_id TEXT NOT NULL,
      currency TEXT NOT NULL,
      balance_minor INTEGER NOT NULL,
      posting_count INTEGER NOT NULL CHECK (posting_count >= 0),
      first_open_day TEXT NOT NULL,
      CONSTRAINT funds CHECK (kind NOT IN (${funds}) OR balance_minor >= 0)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO accounts (id, kind, owner_id, currency, balance_minor, posting_count, first_open_day)
      SELECT id, kind, owner_id, currency, balance_minor, posting_count, first_open_day FROM kept_accounts;
    DROP TABLE kept_accounts;
  `,
  postgres: `
    ${fill((instant) => `to_char(to_timestamp(${instant} / 1000) AT TIME ZONE 'UTC', 'YYYY-MM-DD')`)}
    ALTER TABLE accounts DROP CONSTRAINT accounts_kind_check;
    ALTER TABLE accounts ADD CONSTRAINT accounts_kind_check CHECK (kind IN (${kinds}));
    ALTER TABLE accounts DROP CONSTRAINT funds;
    ALTER TABLE accounts ADD CONSTRAINT funds CHECK (kind NOT IN (${funds}) OR balance_minor >= 0);
  `,
}
