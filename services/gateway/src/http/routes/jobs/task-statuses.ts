import type { jobs } from '@tally/contracts';
import { answerInvalid } from '../../../errors.js';
import { required, state, toFailure, toHoursMinutesSeconds } from '../../mappers.js';

/**
 * The tasks of a job as the text of a JSON array, each as {@link toTaskStatus} shows it: written from columns, because a thousand
 * objects cost more than all else of the answer.
 * @throws ServiceError ANSWER_INVALID
 */
export function writeTaskStatuses(tasks: jobs.TaskColumns): string {
  const names = tasks.states.map(state.toName);
  const times = createTimeWriter();
  let text = '';
  for (const [i, taskId] of tasks.taskIds.entries()) {
    text += `${i === 0 ? '[' : ','}{"task_id":${taskId},"task_state":"${required(names[i], 'state')}"`;
    text += `,"requested_primaries":${valueAt(tasks.requestedPrimaries, i)}`;
    text += `,"simulated_primaries":${valueAt(tasks.simulatedPrimaries, i)}`;
    text += `,"last_update_time":${times(valueAt(tasks.lastUpdateTimesMs, i))}`;
    const estimated = toHoursMinutesSeconds(valueAt(tasks.estimatedSeconds, i));
    if (estimated !== undefined) text += `,"estimated_time":${JSON.stringify(estimated)}`;
    const [startMs, endMs] = [valueAt(tasks.startTimesMs, i), valueAt(tasks.endTimesMs, i)];
    if (!Number.isNaN(startMs)) text += `,"start_time":${times(startMs)}`;
    if (!Number.isNaN(endMs)) text += `,"end_time":${times(endMs)}`;
    const failure = tasks.failures[taskId];
    if (failure !== undefined) text += `,${JSON.stringify(toFailure(failure)).slice(1, -1)}`;
    text += '}';
  }
  return text === '' ? '[]' : `${text}]`;
}

function valueAt<T>(values: readonly T[], i: number): T {
  const value = values[i];
  if (value === undefined) throw answerInvalid('columns differ in length');
  return value;
}

/** Many tasks of a job share a moment: each is written once while it is the last one. */
function createTimeWriter(): (ms: number) => string {
  let last = Number.NaN;
  let text = '';
  return (ms) => {
    if (ms === last) return text;
    last = ms;
    text = `"${new Date(ms).toISOString()}"`;
    return text;
  };
}
