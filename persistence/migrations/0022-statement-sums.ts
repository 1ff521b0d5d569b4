/** What a statement adds up by kind, kept when it is sealed: nobody reads all of its lines to be told. */
import type { Migration } from './migration.ts'

export const statementSums: Migration = {
  name: '0022-statement-sums',
  sqlite: `
    -- The direction of lines that have none is ''.
    CREATE TABLE statement_sums (
      party_id TEXT NOT NULL,
      currency TEXT NOT NULL,
      number INTEGER NOT NULL,
      kind TEXT NOT NULL,
      direction TEXT NOT NULL CHECK (direction IN ('', 'PAY_OUT', 'PAY_IN')),
      line_count INTEGER NOT NULL CHECK (line_count > 0),
      amount_minor INTEGER NOT NULL,
      fee_minor INTEGER NOT NULL,
      tax_minor INTEGER NOT NULL,
      PRIMARY KEY (party_id, currency, number, kind, direction),
      FOREIGN KEY (party_id, currency, number) REFERENCES statements (party_id, currency, number)
    ) STRICT, WITHOUT ROWID;

    INSERT INTO statement_sums
      SELECT lines.party_id, lines.currency, lines.number, lines.kind, coalesce(lines.direction, ''), count(*),
          sum(lines.amount_minor), sum(lines.fee_minor), sum(lines.tax_minor)
        FROM statement_lines AS lines
          JOIN statements ON statements.party_id = lines.party_id AND statements.currency = lines.currency
            AND statements.number = lines.number
        WHERE statements.sealed_at IS NOT NULL
        GROUP BY lines.party_id, lines.currency, lines.number, lines.kind, coalesce(lines.direction, '');
  `,
}
