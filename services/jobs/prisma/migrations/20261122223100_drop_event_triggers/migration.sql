-- Release 0.2.0 writes events with the change that they tell.

DROP TRIGGER "jobs_note_new" ON "jobs";
DROP TRIGGER "jobs_note_state" ON "jobs";
DROP TRIGGER "jobs_note_deletion" ON "jobs";
DROP TRIGGER "tasks_note" ON "tasks";
DROP TRIGGER "tasks_pace_progress" ON "tasks";
DROP FUNCTION "note_job"(), "note_deletion"(), "note_task"(), "pace_progress"(), "lock_events"(BIGINT);
