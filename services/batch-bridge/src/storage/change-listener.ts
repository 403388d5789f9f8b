import { type Clock, type Logger, listenPostgres, type Sql, sql } from '@tally/service-kit';
import type { JobId } from '../domain/job-id.js';
import type { ChangeListener } from '../domain/ports.js';

const CHANNEL = 'batch_bridge';
const workDue = (clusterName: string): string => `work ${clusterName}`;
const outcomeOf = (jobId: JobId): string => `outcome ${jobId}`;

/**
 * Announces a change to every copy of the service, once the transaction is over.
 * @param clusterName - whose worker has something to do; undefined: nobody's
 */
export function announce(jobId: JobId, clusterName: string | undefined): Sql {
  const payloads = [outcomeOf(jobId), ...(clusterName === undefined ? [] : [workDue(clusterName)])];
  return sql`SELECT pg_notify(${CHANNEL}, payload) FROM unnest(${payloads}::text[]) AS payload`;
}

/** Listens to {@link announce} of all copies. What is announced while the connection is down is missed: poll, too. */
export function listenForChanges(
  databaseUrl: string,
  logger: Logger,
  clock: Clock,
): ChangeListener & { close(): Promise<void> } {
  const listener = listenPostgres({ connectionString: databaseUrl }, CHANNEL, logger, clock);
  return {
    onWorkDue: (clusterName, callback) => listener.subscribe(workDue(clusterName), callback),
    onOutcome: (jobId, callback) => listener.subscribe(outcomeOf(jobId), callback),
    close: () => listener.close(),
  };
}
