import { ServiceError, workFor } from '@tally/service-kit';
import { cancelOnCluster } from './clean/cancel-on-cluster.js';
import { clearFolder } from './clean/clear-folder.js';
import { endLeft } from './clean/end-left.js';
import { reportEnd } from './clean/report-end.js';
import type { ClusterSettings } from './cluster/cluster.js';
import type { WorkerPorts } from './ports.js';
import { isIn, type Submission, type SubmissionIn } from './submission.js';
import { beginAttempt, markCleared, mayHaveLeft, reschedule, updateSubmission } from './submission-state.js';
import { advance, endCanceled } from './submit/advance.js';
import { attemptSubmission, retryTime } from './submit/attempt-submission.js';
import { userSessions, type WithSession } from './user-sessions.js';

const HOUR_MS = 3_600_000;

/**
 * Does what is due for one user on one cluster: cancels, reports ends, clears folders, and takes one submission as far as
 * it gets. Only one, so that a cancel that comes meanwhile does not wait for all of them; the others are still due. An
 * error of one job does not keep the others waiting.
 */
export async function processUser(ports: WorkerPorts, cluster: ClusterSettings, userId: bigint): Promise<void> {
  const due = await ports.store.listDue(cluster.name, userId, ports.clock.now());
  const withSession = userSessions(ports, cluster, userId);
  const canceled = due.filter((submission) => isIn('submitted', submission));
  if (canceled.length > 0) await cancelAll(ports, withSession, canceled);
  for (const submission of due) {
    if (isIn('ended', submission)) await processEnded(ports, cluster, withSession, submission);
  }
  const next = due.find((submission) => isIn('accepted', submission) || isIn('uploaded', submission));
  if (next === undefined) return;
  const { jobId, origin } = next;
  await workFor(origin, 'submit', { job_id: jobId, cluster: cluster.name }, () =>
    attemptSubmission(ports, next, async (onContactScheduler) => {
      // canceled before its folder was complete: it ends without asking the cluster
      if (isIn('accepted', next) && next.desired !== 'run') return endCanceled(ports, { submission: next });
      return withSession(jobId, (user) => advance(ports, { ...user, cluster, submission: next, onContactScheduler }));
    }),
  );
}

/** All cancels of a user are one command. */
async function cancelAll(
  ports: WorkerPorts,
  withSession: WithSession,
  submissions: readonly SubmissionIn<'submitted'>[],
): Promise<void> {
  const [first] = submissions;
  if (first === undefined) return;
  try {
    await withSession(first.jobId, ({ session }) => cancelOnCluster(ports, session, submissions));
  } catch (err) {
    for (const submission of submissions) await retryLater(ports, submission, err);
  }
}

async function processEnded(
  ports: WorkerPorts,
  cluster: ClusterSettings,
  withSession: WithSession,
  submission: SubmissionIn<'ended'>,
): Promise<void> {
  const { store, clock, limits, logger } = ports;
  const { jobId, phase } = submission;
  const storeCleared = () => updateSubmission(store, submission, (stored) => markCleared(stored, clock.now()));
  try {
    if (!phase.isReported) return await reportEnd(ports, submission);
    if (phase.remoteJob === undefined) return void (await storeCleared());
    const { username } = phase.remoteJob;
    await withSession(jobId, ({ session }) =>
      mayHaveLeft(submission)
        ? endLeft(ports, session, submission)
        : clearFolder(ports, session, cluster, username, submission),
    );
  } catch (err) {
    const givenUpAt = phase.endedAt.getTime() + (limits.folderKeepHours + limits.waitHoursMax) * HOUR_MS;
    if (!phase.isReported || clock.now().getTime() <= givenUpAt) return retryLater(ports, submission, err);
    logger.warn({ job_id: jobId, cluster: cluster.name, err }, 'folder of a job is left on its cluster');
    await storeCleared();
  }
}

async function retryLater(ports: WorkerPorts, submission: Submission, err: unknown): Promise<void> {
  const { jobId, clusterName, waitingReason } = submission;
  const reason = err instanceof ServiceError ? err.reason : undefined;
  ports.logger.warn({ job_id: jobId, cluster: clusterName, reason, err }, 'work on a cluster failed');
  const dueAt = retryTime(ports, submission);
  await updateSubmission(ports.store, submission, (stored) =>
    reschedule(beginAttempt(stored, dueAt), submission, { dueAt, waitingReason }),
  );
}
