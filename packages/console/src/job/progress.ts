import type { TaskStatus } from '../api/live.js';

/** How far a job is. */
export interface Progress {
  readonly tasks: readonly TaskStatus[];
  readonly done: number;
  readonly total: number;
  /** 0 … 1 */
  readonly share: number;
}

const isNewer = (live: TaskStatus, read: TaskStatus): boolean => live.last_update_time >= read.last_update_time;

/** What was read and what the stream has told since, task by task the newer of both. */
export function progressOf(read: readonly TaskStatus[], live: ReadonlyMap<number, TaskStatus>): Progress {
  const tasks = read.map((task) => {
    const told = live.get(task.task_id);
    return told !== undefined && isNewer(told, task) ? told : task;
  });
  const total = tasks.reduce((sum, task) => sum + task.requested_primaries, 0);
  const done = tasks.reduce((sum, task) => sum + task.simulated_primaries, 0);
  return {
    tasks,
    done,
    total,
    share: total === 0 ? 0 : done / total,
  };
}

/** Time that the tasks waited before they began, and its share of the job's whole time; undefined before one has begun. */
export function queueTime(
  submitted: string | undefined,
  ended: string | undefined,
  tasks: readonly TaskStatus[],
): { readonly seconds: number; readonly share: number } | undefined {
  const starts = tasks.flatMap(({ start_time: start }) => (start === undefined ? [] : [new Date(start).getTime()]));
  if (submitted === undefined || starts.length === 0) return undefined;
  const from = new Date(submitted).getTime();
  const seconds = Math.max(0, (Math.min(...starts) - from) / 1000);
  const whole = ((ended === undefined ? Date.now() : new Date(ended).getTime()) - from) / 1000;
  return { seconds, share: whole <= 0 ? 0 : Math.min(1, seconds / whole) };
}
