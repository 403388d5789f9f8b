import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { systemClock } from '@tally/service-kit';
import { type Cluster, startCluster, waitFor } from '@tally/testkit';
import type { RemoteShell } from '../../src/domain/remote-shell.js';

import type { SchedulerJobId, SchedulerJobSpec } from '../../src/domain/scheduler.js';
import { slurmScheduler } from '../../src/scheduler/slurm/slurm-scheduler.js';
import { SshPool } from '../../src/ssh/pool.js';
import { credentialOf, LIMITS, settingsOf } from '../cluster-fixture.js';

let cluster: Cluster;
let pool: SshPool;
let shell: RemoteShell;
let commandCount = 0;
let folder: string;

beforeAll(async () => {
  cluster = await startCluster();
  pool = new SshPool({ ...LIMITS, clock: systemClock });
  const login = {
    cluster: settingsOf(cluster),
    username: cluster.facts.users.cert.name,
    credential: credentialOf(cluster.facts.certificates.ed25519),
  };
  shell = {
    run: (command) => {
      commandCount++;
      return pool.withSession(login, (session) => session.run(command));
    },
  };
  folder = `${cluster.facts.users.cert.home}/job`;
  await shell.run({ argv: ['mkdir', '-p', folder] });
});
afterAll(async () => {
  pool?.close();
  await cluster?.stop();
});

const jobOf = (marker: string, script: string, more: Partial<SchedulerJobSpec> = {}): SchedulerJobSpec => ({
  marker,
  folder,
  script: `#!/bin/sh\n${script}\n`,
  logName: 'log-%a',
  warningSeconds: 60,
  options: { partition: 'batch', wallTimeSeconds: 600, memoryMib: 100 },
  ...more,
});

/** What is seen of an array of so many tasks, or of a single job. */
const observe = async (id: SchedulerJobId, marker: string, taskCount?: number) => {
  const indices = taskCount === undefined ? {} : { indices: Array.from({ length: taskCount }, (_, i) => i + 1) };
  return (await slurmScheduler.observe(shell, [{ id, marker, ...indices }])).observations;
};

/** Observes until all of these tasks have ended. */
const ended = (id: SchedulerJobId, marker: string, taskCount?: number) =>
  waitFor(
    async () => {
      const jobs = await observe(id, marker, taskCount);
      return jobs.length === (taskCount ?? 1) && jobs.every(({ state }) => state.kind === 'ended') && jobs;
    },
    { what: `the end of job ${id}` },
  );

describe('the Slurm adapter', () => {
  it('runs an array and, whatever became of it, the job that collects', async () => {
    const script = '[ "$SLURM_ARRAY_TASK_ID" = 2 ] && exit 7; echo "$SLURM_ARRAY_TASK_ID" > "out-$SLURM_ARRAY_TASK_ID"';
    const array = await slurmScheduler.submit(shell, jobOf('tally-array', script, { array: { first: 1, last: 4 } }));
    const after = { afterAny: [array], logName: 'collect.log' };
    const collect = await slurmScheduler.submit(shell, jobOf('tally-array', 'ls out-*', after));
    expect((await ended(collect, 'tally-array'))[0]).toMatchObject({
      state: { outcome: 'completed' },
      marker: 'tally-array',
    });
    const outcomes = (await ended(array, 'tally-array', 4)).map(({ arrayIndex, state }) => {
      return `${arrayIndex} ${'outcome' in state && state.outcome}`;
    });
    expect(outcomes.toSorted()).toEqual(['1 completed', '2 failed', '3 completed', '4 completed']);
    expect(readFileSync(`${folder}/collect.log`, 'utf8')).toBe('out-1\nout-3\nout-4\n');
    expect(await slurmScheduler.find(shell, 'tally-array')).toEqual([array, collect]);
    expect(await slurmScheduler.find(shell, 'tally-none')).toEqual([]);
  });

  it('shows the exit code of a task that failed, and cancels single tasks of an array', async () => {
    const script = '[ "$SLURM_ARRAY_TASK_ID" = 2 ] && exit 7; exec sleep 600';
    const id = await slurmScheduler.submit(shell, jobOf('tally-exit', script, { array: { first: 1, last: 4 } }));
    await waitFor(
      async () => (await observe(id, 'tally-exit', 4)).find(({ arrayIndex }) => arrayIndex === 2)?.exit?.code === 7,
      { what: 'the exit code' },
    );
    await slurmScheduler.cancel(shell, [{ id, indices: [1, 3] }]);
    const canceled = await waitFor(async () => {
      const jobs = (await observe(id, 'tally-exit', 4)).filter(({ meaning }) => meaning?.includes('canceled'));
      return jobs.length === 2 && jobs;
    });
    expect(new Set(canceled.map(({ arrayIndex }) => arrayIndex))).toEqual(new Set([1, 3]));
    expect((await observe(id, 'tally-exit', 4)).find(({ arrayIndex }) => arrayIndex === 4)?.state.kind).toBe('running');
    await slurmScheduler.cancel(shell, [{ id }]);
  });

  it('cancels an array whole with one command, waiting tasks included', async () => {
    const big = {
      array: { first: 1, last: 30 },
      options: { partition: 'batch', wallTimeSeconds: 600, memoryMib: 1000 },
    };
    const id = await slurmScheduler.submit(shell, jobOf('tally-cancel', 'exec sleep 600', big));
    await waitFor(
      async () => {
        const jobs = await observe(id, 'tally-cancel', 30);
        return jobs.length === 30 && jobs.some(({ state }) => state.kind === 'running');
      },
      { what: 'running tasks' },
    );
    const before = commandCount;
    await slurmScheduler.cancel(shell, [{ id }]);
    expect(commandCount).toBe(before + 1);
    const jobs = await ended(id, 'tally-cancel', 30);
    expect(new Set(jobs.map(({ state }) => 'outcome' in state && state.outcome))).toEqual(new Set(['canceled']));
    await slurmScheduler.cancel(shell, [{ id }]); // again: no error
  });

  it('asks squeue once, and sacct once more only for what has left it', async () => {
    const id = await slurmScheduler.submit(shell, jobOf('tally-count', 'true', { array: { first: 1, last: 3 } }));
    await ended(id, 'tally-count', 3);
    let before = commandCount;
    expect(await observe(id, 'tally-count', 3)).toHaveLength(3);
    expect(commandCount).toBe(before + 1);
    before = commandCount;
    const gone = '999999' as SchedulerJobId;
    expect(await observe(gone, 'tally-count')).toEqual([]);
    expect(commandCount).toBe(before + 2);
    // a job of another name is not ours, though it has the id: to both sources it is as if it were not there
    before = commandCount;
    expect(await observe(id, 'tally-other', 3)).toEqual([]);
    expect(commandCount).toBe(before + 2);
  });

  it('sees that a job of more than the time limit of its partition waits for ever', async () => {
    const options = { partition: 'short', wallTimeSeconds: 36_000, memoryMib: 100 };
    const id = await slurmScheduler.submit(shell, jobOf('tally-stuck', 'true', { options }));
    await waitFor(async () => (await observe(id, 'tally-stuck'))[0]?.description.includes('PartitionTimeLimit'), {
      what: 'the reason',
    });
    expect((await observe(id, 'tally-stuck'))[0]?.state).toEqual({ kind: 'pending', isStuck: true });
    await slurmScheduler.cancel(shell, [{ id }]);
  });

  it('says why Slurm refuses', async () => {
    const options = { partition: 'none', wallTimeSeconds: 60, memoryMib: 100 };
    await expect(slurmScheduler.submit(shell, jobOf('tally-x', 'true', { options }))).rejects.toMatchObject({
      reason: 'SCHEDULER_REFUSED',
      message: expect.stringContaining('partition'),
    });
  });

  it('says that a job is to wait for one that is lost, whose id it is given itself', async () => {
    const id = await slurmScheduler.submit(shell, jobOf('tally-before', 'true'));
    const afterAny = [String(Number(id) + 1) as SchedulerJobId];
    await expect(slurmScheduler.submit(shell, jobOf('tally-behind', 'true', { afterAny }))).rejects.toMatchObject({
      reason: 'SCHEDULER_DEPENDENCY_LOST',
    });
  });

  it('takes nothing of a hostile folder name for a command', async () => {
    const hostile = `${cluster.facts.users.cert.home}/$(touch canary)'; touch canary; '`;
    await shell.run({ argv: ['mkdir', '-p', '--', hostile] });
    const id = await slurmScheduler.submit(shell, jobOf('tally-hostile', 'true', { folder: hostile }));
    await ended(id, 'tally-hostile');
    const files = [cluster.facts.users.cert.home, folder, hostile].flatMap((dir) => readdirSync(dir));
    expect(files.some((name) => name === 'canary')).toBe(false);
  });

  it('reports a dead controller, and works when it is back', async () => {
    await cluster.fault('crash', 'ctld');
    await expect(slurmScheduler.listOpen(shell)).rejects.toMatchObject({ reason: 'SCHEDULER_UNREACHABLE' });
    await cluster.fault('start', 'ctld');
    const answers = () =>
      slurmScheduler.listOpen(shell).then(
        () => true,
        () => false,
      );
    await waitFor(answers, { what: 'the controller', timeoutMs: 60_000 });
  });

  it('made one connection for all of this', () => expect(pool.connectCount).toBe(1));
});
