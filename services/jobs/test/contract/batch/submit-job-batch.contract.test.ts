import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { jobs } from '@tally/contracts';
import { withContext } from '@tally/service-kit';
import { alice, type BatchSuite, openBatchSuite } from '../../batch-suite.js';
import { CLUSTER, failedFor, submitted, underway } from '../../fake-bridge.js';
import { projectWith } from '../../project.js';
import { submission } from '../../suite.js';

let batch: BatchSuite;
const sql = (text: string, ...values: unknown[]) => batch.suite.sql<Record<string, unknown>>(text, values);
const countJobs = async () => (await sql('SELECT count(*)::int AS n FROM jobs'))[0]?.n;
const OPTIONS = Buffer.from('{"time":"1:00:00"}');

beforeAll(async () => {
  batch = await openBatchSuite({ callTimeoutMs: 2_000 });
});
beforeEach(() => {
  batch.bridge.setDown(false);
  batch.bridge.onSubmit = async () => submitted;
  batch.bridge.executables = '';
});
afterAll(() => batch.stop());

describe('SubmitJob OK on the batch platform', () => {
  it('stores the job PENDING on its cluster, without attempts or messages, and takes it to batch-bridge', async () => {
    const { jobId } = await batch.submit({ taskCount: 3, schedulerOptionsJson: OPTIONS }, 10);
    const job = await batch.job(jobId);
    expect(job).toMatchObject({
      state: jobs.State.STATE_PENDING,
      clusterName: CLUSTER,
      waitingReason: '',
      failure: '',
    });
    expect(job.platform).toBe(jobs.Platform.PLATFORM_BATCH);
    expect(job.tasks.map((task) => task.requestedPrimaries)).toEqual([4n, 3n, 3n]);
    expect(job.tasks.every(({ attemptCount }) => attemptCount === 0)).toBe(true);
    expect(await sql('SELECT 1 FROM attempts UNION ALL SELECT 1 FROM outbox')).toEqual([]);
    expect(batch.bridge.submissions.at(-1)).toMatchObject({
      jobId,
      userId: alice,
      clusterName: CLUSTER,
      schedulerOptionsJson: OPTIONS,
    });
    expect(batch.suite.results.inputs.get(jobId)?.ownerId).toBe(alice);
  });

  it('waits for the cluster as long as is configured, and less when the caller gives less time', async () => {
    const waitOf = () => Number(batch.bridge.submissions.at(-1)?.wait?.seconds);
    await batch.submit();
    expect(waitOf()).toBe(40); // the default
    const deadline = new Date(Date.now() + 8_000);
    await withContext({ requestId: 'r', userId: alice, deadline }, () =>
      batch.gateway.submitJob(submission({ platform: jobs.Platform.PLATFORM_BATCH })),
    );
    expect(waitOf()).toBeLessThan(4); // time for the answers is left
    const patient = await batch.suite.start({ batchBridgeAddress: batch.bridge.address, batchSubmitWaitMs: 1_000 });
    const gateway = batch.suite.client('gateway', patient);
    await withContext({ requestId: 'r', userId: alice }, () =>
      gateway.submitJob(submission({ platform: jobs.Platform.PLATFORM_BATCH })),
    );
    expect(waitOf()).toBe(1);
    await patient.stop();
  });

  it('makes the deck for the executables that the cluster has, not for those of the runners', async () => {
    const manifestOf = async (executables: string) => {
      batch.bridge.executables = executables;
      const { jobId } = await batch.submit({ simulator: jobs.Simulator.SIMULATOR_SIM_A });
      return batch.suite.results.inputs.get(jobId)?.documents.map(({ name }) => name);
    };
    expect(await manifestOf('simA=1.0')).not.toEqual(await manifestOf(''));
  });

  it('sends batch-bridge what each task simulates', async () => {
    await batch.submit({ taskCount: 3, seed: 2n ** 64n - 1n }, 10);
    expect(batch.bridge.submissions.at(-1)?.spec).toEqual({
      firstTask: 1,
      simulator: jobs.Simulator.SIMULATOR_SIM_A,
      inputType: jobs.InputType.INPUT_TYPE_EDITOR,
      seed: 2n ** 64n - 1n,
      tasks: [
        { primaries: 4n, firstHistory: 0n },
        { primaries: 3n, firstHistory: 4n },
        { primaries: 3n, firstHistory: 7n },
      ],
    });
  });

  it('answers when the submission is still under way', async () => {
    batch.bridge.onSubmit = async () => underway;
    const { jobId } = await batch.submit();
    expect((await batch.job(jobId)).state).toBe(jobs.State.STATE_PENDING);
  });

  it('gives the first answer to a repeat with the same key, and submits once', async () => {
    const request = { idempotencyKey: randomUUID(), clusterName: CLUSTER, schedulerOptionsJson: OPTIONS };
    const first = await batch.submit(request);
    const before = batch.bridge.submissions.length;
    expect(await batch.submit(request)).toEqual(first);
    expect(batch.bridge.submissions).toHaveLength(before);
  });
});

describe('SubmitJob INVALID_ARGUMENT on the batch platform', () => {
  it('refuses what batch-bridge refuses, with its fields, and stores nothing', async () => {
    const before = await countJobs();
    await expect(batch.submit({ clusterName: 'beta' })).rejects.toMatchObject({
      status: 'INVALID_ARGUMENT',
      reason: 'CLUSTER_UNKNOWN',
      fields: [{ field: 'batch_options/cluster_name' }],
    });
    await expect(batch.submit({ schedulerOptionsJson: Buffer.from('{"wrong":1}') })).rejects.toMatchObject({
      reason: 'OPTION_INVALID',
      fields: [{ field: 'batch_options/scheduler_options/wrong' }],
    });
    expect(await countJobs()).toBe(before);
  });

  it('refuses input files of a simulator that the cluster does not have', () =>
    expect(
      batch.submit({
        inputType: jobs.InputType.INPUT_TYPE_FILES,
        simulator: jobs.Simulator.SIMULATOR_SIM_B,
        simDataJson: Buffer.from('{"beam.dat":"BEAM"}'),
      }),
    ).rejects.toMatchObject({ status: 'INVALID_ARGUMENT', reason: 'INPUT_TYPE_UNSUPPORTED' }));

  it('refuses the project as on the direct platform', () =>
    expect(batch.submit({ simDataJson: projectWith(10), taskCount: 11 })).rejects.toMatchObject({
      fields: [{ field: '/ntasks' }],
    }));
});

describe('SubmitJob ALREADY_EXISTS on the batch platform', () => {
  it('refuses the same key for another cluster or other options', async () => {
    const idempotencyKey = randomUUID();
    await batch.submit({ idempotencyKey });
    for (const other of [{ clusterName: CLUSTER }, { schedulerOptionsJson: OPTIONS }]) {
      await expect(batch.submit({ idempotencyKey, ...other })).rejects.toMatchObject({
        reason: 'IDEMPOTENCY_KEY_REUSED',
      });
    }
  });
});

describe('SubmitJob INTERNAL on the batch platform', () => {
  it('says why the cluster refused, and leaves the job FAILED with these words', async () => {
    const words = 'login refused: Permission denied (publickey)';
    let jobId = '';
    batch.bridge.onSubmit = async (request) => {
      jobId = request.jobId;
      return failedFor(words);
    };
    await expect(batch.submit({ taskCount: 2 })).rejects.toMatchObject({
      status: 'INTERNAL',
      reason: 'BATCH_SUBMISSION_FAILED',
      message: expect.stringMatching(new RegExp(`^login refused: .*${jobId}`)),
    });
    const job = await batch.job(jobId);
    const failure = `SUBMISSION_FAILED: ${words}`;
    expect(job).toMatchObject({ state: jobs.State.STATE_FAILED, failure });
    expect(job.tasks.map((task) => [task.state, task.failure])).toEqual([
      [jobs.State.STATE_FAILED, failure],
      [jobs.State.STATE_FAILED, failure],
    ]);
  });

  it('says the same to a repeat with the key, and submits no second job', async () => {
    batch.bridge.onSubmit = async () => failedFor('no such partition');
    const idempotencyKey = randomUUID();
    const errorOf = () => batch.submit({ idempotencyKey }).catch((err: Error) => err.message);
    const first = await errorOf();
    const before = await countJobs();
    batch.bridge.onSubmit = async () => submitted;
    expect(await errorOf()).toBe(first);
    expect(first).toContain('no such partition (job ');
    expect(await countJobs()).toBe(before);
  });

  it('is one end, whether batch-bridge reports it, too, or not', async () => {
    batch.bridge.onSubmit = async ({ jobId }) => {
      await batch.report(jobId, { end: { lastTask: 0, failure: 'quota exceeded' } });
      return failedFor('quota exceeded');
    };
    const err: unknown = await batch.submit().catch((thrown: unknown) => thrown);
    expect(err).toMatchObject({ reason: 'BATCH_SUBMISSION_FAILED' });
    const [row] = await sql("SELECT job_id FROM jobs WHERE failure = 'quota exceeded'");
    expect(await batch.report(String(row?.job_id), { end: { lastTask: 0, failure: 'again' } })).toEqual({
      isOpen: false,
    });
    expect((await batch.job(String(row?.job_id))).failure).toBe('quota exceeded');
  });
});

describe('SubmitJob UNAVAILABLE on the batch platform', () => {
  it('refuses before anything is stored while batch-bridge cannot check the submission', async () => {
    const before = await countJobs();
    batch.bridge.setDown(true);
    await expect(batch.submit()).rejects.toMatchObject({ status: 'UNAVAILABLE' });
    expect(await countJobs()).toBe(before);
  });
});
