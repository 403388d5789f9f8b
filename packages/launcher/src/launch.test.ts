import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '@tally/testkit';
import { type Launched, launch } from './launch.js';
import { strayProcesses } from './process-table.js';

let folder: string;
let attemptId: string;
let lines: string[];
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'tally-launch-'));
  attemptId = crypto.randomUUID();
  lines = [];
});
afterEach(() => {
  expect(strayProcesses(attemptId, undefined)).toEqual([]);
  rmSync(folder, { recursive: true });
});

const start = (script: string, followed?: RegExp): Launched =>
  launch(
    { executable: process.execPath, args: ['--input-type=module', '--eval', script], env: {} },
    {
      attemptId,
      folder,
      lineBytesMax: 100,
      followed: followed && { pattern: followed, intervalMs: 10 },
      onLine: (line, source) => lines.push(`${source}: ${line}`),
      onFault: (err) => lines.push(String(err)),
    },
  );

// what a launched process is told and how it ends: services/direct-runner/src/process/spawn.test.ts
describe('a launched command', () => {
  it('has ended only when nothing that it started lives and all is read', async () => {
    const launched = start(`
      import { spawn } from 'node:child_process';
      const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true, stdio: 'inherit' });
      child.unref();
      console.log('pid ' + child.pid);
      process.exit(0);`);
    expect(await launched.exited).toEqual({ kind: 'exited', exitCode: 0 });
    expect(await launched.ended).toEqual({ kind: 'exited', exitCode: 0 });
    expect(lines).toEqual([expect.stringMatching(/^stdout: pid \d+$/)]);
    expect(strayProcesses(attemptId, undefined)).toEqual([]);
  });

  it('may keep its progress in a file, which is read to its end', async () => {
    const launched = start(
      `
      import fs from 'node:fs';
      fs.mkdirSync('run_1');
      fs.writeFileSync('run_1/a.out', 'one\\n');
      process.stdin.resume().on('close', () => {});
      setTimeout(() => { fs.appendFileSync('run_1/a.out', 'two'); process.exit(0); }, 100);`,
      /^run_\d\/a\.out$/,
    );
    await launched.ended;
    expect(lines).toEqual(['followed-file: one', 'followed-file: two']);
  });

  it('is stopped with all that it started', async () => {
    const launched = start(`console.log('ready'); setInterval(() => {}, 1000);`);
    await waitFor(() => lines.length > 0);
    launched.stop(5_000);
    expect(await launched.ended).toEqual({ kind: 'signalled', signal: 'SIGTERM' });
  });
});
