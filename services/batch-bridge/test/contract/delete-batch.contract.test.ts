import { existsSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { waitFor } from '@tally/testkit';
import { useEnvironment } from '../environment.js';

const environment = useEnvironment();

/** Why nothing of a job is left to do. */
const phaseOf = async (jobId: string) =>
  (await environment.query(`SELECT phase FROM submissions WHERE job_id = '${jobId}'`))[0]?.phase;

describe('DeleteBatch OK', () => {
  it('ends a job and removes its folder from the cluster', async () => {
    environment.setCredential();
    const { client, submit } = await environment.start();
    const jobId = environment.newJob(2);
    expect(await submit(jobId)).toMatchObject({ $case: 'submitted' });
    expect(existsSync(environment.folderOf(jobId))).toBe(true);
    expect(await client.deleteBatch({ jobId })).toEqual({});
    await waitFor(async () => (await phaseOf(jobId)) === 'cleared', { what: 'the removal' });
    expect(existsSync(environment.folderOf(jobId))).toBe(false);
    await client.deleteBatch({ jobId }); // again: no error
  });

  it('removes nothing but the folder of this job', async () => {
    environment.setCredential();
    const { client, submit } = await environment.start();
    const [deleted, kept] = [environment.newJob(1), environment.newJob(1)];
    for (const jobId of [deleted, kept]) await submit(jobId);
    await client.deleteBatch({ jobId: deleted });
    await waitFor(async () => (await phaseOf(deleted)) === 'cleared', { what: 'the removal' });
    expect(existsSync(`${environment.folderOf(kept)}/job.json`)).toBe(true);
  });

  it('needs no cluster for a job of which nothing has reached it', async () => {
    const { client, submit } = await environment.start();
    const jobId = environment.newJob(2);
    await submit(jobId);
    await client.deleteBatch({ jobId });
    await waitFor(async () => (await phaseOf(jobId)) === 'cleared', { what: 'the end' });
  });

  it('of a job that is not known keeps a submission that comes later from doing anything', async () => {
    environment.setCredential();
    const { client, submit } = await environment.start();
    const jobId = environment.newJob(1);
    expect(await client.deleteBatch({ jobId })).toEqual({});
    expect(await submit(jobId)).toMatchObject({ $case: 'failed', value: { reason: 'SUBMISSION_REVOKED' } });
  });
});

describe('DeleteBatch INVALID_ARGUMENT', () => {
  it('JOB_ID_INVALID for what is no job id', async () => {
    const { client } = await environment.start();
    await expect(client.deleteBatch({ jobId: '..' })).rejects.toMatchObject({ reason: 'JOB_ID_INVALID' });
  });
});

describe('DeleteBatch PERMISSION_DENIED', () => {
  it('is for jobs alone', async () => {
    const { clientOf } = await environment.start();
    const call = clientOf('gateway').deleteBatch({ jobId: environment.newJob(1) });
    await expect(call).rejects.toMatchObject({ reason: 'CALLER_NOT_ALLOWED' });
  });
});
