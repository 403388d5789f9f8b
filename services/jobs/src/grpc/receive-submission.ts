import type { jobs } from '@tally/contracts';
import { actingUser, currentContext } from '@tally/service-kit';
import { invalidField } from '../domain/errors.js';
import { checkSimDataBytes, type Submission, type SubmissionLimits } from '../domain/submit/submit-job.js';
import { readGroupId, readInputType, readOnUnsupported, readPlatform, readSimulator, readTarget } from './mappers.js';
import { readProjectId } from './project-rpcs.js';

/**
 * A submission whose sim_data comes in pieces. They are put together in memory that the thread which converts them shares: nothing is
 * copied as a whole.
 * @throws ServiceError REQUEST_INVALID, SIM_DATA_TOO_LARGE
 */
export async function receiveSubmission(
  messages: AsyncIterable<jobs.SubmitJobRequest>,
  limits: SubmissionLimits,
): Promise<Submission> {
  let submission: Omit<Submission, 'simDataJson'> | undefined;
  let simDataJson: Buffer = Buffer.alloc(0);
  let at = 0;
  for await (const { part } of messages) {
    if (part?.$case === 'submission' && submission === undefined) {
      const bytes = Number(part.value.simDataBytes);
      if (bytes < 0) throw invalidField('/sim_data', 'is not what its header says');
      checkSimDataBytes(limits, bytes);
      submission = readSubmission(part.value);
      simDataJson = Buffer.from(new SharedArrayBuffer(bytes));
    } else if (part?.$case === 'chunk' && at + part.value.length <= simDataJson.length) {
      simDataJson.set(part.value, at);
      at += part.value.length;
    } else throw invalidField('/sim_data', 'is not what its header says');
  }
  if (submission === undefined || at < simDataJson.length) throw invalidField('/sim_data', 'is not complete');
  return { ...submission, simDataJson };
}

/** @throws ServiceError REQUEST_INVALID */
function readSubmission(submission: jobs.Submission): Omit<Submission, 'simDataJson'> {
  const { requestId = null, traceparent = null } = currentContext() ?? {};
  return {
    origin: { requestId, traceparent },
    ownerId: actingUser(),
    platform: readPlatform(submission.platform),
    simulator: readSimulator(submission.simulator),
    inputType: readInputType(submission.inputType),
    taskCount: submission.taskCount,
    title: submission.title,
    seed: submission.seed,
    onUnsupported: readOnUnsupported(submission.onUnsupported),
    idempotencyKey: submission.idempotencyKey,
    clusterName: submission.clusterName,
    schedulerOptionsJson: submission.schedulerOptionsJson,
    target: submission.target && readTarget(submission.target),
    groupId: readGroupId(submission.groupId),
    sweep: submission.sweep,
    project: submission.project && {
      projectId: readProjectId(submission.project.projectId),
      revision: submission.project.revision,
    },
  };
}
