import { describe, expect, it } from '@jest/globals';
import { kitError, type ServiceError } from '@tally/service-kit';
import { ObservationFixture, running } from '../../../test/observation-fixture.js';
import { fail } from '../errors.js';
import type { JobId } from '../job-id.js';
import { observeUser } from './observe-user.js';

/** One round for the job of the fixture; `faults` are thrown where they are named. */
async function observe(
  fixture: ObservationFixture,
  { username = 'jane', ...faults }: { credential?: ServiceError; session?: ServiceError; username?: string } = {},
): Promise<readonly JobId[]> {
  fixture.calls.observed.length = 0;
  const { credentials, sessions, ...ports } = fixture.ports;
  await observeUser(
    {
      ...ports,
      credentials: {
        get: async (...args) => {
          if (faults.credential !== undefined) throw faults.credential;
          return { ...(await credentials.get(...args)), username };
        },
      },
      sessions: {
        withSession: async (login, work) => {
          if (faults.session !== undefined) throw faults.session;
          return sessions.withSession(login, work);
        },
      },
    },
    fixture.cluster,
    1n,
  );
  return fixture.calls.observed;
}

describe('observeUser', () => {
  it('decides nothing without a credential or a connection; the job says why it waits until it does not', async () => {
    const fixture = new ObservationFixture(1);
    fixture.show(undefined, 1);
    const expired = fail('CREDENTIAL_UNUSABLE', { message: 'The SSH certificate expired' });
    expect(await observe(fixture, { credential: expired })).toEqual([fixture.jobId]);
    expect(fixture.waitingReason).toBe('The SSH certificate expired');
    await observe(fixture, { credential: expired });
    expect(fixture.reports).toHaveLength(1);
    await fixture.clock.advance(6_000_000);
    const refused = fail('CLUSTER_UNREACHABLE', { cause: new Error('connect ECONNREFUSED') });
    await observe(fixture, { session: refused });
    expect(fixture.waitingReason).toBe('The cluster cannot be reached: connect ECONNREFUSED');
    expect(fixture.records.size).toBe(0);
    fixture.show(running, 1);
    await observe(fixture);
    expect(fixture.waitingReason).toBe('');
    expect(fixture.taskStates.get(1)).toBe('RUNNING');
  });

  it('reports nothing when another service was unavailable for a moment, and is not due again before the interval', async () => {
    const fixture = new ObservationFixture(1);
    expect(await observe(fixture, { credential: kitError('SERVICE_UNAVAILABLE') })).toEqual([fixture.jobId]);
    expect(fixture.reports).toEqual([]);
  });

  it('never asks about a job under another login name than its own', async () => {
    const fixture = new ObservationFixture(1);
    fixture.show(running, 1);
    await observe(fixture, { username: 'joan' });
    expect(fixture.calls.observe).toBe(0);
    expect(fixture.waitingReason).toContain('submitted under the login name jane');
  });
});
