import { writeFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { strayProcesses } from '@tally/launcher';
import { hasBubblewrap, waitFor } from '@tally/testkit';
import { BOUNDS } from '../../src/bounds.js';
import { deckOf, outputOf, writeOutput } from '../attempt.js';
import { useTestEnvironment } from '../stand-in/environment.js';

const environment = useTestEnvironment();
/** Longer than any test. */
const DRAIN_MS = 120_000;
const STUBBORN = deckOf(['ignoreSignals'], ['fork', 'child'], ['fork', 'stray'], ['print', 'ready'], ['hang']);

/** A task whose simulator runs, with children, and will not go by itself. */
async function startStubborn(order: Parameters<typeof environment.submit>[1] = {}) {
  const attempt = await environment.submit(STUBBORN, order);
  await waitFor(() => environment.results.logs.get(attempt.order.attemptId)?.includes('ready'));
  expect((await strayProcesses(attempt.order.attemptId, undefined)).length).toBeGreaterThanOrEqual(3); // and those of bubblewrap
  return attempt;
}
/** A task is finished, and its output, which its last log goes with, was not taken. */
async function waitForRefusedOutput(): Promise<void> {
  const before = environment.results.refusedOutputs;
  await waitFor(() => environment.results.refusedOutputs > before);
}
const isGone = async (attemptId: string) => (await strayProcesses(attemptId, undefined)).length === 0;

describe('a task that jobs does not want any more', () => {
  it.each(hasBubblewrap() ? (['bubblewrap', 'none'] as const) : (['none'] as const))(
    'is gone with all its processes (confinement %s), and nothing is reported',
    async (confinement) => {
      await environment.startRunner({ confinement, cancelGraceMs: BOUNDS.cancelGraceMs });
      const attempt = await startStubborn({ heartbeatMs: 2_000 });
      attempt.mustStop = true;
      await waitFor(() => isGone(attempt.order.attemptId));
      await waitFor(async () => (await environment.folders()).length === 0);
      expect(attempt.end).toBeUndefined();
      expect(environment.results.outputs.size).toBe(0);
      expect(environment.results.logs.get(attempt.order.attemptId)).toMatch(
        /cancelled.*\nthe simulator ended: signal SIGKILL\n$/,
      );
    },
  );

  it('is not delivered either when it was finished', async () => {
    environment.results.down.add('putTaskOutput');
    await environment.startRunner();
    const attempt = await environment.submit(deckOf(writeOutput(outputOf(100))));
    await waitForRefusedOutput();
    attempt.mustStop = true;
    await waitFor(async () => (await environment.folders()).length === 0);
    expect(attempt.end).toBeUndefined();
  });
});

describe('a task whose job was stopped', () => {
  it('ends early and hands over what it has simulated', async () => {
    await environment.startRunner();
    const steps = [['print', 'ready'], ['waitFor', 'finish'], writeOutput(outputOf(30))] as const;
    const attempt = await environment.submit(deckOf(...steps));
    await waitFor(() => environment.results.logs.get(attempt.order.attemptId)?.includes('ready'));
    attempt.mustFinish = true;
    await waitFor(() => attempt.end);
    expect(attempt.end).toEqual({ $case: 'completed', value: { simulatedPrimaries: 30n } });
    expect([...environment.results.outputs.values()]).toMatchObject([{ header: { primaries: 30n } }]);
    expect(environment.results.logs.get(attempt.order.attemptId)).toContain('the job was stopped');
  });

  it('has failed with an output of fewer primaries that nobody asked for', async () => {
    await environment.startRunner();
    const attempt = await environment.submit(deckOf(writeOutput(outputOf(30))));
    await waitFor(() => attempt.end);
    expect(attempt.end).toMatchObject({ $case: 'failed', value: { reason: 'OUTPUT_INCOMPLETE' } });
  });
});

describe('a runner that cannot reach jobs', () => {
  it('stops the task when its lease has run out: somebody else may have it', async () => {
    await environment.startRunner();
    const attempt = await startStubborn({ leaseMs: 1_500, heartbeatMs: 200 });
    environment.jobs.down.add('progress');
    await waitFor(() => isGone(attempt.order.attemptId));
    await waitFor(async () => (await environment.folders()).length === 0);
    environment.jobs.down.clear();
    expect(attempt.end).toBeUndefined();
  });
});

describe('a runner that is told to stop', () => {
  it('ends its simulators, hands their tasks back and takes no more', async () => {
    const runner = await environment.startRunner({ slots: 2 });
    const first = await startStubborn({ taskId: 1 });
    const second = await startStubborn({ taskId: 2 });
    const waiting = await environment.submit(STUBBORN, { taskId: 3 });
    await runner.stop();
    for (const attempt of [first, second]) {
      expect(attempt.end).toEqual({ $case: 'released', value: {} });
      expect(await isGone(attempt.order.attemptId)).toBe(true);
    }
    expect(waiting.claimedBy).toBeUndefined();
    expect(await environment.folders()).toEqual([]);
    waiting.mustStop = true; // for the next test's runner
  });

  it('lets them end within its drain, keeps their leases and takes no more', async () => {
    const runner = await environment.startRunner({ slots: 1, drainMs: DRAIN_MS });
    const steps = [['print', 'ready'], ['waitFor', 'go'], writeOutput(outputOf(100))] as const;
    const running = await environment.submit(deckOf(...steps), { taskId: 1 });
    await waitFor(() => environment.results.logs.get(running.order.attemptId)?.includes('ready'));
    const waiting = await environment.submit(STUBBORN, { taskId: 2 });
    const stopped = runner.stop();
    const before = running.heartbeats.length;
    await waitFor(() => running.heartbeats.length > before + 2);
    expect(running.end).toBeUndefined();
    await writeFile(environment.taskFile(running, 'go'), '');
    await stopped;
    expect(running.end?.$case).toBe('completed');
    expect(environment.results.outputs.size).toBe(1);
    expect(waiting.claimedBy).toBeUndefined();
    expect(await environment.folders()).toEqual([]);
    waiting.mustStop = true; // for the next test's runner
  });

  it('hands back what has not ended within its drain', async () => {
    const runner = await environment.startRunner({ drainMs: 500 });
    const attempt = await startStubborn();
    await runner.stop();
    expect(attempt.end).toEqual({ $case: 'released', value: {} });
    expect(environment.results.logs.get(attempt.order.attemptId)).toContain('the runner shuts down');
    expect(await environment.folders()).toEqual([]);
  });

  it('leaves what it cannot deliver to its next start', async () => {
    environment.results.down.add('putTaskOutput');
    const runner = await environment.startRunner({ graceMs: 1_500 });
    const attempt = await environment.submit(deckOf(writeOutput(outputOf(100))));
    await waitForRefusedOutput();
    await runner.stop();
    expect(await environment.folders()).toEqual([attempt.order.attemptId]);
    environment.results.down.clear();
    await environment.startRunner();
    expect((await environment.endOf(attempt)).$case).toBe('completed');
    expect(environment.results.outputs.size).toBe(1);
    await waitFor(async () => (await environment.folders()).length === 0);
  });
});
