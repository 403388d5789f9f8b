import { setTimeout as sleep } from 'node:timers/promises';
import type { TallyClient } from '@tally/client';
import type { CommonOptions, Context } from '../context.js';
import { EXIT } from '../exit-codes.js';
import { isFinal, type JobStatus, primariesOf, type State, statusOf } from '../job.js';
import { notifyDesktop, notifySequence } from '../terminal/notify.js';
import { progressBar } from '../terminal/plot.js';

const POLL_MS = 500;
const TASKS_SHOWN_MAX = 16;

const percent = (share: number): string => `${Number((100 * share).toPrecision(2))} %`;

/** How far the error of a job with a target is, and what is left; undefined: it has none. */
export function targetLine({ target, target_reached: isReached }: JobStatus): string | undefined {
  if (target === undefined) return undefined;
  const wanted = `  ${target.estimator} to ${percent(target.relative_error)}`;
  const last = target.convergence.findLast(({ relative_error: error }) => typeof error === 'number');
  if (last === undefined || typeof last.relative_error !== 'number')
    return `${wanted}: not known before the first merge`;
  const now = `${wanted}: ${percent(last.relative_error)} after ${last.primaries} primaries`;
  if (isReached !== undefined) return `${now}, ${isReached ? 'reached' : 'not reached'}`;
  const { predicted_primaries: predicted, predicted_seconds: seconds } = target;
  if (predicted === undefined) return now;
  const time = seconds === undefined ? '' : `, about ${Math.round(seconds)} s`;
  return `${now}, about ${Math.max(0, predicted - last.primaries)} more${time}`;
}

/** Lines of a job's progress: the whole, its target, and each task where there are few. */
export function progressLines(status: JobStatus): string[] {
  const { done, total } = primariesOf(status);
  const { remaining_seconds: left } = status;
  const text = `${done} / ${total} primaries, ${status.job_state}${left === undefined ? '' : `, about ${left} s left`}`;
  const tasks = status.job_tasks_status.length > TASKS_SHOWN_MAX ? [] : status.job_tasks_status;
  const lines = tasks.map((task) => {
    const share = task.requested_primaries === 0 ? 0 : task.simulated_primaries / task.requested_primaries;
    return progressBar(share, `task ${task.task_id} ${task.task_state}`, 20);
  });
  const target = targetLine(status);
  const waiting = status.waiting_reason === undefined ? [] : [`  ${status.waiting_reason}`];
  return [
    progressBar(total === 0 ? 0 : done / total, text),
    ...(target === undefined ? [] : [target]),
    ...waiting,
    ...(isFinal(status.job_state) ? [] : lines),
  ];
}

export interface WatchOptions extends CommonOptions {
  /** Notify in the terminal and on the desktop when the job ends. */
  readonly notify?: boolean;
}

/** In the terminal, and on the desktop where there is one. */
function tellEnd(context: Context, { job_state: state, description }: JobStatus, jobId: string): void {
  const title = description?.title ?? jobId;
  if (context.isTerminal) context.write(notifySequence(`${title}: ${state}`));
  notifyDesktop(title, state, context.env);
}

/** Follows a job to its end; its state decides the exit code. Ctrl-C says that the job goes on. */
export async function watchJob(
  context: Context,
  client: TallyClient,
  jobId: string,
  { json, notify }: WatchOptions,
): Promise<void> {
  const release = context.onInterrupt(
    () => `The job goes on. "tally watch ${jobId}" follows it again, "tally cancel ${jobId}" ends it.`,
  );
  const status = await follow(client, jobId, context, json === true);
  release();
  if (notify === true) tellEnd(context, status, jobId);
  if (json === true) context.say(JSON.stringify({ job_id: jobId, ...status }, null, 2));
  if (status.failure !== undefined) context.note(status.failure);
  context.exit(exitCodeOfState(status.job_state));
}

/** Waits for a job's last state, showing its progress: in place in a terminal, a line a fifth, or a merge, in a log. */
async function follow(client: TallyClient, jobId: string, context: Context, isQuiet: boolean): Promise<JobStatus> {
  let shown = 0;
  let lastStep = -1;
  for (;;) {
    const status = await statusOf(client, jobId);
    const { done, total } = primariesOf(status);
    // what is worth a line of a log: another fifth, or another merge of a job with a target
    const step = status.target?.convergence.length ?? Math.floor((5 * done) / Math.max(1, total));
    if (!isQuiet && context.isTerminal) {
      const lines = progressLines(status);
      const up = shown === 0 ? '' : `\u001b[${shown}A\u001b[J`;
      context.write(`${up}${lines.join('\n')}\n`);
      shown = lines.length;
    } else if (!isQuiet && (step > lastStep || isFinal(status.job_state))) {
      lastStep = step;
      const [whole, ...others] = progressLines(status);
      context.say([whole, ...(status.target === undefined ? [] : others.slice(0, 1))].join('\n'));
    }
    if (isFinal(status.job_state)) return status;
    await sleep(POLL_MS);
  }
}

/** The exit code that a job's last state means. */
export function exitCodeOfState(state: State): number {
  if (state === 'COMPLETED') return EXIT.ok;
  return state === 'CANCELED' ? EXIT.jobCanceled : EXIT.jobFailed;
}
