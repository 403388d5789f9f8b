import type { Sql } from '@tally/service-kit';
import type { Statistics } from '../metrics.js';
import type { Database } from './database.js';
import { createRunnerStore } from './runner-store.js';
import {
  type Counted,
  countDuties,
  countJobs,
  countMessages,
  countOpenTasks,
  countParked,
  oldestMessage,
  oldestParked,
  oldestUnpublished,
} from './statements/statistics.js';

/** Counts for metrics, from what is small or indexed: the ledger of jobs, open attempts, the outbox. */
export function createStatistics(database: Database): Statistics {
  const read = async <Row>(statement: Sql<Counted<Row>>) =>
    (await database.rows(statement)).map((row) => ({ ...row, count: Number(row.count) }) as Row);
  const readSeconds = async (statement: Sql<{ readonly seconds: number }>) =>
    (await database.row(statement))?.seconds ?? 0;
  return {
    countJobs: () => read(countJobs()),
    countOpenTasks: () => read(countOpenTasks()),
    countMessages: () => read(countMessages()),
    countRunners: async () =>
      (await createRunnerStore(database).listExecutables()).map(({ simulator, version, runnerCount: count }) => ({
        simulator,
        version,
        count,
      })),
    countParked: () => read(countParked()),
    countDuties: () => read(countDuties()),
    oldestMessageSeconds: () => readSeconds(oldestUnpublished()),
    oldestPendingSeconds: async () => Math.max(await readSeconds(oldestMessage()), await readSeconds(oldestParked())),
  };
}
