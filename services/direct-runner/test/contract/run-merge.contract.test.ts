import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { MERGE_QUEUE, results } from '@tally/contracts';
import { decodeNumbers, mergePage } from '@tally/merge';
import { waitFor } from '@tally/testkit';
import type { RunnerConfig } from '../../src/config.js';
import type { JobId } from '../../src/domain/task.js';
import { deckOf, outputOf, WARNINGS, writeOutput } from '../attempt.js';
import { useTestEnvironment } from '../stand-in/environment.js';
import type { StandInMerge } from '../stand-in/jobs.js';

const environment = useTestEnvironment();
const JOB = '20260101-000000-merge' as JobId;

/** Here the tasks of a job have decks of their own, which those of a real job never have. */
const startRunner = (settings: Partial<RunnerConfig> = {}) =>
  environment.startRunner({ deckCacheBytesMax: 0, ...settings });

/** Lets the runner itself simulate tasks 1 … n, task k with k·10 histories and dose k. */
async function runTasks(count: number): Promise<void> {
  for (let taskId = count; taskId >= 1; taskId -= 1) {
    const deck = deckOf(writeOutput(outputOf(10 * taskId, taskId)));
    await environment.endOf(await environment.submit(deck, { jobId: JOB, taskId, primaries: 10 * taskId }));
  }
}
const endOf = (merge: StandInMerge) => waitFor(() => merge.end, { what: 'the end of the merge' });
const addMerge = (taskIds: number[], isPartial = false) => {
  const mergeId = crypto.randomUUID();
  const merge = environment.jobs.addMerge(mergeId, { jobId: JOB, taskIds, isPartial });
  return { mergeId, merge, start: () => environment.submitMerge(mergeId, JOB) };
};

describe('a merge', () => {
  it('is left to results, and then reported', async () => {
    await startRunner();
    await runTasks(3);
    const { merge, start } = addMerge([1, 3], true);
    await start();
    expect(await endOf(merge)).toEqual({ $case: 'merged', value: {} });
    expect(environment.results.mergeOrders).toEqual([{ jobId: JOB, taskIds: [1, 3], isPartial: true }]);
  });

  it('comes with the end of the last task of its job, without a message', async () => {
    await startRunner();
    const { mergeId, merge } = addMerge([1]);
    const attempt = await environment.submit(deckOf(writeOutput(outputOf(10))), { jobId: JOB, primaries: 10 });
    attempt.mergeId = mergeId;
    expect(await endOf(merge)).toEqual({ $case: 'merged', value: {} });
    expect(environment.results.mergeOrders).toEqual([{ jobId: JOB, taskIds: [1], isPartial: false }]);
    expect(environment.results.outputs.get(`${JOB}/1`)?.header).toMatchObject({ primaries: 10n });
    await waitFor(async () => (await environment.folders()).length === 0);
  });

  it('fails when results lacks the output of a task that counts', async () => {
    await startRunner();
    await runTasks(1);
    const { merge, start } = addMerge([1, 2]);
    await start();
    expect(await endOf(merge)).toMatchObject({
      $case: 'failed',
      value: { reason: 'RESULTS_INCOMPLETE', message: expect.stringContaining('task 2 has no output') },
    });
  });
});

describe('a merge with results of the release before', () => {
  beforeEach(() => {
    environment.results.isEarlierRelease = true;
  });
  afterEach(async () => expect(await environment.queue.depth(MERGE_QUEUE)).toBe(0));

  it('stores what the tasks give together, and is then reported', async () => {
    await startRunner();
    await runTasks(3);
    const { merge, start } = addMerge([1, 2, 3]);
    await start();
    expect(await endOf(merge)).toEqual({ $case: 'merged', value: {} });
    const stored = environment.results.merged.get(JOB);
    expect(stored?.header).toEqual({
      jobId: JOB,
      primaries: 60n,
      taskCount: 3,
      isPartial: false,
      engine: 'fixture 1',
      version: '',
      pageCount: 1,
      warnings: WARNINGS,
    });
    const outputs = [1, 2, 3].map((task) => outputOf(10 * task, task));
    const [page] = outputs[0]?.pages ?? [];
    if (page === undefined) throw new Error('no page');
    const parts = outputs.map(({ primaries, batches, pages }) => ({
      primaries,
      batches,
      moments: pages[0]?.moments ?? [],
    }));
    const expected = mergePage(page, parts);
    expect(decodeNumbers(stored?.pages[0]?.bytes ?? Buffer.alloc(0))).toEqual(
      Float64Array.of(...expected.values, ...expected.errors),
    );
  });

  it('of a list stores the records of all tasks in their order, however many each has', async () => {
    await startRunner();
    const counts = [3, 0, 2];
    const numbersOf = (count: number, taskId: number) =>
      Float64Array.from({ length: 2 * count }, (_, at) => taskId + at / 8);
    for (const [index, recordCount] of counts.entries()) {
      const output = outputOf(10);
      const axes = [{ name: 'column', unit: '', centers: [1, 2] }];
      const moments = [numbersOf(recordCount, index + 1)];
      const pages = output.pages.map((page) => ({
        ...page,
        kind: 'list' as const,
        scale: 1,
        axes,
        recordCount,
        moments,
      }));
      const deck = deckOf(writeOutput({ ...output, pages }));
      await environment.endOf(await environment.submit(deck, { jobId: JOB, taskId: index + 1, primaries: 10 }));
    }
    const { merge, start } = addMerge([1, 2, 3]);
    await start();
    expect(await endOf(merge)).toEqual({ $case: 'merged', value: {} });
    const [page] = environment.results.merged.get(JOB)?.pages ?? [];
    expect(page?.header).toMatchObject({ kind: results.PageKind.PAGE_KIND_LIST, recordCount: 5n });
    const values = counts.flatMap((count, index) => [...numbersOf(count, index + 1)]);
    expect([...decodeNumbers(page?.bytes ?? Buffer.alloc(0))]).toEqual([...values, ...values.map(() => Number.NaN)]);
  });

  it('of some tasks counts only those, and says that it is partial', async () => {
    await startRunner();
    await runTasks(3);
    const { merge, start } = addMerge([1, 3], true);
    await start();
    expect((await endOf(merge)).$case).toBe('merged');
    expect(environment.results.merged.get(JOB)?.header).toMatchObject({
      primaries: 40n,
      taskCount: 2,
      isPartial: true,
    });
  });

  it('fails when the output of a task that counts is not there', async () => {
    await startRunner();
    await runTasks(2);
    const { merge, start } = addMerge([1, 2, 5]);
    await start();
    expect(await endOf(merge)).toMatchObject({
      $case: 'failed',
      value: { reason: 'RESULTS_INCOMPLETE', message: expect.stringContaining('missing 1 of 3 tasks: 5') },
    });
    expect(environment.results.merged.size).toBe(0);
  });

  it('fails when no task counts', async () => {
    await startRunner();
    const { merge, start } = addMerge([]);
    await start();
    expect(await endOf(merge)).toMatchObject({ $case: 'failed', value: { reason: 'RESULTS_INCOMPLETE' } });
  });

  it('fails for good when tasks describe a page differently', async () => {
    await startRunner();
    await runTasks(2);
    const stored = environment.results.outputs.get(`${JOB}/2`);
    if (stored?.pages[0] === undefined) throw new Error('no output');
    stored.pages[0] = { ...stored.pages[0], header: { ...stored.pages[0].header, unit: 'Gy' } };
    const { merge, start } = addMerge([1, 2]);
    await start();
    expect(await endOf(merge)).toMatchObject({
      $case: 'failed',
      value: { reason: 'RESULTS_INCONSISTENT', isRetryable: false, message: expect.stringContaining('unit') },
    });
  });

  it('fails for good when results does not take what it gave', async () => {
    await startRunner();
    await runTasks(1);
    environment.results.refusesOutputs = true;
    const { merge, start } = addMerge([1]);
    await start();
    expect(await endOf(merge)).toMatchObject({ value: { reason: 'RESULTS_REFUSED', isRetryable: false } });
  });

  it('goes on after an outage of results', async () => {
    await startRunner();
    await runTasks(2);
    environment.results.down.add('putResults').add('getTaskPages');
    const { merge, start } = addMerge([1, 2]);
    await start();
    await waitFor(() => merge.heartbeatCount >= 3);
    expect(merge.end).toBeUndefined();
    environment.results.down.clear();
    expect((await endOf(merge)).$case).toBe('merged');
  });

  it('fails, to be tried again, when the outage is too long', async () => {
    await startRunner({ mergeTimeLimitMs: 1_000 });
    await runTasks(1);
    environment.results.down.add('putResults');
    const { merge, start } = addMerge([1]);
    await start();
    expect(await endOf(merge)).toMatchObject({
      $case: 'failed',
      value: { reason: 'MERGE_INTERRUPTED', isRetryable: true },
    });
  });

  it('stops when jobs does not want it any more, and reports nothing', async () => {
    await startRunner();
    await runTasks(1);
    environment.results.down.add('putResults');
    const { merge, start } = addMerge([1]);
    await start();
    await waitFor(() => merge.heartbeatCount >= 1);
    merge.mustStop = true;
    const seen = merge.heartbeatCount;
    await waitFor(() => merge.heartbeatCount > seen);
    environment.results.down.delete('putResults');
    const next = addMerge([1]); // carried out once the only slot is free
    await next.start();
    expect((await endOf(next.merge)).$case).toBe('merged');
    expect(merge.heartbeatCount).toBe(seen + 1);
    expect(merge.end).toBeUndefined();
  });

  it('is handed back when the runner stops', async () => {
    const runner = await startRunner();
    await runTasks(1);
    environment.results.down.add('putResults');
    const { merge, start } = addMerge([1]);
    await start();
    await waitFor(() => merge.heartbeatCount >= 1);
    await runner.stop();
    expect(merge.end).toEqual({ $case: 'released', value: {} });
  });
});
