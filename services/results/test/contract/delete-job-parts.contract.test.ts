import { describe, expect, it } from '@jest/globals';
import { withContext } from '@tally/service-kit';
import { ofOneLog } from '../one-log.js';
import { readLogs } from '../read-logs.js';
import { readResults } from '../read-results.js';
import {
  asUser,
  collect,
  createJob,
  finalPage,
  OWNER,
  pageHeader,
  resultsMessages,
  streamOf,
  taskOutputMessages,
  taskPage,
  useResults,
} from '../results-suite.js';

const LOG = 'it runs\n';
const ANY_ROLE: never[] = [];

describe.each([
  ['rows', 1_000_000],
  ['blocks', 0],
])('what lies in %s', (_, rowBytesMax) => {
  const suite = useResults({ rowBytesMax });
  async function fill(jobId: string): Promise<void> {
    await createJob(suite, jobId);
    await suite.runner.putTaskOutput(streamOf(taskOutputMessages(jobId, 1, [taskPage(pageHeader([3]), () => 1)])));
    await suite.gateway.putResults(streamOf(resultsMessages(jobId, [finalPage(pageHeader([1]), [1], [0])])));
    await suite.runner.appendLogs(ofOneLog({ jobId, taskId: 1, attemptId: 'a', offset: 0n, text: Buffer.from(LOG) }));
  }
  const remove = (jobId: string, hasResults: boolean, hasLogs: boolean) =>
    suite.jobs.deleteJobParts({ jobId, hasResults, hasLogs });
  const bytesOf = async (jobId: string) => {
    const asked = () => suite.gateway.listJobBytes({ jobIds: [jobId, 'not there'] });
    return (await withContext({ requestId: 'test', userId: 9n, actingRole: 'operator' }, asked)).jobs;
  };
  const inputOf = (jobId: string) => asUser(OWNER, () => collect(suite.gateway.getInput({ jobId, roles: ANY_ROLE })));

  it('goes part by part; the input and other jobs stay, and their bytes say so', async () => {
    for (const jobId of ['a', 'b']) await fill(jobId);
    const [before] = await bytesOf('a');
    expect([before?.inputBytes, before?.resultsBytes, before?.logsBytes].every((bytes = 0n) => bytes > 0n)).toBe(true);
    for (let times = 0; times < 2; times++) {
      await remove('a', true, false);
      expect(await bytesOf('a')).toEqual([{ ...before, resultsBytes: 0n }]);
      await expect(readResults(suite, 'a')).rejects.toMatchObject({ reason: 'RESULTS_UNAVAILABLE' });
      expect(await readLogs(suite, 'a')).toEqual({ task_1: LOG });
    }
    await remove('a', false, true);
    expect(await bytesOf('a')).toEqual([{ ...before, resultsBytes: 0n, logsBytes: 0n }]);
    expect(await readLogs(suite, 'a')).toEqual({});
    expect((await inputOf('a')).length).toBeGreaterThan(1);
    expect(await bytesOf('b')).toEqual([{ ...before, jobId: 'b' }]);
    expect((await readResults(suite, 'b')).pages).toHaveLength(1);
  });

  it('is for jobs alone, sizes are for operators, and what is not there is fine', async () => {
    for (const jobId of ['none', '', 'a\0b']) expect(await remove(jobId, true, true)).toEqual({});
    const asUsers = suite.gateway.deleteJobParts({ jobId: 'a', hasResults: true, hasLogs: true });
    await expect(asUsers).rejects.toMatchObject({ reason: 'CALLER_NOT_ALLOWED' });
    const ofUser = asUser(OWNER, () => suite.gateway.listJobBytes({ jobIds: ['a'] }));
    await expect(ofUser).rejects.toMatchObject({ reason: 'ROLE_REQUIRED' });
  });
});
