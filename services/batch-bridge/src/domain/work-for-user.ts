import { type Clock, type Logger, ServiceError } from '@tally/service-kit';
import type { ClusterSettings } from './cluster.js';
import type { JobId } from './job-id.js';
import type { ClusterSession, ClusterSessions, Credentials, SubmissionStore } from './ports.js';
import { type ReportEndPorts, reportEnd } from './report-end.js';
import { type RetryLimits, retryPauseMs } from './retry-pause.js';
import type { SubmitStepsPorts } from './step-context.js';
import { isIn, type Submission, type SubmissionIn } from './submission.js';
import { takeSteps } from './submit-steps.js';
import { type TrySubmissionPorts, trySubmission } from './try-submission.js';

/** A user's connection and the login name it is for. */
export interface UserSession {
  readonly session: ClusterSession;
  readonly username: string;
}

/** What is done on a cluster for jobs that are submitted or have ended. */
export interface ClusterActions {
  /** Cancels on the cluster what is to be canceled or deleted, and stores that it has. */
  cancel(session: ClusterSession, submissions: readonly SubmissionIn<'submitted'>[]): Promise<void>;
  /** Removes what an ended job has left on the cluster, and stores that it has. */
  clear(
    session: ClusterSession,
    cluster: ClusterSettings,
    username: string,
    submission: SubmissionIn<'ended'>,
  ): Promise<void>;
}

/** What {@link workForUser} needs. */
export interface WorkForUserPorts {
  readonly store: SubmissionStore;
  readonly credentials: Credentials;
  readonly sessions: ClusterSessions;
  readonly actions: ClusterActions;
  readonly steps: SubmitStepsPorts;
  readonly tries: TrySubmissionPorts;
  readonly ends: ReportEndPorts;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly limits: RetryLimits & {
    /** After so long what could not be cleared away is given up. */
    readonly waitHoursMax: number;
  };
}

const HOUR_MS = 3_600_000;

/** Runs work with the user's connection; the credential is asked for once. */
type WithSession = <T>(jobId: JobId, work: (user: UserSession) => Promise<T>) => Promise<T>;

export function userSessions(
  { credentials, sessions }: Pick<WorkForUserPorts, 'credentials' | 'sessions'>,
  cluster: ClusterSettings,
  userId: bigint,
): WithSession {
  let asked: ReturnType<Credentials['get']> | undefined;
  return async (jobId, work) => {
    asked ??= credentials.get(userId, jobId);
    const { username, ...credential } = await asked;
    return sessions.withSession({ cluster, username, credential }, (session) => work({ session, username }));
  };
}

/**
 * Does what is due for one user on one cluster: cancels, tells jobs of ends, clears away, and takes one submission as far
 * as it goes. Only one, so that a cancel that comes meanwhile does not wait for all of them; the others are still due. What
 * one job throws keeps none of the others from its turn.
 */
export async function workForUser(ports: WorkForUserPorts, cluster: ClusterSettings, userId: bigint): Promise<void> {
  const due = await ports.store.listDue(cluster.name, userId, ports.clock.now());
  const withSession = userSessions(ports, cluster, userId);
  const cancels = due.filter((submission) => isIn('submitted', submission));
  if (cancels.length > 0) await cancelAll(ports, withSession, cancels);
  for (const submission of due) {
    if (isIn('ended', submission)) await workOnEnded(ports, cluster, withSession, submission);
  }
  const next = due.find((submission) => isIn('accepted', submission) || isIn('uploaded', submission));
  if (next !== undefined) await submitNext(ports, cluster, withSession, next);
}

function submitNext(
  ports: WorkForUserPorts,
  cluster: ClusterSettings,
  withSession: WithSession,
  submission: Submission,
): Promise<void> {
  return trySubmission(ports.tries, submission, (onReachingScheduler) =>
    mayNeedCluster(submission)
      ? withSession(submission.jobId, (user) =>
          takeSteps(ports.steps, { ...user, cluster, submission, onReachingScheduler }),
        )
      : endRevoked(ports, submission),
  );
}

/** A job that was canceled before its folder was whole ends without a look at the cluster. */
function mayNeedCluster({ phase, isCancelWanted, isDeleteWanted }: Submission): boolean {
  return phase.kind !== 'accepted' || !(isCancelWanted || isDeleteWanted);
}

async function endRevoked({ store, clock }: WorkForUserPorts, { jobId }: Submission): Promise<{ kind: 'done' }> {
  await store.end(jobId, { message: 'The job was canceled' }, clock.now());
  return { kind: 'done' };
}

/** All cancels of a user are one command. */
async function cancelAll(
  ports: WorkForUserPorts,
  withSession: WithSession,
  submissions: readonly SubmissionIn<'submitted'>[],
): Promise<void> {
  const [first] = submissions;
  if (first === undefined) return;
  try {
    await withSession(first.jobId, ({ session }) => ports.actions.cancel(session, submissions));
  } catch (err) {
    for (const submission of submissions) await putOff(ports, submission, err);
  }
}

async function workOnEnded(
  ports: WorkForUserPorts,
  cluster: ClusterSettings,
  withSession: WithSession,
  submission: SubmissionIn<'ended'>,
): Promise<void> {
  const { store, actions, clock, limits, logger } = ports;
  const { jobId, phase } = submission;
  try {
    if (!phase.isReported) return await reportEnd(ports.ends, submission);
    if (phase.placement === undefined) return await store.setCleared(jobId, clock.now());
    const { username } = phase.placement;
    await withSession(jobId, (user) => actions.clear(user.session, cluster, username, submission));
  } catch (err) {
    const { folderKeepHours } = ports.ends.limits;
    const givenUpAt = phase.endedAt.getTime() + (folderKeepHours + limits.waitHoursMax) * HOUR_MS;
    if (phase.isReported && clock.now().getTime() > givenUpAt) {
      logger.warn({ job_id: jobId, cluster: cluster.name, err }, 'folder of a job is left on its cluster');
      return store.setCleared(jobId, clock.now());
    }
    await putOff(ports, submission, err);
  }
}

async function putOff(
  { store, clock, limits, logger }: WorkForUserPorts,
  submission: Submission,
  err: unknown,
): Promise<void> {
  const { jobId, tryCount, clusterName, waitingReason } = submission;
  const reason = err instanceof ServiceError ? err.reason : undefined;
  logger.warn({ job_id: jobId, cluster: clusterName, reason, err }, 'work on a cluster failed');
  const dueAt = new Date(clock.now().getTime() + retryPauseMs(limits, tryCount));
  await store.beginTry(jobId, dueAt);
  await store.postpone(submission, { dueAt, waitingReason });
}
