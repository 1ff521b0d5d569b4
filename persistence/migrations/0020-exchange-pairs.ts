/** What *exchange* holds, told apart by which asset was exchanged for which money. */
import type { Migration } from './migration.ts'

const isOfExchange = (posting: string) =>
  `(substr(${posting}.debit_account, 1, 9) = 'exchange:' OR substr(${posting}.credit_account, 1, 9) = 'exchange:')`

const add = `asset_minor = exchange_pairs.asset_minor + excluded.asset_minor,
        money_minor = exchange_pairs.money_minor + excluded.money_minor,
        archived_asset_minor = exchange_pairs.archived_asset_minor + excluded.archived_asset_minor,
        archived_money_minor = exchange_pairs.archived_money_minor + excluded.archived_money_minor`

const counted = (id: string) => `
      INSERT INTO exchange_pairs SELECT asset, money, asset_minor, money_minor, 0, 0 FROM exchange_postings
        WHERE id = ${id} AND asset IS NOT NULL ON CONFLICT (asset, money) DO UPDATE SET ${add};`
const archived = (id: string) => `
      INSERT INTO exchange_pairs SELECT asset, money, 0, 0, asset_minor, money_minor FROM exchange_postings
        WHERE id = ${id} AND asset IS NOT NULL ON CONFLICT (asset, money) DO UPDATE SET ${add};`

/**
 * What is there is told by its orders. Of what is in the archive only sums are known: of one money they are those of its assets, where these
 * are one on several chains; whatever else has no name on its other side.
 */
const fill = (symbolOf: (currency: string) => string) => `
    INSERT INTO exchange_pairs SELECT asset, money, sum(asset_minor), sum(money_minor), 0, 0 FROM exchange_postings
      WHERE asset IS NOT NULL GROUP BY asset, money;
    WITH rest AS (SELECT accounts.currency, archived_balances.balance_minor AS minor, accounts.currency LIKE '%/%' AS is_asset
        FROM archived_balances JOIN accounts ON accounts.id = archived_balances.account_id
        WHERE accounts.kind = 'exchange' AND archived_balances.balance_minor <> 0),
      whole AS (SELECT count(DISTINCT CASE WHEN is_asset THEN ${symbolOf('currency')} END) AS symbols,
          count(CASE WHEN is_asset THEN 1 END) AS assets, count(CASE WHEN is_asset THEN NULL ELSE 1 END) AS moneys,
          min(CASE WHEN is_asset THEN currency END) AS asset, min(CASE WHEN is_asset THEN NULL ELSE currency END) AS money
        FROM rest)
    INSERT INTO exchange_pairs
      SELECT of_asset, of_money, sum(of_asset_minor), sum(of_money_minor), sum(of_asset_minor), sum(of_money_minor)
        FROM (SELECT CASE WHEN is_asset THEN currency WHEN symbols = 1 AND moneys = 1 THEN asset ELSE '' END AS of_asset,
            CASE WHEN NOT is_asset THEN currency WHEN symbols = 1 AND moneys = 1 THEN money ELSE '' END AS of_money,
            CASE WHEN is_asset THEN minor ELSE 0 END AS of_asset_minor, CASE WHEN is_asset THEN 0 ELSE -minor END AS of_money_minor
          FROM rest CROSS JOIN whole) AS known
        WHERE true GROUP BY of_asset, of_money
      ON CONFLICT (asset, money) DO UPDATE SET ${add};`

export const exchangePairs: Migration = {
  name: '0020-exchange-pairs',
  sqlite: `
    -- Kept by triggers, so that no way of exchanging can forget it. Each side is what *exchange* holds for the pair: of the asset,
    -- and of the money that it was booked with. What of it is in the archive is counted beside it, so that it can be held against
    -- the postings that are there. Both currencies are texts without a reference: '' is what an upgrade could not tell.
    CREATE TABLE exchange_pairs (
      asset TEXT NOT NULL,
      money TEXT NOT NULL,
      asset_minor INTEGER NOT NULL,
      money_minor INTEGER NOT NULL,
      archived_asset_minor INTEGER NOT NULL,
      archived_money_minor INTEGER NOT NULL,
      PRIMARY KEY (asset, money)
    ) STRICT, WITHOUT ROWID;
    -- The postings of *exchange*, each with its pair: that of its order, or of its conversion.
    CREATE VIEW exchange_postings AS
      SELECT id, asset, money, CASE WHEN currency = asset THEN minor ELSE 0 END AS asset_minor,
          CASE WHEN currency = asset THEN 0 ELSE -minor END AS money_minor
        FROM (SELECT postings.id, postings.currency,
            CASE WHEN substr(postings.credit_account, 1, 9) = 'exchange:' THEN postings.amount_minor ELSE -postings.amount_minor END AS minor,
            COALESCE(send_currency || '.' || blockchain || '/' || asset_decimals, conversions.currency) AS asset,
            COALESCE(orders.currency, conversions.bank_currency) AS money
          FROM postings
            LEFT JOIN orders ON orders.id = postings.order_id
            LEFT JOIN foreign_orders ON foreign_orders.order_id = postings.order_id
            LEFT JOIN conversions ON conversions.id = postings.reference AND postings.order_id IS NULL
          WHERE ${isOfExchange('postings')}) AS sides;
  `,
  onlySqlite: `
    ${fill((currency) => `substr(${currency}, 1, instr(${currency}, '.') - 1)`)}
    CREATE TRIGGER exchange_counts_postings AFTER INSERT ON postings WHEN ${isOfExchange('NEW')} BEGIN
      ${counted('NEW.id')}
    END;
    CREATE TRIGGER exchange_counts_the_archive BEFORE DELETE ON postings WHEN ${isOfExchange('OLD')} BEGIN
      ${archived('OLD.id')}
    END;
  `,
  postgres: `
    ${fill((currency) => `split_part(${currency}, '.', 1)`)}
    CREATE FUNCTION count_exchange() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${counted('NEW.id')} RETURN NULL; END $$;
    CREATE FUNCTION count_archived_exchange() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${archived('OLD.id')} RETURN OLD; END $$;
    CREATE TRIGGER exchange_counts_postings AFTER INSERT ON postings
      FOR EACH ROW WHEN ${isOfExchange('NEW')} EXECUTE FUNCTION count_exchange();
    CREATE TRIGGER exchange_counts_the_archive BEFORE DELETE ON postings
      FOR EACH ROW WHEN ${isOfExchange('OLD')} EXECUTE FUNCTION count_archived_exchange();
  `,
}
