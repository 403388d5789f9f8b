import { describe, expect, it } from '@jest/globals';
import { ofOneLog } from '../one-log.js';
import { readLogs } from '../read-logs.js';
import { readResults } from '../read-results.js';
import { createJob, finalPage, OWNER, pageHeader, resultsMessages, streamOf, useResults } from '../results-suite.js';

const suite = useResults();
const NEW_OWNER = 8n;
const LOG = 'it runs\n';
const foreign = { reason: 'JOB_OF_ANOTHER_USER', status: 'PERMISSION_DENIED' };

async function fill(jobId: string, ownerId = OWNER): Promise<void> {
  await createJob(suite, jobId, { ownerId });
  await suite.gateway.putResults(streamOf(resultsMessages(jobId, [finalPage(pageHeader([1]), [1], [0])])));
  await suite.runner.appendLogs(ofOneLog({ jobId, taskId: 1, attemptId: 'a', offset: 0n, text: Buffer.from(LOG) }));
}
const give = (...jobIds: string[]) => suite.jobs.updateOwner({ jobIds, ownerId: OWNER, newOwnerId: NEW_OWNER });
const readBy = async (userId: bigint, jobId: string) => [
  await readLogs(suite, jobId, userId),
  (await readResults(suite, jobId, {}, userId)).pages.length,
];

describe('UpdateOwner', () => {
  it("gives a user's jobs with results and logs to another, and none of anybody else; a repeat changes nothing", async () => {
    await fill('given');
    await fill('kept');
    await fill('theirs', 9n);
    for (let times = 0; times < 2; times++) {
      expect(await give('given', 'theirs', 'not there', 'a\0b')).toEqual({});
      expect(await readBy(NEW_OWNER, 'given')).toEqual([{ task_1: LOG }, 1]);
      for (const jobId of ['given', 'theirs']) await expect(readBy(OWNER, jobId)).rejects.toMatchObject(foreign);
      expect(await readBy(OWNER, 'kept')).toEqual([{ task_1: LOG }, 1]);
      expect(await readBy(9n, 'theirs')).toEqual([{ task_1: LOG }, 1]);
    }
  });

  it('takes what still comes of a job that runs', async () => {
    await fill('running');
    await give('running');
    const more = { jobId: 'running', taskId: 1, attemptId: 'a', offset: BigInt(LOG.length), text: Buffer.from('on\n') };
    await suite.runner.appendLogs(ofOneLog(more));
    expect(await readLogs(suite, 'running', NEW_OWNER)).toEqual({ task_1: `${LOG}on\n` });
  });

  it('refuses callers other than jobs', async () => {
    const asked = { jobIds: ['given'], ownerId: NEW_OWNER, newOwnerId: OWNER };
    await expect(suite.gateway.updateOwner(asked)).rejects.toMatchObject({ reason: 'CALLER_NOT_ALLOWED' });
  });
});
