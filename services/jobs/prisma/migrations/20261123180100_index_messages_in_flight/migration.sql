-- Messages of tasks that lie in the queue, of which there is a window: it is counted among all that wait.
CREATE INDEX CONCURRENTLY "outbox_in_flight" ON "outbox"("owner_id", "in_flight_until")
    WHERE "kind" = 'task' AND "in_flight_until" IS NOT NULL;
