import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from '@jest/globals';
import { strayProcesses } from '@tally/launcher';
import { hasBubblewrap, serviceProgram, testCallerToken, waitFor } from '@tally/testkit';
import { deckOf, outputOf, writeOutput } from '../attempt.js';
import { SIMULATOR, useTestEnvironment } from '../stand-in/environment.js';

// The runner as a real process, from its build: a crash is SIGKILL to it and to nothing else.
const environment = useTestEnvironment();
const MAIN = fileURLToPath(new URL('../../dist/src/main.js', import.meta.url));
const QUICK = { logShipMs: 50, retryPauseMs: 50, retryPauseMsMax: 200, cancelGraceMs: 300 };
const PROGRAM = serviceProgram('direct-runner', QUICK);
let kills: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const kill of kills) await kill();
  kills = [];
});

async function startProcess(
  settings: Record<string, string> = {},
): Promise<{ pid: number; crash(): Promise<void>; stop(): Promise<number | null> }> {
  if (!existsSync(MAIN)) throw new Error('build first: pnpm exec tsc -b services/direct-runner');
  const child = spawn(process.execPath, PROGRAM, {
    env: {
      RUNNER_CALLER_TOKEN: testCallerToken('direct-runner'),
      RUNNER_QUEUE_URL: environment.queueUrl,
      RUNNER_JOBS_ADDRESS: environment.jobs.address,
      RUNNER_RESULTS_ADDRESS: environment.results.address,
      RUNNER_WORK_DIR: environment.workDir,
      RUNNER_ENGINE_COMMAND: SIMULATOR,
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (text: Buffer) => {
    output += text.toString();
  });
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill(signal);
      await once(child, 'exit');
    }
    return child.exitCode;
  };
  kills.push(async () => void (await end('SIGKILL')));
  await waitFor(() => output.includes('"listening"'), { what: 'the runner to listen' });
  return { pid: child.pid ?? 0, crash: async () => void (await end('SIGKILL')), stop: () => end('SIGTERM') };
}

describe('a runner killed by SIGKILL', () => {
  it('between the output and the end of a task reports the end at its next start', async () => {
    environment.jobs.down.add('end');
    const runner = await startProcess();
    const attempt = await environment.submit(deckOf(writeOutput(outputOf(100))));
    await waitFor(() => environment.results.outputs.size === 1);
    await runner.crash();
    environment.jobs.down.clear();
    await startProcess();
    expect(await environment.endOf(attempt)).toEqual({ $case: 'completed', value: { simulatedPrimaries: 100n } });
    await waitFor(async () => (await environment.folders()).length === 0);
  });

  it('before it could store an output stores it at its next start, log included', async () => {
    environment.results.down.add('putTaskOutput').add('appendLogs');
    const runner = await startProcess();
    const attempt = await environment.submit(deckOf(['print', 'computed'], writeOutput(outputOf(100))));
    const journal = path.join(environment.workDir, 'spool', `${attempt.order.attemptId}.journal`);
    await waitFor(() => existsSync(journal) && readFileSync(journal, 'latin1').includes('\n{"end":'));
    await runner.crash();
    environment.results.down.clear();
    await startProcess();
    expect((await environment.endOf(attempt)).$case).toBe('completed');
    expect(environment.results.outputs.get(`${attempt.order.jobId}/1`)?.header.primaries).toBe(100n);
    expect(environment.results.logs.get(attempt.order.attemptId)).toContain('computed');
  });

  it('in the middle of a task ends its left-over processes at its next start and reports the task as lost', async () => {
    const runner = await startProcess({ RUNNER_CONFINEMENT: 'none' });
    const attempt = await environment.submit(
      deckOf(['ignoreSignals'], ['fork', 'child'], ['fork', 'stray'], ['print', 'ready'], ['hang']),
    );
    const { attemptId } = attempt.order;
    await waitFor(() => environment.results.logs.get(attemptId)?.includes('ready'));
    await runner.crash();
    expect(await strayProcesses(attemptId, undefined)).toHaveLength(3);
    await startProcess();
    expect(await environment.endOf(attempt)).toMatchObject({
      $case: 'failed',
      value: { reason: 'RUNNER_LOST', isRetryable: true },
    });
    expect(await strayProcesses(attemptId, undefined)).toEqual([]);
    await waitFor(async () => (await environment.folders()).length === 0);
  });

  (hasBubblewrap() ? it : it.skip)('takes confined simulators with it, whatever they have started', async () => {
    const runner = await startProcess({ RUNNER_CONFINEMENT: 'bubblewrap' });
    const { order } = await environment.submit(
      deckOf(['ignoreSignals'], ['fork', 'child'], ['fork', 'stray'], ['print', 'ready'], ['hang']),
    );
    await waitFor(() => environment.results.logs.get(order.attemptId)?.includes('ready'));
    expect((await strayProcesses(order.attemptId, undefined)).length).toBeGreaterThanOrEqual(3);
    await runner.crash();
    await waitFor(async () => (await strayProcesses(order.attemptId, undefined)).length === 0);
    await startProcess();
    await waitFor(async () => (await environment.folders()).length === 0);
  });

  it('leaves its folder to the next start, but a living runner does not share it', async () => {
    const runner = await startProcess();
    await expect(environment.startRunner()).rejects.toThrow(`in use by process ${runner.pid}`);
    await runner.crash();
    const next = await startProcess();
    expect(await next.stop()).toBe(0);
    expect(existsSync(path.join(environment.workDir, 'runner.lock'))).toBe(false);
  });

  it('while it made a folder leaves nothing that stops the next start', async () => {
    const [unknown, broken] = [crypto.randomUUID(), crypto.randomUUID()];
    for (const id of [unknown, broken]) {
      await mkdir(path.join(environment.workDir, 'tasks', id), { recursive: true });
    }
    const former = path.join(environment.workDir, crypto.randomUUID()); // as releases before journals had it
    await mkdir(path.join(former, 'work'), { recursive: true });
    await mkdir(path.join(environment.workDir, 'spool'));
    await writeFile(path.join(environment.workDir, 'spool', `${broken}.journal`), '{"order":{"attemptId":');
    await writeFile(path.join(environment.workDir, 'spool', `${broken}.log`), 'a line\n');
    await startProcess();
    await waitFor(async () => (await environment.folders()).length === 0 && !existsSync(former));
    const attempt = await environment.submit(deckOf(writeOutput(outputOf(100))));
    expect((await environment.endOf(attempt)).$case).toBe('completed');
  });
});
