import { ServiceError } from '@tally/service-kit';
import type { ClusterSettings } from '../cluster/cluster.js';
import { describeError } from '../describe-error.js';
import type { WorkerPorts } from '../ports.js';
import { userSessions } from '../user-sessions.js';
import { observeSubmissions } from './observe-submissions.js';
import { reportWaiting } from './report-waiting.js';

/**
 * One round for a user's submitted jobs on a cluster. Without a usable credential, a connection, or an answer of the
 * scheduler nothing is decided, and the jobs say why they wait. The next round comes after the interval, whatever happens
 * in this one.
 */
export async function observeUser(ports: WorkerPorts, cluster: ClusterSettings, userId: bigint): Promise<void> {
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
      const ours = submissions.filter(({ phase }) => phase.remoteJob.username === username);
      if (ours.length > 0) await observeSubmissions(ports, session, cluster, ours);
      for (const submission of submissions) {
        const { username: before } = submission.phase.remoteJob;
        if (before === username) continue;
        const reason = `The job was submitted under the login name ${before}, and the SSH certificate is for ${username}`;
        await reportWaiting(ports, [submission], reason);
      }
    });
  } catch (err) {
    if (!(err instanceof ServiceError)) throw err;
    const { reason } = err;
    logger.warn({ err, reason, cluster: cluster.name, user_id: String(userId) }, 'jobs could not be observed');
    // another service that is unavailable for a moment is nothing that the owner of a job could do anything about
    if (err.domain !== 'kit') await reportWaiting(ports, submissions, describeError(err));
  } finally {
    const jobIds = submissions.map(({ jobId }) => jobId);
    await store.setObserved(jobIds, clock.now());
  }
}
