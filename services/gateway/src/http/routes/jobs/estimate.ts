import { jobs } from '@tally/contracts';
import { fail } from '../../../errors.js';
import { answer } from '../../answer/answer.js';
import { estimateBasis, required, simulator } from '../../mappers.js';
import { defineRoute } from '../../route.js';
import { estimateResponse } from '../../schemas/estimate.js';
import { estimatedSubmission, SIM_DATA_MEMBERS } from '../../schemas/job.js';
import { submissionParts } from './submission-parts.js';
import { toBatchOptions, toSubmission } from './submit.js';

/** POST /estimate: what a submission would take. */
export const estimateJob = defineRoute({
  method: 'POST',
  path: '/estimate',
  auth: 'session',
  summary: 'Estimate a job before it is submitted',
  description: `Takes the body of a submission, checks it as \`POST /jobs/direct\` does, and stores nothing. Seconds are those of the
runners of this deployment, from a model of each simulator and what the last jobs took. With \`platform\` \`batch\` they are those of the
cluster of \`batch_options\`, which users of single sign-on may ask for: from what jobs took there, else from those of elsewhere;
its queue is not known. Between \`low\` and \`high\` are about two of three jobs.`,
  requestClass: 'submission',
  body: estimatedSubmission,
  rawMembers: SIM_DATA_MEMBERS,
  responses: {
    200: { description: 'Times for each simulator that this deployment can run', schema: estimateResponse },
    403: { description: 'A cluster is asked for, and the user has not signed in through single sign-on' },
    500: { description: 'The project cannot be converted' },
    501: { description: 'A cluster is asked for, and this deployment has none' },
  },
  handle: async ({ body, raw, call, session }, services) => {
    const isBatch = body.platform === 'batch';
    if (isBatch && session.source !== 'sso') throw fail('SSO_REQUIRED');
    const { submission, simDataJson } = toSubmission(body, raw);
    const place = isBatch ? { platform: jobs.Platform.PLATFORM_BATCH, ...toBatchOptions(body.batch_options) } : {};
    const parts = submissionParts({ submission: { ...submission, ...place }, simDataJson });
    const estimate = await services.jobs.estimateJob(parts, call);
    const { primaries, simulators, slotCount, waitingTaskCount, tasksBefore, clusterName, wallTimeLimit } = estimate;
    return answer({
      message: 'Estimate',
      primaries: Number(primaries),
      ntasks: body.ntasks,
      slots: slotCount,
      waiting_tasks: waitingTaskCount,
      tasks_before: tasksBefore,
      ...(clusterName === '' ? {} : { cluster_name: clusterName }),
      ...(wallTimeLimit === undefined ? {} : { wall_time_limit_seconds: Number(wallTimeLimit.seconds) }),
      simulators: simulators.map(toEstimate),
    });
  },
});

function toEstimate({ engine, processor, wall, basis, jobCount, refusal, ...estimate }: jobs.SimulatorEstimate) {
  const head = { sim_type: simulator.toName(estimate.simulator), engine };
  if (processor === undefined) return { ...head, refusal };
  return {
    ...head,
    processor_seconds: toSeconds(processor),
    ...(wall === undefined ? {} : { wall_seconds: toSeconds(wall) }),
    basis: estimateBasis.toName(basis),
    jobs: jobCount,
  };
}

function toSeconds({ expected, low, high }: jobs.TimeEstimate) {
  return { expected: numberOf(expected), low: numberOf(low), high: numberOf(high) };
}

/** To a tenth of a second, or to three digits: nobody knows more. */
function numberOf(time: jobs.TimeEstimate['expected']): number {
  const { seconds, nanos } = required(time, 'time');
  const value = Number(seconds) + nanos / 1e9;
  return value < 100 ? Math.round(value * 10) / 10 : Number(value.toPrecision(3));
}
