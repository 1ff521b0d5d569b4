/** Who is told of what: where notifications go, what happened that is not told yet, what was told. */
import type { Migration } from './migration.ts'

const anybodyIsTold = 'EXISTS (SELECT 1 FROM notification_rules)'

export const notifications: Migration = {
  name: '0031-notifications',
  sqlite: `
    CREATE TABLE notification_channels (
      name TEXT PRIMARY KEY,
      kind TEXT NOT NULL CHECK (kind IN ('email', 'webhook')),
      config_json TEXT NOT NULL,
      digest_due_at INTEGER NOT NULL,
      created_at INTEGER NOT NULL,
      revision INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE notification_rules (
      name TEXT PRIMARY KEY,
      channel TEXT NOT NULL REFERENCES notification_channels (name),
      rule_json TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      revision INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX notification_rules_by_channel ON notification_rules (channel);

    -- What happened and was not handed to the rules yet. Written by triggers, so that no step that causes one can forget it.
    CREATE TABLE notification_events (
      id INTEGER PRIMARY KEY,
      source TEXT NOT NULL,
      subject TEXT NOT NULL,
      facts_json TEXT NOT NULL,
      happened_at INTEGER NOT NULL
    ) STRICT;

    -- Conditions that last: each is here from when it was seen until it was seen to be over.
    CREATE TABLE notification_levels (
      id TEXT PRIMARY KEY,
      event TEXT NOT NULL,
      since_at INTEGER NOT NULL,
      facts_json TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;

    -- What a rule was told of, so that what repeats is counted.
    CREATE TABLE notification_topics (
      rule TEXT NOT NULL,
      topic TEXT NOT NULL,
      channel TEXT NOT NULL,
      party_id TEXT NOT NULL,
      told_json TEXT NOT NULL,
      is_on INTEGER NOT NULL CHECK (is_on IN (0, 1)),
      was_told_on INTEGER NOT NULL CHECK (was_told_on IN (0, 1)),
      told_at INTEGER,
      untold_count INTEGER NOT NULL CHECK (untold_count >= 0),
      first_at INTEGER NOT NULL,
      last_at INTEGER NOT NULL,
      PRIMARY KEY (rule, topic)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX notification_topics_by_channel ON notification_topics (channel, party_id);
    CREATE INDEX notification_topics_back ON notification_topics (told_at) WHERE is_on = 1 AND was_told_on = 0;

    CREATE TABLE notifications (
      id TEXT PRIMARY KEY,
      channel TEXT NOT NULL,
      kind TEXT NOT NULL CHECK (kind IN ('email', 'webhook')),
      purpose TEXT NOT NULL CHECK (purpose IN ('event', 'digest', 'test')),
      target TEXT NOT NULL,
      party_id TEXT NOT NULL,
      body_json TEXT NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('pending', 'delivered', 'dead')),
      created_at INTEGER NOT NULL,
      due_at INTEGER NOT NULL,
      attempts INTEGER NOT NULL CHECK (attempts >= 0),
      attempts_before INTEGER NOT NULL CHECK (attempts_before <= attempts),
      first_attempt_at INTEGER,
      last_attempt_at INTEGER,
      lease_until_at INTEGER,
      settled_at INTEGER,
      last_answer TEXT,
      error TEXT,
      CHECK ((state = 'pending') = (settled_at IS NULL))
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX notifications_due ON notifications (kind, due_at) WHERE settled_at IS NULL;
    CREATE INDEX notifications_by_age ON notifications (created_at, id);
    CREATE INDEX notifications_by_state ON notifications (state, created_at, id);

    CREATE TRIGGER exceptions_told_when_opened AFTER INSERT ON exceptions WHEN ${anybodyIsTold} BEGIN
      INSERT INTO notification_events (source, subject, facts_json, happened_at)
        VALUES ('exception.opened', NEW.id, '{}', NEW.opened_at);
    END;
    CREATE TRIGGER exceptions_told_when_resolved AFTER UPDATE OF state ON exceptions
      WHEN OLD.state = 'open' AND NEW.state = 'resolved' AND ${anybodyIsTold} BEGIN
      INSERT INTO notification_events (source, subject, facts_json, happened_at)
        VALUES ('exception.resolved', NEW.id, '{}', NEW.resolved_at);
    END;
    CREATE TRIGGER statements_told_when_sealed AFTER UPDATE OF sealed_at ON statements
      WHEN OLD.sealed_at IS NULL AND NEW.sealed_at IS NOT NULL AND ${anybodyIsTold} BEGIN
      INSERT INTO notification_events (source, subject, facts_json, happened_at)
        VALUES ('statement.sealed', NEW.party_id,
          json_object('currency', NEW.currency, 'number', NEW.number), NEW.sealed_at);
    END;
    -- The session that follows a second factor goes on with the one of its password.
    CREATE TRIGGER sessions_told_when_begun AFTER INSERT ON sessions
      WHEN NEW.factor_at IS NULL AND ${anybodyIsTold} BEGIN
      INSERT INTO notification_events (source, subject, facts_json, happened_at)
        VALUES ('session.begun', NEW.person_name, json_object('address', NEW.address), NEW.created_at);
    END;
    CREATE TRIGGER credentials_told_when_added AFTER INSERT ON credentials
      WHEN ${anybodyIsTold} AND EXISTS (SELECT 1 FROM credentials WHERE party_id = NEW.party_id AND key <> NEW.key) BEGIN
      INSERT INTO notification_events (source, subject, facts_json, happened_at)
        VALUES ('key.added', NEW.key, '{}', NEW.created_at);
    END;
  `,
  postgres: `
    CREATE FUNCTION tell_of(what TEXT, about TEXT, facts TEXT, at BIGINT) RETURNS void LANGUAGE plpgsql AS $$ BEGIN
      INSERT INTO notification_events (source, subject, facts_json, happened_at)
        SELECT what, about, facts, at WHERE ${anybodyIsTold};
    END $$;
    CREATE FUNCTION tell_of_exception() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF TG_OP = 'INSERT' THEN PERFORM tell_of('exception.opened', NEW.id, '{}', NEW.opened_at);
      ELSE PERFORM tell_of('exception.resolved', NEW.id, '{}', NEW.resolved_at); END IF;
      RETURN NULL;
    END $$;
    CREATE FUNCTION tell_of_statement() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      PERFORM tell_of('statement.sealed', NEW.party_id,
        json_build_object('currency', NEW.currency, 'number', NEW.number)::text, NEW.sealed_at);
      RETURN NULL;
    END $$;
    CREATE FUNCTION tell_of_session() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      PERFORM tell_of('session.begun', NEW.person_name, json_build_object('address', NEW.address)::text, NEW.created_at);
      RETURN NULL;
    END $$;
    CREATE FUNCTION tell_of_key() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF EXISTS (SELECT 1 FROM credentials WHERE party_id = NEW.party_id AND key <> NEW.key) THEN
        PERFORM tell_of('key.added', NEW.key, '{}', NEW.created_at);
      END IF;
      RETURN NULL;
    END $$;
    CREATE TRIGGER exceptions_told_when_opened AFTER INSERT ON exceptions
      FOR EACH ROW EXECUTE FUNCTION tell_of_exception();
    CREATE TRIGGER exceptions_told_when_resolved AFTER UPDATE OF state ON exceptions
      FOR EACH ROW WHEN (OLD.state = 'open' AND NEW.state = 'resolved') EXECUTE FUNCTION tell_of_exception();
    CREATE TRIGGER statements_told_when_sealed AFTER UPDATE OF sealed_at ON statements
      FOR EACH ROW WHEN (OLD.sealed_at IS NULL AND NEW.sealed_at IS NOT NULL) EXECUTE FUNCTION tell_of_statement();
    CREATE TRIGGER sessions_told_when_begun AFTER INSERT ON sessions
      FOR EACH ROW WHEN (NEW.factor_at IS NULL) EXECUTE FUNCTION tell_of_session();
    CREATE TRIGGER credentials_told_when_added AFTER INSERT ON credentials
      FOR EACH ROW EXECUTE FUNCTION tell_of_key();
  `,
}
