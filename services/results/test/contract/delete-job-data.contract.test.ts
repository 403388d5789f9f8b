import { describe, expect, it } from '@jest/globals';
import { runStatement } from '@tally/testkit';
import { ofOneLog } from '../one-log.js';
import { readLogs } from '../read-logs.js';
import {
  createJob,
  finalPage,
  pageHeader,
  resultsMessages,
  streamOf,
  taskOutputMessages,
  taskPage,
  useResults,
} from '../results-suite.js';

// so that all that is stored takes blocks
const suite = useResults({ rowBytesMax: 0 });
const LOG = 'x\n'.repeat(10_000);

async function fill(jobId: string): Promise<void> {
  await createJob(suite, jobId);
  await suite.runner.putTaskOutput(streamOf(taskOutputMessages(jobId, 1, [taskPage(pageHeader([3]), () => 1)])));
  await suite.gateway.putResults(streamOf(resultsMessages(jobId, [finalPage(pageHeader([1]), [1], [0])])));
  await suite.runner.appendLogs(ofOneLog({ jobId, taskId: 1, attemptId: 'a', offset: 0n, text: Buffer.from(LOG) }));
}

/** Rows of every table of the service. */
async function countRows(): Promise<Record<string, number>> {
  const tables = await runStatement<{ name: string }>(
    suite.databaseUrl,
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename NOT IN ('_prisma_migrations', 'object_groups', 'blob_objects')`,
  );
  const counts: Record<string, number> = {};
  for (const { name } of tables) {
    const [row] = await runStatement<{ count: string }>(suite.databaseUrl, `SELECT count(*) FROM "${name}"`);
    counts[name] = Number(row?.count);
  }
  return counts;
}

describe('DeleteJobData OK', () => {
  it("removes everything of the job from every table, and nothing of another's", async () => {
    await fill('kept');
    const before = await countRows();
    expect(Object.values(before).every((count) => count > 0)).toBe(true);
    await fill('gone');
    await suite.jobs.deleteJobData({ jobId: 'gone' });
    expect(await countRows()).toEqual(before);
    await expect(readLogs(suite, 'gone')).rejects.toMatchObject({ reason: 'JOB_NOT_FOUND' });
    expect(await readLogs(suite, 'kept')).toEqual({ task_1: LOG });
  });

  it('is harmless when there is nothing, and when it is repeated', async () => {
    for (const jobId of ['none', 'none', '', 'a\0b']) {
      await expect(suite.jobs.deleteJobData({ jobId })).resolves.toEqual({});
    }
  });
});

describe('DeleteJobData PERMISSION_DENIED', () => {
  it('refuses callers other than jobs', async () => {
    await expect(suite.gateway.deleteJobData({ jobId: 'none' })).rejects.toMatchObject({
      reason: 'CALLER_NOT_ALLOWED',
    });
  });
});
