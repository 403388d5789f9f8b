import { spawnSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { submitScript } from './submit-script.js';

/** What the script's program sees, run by the shell of this machine. */
function run(script: string, index = '3'): string[] {
  const { stdout } = spawnSync('sh', ['-s'], { input: script, env: { SLURM_ARRAY_TASK_ID: index }, encoding: 'utf8' });
  return stdout.split('|').slice(0, -1);
}
const print = ['/usr/bin/printf', '%s|'];

describe('submitScript', () => {
  it('gives a program of an array its words and the number of the task', () => {
    expect(run(submitScript({ argv: [...print, 'run', '/scratch/a'], taskOffset: 1000 }))).toEqual([
      'run',
      '/scratch/a',
      '1003',
    ]);
  });

  it('gives a single program its words only', () => {
    expect(run(submitScript({ argv: [...print, 'collect'] }))).toEqual(['collect']);
  });

  it('lets no word reach the shell', () => {
    const hostile = ["'; echo x; '", '$(id)', '`id`', '-rf', '*', '$HOME', '\\', '"'];
    expect(run(submitScript({ argv: [...print, ...hostile], taskOffset: 0 }))).toEqual([...hostile, '3']);
  });

  it('becomes the program, so that signals reach it', () => {
    expect(submitScript({ argv: ['/bin/true'] })).toMatch(/^exec /m);
  });

  it.each([1.5, -1, Number.NaN, 2 ** 60])('refuses an offset of %s', (taskOffset) => {
    expect(() => submitScript({ argv: ['/bin/true'], taskOffset })).toThrow(RangeError);
  });

  it('refuses words over several lines', () => {
    expect(() => submitScript({ argv: ['/bin/true', 'a\nb'] })).toThrow(RangeError);
  });
});
