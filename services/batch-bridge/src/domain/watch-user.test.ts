import { describe, expect, it } from '@jest/globals';
import { kitError, type ServiceError } from '@tally/service-kit';
import { ObservationWorld, running } from '../../test/observation-world.js';
import { fail } from './errors.js';
import type { JobId } from './job-id.js';

import { type WatchUserPorts, watchUser } from './watch-user.js';

const CREDENTIAL = { username: 'jane', certificate: 'certificate', privateKey: 'key' };

/** Watches the world's job once; `faults` are thrown where they are named. */
async function watch(
  world: ObservationWorld,
  { username = 'jane', ...faults }: { credential?: ServiceError; session?: ServiceError; username?: string } = {},
): Promise<readonly JobId[]> {
  const observed: JobId[] = [];
  const ports: WatchUserPorts = {
    ...world.ports,
    store: {
      listSubmitted: async () => [world.submission],
      setObserved: async (jobIds) => void observed.push(...jobIds),
    },
    credentials: {
      get: async () => {
        if (faults.credential !== undefined) throw faults.credential;
        return { ...CREDENTIAL, username };
      },
    },
    sessions: {
      withSession: async (_, work) => {
        if (faults.session !== undefined) throw faults.session;
        return work(world.session);
      },
    },
  };
  await watchUser(ports, world.cluster, 1n);
  return observed;
}

describe('watchUser', () => {
  it('decides nothing without a credential or a connection; the job says why it waits, and goes on', async () => {
    const world = new ObservationWorld(1);
    world.show(undefined, 1);
    const expired = fail('CREDENTIAL_UNUSABLE', { message: 'The SSH certificate expired' });
    expect(await watch(world, { credential: expired })).toEqual([world.jobId]);
    expect(world.waitingReason).toBe('The SSH certificate expired');
    await watch(world, { credential: expired });
    expect(world.reports).toHaveLength(1);
    await world.clock.advance(6_000_000);
    const refused = fail('CLUSTER_UNREACHABLE', { cause: new Error('connect ECONNREFUSED') });
    await watch(world, { session: refused });
    expect(world.waitingReason).toBe('The cluster cannot be reached: connect ECONNREFUSED');
    expect(world.records.size).toBe(0);
    world.show(running, 1);
    await watch(world);
    expect(world.waitingReason).toBe('');
    expect(world.taskStates.get(1)).toBe('RUNNING');
  });

  it('tells nobody that another service was away for a moment, and is not due again before the interval', async () => {
    const world = new ObservationWorld(1);
    expect(await watch(world, { credential: kitError('SERVICE_UNAVAILABLE') })).toEqual([world.jobId]);
    expect(world.reports).toEqual([]);
  });

  it('never looks after a job under another login name than its own', async () => {
    const world = new ObservationWorld(1);
    world.show(running, 1);
    await watch(world, { username: 'joan' });
    expect(world.calls.observe).toBe(0);
    expect(world.waitingReason).toContain('submitted under the login name jane');
  });
});
