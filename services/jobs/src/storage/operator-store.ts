import type { OperatorStore, SubmissionPause } from '../domain/operate/operator-ports.js';
import type { Database } from './database.js';
import { toJob } from './statements/job-row.js';
import { listAllJobs, listUndelivered } from './statements/operate/jobs.js';
import { listLoads } from './statements/operate/loads.js';
import { drainRunner, listOperatedRunners } from './statements/operate/runners.js';

export function createOperatorStore(database: Database): OperatorStore {
  const { submissionPause } = database.client;
  return {
    listJobs: async (query) => {
      const rows = await database.rows(listAllJobs(query));
      return rows.map((row) => ({ ...row, ...toJob(row) }));
    },
    listLoads: (key) => database.rows(listLoads(key)),
    listUndelivered: async (jobId) => (await database.rows(listUndelivered(jobId))).map(({ taskId }) => taskId),
    listRunners: () => database.rows(listOperatedRunners()),
    drainRunner: async (runnerId, isDraining) =>
      (await database.row(drainRunner(runnerId, isDraining)))?.runningTaskCount,
    listPauses: async () => {
      const rows = await submissionPause.findMany({ orderBy: { platform: 'asc' } });
      return rows.map(({ platform, message, startedAt }) => ({
        platform: platform as SubmissionPause['platform'],
        message,
        startTime: startedAt,
      }));
    },
    setPause: async (platform, message) => {
      if (message === undefined) await submissionPause.deleteMany({ where: { platform } });
      else await submissionPause.upsert({ where: { platform }, create: { platform, message }, update: { message } });
    },
  };
}
