import {
  type Database as KitDatabase,
  openDatabase as openKitDatabase,
  type Statements,
  type Transaction,
} from '@tally/service-kit';

/** The database of results: statements only, see README. */
export type Database = KitDatabase;
/** What statements run on: the database itself, or a transaction. */
export type { Statements, Transaction };

/** Deleting a job takes all its blocks along. */
const STATEMENT_TIMEOUT_MS = 120_000;

/** Opens the database; an upload may pause within its transaction as long as it may take. */
export function openDatabase(config: {
  readonly databaseUrl: string;
  readonly databaseConnectionsMax: number;
  readonly uploadTimeoutMs: number;
}): Database {
  return openKitDatabase({
    url: config.databaseUrl,
    connectionsMax: config.databaseConnectionsMax,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    idleTransactionTimeoutMs: config.uploadTimeoutMs,
  });
}
