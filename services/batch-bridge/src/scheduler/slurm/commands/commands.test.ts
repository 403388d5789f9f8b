import { describe, expect, it } from '@jest/globals';
import { recorded } from '../../../../test/recorded.js';
import type { SchedulerJobId, SchedulerJobSpec } from '../../../domain/scheduler.js';
import { hasNoAccounting, parseSacct, sacct } from './sacct.js';
import { parseSbatch, sbatch } from './sbatch.js';
import { parseScancel, scancel } from './scancel.js';
import { parseScontrolPing, scontrolPing } from './scontrol-ping.js';
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
/** What a login script or another program may put before an answer. */
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

  it('reads the id, also behind what a login script prints or with the name of a cluster', () => {
    expect(parseSbatch(recorded('sbatch-array'))).toBe('1');
    expect(parseSbatch(greeted('sbatch-collect'))).toBe('2');
    expect(parseSbatch({ stdout: '17;north\n', stderr: '', exitCode: 0 })).toBe('17');
  });

  it('distinguishes a refusal, with the message of Slurm, a controller that is down, and an unknown answer', () => {
    expect(() => parseSbatch(recorded('sbatch-partition'))).toThrow(
      expect.objectContaining({ reason: 'SCHEDULER_REFUSED', message: expect.stringContaining('invalid partition') }),
    );
    expect(() => parseSbatch(recorded('sbatch-too-large'))).toThrow(
      expect.objectContaining({ message: expect.stringContaining('Invalid job array specification') }),
    );
    expect(() => parseSbatch(recorded('sbatch-ctld-down'))).toThrow(
      expect.objectContaining({ reason: 'SCHEDULER_UNREACHABLE' }),
    );
    const lost = 'sbatch: error: Batch job submission failed: Job dependency problem\n';
    expect(() => parseSbatch({ stdout: '', stderr: lost, exitCode: 1 })).toThrow(
      expect.objectContaining({ reason: 'SCHEDULER_DEPENDENCY_LOST' }),
    );
    expect(() => parseSbatch({ stdout: 'Submitted\n', stderr: '', exitCode: 0 })).toThrow(
      expect.objectContaining({ reason: 'SCHEDULER_ANSWER_UNKNOWN' }),
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

  it('throws when the controller is down instead of showing an empty queue', () => {
    expect(() => parseSqueue(recorded('squeue-ctld-down'))).toThrow(
      expect.objectContaining({ reason: 'SCHEDULER_UNREACHABLE' }),
    );
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

  it('distinguishes a database that is down from a site without accounting', () => {
    expect(() => parseSacct(recorded('sacct-dbd-down'))).toThrow(
      expect.objectContaining({ reason: 'SCHEDULER_UNREACHABLE' }),
    );
    expect(hasNoAccounting(recorded('sacct-dbd-down'))).toBe(false);
    expect(hasNoAccounting(recorded('sacct-no-accounting'))).toBe(true);
  });
});

describe('scancel and scontrol ping', () => {
  it('ask for what was recorded', () => {
    expect(scancel([{ id: id('5') }]).argv).toEqual(recorded('scancel-array').argv);
    expect(scancel([{ id: id('5'), indices: [9, 2, 1, 3] }, { id: id('6') }]).argv.slice(1)).toEqual([
      '5_[1-3,9]',
      '6',
    ]);
    expect(scontrolPing().argv).toEqual(recorded('scontrol-ping-up').argv);
  });

  it('take an unknown id for canceled, and a dead controller for no answer', () => {
    expect(() => parseScancel(recorded('scancel-unknown'))).not.toThrow();
    for (const parse of [
      () => parseScancel(recorded('scancel-ctld-down')),
      () => parseScontrolPing(recorded('scontrol-ping-down')),
    ]) {
      expect(parse).toThrow(expect.objectContaining({ reason: 'SCHEDULER_UNREACHABLE' }));
    }
    expect(() => parseScontrolPing(recorded('scontrol-ping-up'))).not.toThrow();
  });
});
