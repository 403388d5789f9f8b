import type { Sql } from '@tally/service-kit';
import type { Database } from './database.js';
import { unlessKnown } from './statements/unless-known.js';

/** Rows with the version of all of them; undefined: it is the known one. */
interface VersionedRows<Row> {
  readonly version: string;
  readonly rows: readonly Row[] | undefined;
}

/**
 * Reads rows unless their version is the known one. The version is a hash over the text of every row, made by the statement that reads
 * them: it is another one exactly when a value that is read is another one, whoever changed it and in whatever order transactions ended.
 * Undefined: there are no rows.
 * @param shown - rows in the order of their column `place`, which is not null where there are several
 */
export async function readUnlessKnown<Row>(
  database: Database,
  shown: Sql<Row>,
  knownVersion: string,
): Promise<VersionedRows<Row> | undefined> {
  const found = await database.rows(unlessKnown(shown, knownVersion));
  const [first] = found;
  if (first === undefined) return undefined;
  return { version: first.version, rows: first.isKnown ? undefined : found };
}
