import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { decodeTaskOutput } from '@tally/merge';

import { engineCommandPath } from '../src/engine-command.js';
import { simulate } from '../src/simulate.js';
import { ENGINE_VERSION } from '../src/version.js';
import { tank, task } from './water-tank.js';

// simulations; the machine may be busy

let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tally-engine-'));
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

interface Run {
  readonly child: ChildProcess;
  readonly stdout: () => string;
  readonly ended: Promise<{ code: number | null; signal: string | null; stderr: string }>;
}

/** Starts the command on a problem and a task in files named by `name`. */
async function start(name: string, problem: unknown, taskJson: unknown, ...more: string[]): Promise<Run> {
  const file = (kind: string) => path.join(folder, `${name}-${kind}`);
  await writeFile(file('problem.json'), JSON.stringify(problem));
  await writeFile(file('task.json'), JSON.stringify(taskJson));
  const files = ['--problem', file('problem.json'), '--task', file('task.json'), '--output', file('output')];
  const child = spawn(process.execPath, [engineCommandPath(), ...files, ...more], { stdio: ['pipe', 'pipe', 'pipe'] });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal, stderr }));
  return { child, stdout: () => stdout, ended };
}

async function waitForProgress(run: Run): Promise<void> {
  while (!run.stdout().includes('progress')) await once(run.child.stdout ?? run.child, 'data');
}

const ENDLESS = task(1_000_000_000);

describe('the command', () => {
  it('prints its version, progress and the end, and writes what the library computes', async () => {
    const run = await start('good', tank(), task(300), '--threads', '2');
    expect(await run.ended).toEqual({ code: 0, signal: null, stderr: '' });
    const lines = run.stdout().trim().split('\n');
    expect(lines[0]).toBe(`tally-engine ${ENGINE_VERSION}`);
    expect(lines).toContain('progress 300 300');
    expect(lines.at(-1)).toMatch(/^done 300 \d+\.\d+$/);
    expect(lines.some((line) => line.startsWith('energy MeV/primary: started 150.0'))).toBe(true);
    const output = decodeTaskOutput(await readFile(path.join(folder, 'good-output')));
    expect(output).toEqual(await simulate(tank(), task(300)));
    expect(output.engine).toBe(`reference ${ENGINE_VERSION}`);
  });

  it('ends with 2 and every fault on a bad problem or task', async () => {
    const bad = { ...tank(), beam: { ...tank().beam, particle: { name: 'neutron', z: 0, a: 1 } } };
    const run = await start('bad', bad, task(0));
    const { code, stderr } = await run.ended;
    expect(code).toBe(2);
    expect(stderr).toContain('bad-problem.json: beam.particle: beam particle "neutron"');
    expect(stderr).toContain('bad-task.json: primaries');
    expect(await readdir(folder)).not.toContain('bad-output');
  });

  it('ends with 1 when it cannot write, and leaves no half file', async () => {
    const run = await start('unwritable', tank(), task(5), '--output', path.join(folder, 'missing', 'output'));
    const { code, stderr } = await run.ended;
    expect(code).toBe(1);
    expect(stderr).toContain('ENOENT');
  });

  it('ends at once with 143 on SIGTERM, without output', async () => {
    const run = await start('terminated', tank(), ENDLESS);
    await waitForProgress(run);
    run.child.kill('SIGTERM');
    expect((await run.ended).code).toBe(143);
    expect((await readdir(folder)).filter((name) => name.startsWith('terminated-output'))).toEqual([]);
  });

  it('ends early with the output of what it has simulated, when the finish file appears', async () => {
    const finishFile = path.join(folder, 'finish');
    const run = await start('early', tank(), ENDLESS, '--threads', '2', '--finish-file', finishFile);
    await waitForProgress(run);
    await writeFile(finishFile, '');
    expect(await run.ended).toEqual({ code: 0, signal: null, stderr: '' });
    const output = decodeTaskOutput(await readFile(path.join(folder, 'early-output')));
    expect(run.stdout()).toContain(`done ${output.primaries} `);
    expect(output.counters).toMatchObject({ histories: output.primaries, imbalancedHistories: 0 });
    const beforeStart = await start('at-once', tank(), ENDLESS, '--finish-file', finishFile);
    expect((await beforeStart.ended).code).toBe(0);
    const first = decodeTaskOutput(await readFile(path.join(folder, 'at-once-output')));
    expect(first).toEqual(await simulate(tank(), task(first.primaries)));
  });

  it('ends when its stdin does, where it was told so', async () => {
    const run = await start('orphan', tank(), ENDLESS, '--stop-on-stdin-end');
    await waitForProgress(run);
    run.child.stdin?.end();
    expect((await run.ended).code).toBe(1);
  });
});

describe('simulate', () => {
  it('stops at its signal', async () => {
    const controller = new AbortController();
    const started = new Promise<void>((resolve) => {
      const running = simulate(tank(), ENDLESS, {
        threads: 2,
        signal: controller.signal,
        onProgress: (done) => {
          if (done > 0) resolve();
        },
      });
      stopped = expect(running).rejects.toThrow('enough');
    });
    await started;
    controller.abort(new Error('enough'));
    await stopped;
  });

  it('refuses a faulty problem with all its faults', async () => {
    await expect(simulate({ ...tank(), world: { figure: 9, material: 9 } }, task(0))).rejects.toThrow(
      /world\.figure[^]*world\.material[^]*primaries/,
    );
  });
});

let stopped: Promise<void> = Promise.resolve();
