import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jobs } from '@tally/contracts';
import { alice, type BatchSuite, openBatchSuite } from '../../batch-suite.js';
import { CLUSTER } from '../../fake-bridge.js';
import { as, completeNextTask, type SubmissionChanges, submission } from '../../suite.js';

let batch: BatchSuite;
const { ESTIMATE_BASIS_MODEL, ESTIMATE_BASIS_ENGINE, ESTIMATE_BASIS_SAME } = jobs.EstimateBasis;

beforeAll(async () => {
  batch = await openBatchSuite();
});
afterAll(() => batch.stop());

const estimate = (change: SubmissionChanges = {}) =>
  as(alice, () =>
    batch.gateway.estimateJob(submission({ platform: jobs.Platform.PLATFORM_BATCH, taskCount: 4, ...change })),
  );
const numberOf = (time: jobs.TimeEstimate['expected']) => Number(time?.seconds) + (time?.nanos ?? 0) / 1e9;

describe('EstimateJob OK for a cluster', () => {
  it('is that of all tasks at once, with the time that one may take; no runner is needed, and no cluster asked', async () => {
    const { simulators, ...rest } = await estimate();
    expect(rest).toEqual({
      primaries: 1_000n,
      slotCount: 4,
      waitingTaskCount: 0,
      tasksBefore: 0,
      clusterName: CLUSTER,
      wallTimeLimit: { seconds: 3_600n, nanos: 0 },
    });
    const [first] = simulators;
    expect(first?.basis).toBe(ESTIMATE_BASIS_MODEL);
    expect(numberOf(first?.wall?.expected)).toBeCloseTo(numberOf(first?.processor?.expected) / 4, 6);
    expect(batch.bridge.told).toEqual([]);
  });

  it('is for the simulators that the cluster has', async () => {
    batch.bridge.executables = 'simA=1.0.1';
    const { simulators } = await estimate();
    batch.bridge.executables = '';
    expect(simulators[0]?.engine).toBe('simA 1.0.1');
  });

  it('learns from jobs of this cluster before those of other places', async () => {
    await batch.runner.reportRunner({
      runnerId: 'runner-1',
      executables: [],
      confinement: jobs.Confinement.CONFINEMENT_NONE,
      refusesFiles: false,
      slots: 1,
    });
    const direct = { platform: jobs.Platform.PLATFORM_DIRECT };
    const { jobId } = await batch.submit({ ...direct, taskCount: 1 });
    await completeNextTask(batch.suite.queue, batch.runner);
    await batch.suite.sql(
      `UPDATE tasks SET start_time = tasks.end_time - interval '80 s' FROM jobs WHERE jobs.id = job_key AND job_id = $1`,
      [jobId],
    );
    await batch.suite.sql(`UPDATE jobs SET state = 'COMPLETED' WHERE job_id = $1`, [jobId]);
    const basisOf = async (change = {}) => (await estimate({ taskCount: 1, ...change })).simulators[0];
    expect((await basisOf(direct))?.basis).toBe(ESTIMATE_BASIS_SAME);
    expect(await basisOf()).toMatchObject({ basis: ESTIMATE_BASIS_ENGINE, jobCount: 1 });
    // as if it had run there
    await batch.suite.sql(`UPDATE jobs SET cluster_name = $2, platform = 'batch' WHERE job_id = $1`, [jobId, CLUSTER]);
    const there = await basisOf();
    expect(there).toMatchObject({ basis: ESTIMATE_BASIS_SAME, jobCount: 1 });
    expect(numberOf(there?.wall?.expected)).toBeCloseTo(80, 3);
    expect((await basisOf(direct))?.basis).toBe(ESTIMATE_BASIS_ENGINE);
  });

  it('has what a job of a cluster costs by the model, to learn from it later', async () => {
    const { jobId } = await batch.submit({ taskCount: 2 });
    const costs = await batch.suite.sql<{ engine: string }>(
      'SELECT engine FROM job_costs JOIN jobs ON jobs.id = job_key WHERE job_id = $1',
      [jobId],
    );
    expect(costs).toEqual([{ engine: expect.stringMatching(/^reference /) }]);
  });
});

describe('EstimateJob INVALID_ARGUMENT for a cluster', () => {
  it('refuses a cluster and an option that there are not, naming them', async () => {
    await expect(estimate({ clusterName: 'beta' })).rejects.toMatchObject({
      reason: 'CLUSTER_UNKNOWN',
      fields: [{ field: 'batch_options/cluster_name' }],
    });
    await expect(estimate({ schedulerOptionsJson: Buffer.from('{"wrong":1}') })).rejects.toMatchObject({
      reason: 'OPTION_INVALID',
    });
  });
});
