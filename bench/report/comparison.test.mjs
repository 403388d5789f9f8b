import { describe, expect, it } from '@jest/globals';
import { budgetOf, factors, floorOf } from './comparison.mjs';

describe('times better than another run', () => {
  it('counts rates up and durations down', () => {
    const base = { rate: 100, p50Ms: 40, cpuMs: 8, calibrationMs: 100 };
    const load = { rate: 300, p50Ms: 10, cpuMs: 2, calibrationMs: 100 };
    expect(factors({ ...load, shows: 'rate' }, base)).toEqual({ figure: 3, processor: 4 });
    expect(factors({ ...load, shows: 'p50Ms' }, base)).toEqual({ figure: 4, processor: 4 });
  });

  it('takes a slower machine into account', () => {
    const base = { rate: 100, p50Ms: 40, cpuMs: 8, calibrationMs: 100 };
    const load = { rate: 100, p50Ms: 40, cpuMs: 8, calibrationMs: 200 };
    expect(factors({ ...load, shows: 'rate' }, base)).toEqual({ figure: 2, processor: 2 });
    expect(factors({ ...load, shows: 'p50Ms' }, base)).toEqual({ figure: 2, processor: 2 });
  });

  it('leaves out what the other run did not measure', () => {
    const load = { shows: 'rate', rate: 100, cpuMs: 8, calibrationMs: 100 };
    expect(factors(load, { rate: 50, calibrationMs: 100 })).toEqual({ figure: 2, processor: Number.NaN });
  });

  it('compares memory as it is', () => {
    const idle = { shows: 'pssMiB', pssMiB: 400, cores: 0.02 };
    expect(factors(idle, { pssMiB: 800, cores: 0.1 })).toEqual({ figure: 2, processor: 5 });
  });
});

describe('a budget', () => {
  const used = (load, budget, context = {}) => budgetOf({ calibrationMs: 100, ...load }, budget, 100, context);

  it('is one of a machine of its calibration', () => {
    const load = { cpuMs: 3, peakMiB: { jobs: 90, postgresql: 500 } };
    expect(used(load, { cpuMs: 2, peakMiB: 100 })).toBe('3 of 2 ms OVER, 90 of 100 MiB');
    expect(used({ ...load, calibrationMs: 200 }, { cpuMs: 2 })).toBe('1.5 of 2 ms');
  });

  it('may be one over the floor, or beside the process of a task', () => {
    const budget = { besidesProcessCpuMs: 12, timesFloor: 1.7 };
    expect(used({ cpuMs: 15 }, budget, { floor: 5, process: 5 })).toBe(
      '10 of 12 ms besides the process, 3 of 1.7 × the floor OVER',
    );
    expect(used({ cpuMs: 15 }, budget)).toBe('');
  });

  it('is kept where the floor is nearer than a goal of time or memory', () => {
    const load = { cpuMs: 15, peakMiB: { jobs: 90 } };
    const budget = { cpuMs: 12, timesPeer: 3, peakMiB: 80 };
    const peer = { cpuMs: 30, calibrationMs: 100 };
    const near = '15 of 12 ms but 1.5 × the floor, 2 of 3× the peer but 1.5 × the floor, 90 of 80 MiB OVER';
    expect(used({ ...load, shows: 'p50Ms' }, budget, { floor: 10, peer })).toBe(near);
    const far = '15 of 12 ms OVER, 2 of 3× the peer UNDER, 90 of 80 MiB OVER';
    expect(used({ ...load, shows: 'p50Ms' }, budget, { floor: 8, peer })).toBe(far);
    const streams = { shows: 'pssMiB', pssMiB: 50, cores: 0.06 };
    expect(used(streams, { cores: 0.05, pssMiB: 40 }, { floor: 45 })).toBe(
      '0.06 of 0.05 cores OVER, 50 of 40 MiB but 1.11 × the floor',
    );
  });

  it('may be one of cores and memory', () => {
    expect(used({ cores: 0.05, pssMiB: 400 }, { cores: 0.03, pssMiB: 450 })).toBe(
      '0.05 of 0.03 cores OVER, 400 of 450 MiB',
    );
  });

  it('may be a goal: to be so many times better than the peer, by processor time where that is known', () => {
    const load = { shows: 'p50Ms', p50Ms: 10, cpuMs: 4 };
    expect(used(load, { timesPeer: 3 }, { peer: { p50Ms: 40, cpuMs: 8, calibrationMs: 100 } })).toBe(
      '2 of 3× the peer UNDER',
    );
    expect(used(load, { timesPeer: 3 }, { peer: { p50Ms: 40, calibrationMs: 100 } })).toBe('4 of 3× the peer');
    expect(used(load, { timesPeer: 3 })).toBe('');
  });
});

describe('the floor of a load', () => {
  const at = (cpuMs) => ({ cpuMs });

  it('is what was measured before it, as often as it needs that', () => {
    const bareHop = 'floor: Express, gRPC hop, PostgreSQL, before';
    const loads = {
      'floor: Express, before root (16)': at(1),
      'floor: Express, before status (16)': at(2),
      'floor: password hash': at(3),
      [`${bareHop} tasks (16)`]: at(4),
      [`${bareHop} jobs (16)`]: at(5),
      [`${bareHop} list (16)`]: at(6),
      'floor: no-op job, 10 tasks': at(70),
      'floor: submit, 10 tasks': at(8),
      'floor: GET of 10000000 values': at(9),
      'floor: GET /results, 1000 values': at(10),
    };
    const floors = [
      ['GET / (16)', 1],
      ['GET /auth/status (16)', 2],
      ['POST /auth/login (4)', 3],
      ['POST /tasks, 100 tasks (8)', 4],
      ['GET /jobs/direct, 1 task (16)', 5],
      ['GET /user/simulations of 10 (16)', 6],
      ['no-op job, 10 tasks', 70],
      ['sustained, jobs of 10 tasks', 7],
      ['submit, 10 tasks', 8],
      ['GET /results, 10000000 values', 9],
      ['GET /results, 1000 values', 10],
    ];
    expect(floors.map(([name]) => floorOf(name, loads))).toEqual(floors.map(([, cost]) => cost));
  });

  it('is memory where the load is about memory', () => {
    const name = '1000 idle streams of events, more than none';
    expect(floorOf(name, { [`floor: ${name}`]: { shows: 'pssMiB', pssMiB: 40 } })).toBe(40);
  });

  it('is not known where it was not measured, or there is none', () => {
    expect(floorOf('sustained, jobs of 1 task', {})).toBeNaN();
    expect(floorOf('GET / alone', { 'floor: Express, before root (16)': at(1) })).toBeNaN();
    expect(floorOf('idle', {})).toBeNaN();
  });
});
