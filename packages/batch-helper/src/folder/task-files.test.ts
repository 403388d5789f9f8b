import { describe, expect, it } from '@jest/globals';
import { JobFolderError } from './file-format.js';
import { deliveredFile, FAILURE_CHARS_MAX, taskEndFile, taskProgressFile } from './task-files.js';

const START = new Date('2026-01-02T03:04:05.678Z');
const END = new Date('2026-01-02T04:04:05.000Z');
const bytes = (value: unknown) => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));

describe('the files of a task', () => {
  it('come back as they were written', () => {
    const progress = { simulatedPrimaries: 7, estimatedSeconds: 12, startTime: START };
    expect(taskProgressFile.parse(bytes(taskProgressFile.encode(progress)))).toEqual(progress);
    const unknown = { ...progress, estimatedSeconds: undefined };
    expect(taskProgressFile.parse(bytes(taskProgressFile.encode(unknown)))).toEqual(unknown);
    const completed = { taskState: 'COMPLETED', simulatedPrimaries: 9, startTime: START, endTime: END } as const;
    expect(taskEndFile.parse(bytes(taskEndFile.encode(completed)))).toEqual(completed);
    const failed = { ...completed, taskState: 'FAILED', failure: 'no licence' } as const;
    expect(taskEndFile.parse(bytes(taskEndFile.encode(failed)))).toEqual(failed);
    const delivered = { logBytes: 17, output: true, end: false };
    expect(deliveredFile.parse(bytes(deliveredFile.encode(delivered)))).toEqual(delivered);
  });

  it('have the members that docs/batch.md names', () => {
    const end = { taskState: 'FAILED', simulatedPrimaries: 9, startTime: START, endTime: END, failure: 'x' } as const;
    expect(JSON.parse(taskEndFile.encode(end))).toEqual({
      task_state: 'FAILED',
      simulated_primaries: 9,
      start_time: '2026-01-02T03:04:05.678Z',
      end_time: '2026-01-02T04:04:05.000Z',
      failure: 'x',
    });
  });

  const end = { task_state: 'FAILED', simulated_primaries: 1, start_time: START, end_time: END, failure: 'x' };
  it.each<[string, unknown]>([
    ['nothing', ''],
    ['half a file', '{"task_state":"FAI'],
    ['an array', []],
    ['null', null],
    ['another state', { ...end, task_state: 'RUNNING' }],
    ['a failure that is too long', { ...end, failure: 'x'.repeat(FAILURE_CHARS_MAX + 1) }],
    ['a failure without a reason', { ...end, failure: null }],
    ['a completion with a reason', { ...end, task_state: 'COMPLETED' }],
    ['half a primary', { ...end, simulated_primaries: 0.5 }],
    ['more primaries than numbers', { ...end, simulated_primaries: 1e300 }],
    ['a number as a time', { ...end, start_time: 0 }],
    ['a day that is not', { ...end, start_time: '2026-02-30T00:00:00.000Z' }],
    ['a file that is too long', `${' '.repeat(taskEndFile.bytesMax)}{}`],
  ])('are refused with %s', (_what, content) => {
    expect(() => taskEndFile.parse(bytes(content))).toThrow(JobFolderError);
  });

  it('are refused when they are not text', () => {
    expect(() => taskEndFile.parse(Uint8Array.of(0x22, 0xff, 0x22))).toThrow('is not JSON');
  });
});
