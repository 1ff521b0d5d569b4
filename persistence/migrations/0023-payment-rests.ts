/** What came in from a provider and settles nothing yet. */
import type { Migration } from './migration.ts'

export const paymentRests: Migration = {
  name: '0023-payment-rests',
  sqlite: `
    ALTER TABLE payments ADD COLUMN rest_minor INTEGER NOT NULL DEFAULT 0
      CHECK (rest_minor >= 0 AND rest_minor <= amount_minor);
    CREATE INDEX payments_with_rest ON payments (party_id, currency, id) WHERE rest_minor > 0;

    -- What a payment that came in settles is below zero, as is what it settles of a statement.
    UPDATE payments SET rest_minor = amount_minor + coalesce((
        SELECT sum(allocations.amount_minor) FROM allocations
          WHERE allocations.source = 'payment' AND allocations.source_id = payments.id), 0)
      WHERE direction = 'in' AND party_account = 'provider' AND state = 'booked';
  `,
}
