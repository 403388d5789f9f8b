import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { BatchSuite } from '../fixtures/batch-fixture.js';

const INTERVAL_MS = 3_000;
const COMMAND_TIMEOUT_MS = 10_000;
const run = promisify(execFile);

/**
 * What whoever operates a cluster does after its controller has died: a controller that has forgotten its latest jobs gives their
 * numbers to others, drains the nodes on which both meet (`Duplicate jobid`), and puts none back into service by itself.
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
  const operate = async () => {
    while (!stopping.signal.aborted) {
      await resumeDrained().catch(() => {}); // its controller may be away
      await sleep(INTERVAL_MS, undefined, { signal: stopping.signal }).catch(() => {});
    }
  };
  const done = operate();
  return () => {
    stopping.abort();
    return done;
  };
}
