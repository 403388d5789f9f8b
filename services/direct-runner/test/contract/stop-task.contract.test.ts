import { describe, expect, it } from '@jest/globals';
import { strayProcesses } from '@tally/launcher';
import { waitFor } from '@tally/testkit';
import { runnerConfigSchema } from '../../src/config.js';
import { deckOf, outputOf, writeOutput } from '../attempt.js';
import { useWorld } from '../stand-in/world.js';

const world = useWorld();
const STUBBORN = deckOf(['ignoreSignals'], ['fork', 'child'], ['fork', 'stray'], ['print', 'ready'], ['hang']);

/** A task whose simulator runs, with children, and will not go by itself. */
async function startStubborn(order: Parameters<typeof world.submit>[1] = {}) {
  const attempt = await world.submit(STUBBORN, order);
  await waitFor(() => world.results.logs.get(attempt.order.attemptId)?.includes('ready'));
  expect(strayProcesses(attempt.order.attemptId, undefined)).toHaveLength(3);
  return attempt;
}
const isGone = (attemptId: string) => strayProcesses(attemptId, undefined).length === 0;

describe('a task that jobs does not want any more', () => {
  it('is gone with all its processes within 5 s at the default settings, and nothing is reported', async () => {
    await world.startRunner({ cancelGraceMs: Number(runnerConfigSchema.cancelGraceMs.default) });
    const attempt = await startStubborn({ heartbeatMs: 2_000 });
    attempt.mustStop = true;
    const toldAt = performance.now();
    await waitFor(() => isGone(attempt.order.attemptId));
    expect(performance.now() - toldAt).toBeLessThan(5_000);
    await waitFor(async () => (await world.folders()).length === 0);
    expect(attempt.end).toBeUndefined();
    expect(world.results.outputs.size).toBe(0);
    expect(world.results.logs.get(attempt.order.attemptId)).toMatch(
      /cancelled.*\nthe simulator ended: signal SIGKILL\n$/,
    );
  });

  it('is not delivered either when it was finished', async () => {
    world.results.down.add('putTaskOutput');
    await world.startRunner();
    const attempt = await world.submit(deckOf(writeOutput(outputOf(100))));
    await waitFor(async () => world.results.logs.get(attempt.order.attemptId)?.includes('exit code 0'));
    attempt.mustStop = true;
    await waitFor(async () => (await world.folders()).length === 0);
    expect(attempt.end).toBeUndefined();
  });
});

describe('a runner that cannot reach jobs', () => {
  it('stops the task when its lease has run out: somebody else may have it', async () => {
    await world.startRunner();
    const attempt = await startStubborn({ leaseMs: 1_500, heartbeatMs: 200 });
    world.jobs.down.add('reportTask');
    await waitFor(() => isGone(attempt.order.attemptId));
    await waitFor(async () => (await world.folders()).length === 0);
    world.jobs.down.clear();
    expect(attempt.end).toBeUndefined();
  });
});

describe('a runner that is told to stop', () => {
  it('ends its simulators, hands their tasks back and takes no more', async () => {
    const runner = await world.startRunner({ slots: 2 });
    const first = await startStubborn({ taskId: 1 });
    const second = await startStubborn({ taskId: 2 });
    const waiting = await world.submit(STUBBORN, { taskId: 3 });
    await runner.stop();
    for (const attempt of [first, second]) {
      expect(attempt.end).toEqual({ $case: 'released', value: {} });
      expect(isGone(attempt.order.attemptId)).toBe(true);
    }
    expect(waiting.claimedBy).toBeUndefined();
    expect(await world.folders()).toEqual([]);
    waiting.mustStop = true; // for the next test's runner
  });

  it('leaves what it cannot deliver to its next start', async () => {
    world.results.down.add('putTaskOutput');
    const runner = await world.startRunner({ graceMs: 1_500 });
    const attempt = await world.submit(deckOf(writeOutput(outputOf(100))));
    await waitFor(() => world.results.logs.get(attempt.order.attemptId)?.includes('exit code 0'));
    await runner.stop();
    expect(await world.folders()).toEqual([attempt.order.attemptId]);
    world.results.down.clear();
    await world.startRunner();
    expect((await world.endOf(attempt)).$case).toBe('completed');
    expect(world.results.outputs.size).toBe(1);
    await waitFor(async () => (await world.folders()).length === 0);
  });
});
