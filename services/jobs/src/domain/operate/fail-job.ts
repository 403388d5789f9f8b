import type { Draft } from '../change.js';
import { fail, invalidField } from '../errors.js';
import type { JobId } from '../job.js';
import type { State } from '../job-state.js';
import { moveJob, moveTasks } from '../move-state.js';
import type { StateStore } from '../ports.js';
import { closeWork } from '../work.js';

const REASON_LENGTH_MAX = 500;

/**
 * What an operator tells users.
 * @throws ServiceError REQUEST_INVALID
 */
export function readSentence(field: string, text: string): string {
  const sentence = text.trim();
  if (sentence === '' || sentence.length > REASON_LENGTH_MAX || /[\p{Cc}\p{Zl}\p{Zp}]/u.test(sentence)) {
    throw invalidField(field, `must be one line of 1 to ${REASON_LENGTH_MAX} characters`);
  }
  return sentence;
}

/**
 * Ends an open job as FAILED for an operator, with a reason that its owner reads. Its tasks end as those of a job that is cancelled; what
 * they have delivered stays readable. A terminal job stays as it is.
 * @returns the state after the call
 * @throws ServiceError JOB_NOT_FOUND, REQUEST_INVALID
 */
export async function failJob(
  { states }: { readonly states: StateStore },
  jobId: JobId,
  reason: string,
): Promise<State> {
  const failure = `STOPPED_BY_OPERATOR: ${readSentence('/reason', reason)}`;
  const state = await states.changeJob({ jobId }, 'all', (draft) => decideFail(draft, jobId, failure));
  if (state === undefined) throw fail('JOB_NOT_FOUND');
  return state;
}

/** Undefined: there is no such job. */
export function decideFail(draft: Draft, jobId: JobId, failure: string): State | undefined {
  const job = draft.findJob(jobId);
  if (job === undefined || !moveJob(draft, job.jobKey, 'failedByOperator', { failure })) return job?.state;
  moveTasks(draft, job.jobKey, 'canceled');
  closeWork(draft, job.jobKey);
  const { lastTaskId: lastTask } = draft.tally(job.jobKey);
  if (job.platform === 'batch') draft.addDuty({ jobId, kind: 'cancel', lastTask });
  return 'FAILED';
}
