import { type Clock, type Logger, listenPostgres } from '@tally/service-kit';
import type { JobId } from '../domain/job-id.js';
import type { Signals } from '../domain/ports.js';

import type { Statements } from './database.js';

const CHANNEL = 'batch_bridge';
const workOf = (clusterName: string): string => `work ${clusterName}`;
const outcomeOf = (jobId: JobId): string => `outcome ${jobId}`;

/** Wakes the worker of a cluster in every copy of the service once the transaction is over. */
export async function notifyWork(statements: Statements, clusterName: string): Promise<void> {
  await statements.$executeRaw`SELECT pg_notify(${CHANNEL}, ${workOf(clusterName)})`;
}

/** Wakes whoever waits for the outcome of a submission. */
export async function notifyOutcome(statements: Statements, jobId: JobId): Promise<void> {
  await statements.$executeRaw`SELECT pg_notify(${CHANNEL}, ${outcomeOf(jobId)})`;
}

/** Hears what copies of the service tell each other. What is said while the connection is down is missed: poll, too. */
export function listenForSignals(
  databaseUrl: string,
  logger: Logger,
  clock: Clock,
): Signals & { close(): Promise<void> } {
  const listener = listenPostgres({ connectionString: databaseUrl }, CHANNEL, logger, clock);
  return {
    onWork: (clusterName, wake) => listener.subscribe(workOf(clusterName), wake),
    onOutcome: (jobId, wake) => listener.subscribe(outcomeOf(jobId), wake),
    close: () => listener.close(),
  };
}
