import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { groupMembers, isAlive, type ProcessIdentity, strayProcesses } from '@tally/launcher';
import { silentLogger, systemClock } from '@tally/service-kit';
import { waitFor } from '@tally/testkit';
import { deckOf, type Step } from '../../test/attempt.js';
import { type SpawnSettings, spawnSimulator } from './spawn.js';

const SIMULATOR = fileURLToPath(new URL('../../test/fixtures/simulator.mjs', import.meta.url));
const SETTINGS: SpawnSettings = {
  taskTimeLimitMs: 60_000,
  taskMemoryBytesMax: 2 ** 33,
  taskOutputBytesMax: 2 ** 30,
  limitCheckMs: 50,
  processNiceness: 5,
  logLineBytesMax: 1000,
};
let folder: string;
let attemptId: string;
let lines: string[];
let identity: ProcessIdentity | undefined;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tally-spawn-'));
  attemptId = crypto.randomUUID();
  lines = [];
});
afterEach(async () => {
  expect(identity === undefined ? [] : groupMembers(identity.pid)).toEqual([]);
  expect(strayProcesses(attemptId, undefined)).toEqual([]);
  await rm(folder, { recursive: true });
});

async function start(steps: Step[], settings: Partial<SpawnSettings> = {}, executable = process.execPath) {
  const deck = deckOf(...steps);
  for (const [name, text] of Object.entries(deck)) await writeFile(path.join(folder, name), text);
  const file = (name: string) => path.join(folder, name);
  const args = [SIMULATOR, '--problem', file('problem.json'), '--task', 'task.json', '--output', file('output')];
  return spawnSimulator({
    command: { executable, args, env: { ADDED: 'yes' } },
    followedFile: undefined,
    settings: { ...SETTINGS, ...settings },
    attemptId,
    folder,
    onLine: (line, source) => lines.push(`${source}: ${line}`),
    onStarted: (started) => {
      identity = started;
    },
    clock: systemClock,
    logger: silentLogger,
  });
}
const limitOf = (simulation: { limitBroken: AbortSignal }) =>
  waitFor(() => simulation.limitBroken.aborted && String(simulation.limitBroken.reason));

describe('a simulator', () => {
  it('is read line by line and ends with its exit code', async () => {
    const simulation = await start([
      ['print', 'hello'],
      ['printError', 'oops'],
      ['exit', 3],
    ]);
    expect(await simulation.ended).toEqual({ kind: 'exited', exitCode: 3 });
    expect(lines.sort()).toEqual(['stderr: oops', 'stdout: hello']);
  });

  it('that crashes ends with the signal', async () => {
    const simulation = await start([['crash', 'SIGSEGV']]);
    expect(await simulation.ended).toEqual({ kind: 'signalled', signal: 'SIGSEGV' });
  });

  it('that cannot be started says why', async () => {
    identity = undefined;
    const simulation = await start([], {}, '/nonexistent/simulator');
    expect(await simulation.ended).toEqual({ kind: 'unstartable', message: 'ENOENT' });
    simulation.stop(0);
  });

  it('sees nothing of the service in its environment', async () => {
    process.env.RUNNER_CALLER_TOKEN = 'secret-of-the-service';
    try {
      await (await start([['tell']])).ended;
    } finally {
      delete process.env.RUNNER_CALLER_TOKEN;
    }
    const [environment] = JSON.parse(await readFile(path.join(folder, 'told.json'), 'utf8')) as [object];
    expect(Object.keys(environment).sort()).toEqual([
      'ADDED',
      'HOME',
      'LANG',
      'PATH',
      'TALLY_ATTEMPT_ID',
      'TMPDIR',
      'TZ',
    ]);
  });

  it('ends with its children when it is stopped, even if all ignore SIGTERM', async () => {
    const simulation = await start([
      ['ignoreSignals'],
      ['fork', 'child'],
      ['fork', 'stray'],
      ['print', 'ready'],
      ['hang'],
    ]);
    await waitFor(() => lines.includes('stdout: ready'));
    expect(groupMembers(identity?.pid ?? 0)).toHaveLength(2);
    expect(strayProcesses(attemptId, identity?.pid)).toHaveLength(1);
    const stoppedAt = performance.now();
    simulation.stop(300);
    expect(await simulation.ended).toEqual({ kind: 'signalled', signal: 'SIGKILL' });
    expect(performance.now() - stoppedAt).toBeGreaterThan(290);
    expect(performance.now() - stoppedAt).toBeLessThan(3_000);
  });

  it('leaves no children behind when it ends by itself', async () => {
    const simulation = await start([
      ['fork', 'child'],
      ['fork', 'stray'],
      ['exit', 0],
    ]);
    expect(await simulation.ended).toEqual({ kind: 'exited', exitCode: 0 });
  });

  it('is asked by SIGTERM first', async () => {
    const simulation = await start([['print', 'ready'], ['hang']]);
    await waitFor(() => lines.includes('stdout: ready'));
    simulation.stop(10_000);
    expect(await simulation.ended).toEqual({ kind: 'signalled', signal: 'SIGTERM' });
  });

  it('is told apart from a later process of the same number', async () => {
    const simulation = await start([['print', 'ready'], ['hang']]);
    await waitFor(() => identity !== undefined && lines.length > 0);
    if (identity === undefined) throw new Error('no identity');
    expect(isAlive(identity)).toBe(true);
    expect(isAlive({ ...identity, startTicks: identity.startTicks - 1 })).toBe(false);
    expect(isAlive({ ...identity, bootId: 'another' })).toBe(false);
    simulation.stop(0);
    await simulation.ended;
    expect(isAlive(identity)).toBe(false);
  });
});

describe('the limits of a task', () => {
  it('tell a simulator that runs too long', async () => {
    const simulation = await start([['hang']], { taskTimeLimitMs: 200 });
    expect(await limitOf(simulation)).toBe('time-limit');
    simulation.stop(0);
    await simulation.ended;
  });

  it('tell a simulator that holds too much memory', async () => {
    const simulation = await start([['allocate', 2 ** 28], ['hang']], { taskMemoryBytesMax: 2 ** 28 });
    expect(await limitOf(simulation)).toBe('memory-limit');
    simulation.stop(0);
    await simulation.ended;
  });

  it('tell a simulator that writes too much', async () => {
    const simulation = await start([['fill', 2 ** 20], ['hang']], { taskOutputBytesMax: 2 ** 20 });
    expect(await limitOf(simulation)).toBe('output-limit');
    simulation.stop(0);
    await simulation.ended;
  });
});
