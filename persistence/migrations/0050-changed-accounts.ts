/** A party is told where its money will go: each change of its account, and each that is taken back, is in the outbox. */
import type { Migration } from './migration.ts'

/** What has come into force stays in its place until something else is written, and is no news then. */
const isNews = `NEW.next_account IS DISTINCT FROM OLD.next_account
  AND (NEW.next_account IS NOT NULL OR NEW.account = OLD.account)`

export const changedAccounts: Migration = {
  name: '0050-changed-accounts',
  sqlite: `
    CREATE TRIGGER accounts_told_when_changed AFTER UPDATE OF next_account ON settlement_terms
      WHEN ${isNews} AND EXISTS (SELECT 1 FROM notification_rules) BEGIN
      INSERT INTO notification_events (source, subject, facts_json, happened_at)
        VALUES ('account.changed', NEW.party_id,
          json_object('currency', NEW.currency, 'from', NEW.next_account_at), NEW.changed_at);
    END;
  `,
  postgres: `
    CREATE FUNCTION tell_of_account() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      PERFORM tell_of('account.changed', NEW.party_id,
        json_build_object('currency', NEW.currency, 'from', NEW.next_account_at)::text, NEW.changed_at);
      RETURN NULL;
    END $$;
    CREATE TRIGGER accounts_told_when_changed AFTER UPDATE OF next_account ON settlement_terms
      FOR EACH ROW WHEN (${isNews}) EXECUTE FUNCTION tell_of_account();
  `,
}
