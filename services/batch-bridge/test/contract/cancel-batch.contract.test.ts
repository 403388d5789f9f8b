import { describe, expect, it } from '@jest/globals';
import { waitFor } from '@tally/testkit';
import { markerOf } from '../../src/domain/submission.js';
import { ENDLESS_DECK, useEnvironment } from '../environment.js';

const environment = useEnvironment();

describe('CancelBatch OK', () => {
  it('ends a job that waits, without asking the cluster', async () => {
    const { client, submit } = await environment.start();
    const jobId = environment.newJob(2);
    expect(await submit(jobId)).toMatchObject({ $case: 'underway' }); // no certificate
    expect(await client.cancelBatch({ jobId, lastTask: 0 })).toEqual({});
    await waitFor(() => environment.services.job(jobId).reports.at(-1)?.end !== undefined, { what: 'the end' });
    expect(environment.rows(jobId)).toEqual([]);
  });

  it('ends the tasks of a submitted job, and lets the collect job deliver what they left', async () => {
    environment.setCredential();
    const { client, submit } = await environment.start();
    // more than the cluster runs at once, so that some wait
    const jobId = environment.newJob(3, ENDLESS_DECK);
    const options = { schedulerOptionsJson: Buffer.from('{"mem":"4000M"}') };
    expect(await submit(jobId, options)).toMatchObject({ $case: 'submitted' });
    await client.cancelBatch({ jobId, lastTask: 0 });
    await client.cancelBatch({ jobId, lastTask: 0 }); // again: no error
    const statesOf = (ordinal: number) =>
      environment.rows(jobId).flatMap(({ name, state }) => (name === markerOf(jobId, ordinal) ? state : []));
    const isOver = (state: string) => ['CANCELLED', 'COMPLETED', 'FAILED'].includes(state);
    await waitFor(() => statesOf(1).length > 0 && statesOf(1).every(isOver), { what: 'the cancel' });
    expect(new Set(statesOf(1))).toEqual(new Set(['CANCELLED']));
    await waitFor(() => statesOf(0)[0] === 'COMPLETED', { what: 'the collect job' });
  });

  it('keeps a submission that comes later from doing anything', async () => {
    environment.setCredential();
    const { client, submit } = await environment.start();
    const jobId = environment.newJob(1);
    expect(await client.cancelBatch({ jobId, lastTask: 0 })).toEqual({});
    expect(await submit(jobId)).toMatchObject({ $case: 'failed', value: { reason: 'SUBMISSION_REVOKED' } });
    expect(environment.rows(jobId)).toEqual([]);
  });

  it('is carried out by another copy than the one that was called', async () => {
    const working = await environment.start();
    const called = await environment.start();
    const jobId = environment.newJob(2);
    await working.submit(jobId);
    await called.client.cancelBatch({ jobId, lastTask: 0 });
    await waitFor(() => environment.services.job(jobId).reports.at(-1)?.end !== undefined, { what: 'the end' });
  });
});

describe('CancelBatch INVALID_ARGUMENT', () => {
  it.each(['', '../x', '$(id)'])('JOB_ID_INVALID for %j', async (jobId) => {
    const { client } = await environment.start();
    await expect(client.cancelBatch({ jobId, lastTask: 0 })).rejects.toMatchObject({ reason: 'JOB_ID_INVALID' });
  });
});

describe('CancelBatch PERMISSION_DENIED', () => {
  it('is for jobs alone', async () => {
    const { clientOf } = await environment.start();
    const call = clientOf('gateway').cancelBatch({ jobId: environment.newJob(1), lastTask: 0 });
    await expect(call).rejects.toMatchObject({ reason: 'CALLER_NOT_ALLOWED' });
  });
});
