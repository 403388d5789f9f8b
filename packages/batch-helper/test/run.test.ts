import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { decodeTaskOutput } from '@tally/merge';
import { BUNDLE, runHelper } from './helper-process.js';
import { createJob, type JobFixture } from './job-fixture.js';

let job: JobFixture | undefined;
afterEach(async () => {
  await job?.remove();
  job = undefined;
});

describe('the helper on a node', () => {
  it('needs its one file, Node and nothing else', async () => {
    const fixture = (job = await createJob());
    const empty = mkdtempSync(path.join(tmpdir(), 'tally-node-'));
    const program = path.join(empty, 'helper.mjs');
    copyFileSync(BUNDLE, program);
    const { exitCode, printed } = await runHelper(['run', '--folder', fixture.folder, '--task', '2'], {
      program,
      cwd: empty,
    });
    rmSync(empty, { recursive: true });
    expect({ exitCode, printed }).toEqual({ exitCode: 0, printed: 'task 2: COMPLETED\n' });
    expect(fixture.end(2)).toMatchObject({ taskState: 'COMPLETED', simulatedPrimaries: 200 });
    const output = decodeTaskOutput(readFileSync(fixture.path('tasks/2/output.bin')));
    expect(output).toMatchObject({ primaries: 200, engine: expect.stringMatching(/^reference /) });
    expect(fixture.names(2)).toEqual(['end.json', 'log', 'output.bin', 'progress.json']);
    expect(fixture.text(2, 'log')).toContain('first history: 200');
  });
});
