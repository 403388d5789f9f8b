import type { ObservationPorts } from './observation-ports.js';
import type { RemoteShell } from './remote-shell.js';

import type { Observation } from './scheduler.js';
import type { SubmissionIn } from './submission.js';
import { COLLECT_TASK_ID, sightings, targetsOf, type WatchedTask, watchedJobs, watchedTasks } from './watched-tasks.js';

/** Tasks of a submission that must end: those of the arrays when it is canceled, all when it is to be removed. */
export function unwantedTasks(submission: SubmissionIn<'submitted'>): WatchedTask[] {
  const { isCancelWanted, isDeleteWanted } = submission;
  if (isDeleteWanted) return watchedTasks(submission);
  return isCancelWanted ? watchedTasks(submission).filter(({ taskId }) => taskId !== COLLECT_TASK_ID) : [];
}

/** Whether the scheduler shows something that can still be ended. */
export function isAlive(seen: Observation | undefined): boolean {
  return seen !== undefined && seen.state.kind !== 'ended';
}

/**
 * Asks for the end of these tasks, arrays whole, by one command. Only those that the scheduler shows under our name and
 * not as ended: an id may have been given out again, to another job of the same user.
 */
export async function cancelSeen(
  { scheduler }: Pick<ObservationPorts, 'scheduler'>,
  shell: RemoteShell,
  tasks: readonly WatchedTask[],
  seen: (task: WatchedTask) => Observation | undefined,
): Promise<void> {
  const alive = tasks.filter((task) => isAlive(seen(task)));
  await scheduler.cancel(shell, targetsOf(alive, { isWhole: true }));
}

/**
 * Ends on the cluster what jobs does not want any more, for all jobs of a user at once. The collect job of a canceled one
 * stays: it delivers what finished tasks have left. Whether it has worked only the next look tells; until then it is
 * repeated there. Safe to repeat. @throws ServiceError SCHEDULER_UNREACHABLE, and as RemoteShell
 */
export async function cancelOnCluster(
  ports: Pick<ObservationPorts, 'scheduler' | 'submissions' | 'clock'>,
  shell: RemoteShell,
  unwanted: readonly SubmissionIn<'submitted'>[],
): Promise<void> {
  const tasks = unwanted.flatMap(unwantedTasks);
  const { observations } = await ports.scheduler.observe(shell, watchedJobs(tasks));
  await cancelSeen(ports, shell, tasks, sightings(observations));
  const now = ports.clock.now();
  for (const { jobId } of unwanted) await ports.submissions.setCancelSent(jobId, now);
}
