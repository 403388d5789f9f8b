import { describe, expect, it } from '@jest/globals';
import { newJobId } from '@tally/service-kit';
import { ofOneLog } from '../one-log.js';
import {
  createJob,
  finalPage,
  inputMessages,
  pageHeader,
  resultsMessages,
  streamOf,
  taskOutputMessages,
  taskPage,
  useResults,
} from '../results-suite.js';

// small contents lie in rows, large ones in blocks
const suite = useResults({ rowBytesMax: 10_000 });
const MAX = 1_000_000n;
const BINS = 50_000;
const refused = { status: 'RESOURCE_EXHAUSTED', reason: 'STORAGE_QUOTA_EXCEEDED' };

function create(ownerId: bigint, bytesMax: bigint | 'none' = MAX) {
  const quota = bytesMax === 'none' ? {} : { ownerStoredBytesMax: bytesMax };
  return createJob(suite, newJobId(new Date()), { ownerId, ...quota });
}

/** A task's output of some 800 kB. */
const putOutput = (jobId: string, taskId: number) =>
  suite.runner.putTaskOutput(
    streamOf(taskOutputMessages(jobId, taskId, [taskPage(pageHeader([BINS]), (array, bin) => array + bin)])),
  );

describe('CreateInput RESOURCE_EXHAUSTED', () => {
  it('above what a user may store, from then on and for him only; what runs is stored all the same', async () => {
    const [owner, other] = [101n, 102n];
    const jobId = await create(owner);
    await create(owner);
    for (const taskId of [1, 2]) await putOutput(jobId, taskId);
    // what was measured a moment ago may still hold for another input: it is measured anew where it is known to be too much
    await expect(
      createJob(suite, newJobId(new Date()), { ownerId: owner, ownerStoredBytesMax: 2n }),
    ).rejects.toMatchObject(refused);
    await expect(create(owner)).rejects.toMatchObject(refused);
    await expect(create(owner)).rejects.toThrow(/1000000 are allowed \(stored_bytes_per_user_max of GET \/limits\)/);
    await create(other);
    await create(owner, 'none');
    await putOutput(jobId, 3);
    const page = finalPage(
      pageHeader([BINS]),
      Array.from({ length: BINS }, () => 1),
      Array.from({ length: BINS }, () => 0),
    );
    await suite.gateway.putResults(streamOf(resultsMessages(jobId, [page])));
    await suite.runner.appendLogs(
      ofOneLog({
        jobId,
        taskId: 1,
        attemptId: 'attempt-1',
        offset: 0n,
        text: Buffer.from('still here\n'),
      }),
    );
  });

  it('until the user deletes enough, and at once then', async () => {
    const owner = 103n;
    const jobId = await create(owner);
    for (const taskId of [1, 2]) await putOutput(jobId, taskId);
    await expect(create(owner, 2n)).rejects.toMatchObject(refused);
    await suite.jobs.deleteJobData({ jobId });
    await create(owner);
  });

  it('counts inputs as they come', async () => {
    const owner = 104n;
    const jobId = await create(owner);
    for (const taskId of [1, 2]) await putOutput(jobId, taskId);
    await expect(create(owner, 2n)).rejects.toMatchObject(refused);
    await expect(create(owner)).rejects.toMatchObject(refused);
    const noise = Array.from({ length: 40_000 }, (_, index) => Math.sin(index)).join('\n');
    const large = () =>
      suite.jobs.createInput(
        streamOf(
          inputMessages(newJobId(new Date()), [{ name: 'a', text: noise }], {
            ownerId: 105n,
            ownerStoredBytesMax: MAX,
          }),
        ),
      );
    const upTo = async (count: number) => {
      for (let done = 0; done < count; done++) await large();
    };
    await expect(upTo(20)).rejects.toMatchObject(refused);
  });
});
