import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jobs } from '@tally/contracts';
import { fromStatusMessage, newId } from '@tally/service-kit';
import { taskUpdate } from '../../external-worker.js';
import { findJob } from '../../shown-job.js';
import { as, openSuite, type Suite, submission } from '../../suite.js';

const { STATE_RUNNING, STATE_COMPLETED } = jobs.State;
let suite: Suite;
let gateway: ReturnType<Suite['client']>;
const alice = 1n;
const submit = async (taskCount: number) => (await as(alice, () => gateway.submitJob(submission({ taskCount })))).jobId;
const jobOf = (jobId: string) => findJob(gateway, alice, jobId);

beforeAll(async () => {
  suite = await openSuite();
  await suite.start();
  gateway = suite.client('gateway');
});
afterAll(() => suite.stop());

describe('UpdateTasks OK', () => {
  it('answers each update as UpdateTask does, and stores those that may be, of any jobs', async () => {
    const [one, other] = [await submit(2), await submit(1)];
    const wrong = { jobRef: one, updateKey: 'of another job' };
    const updates = [
      taskUpdate(one, { taskId: 1, state: STATE_RUNNING, simulatedPrimaries: 7n }),
      taskUpdate(one, { taskId: 2, credential: wrong, simulatedPrimaries: 8n }),
      taskUpdate(one, { taskId: 3 }),
      taskUpdate(one, { taskId: 2, simulatedPrimaries: -1n }),
      taskUpdate(newId()),
      taskUpdate(other, { state: STATE_COMPLETED }),
      taskUpdate(one, { taskId: 2, simulatedPrimaries: 9n }),
    ];
    const { outcomes } = await gateway.updateTasks({ updates });
    const seen = outcomes.map(({ outcome }) =>
      outcome?.$case === 'refusal' ? fromStatusMessage(outcome.value) : outcome?.value,
    );
    expect(seen).toEqual([
      { isApplied: true, mustStop: false },
      expect.objectContaining({ reason: 'UPDATE_KEY_INVALID', status: 'UNAUTHENTICATED' }),
      expect.objectContaining({ reason: 'TASK_NOT_FOUND', status: 'NOT_FOUND' }),
      expect.objectContaining({
        status: 'INVALID_ARGUMENT',
        fields: [expect.objectContaining({ field: '/simulated_primaries' })],
      }),
      expect.objectContaining({ reason: 'UPDATE_KEY_INVALID' }),
      { isApplied: true, mustStop: false },
      { isApplied: true, mustStop: false },
    ]);
    const job = await jobOf(one);
    expect(job?.state).toBe(STATE_RUNNING);
    expect(job?.tasks.map(({ simulatedPrimaries }) => simulatedPrimaries)).toEqual([7n, 9n]);
    expect((await jobOf(other))?.state).toBe(jobs.State.STATE_MERGING_QUEUED);
  });

  it('takes none', async () => {
    expect(await gateway.updateTasks({ updates: [] })).toEqual({ outcomes: [] });
  });
});

describe('UpdateTasks', () => {
  it('INVALID_ARGUMENT: more than 1000 updates', async () => {
    const updates = Array.from({ length: 1_001 }, () => taskUpdate(newId()));
    await expect(gateway.updateTasks({ updates })).rejects.toMatchObject({
      status: 'INVALID_ARGUMENT',
      fields: [{ field: '/updates' }],
    });
  });

  it('PERMISSION_DENIED: to anyone but the gateway', async () => {
    await expect(suite.client('direct-runner').updateTasks({ updates: [] })).rejects.toMatchObject({
      reason: 'CALLER_NOT_ALLOWED',
    });
  });
});
