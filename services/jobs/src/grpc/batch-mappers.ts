import type { jobs } from '@tally/contracts';
import { type BatchReport, type BatchTaskReport, keptText } from '../domain/batch/batch-report.js';
import { invalidField } from '../domain/errors.js';
import { readState } from './mappers.js';
import { readJobDir } from './worker-mappers.js';

/** Texts are cut to what is kept: a report is never lost because a scheduler is talkative. @throws ServiceError REQUEST_INVALID */
export function readBatchReport(request: jobs.ReportBatchRequest): BatchReport {
  const { jobDir, arrayId, collectId, waitingReason, tasks, end } = request;
  return {
    jobDir: readJobDir(jobDir),
    arrayId,
    collectId,
    waitingReason: waitingReason === undefined ? undefined : keptText(waitingReason) || null,
    tasks: tasks.map(readTaskReport),
    end: end === undefined ? undefined : { failure: keptText(end.failure) || UNSAID_END, lastTask: end.lastTask },
  };
}

const UNSAID_END = 'The job ended on its cluster';

function readTaskReport({ taskId, state, failure }: jobs.BatchTaskReport): BatchTaskReport {
  const name = readState(state);
  if (name !== 'RUNNING' && name !== 'FAILED' && name !== 'CANCELED') {
    throw invalidField('/tasks/state', 'must be RUNNING, FAILED or CANCELED');
  }
  return { taskId, state: name, failure: keptText(failure) };
}
