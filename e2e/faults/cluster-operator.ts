import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { BatchSuite } from '../fixtures/batch-fixture.js';

const INTERVAL_MS = 3_000;
/** Longer than slurm.conf lets a task start (BatchStartTimeout and MessageTimeout), and shorter than a controller lives. */
const ASK_NODES_INTERVAL_MS = 12_000;
/** Longer than any fault keeps the controller away. */
const AWAY_MS_MAX = 8_000;
const LOG_CHARS = 1_500;
const COMMAND_TIMEOUT_MS = 10_000;
const run = promisify(execFile);

/**
 * What whoever operates a cluster does after its controller has died. A controller that has forgotten its latest jobs gives their
 * numbers to others, drains the nodes on which both meet (`Duplicate jobid`), holds the job that met there, and undoes neither by
 * itself. One that has forgotten that a task ended keeps the task's place until its node registers again, which nodes do every
 * two minutes unless they are asked (`scontrol reconfigure`). One that ends by itself is started again, and what it said is printed.
 * @returns what ends it
 */
export function startClusterOperator({ cluster }: BatchSuite): () => Promise<void> {
  const stopping = new AbortController();
  const options = {
    env: { ...process.env, SLURM_CONF: cluster.facts.slurm.conf },
    signal: stopping.signal,
    timeout: COMMAND_TIMEOUT_MS,
  };
  const resumeDrained = async () => {
    const { stdout } = await run('sinfo', ['--noheader', '--Node', '--format=%N %T'], options);
    const drained = stdout.split('\n').filter((line) => /drain/.test(line));
    for (const node of new Set(drained.map((line) => line.split(' ')[0])))
      await run('scontrol', ['update', `NodeName=${node}`, 'State=RESUME'], options);
  };
  const releaseHeld = async () => {
    const { stdout } = await run('squeue', ['--noheader', '--array', '--states=PENDING', '--format=%i %r'], options);
    const held = stdout.split('\n').filter((line) => /launch failed requeued held/.test(line));
    for (const line of held) await run('scontrol', ['release', line.split(' ')[0] ?? ''], options);
  };
  let askedAt = performance.now();
  let seenAt = performance.now();
  const startController = async () => {
    const { log } = cluster.facts.slurm;
    process.stdout.write(`the controller has ended by itself: ${readFileSync(log, 'utf8').slice(-LOG_CHARS)}\n`);
    await cluster.fault('start', 'ctld');
    seenAt = performance.now();
  };
  const look = async () => {
    await resumeDrained();
    await releaseHeld();
    seenAt = performance.now();
    if (performance.now() - askedAt < ASK_NODES_INTERVAL_MS) return;
    askedAt = performance.now();
    await run('scontrol', ['reconfigure'], options);
  };
  const hasController = () => {
    try {
      process.kill(Number(readFileSync(`${cluster.facts.dir}/run/slurmctld.pid`, 'utf8')), 0);
      return true;
    } catch {
      return false;
    }
  };
  const operate = async () => {
    while (!stopping.signal.aborted) {
      await look().catch(() => {}); // its controller may be away
      if (performance.now() - seenAt > AWAY_MS_MAX && !hasController()) await startController();
      await sleep(INTERVAL_MS, undefined, { signal: stopping.signal }).catch(() => {});
    }
  };
  const done = operate();
  return () => {
    stopping.abort();
    return done;
  };
}
