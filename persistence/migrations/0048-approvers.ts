/** Who let whom in, so that nobody approves what they have asked for by another name; and that somebody is told of what waits. */
import type { Migration } from './migration.ts'

const anybodyIsTold = 'EXISTS (SELECT 1 FROM notification_rules)'

export const approvers: Migration = {
  name: '0048-approvers',
  sqlite: `
    ALTER TABLE people ADD COLUMN let_in_by TEXT;
    ALTER TABLE invitations ADD COLUMN let_in_by TEXT;

    CREATE TRIGGER approvals_told_when_asked AFTER INSERT ON approvals WHEN ${anybodyIsTold} BEGIN
      INSERT INTO notification_events (source, subject, facts_json, happened_at)
        VALUES ('approval.asked', CAST(NEW.number AS TEXT), '{}', NEW.asked_at);
    END;
    CREATE TRIGGER approvals_told_when_settled AFTER UPDATE OF state ON approvals
      WHEN OLD.state = 'asked' AND NEW.state <> 'asked' AND ${anybodyIsTold} BEGIN
      INSERT INTO notification_events (source, subject, facts_json, happened_at)
        VALUES ('approval.settled', CAST(NEW.number AS TEXT), '{}', COALESCE(NEW.ended_at, NEW.decided_at));
    END;
  `,
  postgres: `
    CREATE FUNCTION tell_of_approval() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF TG_OP = 'INSERT' THEN PERFORM tell_of('approval.asked', NEW.number::text, '{}', NEW.asked_at);
      ELSE PERFORM tell_of('approval.settled', NEW.number::text, '{}', COALESCE(NEW.ended_at, NEW.decided_at)); END IF;
      RETURN NULL;
    END $$;
    CREATE TRIGGER approvals_told_when_asked AFTER INSERT ON approvals
      FOR EACH ROW EXECUTE FUNCTION tell_of_approval();
    CREATE TRIGGER approvals_told_when_settled AFTER UPDATE OF state ON approvals
      FOR EACH ROW WHEN (OLD.state = 'asked' AND NEW.state <> 'asked') EXECUTE FUNCTION tell_of_approval();
  `,
}
