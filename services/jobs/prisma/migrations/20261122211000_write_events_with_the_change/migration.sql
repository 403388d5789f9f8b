-- From this release on the service stores the events with the change itself (src/storage/write-events.ts), and says so by a
-- setting of its connections. The triggers do it for the release before, until the next one drops them
-- (prisma/next/drop_event_triggers.sql).
DROP TRIGGER "jobs_note_new" ON "jobs";
DROP TRIGGER "jobs_note_state" ON "jobs";
DROP TRIGGER "jobs_note_deletion" ON "jobs";
DROP TRIGGER "tasks_note" ON "tasks";
DROP TRIGGER "tasks_pace_progress" ON "tasks";
CREATE CONSTRAINT TRIGGER "jobs_note_new" AFTER INSERT ON "jobs" DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
    WHEN (current_setting('jobs.writes_events', true) IS DISTINCT FROM 'true') EXECUTE FUNCTION "note_job"();
CREATE CONSTRAINT TRIGGER "jobs_note_state" AFTER UPDATE OF "state", "waiting_reason" ON "jobs"
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
    WHEN (current_setting('jobs.writes_events', true) IS DISTINCT FROM 'true'
        AND (OLD."state" <> NEW."state" OR OLD."waiting_reason" IS DISTINCT FROM NEW."waiting_reason"))
    EXECUTE FUNCTION "note_job"();
CREATE CONSTRAINT TRIGGER "jobs_note_deletion" AFTER DELETE ON "jobs" DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
    WHEN (current_setting('jobs.writes_events', true) IS DISTINCT FROM 'true') EXECUTE FUNCTION "note_deletion"();
CREATE TRIGGER "tasks_pace_progress" BEFORE UPDATE ON "tasks" FOR EACH ROW WHEN (
    current_setting('jobs.writes_events', true) IS DISTINCT FROM 'true'
    AND OLD."state" = NEW."state"
    AND (OLD."simulated_primaries", OLD."requested_primaries", OLD."estimated_seconds")
        IS DISTINCT FROM (NEW."simulated_primaries", NEW."requested_primaries", NEW."estimated_seconds")
    AND coalesce(OLD."progress_event_at" <= now() - interval '1 second', true)
) EXECUTE FUNCTION "pace_progress"();
CREATE CONSTRAINT TRIGGER "tasks_note" AFTER UPDATE ON "tasks" DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (
    current_setting('jobs.writes_events', true) IS DISTINCT FROM 'true'
    AND (OLD."state" <> NEW."state" OR OLD."progress_event_at" IS DISTINCT FROM NEW."progress_event_at")
) EXECUTE FUNCTION "note_task"();
