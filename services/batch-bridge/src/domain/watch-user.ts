import { ServiceError } from '@tally/service-kit';
import type { ClusterSettings } from './cluster.js';
import { describeFailure } from './describe-failure.js';
import type { ObservationPorts } from './observation-ports.js';
import { observeSubmissions } from './observe-submissions.js';
import type { ClusterSessions, Credentials, SubmissionStore } from './ports.js';
import { reportWaiting } from './report-waiting.js';
import type { SubmissionIn } from './submission.js';
import { userSessions } from './work-for-user.js';

/** What {@link watchUser} needs. */
export interface WatchUserPorts extends ObservationPorts {
  readonly store: Pick<SubmissionStore, 'listSubmitted' | 'setObserved'>;
  readonly credentials: Credentials;
  readonly sessions: ClusterSessions;
}

/**
 * One round for a user's submitted jobs on a cluster. Without a usable credential, without a connection, or without an
 * answer of the scheduler nothing is decided, and the jobs say why they wait. The next round comes after the interval,
 * whatever this one has met.
 */
export async function watchUser(ports: WatchUserPorts, cluster: ClusterSettings, userId: bigint): Promise<void> {
  const { store, clock, logger } = ports;
  const submissions = await store.listSubmitted(cluster.name, userId);
  const [first] = submissions;
  if (first === undefined) return;
  try {
    await userSessions(
      ports,
      cluster,
      userId,
    )(first.jobId, async ({ session, username }) => {
      const ours = submissions.filter(({ phase }) => phase.username === username);
      if (ours.length > 0) await observeSubmissions(ports, session, cluster, ours);
      await reportForeign(ports, submissions, username);
    });
  } catch (err) {
    if (!(err instanceof ServiceError)) throw err;
    logger.warn(
      { err, reason: err.reason, cluster: cluster.name, user_id: String(userId) },
      'jobs could not be watched',
    );
    // a neighbour that is away for a moment is nothing that the owner of a job could do anything about
    if (err.domain !== 'kit') await reportWaiting(ports, submissions, describeFailure(err));
  } finally {
    const jobIds = submissions.map(({ jobId }) => jobId);
    await store.setObserved(jobIds, clock.now());
  }
}

/** Jobs that were submitted under a login name that the credential is not for (any more): nobody can look after them. */
async function reportForeign(
  ports: WatchUserPorts,
  submissions: readonly SubmissionIn<'submitted'>[],
  username: string,
): Promise<void> {
  for (const submission of submissions) {
    const { username: before } = submission.phase;
    if (before === username) continue;
    const reason = `The job was submitted under the login name ${before}, and the SSH certificate is for ${username}`;
    await reportWaiting(ports, [submission], reason);
  }
}
