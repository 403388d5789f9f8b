import { jobs } from '@tally/contracts';
import type { z } from 'zod';
import { answer } from '../../answer/answer.js';
import { inputType, onUnsupported, simulator, toSimulationId } from '../../mappers.js';
import { defineRoute, type RouteRequest, type RouteServices } from '../../route.js';
import {
  batchSubmission,
  directSubmission,
  SIM_DATA_MEMBERS,
  simDataMember,
  submissionHeaders,
  submissionResponse,
} from '../../schemas/job.js';
import { type SubmissionToSend, submissionParts } from './submission-parts.js';

type Submission = z.output<typeof directSubmission> & Pick<z.output<typeof batchSubmission>, 'batch_options'>;
type Headers = z.output<typeof submissionHeaders>;

async function submit(
  platform: jobs.Platform,
  request: RouteRequest<'session' | 'sso', unknown, Submission, Headers>,
  services: RouteServices,
) {
  const { body, headers, raw, call } = request;
  const { submission, simDataJson } = toSubmission(body, raw);
  const idempotencyKey = headers['Idempotency-Key'] ?? '';
  const sent = { ...submission, platform, idempotencyKey, ...toBatchOptions(body.batch_options) };
  const accepted = await services.jobs.submitJob(submissionParts({ submission: sent, simDataJson }), call);
  const warnings = accepted.warnings.map(({ code, message }) => ({ code, message }));
  return answer(
    {
      message: 'Job started',
      job_id: accepted.jobId,
      ...toSimulationId(accepted.simulationId),
      seed: String(accepted.seed),
      ...(warnings.length === 0 ? {} : { warnings }),
    },
    202,
  );
}

/** What is to run, as jobs takes it, here on the runners. */
export function toSubmission(
  body: z.output<typeof directSubmission>,
  raw: ReadonlyMap<string, Buffer>,
): SubmissionToSend {
  const submission = {
    platform: jobs.Platform.PLATFORM_DIRECT,
    simulator: simulator.toProto(body.sim_type),
    inputType: inputType.toProto(body.input_type),
    taskCount: body.ntasks,
    title: body.title ?? '',
    seed: body.seed,
    onUnsupported: onUnsupported.toProto(body.on_unsupported ?? 'refuse'),
    idempotencyKey: '',
    schedulerOptionsJson: Buffer.alloc(0),
    target: body.target && toTarget(body.target),
    sweep: body.sweep && { sweepId: body.sweep.id, size: body.sweep.size },
    project: body.project && { projectId: body.project.project_id, revision: body.project.revision },
    groupId: body.group_id,
  };
  return { submission, simDataJson: raw.get(simDataMember(body)) ?? Buffer.alloc(0) };
}

function toTarget(target: NonNullable<z.output<typeof directSubmission>['target']>): jobs.Target {
  const { estimator, page, relative_error: relativeError, max_primaries: maxPrimaries } = target;
  return { estimatorName: estimator, pageNumber: page, relativeError, maxPrimaries: BigInt(maxPrimaries) };
}

/** The cluster and its scheduler's options, as jobs takes them; none: no bytes. */
export function toBatchOptions(options: Submission['batch_options']) {
  const { cluster_name: clusterName, scheduler_options: scheduler } = options ?? {};
  const schedulerOptionsJson = scheduler === undefined ? Buffer.alloc(0) : Buffer.from(JSON.stringify(scheduler));
  return { clusterName, schedulerOptionsJson };
}

const SUBMISSION_DESCRIPTION = `The primaries are divided among \`ntasks\` tasks: ⌊N/n⌋ each, and one more for the first N mod n.
The same \`seed\` gives the same result for any \`ntasks\`. \`sim_data\` is kept as it was written.`;

const accepted = { description: 'Stored; it will run', schema: submissionResponse };
const foreignProject = { description: "Another user's project" };
const noProject = { description: 'No such project' };
const reused = { description: 'The Idempotency-Key was used with another body' };

/** POST /jobs/direct: a job for the workers of the service. */
export const submitDirectJob = defineRoute({
  method: 'POST',
  path: '/jobs/direct',
  auth: 'session',
  summary: 'Submit a direct job',
  description: SUBMISSION_DESCRIPTION,
  requestClass: 'submission',
  headers: submissionHeaders,
  body: directSubmission,
  rawMembers: SIM_DATA_MEMBERS,
  responses: {
    202: accepted,
    403: foreignProject,
    404: noProject,
    422: reused,
    500: { description: 'The project cannot be converted' },
  },
  handle: (request, services) => submit(jobs.Platform.PLATFORM_DIRECT, request, services),
});

/** POST /jobs/batch: a job for a cluster. */
export const submitBatchJob = defineRoute({
  method: 'POST',
  path: '/jobs/batch',
  auth: 'sso',
  summary: 'Submit a batch job',
  description: `${SUBMISSION_DESCRIPTION}
The answer comes when the cluster has the job, or refuses it, or after a while: the job then goes on by itself, and
\`waiting_reason\` of GET /jobs/batch has the reason. When the cluster refuses it, the job stays as FAILED, with
the words of the cluster in its log \`submission\`.`,
  requestClass: 'submission',
  headers: submissionHeaders,
  body: batchSubmission,
  rawMembers: SIM_DATA_MEMBERS,
  responses: {
    202: accepted,
    403: foreignProject,
    404: noProject,
    422: reused,
    500: { description: 'The cluster refuses the job or cannot be reached, or the project cannot be converted' },
    501: { description: 'This deployment has no batch platform, or no cluster' },
  },
  handle: (request, services) => submit(jobs.Platform.PLATFORM_BATCH, request, services),
});
