import { ServiceError } from '@tally/service-kit';
import {
  type FindObservation,
  isCollectRecord,
  observationsByTask,
  queriesOf,
  type TrackedTask,
  targetsOf,
  trackedTasks,
} from '../observe/tracked-tasks.js';
import type { WorkerPorts } from '../ports.js';
import type { RemoteShell } from '../remote-shell.js';
import type { JobTarget } from '../scheduler.js';
import type { SubmissionIn } from '../submission.js';
import { markCancelSent, updateSubmission } from '../submission-state.js';

/** Tasks of a submission that must end: those of the arrays when it is canceled, all when it is deleted. */
export function tasksToCancel(submission: SubmissionIn<'submitted'>): TrackedTask[] {
  if (submission.desired === 'run') return [];
  const tasks = trackedTasks(submission);
  return submission.desired === 'deleted' ? tasks : tasks.filter((task) => !isCollectRecord(task));
}

/**
 * These tasks as targets of one command, arrays whole. Only those that the scheduler shows under our name and not as ended: an id
 * may have been given out again, to another job of the same user.
 */
export function shownTargets(tasks: readonly TrackedTask[], observed: FindObservation): JobTarget[] {
  const alive = tasks.filter((task) => isAlive(task, observed));
  return targetsOf(alive, { isWholeArrays: true });
}

/** Cancels in the course of a poll, which a cancel that fails does not end: it is due again with the next one. Whether it was sent. */
export async function tryCancel(
  { scheduler, logger }: Pick<WorkerPorts, 'scheduler' | 'logger'>,
  shell: RemoteShell,
  targets: readonly JobTarget[],
): Promise<boolean> {
  try {
    await scheduler.cancel(shell, targets);
    return true;
  } catch (err) {
    if (!(err instanceof ServiceError)) throw err;
    logger.warn({ err, targets }, 'a cancel on a cluster failed');
    return false;
  }
}

/** Whether the scheduler shows something that can still be ended. */
export function isAlive(task: TrackedTask, observed: FindObservation): boolean {
  const observation = observed(task);
  return observation !== undefined && observation.state.kind !== 'ended';
}

/**
 * Ends on the cluster what jobs has canceled or deleted, for all jobs of a user at once. The collect job of a canceled one
 * stays: it delivers what finished tasks have left. Whether it has worked only the next poll shows; until then it is
 * repeated there. Safe to repeat. @throws ServiceError SCHEDULER_UNREACHABLE, and as RemoteShell
 */
export async function cancelOnCluster(
  ports: Pick<WorkerPorts, 'scheduler' | 'store' | 'clock'>,
  shell: RemoteShell,
  submissions: readonly SubmissionIn<'submitted'>[],
): Promise<void> {
  const tasks = submissions.flatMap(tasksToCancel);
  const { observations } = await ports.scheduler.observe(shell, queriesOf(tasks));
  await ports.scheduler.cancel(shell, shownTargets(tasks, observationsByTask(observations)));
  await storeCancelSent(ports, submissions, ports.clock.now());
}

export async function storeCancelSent(
  { store }: Pick<WorkerPorts, 'store'>,
  submissions: readonly SubmissionIn<'submitted'>[],
  now: Date,
): Promise<void> {
  for (const submission of submissions) {
    await updateSubmission(store, submission, (stored) => markCancelSent(stored, submission, now));
  }
}
