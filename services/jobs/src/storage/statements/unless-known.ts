import { type Sql, sql } from '@tally/service-kit';

/** Rows with the hash over all of them; of the known version one row that says so. */
export const unlessKnown = <Row>(
  shown: Sql<Row>,
  knownVersion: string,
): Sql<Row & { readonly version: string; readonly isKnown: boolean }> => sql`
  WITH shown AS MATERIALIZED (${shown}), hashed AS (
    SELECT encode(sha256(convert_to(string_agg(shown::text, ',' ORDER BY place), 'UTF8')), 'hex') AS version FROM shown
    HAVING count(*) > 0)
  SELECT version, version = ${knownVersion} AS "isKnown", shown.*
  FROM hashed LEFT JOIN shown ON version <> ${knownVersion} ORDER BY place`;
