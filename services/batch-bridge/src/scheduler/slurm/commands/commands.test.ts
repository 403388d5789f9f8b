import { describe, expect, it } from '@jest/globals';
import { ServiceError } from '@tally/service-kit';
import fc from 'fast-check';
import { recorded } from '../../../../test/recorded.js';
import {
  DENYING_TEXTS,
  GARBLINGS,
  LIMITING_TEXTS,
  PASSING_TEXTS,
  REFUSING_TEXTS,
} from '../../../../test/scheduler-texts.js';
import type { SchedulerJobId, SchedulerJobSpec } from '../../../domain/scheduler.js';
import { parseSacct, sacct } from './sacct.js';
import { parseSbatch, sbatch } from './sbatch.js';
import { parseScancel, scancel } from './scancel.js';
import { parseSqueue, squeue } from './squeue.js';

const id = (text: string) => text as SchedulerJobId;
const job: SchedulerJobSpec = {
  marker: 'tally-a',
  folder: '/cluster/home/someone',
  script: '#!/bin/sh\ntrue\n',
  logName: 'log-1-%a',
  warningSeconds: 60,
  options: { partition: 'batch', wallTimeSeconds: 600, memoryMib: 100 },
};
/** What a site's own command may put before an answer. */
const greeted = (name: string) => ({ ...recorded(name), stdout: `Welcome!\n99 problems\n${recorded(name).stdout}` });

describe('sbatch', () => {
  it('asks for what was recorded', () => {
    expect(sbatch({ ...job, array: { first: 1, last: 3 } }).argv).toEqual(recorded('sbatch-array').argv);
    expect(sbatch({ ...job, logName: 'log-0', afterAny: [id('1')] }).argv).toEqual(recorded('sbatch-collect').argv);
  });

  it('gives every chosen option its own word', () => {
    const options = {
      ...job.options,
      account: 'a-1',
      qos: 'q',
      constraint: 'x&y',
      reservation: 'r',
      wallTimeSeconds: 180_061,
    };
    expect(sbatch({ ...job, options }).argv).toEqual(
      expect.arrayContaining(['--account=a-1', '--qos=q', '--constraint=x&y', '--reservation=r', '--time=2-02:01:01']),
    );
  });

  it('reads the id where it is all that is printed, also with the name of a cluster', () => {
    expect(parseSbatch(recorded('sbatch-array'))).toBe('1');
    expect(parseSbatch({ stdout: '17;north\n', stderr: 'a warning\n', exitCode: 0 })).toBe('17');
  });

  it.each([
    '',
    'Submitted\n',
    '17', // cut off: it may have been 173
    '17\n18\n',
    'Welcome!\n99\n17\n',
    'Submitted batch job 17 on cluster north\n',
  ])('takes no number for the id that may be another one: %j', (stdout) => {
    expect(() => parseSbatch({ stdout, stderr: '', exitCode: 0 })).toThrow(
      expect.objectContaining({ reason: 'SCHEDULER_ANSWER_UNKNOWN' }),
    );
  });
});

describe('an sbatch that fails', () => {
  const reasonOf = (stderr: string, exitCode = 1, stdout = ''): string => {
    try {
      return parseSbatch({ stdout, stderr, exitCode });
    } catch (err) {
      return err instanceof ServiceError ? err.reason : String(err);
    }
  };

  it.each(REFUSING_TEXTS)('is refused for good where it speaks of the request: %j', (text) => {
    expect(reasonOf(text)).toBe('SCHEDULER_REFUSED');
  });

  it.each(DENYING_TEXTS)('is denied, which may pass: %j', (text) => {
    expect(reasonOf(text)).toBe('SCHEDULER_DENIED');
  });

  it.each(LIMITING_TEXTS)('has to wait for other jobs: %j', (text) => {
    expect(reasonOf(text)).toBe('SCHEDULER_BUSY');
  });

  it.each([...PASSING_TEXTS, ''])('says nothing of the request: %j', (text) => {
    expect(reasonOf(text)).toBe('SCHEDULER_UNREACHABLE');
  });

  it('is no refusal in other words, whatever they are', () => {
    const arbitrary = [
      fc.constantFrom(...PASSING_TEXTS),
      fc.constantFrom(...GARBLINGS),
      fc.double({ min: 0, max: 0.999, noNaN: true }),
      fc.integer({ min: 1, max: 255 }),
    ] as const;
    fc.assert(
      fc.property(...arbitrary, (text, garble, share, exitCode) => {
        expect(reasonOf(garble(text, share), exitCode)).toBe('SCHEDULER_UNREACHABLE');
      }),
      { numRuns: 2_000 },
    );
  });

  it('is known from its recordings, with the message of Slurm', () => {
    const errorOf = (name: string) => {
      try {
        return parseSbatch(recorded(name));
      } catch (err) {
        return err;
      }
    };
    expect(errorOf('sbatch-partition')).toMatchObject({
      reason: 'SCHEDULER_REFUSED',
      message: expect.stringContaining('invalid partition'),
    });
    expect(errorOf('sbatch-too-large')).toMatchObject({
      reason: 'SCHEDULER_REFUSED',
      message: expect.stringContaining('Invalid job array specification'),
    });
    expect(errorOf('sbatch-ctld-down')).toMatchObject({
      reason: 'SCHEDULER_UNREACHABLE',
      cause: expect.objectContaining({ message: expect.stringContaining('Unable to contact slurm controller') }),
    });
    expect(reasonOf('sbatch: error: Batch job submission failed: Job dependency problem\n')).toBe(
      'SCHEDULER_DEPENDENCY_LOST',
    );
  });

  it('tells its own words, whichever way they were printed', () => {
    expect(() => parseSbatch({ stdout: 'no\u001b[31m budget\n', stderr: '', exitCode: 3 })).toThrow(
      expect.objectContaining({ cause: expect.objectContaining({ message: expect.stringContaining('budget') }) }),
    );
    expect(() => parseSbatch({ stdout: '', stderr: '', exitCode: 124 })).toThrow(
      expect.objectContaining({
        cause: expect.objectContaining({ message: expect.stringContaining('exit code 124') }),
      }),
    );
  });
});

describe('squeue', () => {
  it('asks for what was recorded', () => {
    expect(squeue().argv).toEqual(recorded('squeue-mixed').argv);
    expect(squeue('tally-a').argv).toEqual(recorded('squeue-ended').argv);
  });

  it('shows what is to run again as waiting, and not as ended', () => {
    const first = parseSqueue(recorded('squeue-requeued')).find(({ arrayIndex }) => arrayIndex === 1);
    expect(first).toMatchObject({ state: { kind: 'pending', isStuck: false }, description: 'PENDING: BeginTime' });
  });

  it('reads one row for each task, with its reason, and names that hold the separator', () => {
    const jobs = parseSqueue(greeted('squeue-mixed'));
    expect(jobs).toHaveLength(26);
    expect(jobs.find(({ marker }) => marker === 'other|name')?.state).toEqual({ kind: 'running' });
    expect(jobs.find(({ marker }) => marker === 'stuck')).toEqual({
      schedulerJobId: '4',
      arrayIndex: undefined,
      marker: 'stuck',
      state: { kind: 'pending', isStuck: true },
      description: 'PENDING: PartitionTimeLimit',
    });
    expect(
      parseSqueue(recorded('squeue-ended')).map(({ arrayIndex, description }) => [arrayIndex, description]),
    ).toEqual([
      [1, 'COMPLETED'],
      [3, 'COMPLETED'],
      [undefined, 'COMPLETED'],
      [2, 'FAILED: NonZeroExitCode'],
    ]);
    expect(parseSqueue(recorded('squeue-none'))).toEqual([]);
  });

  it('throws when the controller is down, or says anything else, instead of showing an empty queue', () => {
    const others = [...PASSING_TEXTS, ...REFUSING_TEXTS].map((stderr) => ({ stdout: '', stderr, exitCode: 1 }));
    for (const result of [recorded('squeue-ctld-down'), ...others]) {
      expect(() => parseSqueue(result)).toThrow(expect.objectContaining({ reason: 'SCHEDULER_UNREACHABLE' }));
    }
  });

  it('reads no row that is cut off', () => {
    expect(parseSqueue({ stdout: '7|1|RUNNING|None|tally-a-1', stderr: '', exitCode: 0 })).toEqual([]);
  });
});

describe('sacct', () => {
  it('asks for what was recorded', () => {
    expect(sacct({ ids: [id('1'), id('5')] }).argv).toEqual(recorded('sacct-arrays').argv);
    expect(sacct({ marker: 'tally-a' }).argv).toEqual(recorded('sacct-marker').argv);
  });

  it('reads every task, those that were canceled before they were split off included', () => {
    const jobs = parseSacct(recorded('sacct-arrays'));
    const canceled = jobs.filter(({ schedulerJobId }) => schedulerJobId === '5');
    expect(canceled.map(({ arrayIndex }) => arrayIndex)).toEqual(Array.from({ length: 20 }, (_, i) => i + 1));
    expect(canceled[19]).toMatchObject({ state: { outcome: 'canceled' }, description: 'CANCELLED by 1002' });
    expect(jobs[1]).toMatchObject({ arrayIndex: 2, exit: { code: 7, signal: 0 }, state: { outcome: 'failed' } });
    expect(parseSacct(recorded('sacct-unknown'))).toEqual([]);
  });

  it('reads lists of indices with steps and a limit, and keeps the last of two rows', () => {
    const stdout = '7_[2,4-8:2%3]|PENDING|0:0|m\n8|RUNNING|0:0|m\n8|COMPLETED|0:0|m\n';
    const jobs = parseSacct({ stdout, stderr: '', exitCode: 0 });
    expect(jobs.map(({ arrayIndex }) => arrayIndex)).toEqual([2, 4, 6, 8, undefined]);
    expect(jobs[4]?.description).toBe('COMPLETED');
  });

  it('shows nothing where it fails, whatever it says', () => {
    for (const name of ['sacct-dbd-down', 'sacct-no-accounting']) expect(parseSacct(recorded(name))).toEqual([]);
    const denied = { stdout: '', stderr: 'sacct: error: Access/permission denied\n', exitCode: 1 };
    expect(parseSacct(denied)).toEqual([]);
  });
});

describe('scancel', () => {
  it('asks for what was recorded', () => {
    expect(scancel([{ id: id('5') }]).argv).toEqual(recorded('scancel-array').argv);
    expect(scancel([{ id: id('5'), indices: [9, 2, 1, 3] }, { id: id('6') }]).argv.slice(1)).toEqual([
      '5_[1-3,9]',
      '6',
    ]);
  });

  it('takes an unknown id for canceled, and a dead controller for no answer', () => {
    expect(() => parseScancel(recorded('scancel-unknown'))).not.toThrow();
    expect(() => parseScancel(recorded('scancel-ctld-down'))).toThrow(
      expect.objectContaining({ reason: 'SCHEDULER_UNREACHABLE' }),
    );
  });
});
