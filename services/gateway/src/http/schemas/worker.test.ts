import { describe, expect, it } from '@jest/globals';
import { jobUpdate, parseWorkerTime, resultsUpload } from './worker.js';

describe('a timestamp of a worker', () => {
  it.each([
    ['2026-01-02 03:04:05.678901', '2026-01-02T03:04:05.678Z'],
    ['2026-01-02 03:04:05.9', '2026-01-02T03:04:05.900Z'],
    ['2026-01-02 03:04:05', '2026-01-02T03:04:05.000Z'],
    ['2026-01-02T03:04:05', '2026-01-02T03:04:05.000Z'],
    ['2026-01-02T03:04:05.123Z', '2026-01-02T03:04:05.123Z'],
    ['2026-01-02T03:04:05+02:00', '2026-01-02T01:04:05.000Z'],
    ['2026-01-02T03:04:05-0530', '2026-01-02T08:34:05.000Z'],
    ['2024-02-29 23:59:59', '2024-02-29T23:59:59.000Z'],
  ])('%s is %s', (text, instant) => {
    expect(parseWorkerTime(text)?.toISOString()).toBe(instant);
  });

  it.each([
    '2026-02-30 00:00:00',
    '2025-02-29 00:00:00',
    '2026-13-01 00:00:00',
    '2026-01-02 24:00:00',
    '2026-01-02 23:60:00',
    '2026-01-02 23:59:60',
    '2026-01-02',
    '02/01/2026 03:04:05',
    '1767322800',
    '2026-1-2 3:4:5',
    '0000-01-01 00:00:00',
    ' 2026-01-02 03:04:05',
    '2026-01-02 03:04:05.',
    '',
  ])('%s is none', (text) => {
    expect(parseWorkerTime(text)).toBeUndefined();
  });
});

describe('a body of a worker', () => {
  it('names the job by its id or its number', () => {
    const update = { update_key: 'k', job_state: 'RUNNING' };
    expect(jobUpdate.parse({ ...update, sim_id: 17 }).sim_id).toBe('17');
    expect(jobUpdate.parse({ ...update, sim_id: '20260102-030405-x' }).sim_id).toBe('20260102-030405-x');
    for (const sim_id of [0, -1, 1.5, '', null, {}, undefined]) {
      expect(jobUpdate.safeParse({ ...update, sim_id }).success).toBe(false);
    }
  });

  it('needs primaries for the output of a task', () => {
    const upload = { simulation_id: 'j', update_key: 'k', estimators: [], task_id: 1 };
    expect(resultsUpload.safeParse(upload).success).toBe(false);
    expect(resultsUpload.safeParse({ ...upload, primaries: 0 }).success).toBe(true);
  });
});
