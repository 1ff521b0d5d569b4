/** What is searched for by what people have in hand: last digits of ids, a consumer's e-mail, references, numbers. */
import type { Migration } from './migration.ts'

export const search: Migration = {
  name: '0025-search',
  sqlite: `
    -- Tables show the end of an id. Its last six digits tell a handful apart among millions, and cost as little as can be.
    CREATE INDEX orders_by_last_digits ON orders (substr(id, 31));
    CREATE INDEX archived_orders_by_last_digits ON archived_orders (substr(id, 31));
    CREATE INDEX payments_by_last_digits ON payments (substr(id, 31));
    CREATE INDEX exceptions_by_last_digits ON exceptions (substr(id, 31));

    -- An HMAC, which goes with the address: no index holds one that may have to be erased.
    ALTER TABLE consumers ADD COLUMN email_digest TEXT CHECK (email_digest IS NULL OR email <> '');
    CREATE INDEX consumers_by_email ON consumers (email_digest) WHERE email_digest IS NOT NULL;
    -- Those from before there were digests, until the node has made them.
    CREATE INDEX consumers_without_digest ON consumers (order_id) WHERE email_digest IS NULL AND email <> '';
    CREATE INDEX archived_orders_by_email ON archived_orders (email_digest) WHERE email_digest IS NOT NULL;

    CREATE INDEX exceptions_by_transaction ON exceptions (transaction_id) WHERE transaction_id IS NOT NULL;
    CREATE INDEX payments_by_bank_reference ON payments (bank_reference) WHERE bank_reference IS NOT NULL;
    CREATE INDEX statements_by_number ON statements (number);
  `,
}
