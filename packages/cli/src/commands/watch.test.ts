import { describe, expect, it } from '@jest/globals';
import type { JobStatus } from '../job.js';
import { progressLines } from './watch.js';

const point = (primaries: number, relative_error: number | null) => ({
  primaries,
  relative_error,
  time: '2026-11-23T03:00:00.000Z',
});

function statusOf(convergence: readonly ReturnType<typeof point>[], more: object = {}, reached?: boolean): JobStatus {
  const target = { estimator: 'depth', relative_error: 0.02, max_primaries: 1_000_000, convergence, ...more };
  const tasks = [{ task_id: 1, task_state: 'RUNNING', requested_primaries: 100, simulated_primaries: 40 }];
  const job = { job_state: 'RUNNING', job_tasks_status: tasks, target };
  return { ...job, ...(reached === undefined ? {} : { target_reached: reached }) } as unknown as JobStatus;
}
const lineOf = (status: JobStatus) => progressLines(status)[1];

describe('the progress of a job with a target', () => {
  it('says how large the error is, and how many primaries are left', () => {
    expect(lineOf(statusOf([]))).toBe('  depth to 2 %: not known before the first merge');
    expect(lineOf(statusOf([point(10_000, 0.081)]))).toBe('  depth to 2 %: 8.1 % after 10000 primaries');
    const predicted = { predicted_primaries: 164_000, predicted_seconds: 140.4 };
    expect(lineOf(statusOf([point(10_000, 0.081), point(20_000, null)], predicted))).toBe(
      '  depth to 2 %: 8.1 % after 10000 primaries, about 154000 more, about 140 s',
    );
  });

  it('says at the end whether it was reached', () => {
    expect(lineOf(statusOf([point(200_000, 0.0199)], {}, true))).toMatch(/ 2 % after 200000 primaries, reached$/);
    expect(lineOf(statusOf([point(200_000, 0.03)], {}, false))).toMatch(/ 3 % after 200000 primaries, not reached$/);
  });
});

describe('the time left', () => {
  const tasks = [{ task_id: 1, task_state: 'RUNNING', requested_primaries: 100, simulated_primaries: 20 }];
  const status = { job_state: 'RUNNING', job_tasks_status: tasks };

  it('is what the server says, with the tasks that have not begun', () => {
    const [line] = progressLines({ ...status, remaining_seconds: 160 } as unknown as JobStatus);
    expect(line).toContain('20 / 100 primaries, RUNNING, about 160 s left');
  });

  it('is not shown while it is not known', () => {
    expect(progressLines(status as unknown as JobStatus)[0]).not.toContain('left');
  });
});
