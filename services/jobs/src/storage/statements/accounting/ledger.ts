import { type Sql, sql } from '@tally/service-kit';

/** Entries of one owner, group, day and cluster that are more than this are folded into one. */
const ENTRIES_MAX = 16;

/** The newest entries, among which are all that are not folded. */
const NEWEST_MAX = 10_000;

/** Concurrent folds are harmless, as those of counts (jobs.ts): of the same entry only one of them deletes it. */
export const foldUsage = (): Sql => sql`
  WITH long AS (
    SELECT owner_id, group_id, day, cluster
    FROM (SELECT owner_id, group_id, day, cluster FROM usage_entries ORDER BY id DESC LIMIT ${NEWEST_MAX}) newest
    GROUP BY owner_id, group_id, day, cluster HAVING count(*) > ${ENTRIES_MAX} LIMIT 1000
  ), gone AS (
    DELETE FROM usage_entries entry USING long
    WHERE entry.owner_id = long.owner_id AND entry.day = long.day AND entry.cluster = long.cluster
      AND entry.group_id IS NOT DISTINCT FROM long.group_id
    RETURNING entry.owner_id, entry.group_id, entry.day, entry.cluster, entry.cpu_ms
  )
  INSERT INTO usage_entries (owner_id, group_id, day, cluster, cpu_ms)
  SELECT owner_id, group_id, day, cluster, sum(cpu_ms) FROM gone GROUP BY owner_id, group_id, day, cluster`;
