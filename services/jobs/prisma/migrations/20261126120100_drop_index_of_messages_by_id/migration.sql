-- The index of messages by job has taken its place.
DROP INDEX CONCURRENTLY "outbox_kind_owner_id_id_idx";
