import { describe, expect, it } from '@jest/globals';
import { newJobId, withContext } from '@tally/service-kit';
import { ofOneLog } from '../one-log.js';
import {
  asUser,
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

describe('ListOwnerBytes', () => {
  const ask = async () => {
    const listed = await withContext({ requestId: 'test', userId: 9n, actingRole: 'operator' }, () =>
      suite.gateway.listOwnerBytes({}),
    );
    return new Map(listed.owners.map(({ ownerId, storedBytes }) => [ownerId, storedBytes]));
  };

  it('OK: of each user what GetStoredBytes tells him, whichever table has it', async () => {
    const [one, other, nobody] = [106n, 107n, 108n];
    // without a quota nothing is measured before it is asked for
    const jobId = await create(one, 'none');
    const small = await create(one, 'none');
    await putOutput(jobId, 1); // in blocks
    await suite.runner.putTaskOutput(streamOf(taskOutputMessages(small, 1, [taskPage(pageHeader([3]), () => 1)])));
    const page = finalPage(pageHeader([1]), [1], [0]);
    await suite.gateway.putResults(streamOf(resultsMessages(jobId, [page])));
    const text = Buffer.from('it runs\n');
    await suite.runner.appendLogs(ofOneLog({ jobId, taskId: 1, attemptId: 'a', offset: 0n, text }));
    await create(other, 'none');
    const listed = await ask();
    for (const ownerId of [one, other]) {
      const { storedBytes } = await asUser(ownerId, () => suite.gateway.getStoredBytes({}));
      expect([ownerId, listed.get(ownerId)]).toEqual([ownerId, storedBytes]);
    }
    expect(listed.get(one)).toBeGreaterThan(2n * (listed.get(other) ?? 0n));
    expect(listed.has(nobody)).toBe(false);
  });

  it('PERMISSION_DENIED: of who is no operator', async () => {
    await expect(asUser(106n, () => suite.gateway.listOwnerBytes({}))).rejects.toMatchObject({
      reason: 'ROLE_REQUIRED',
    });
  });
});
