import { jobs } from '@tally/contracts';
import { answer } from '../../answer/answer.js';
import { inputType, platform, required, simulator, state, toFailure, toTimestamp } from '../../mappers.js';
import type { RouteRequest, RouteServices } from '../../route.js';
import { adminJobsQuery, adminJobsResponse, failAction, jobAction, retryResponse } from '../../schemas/admin/jobs.js';
import { jobStateResponse } from '../../schemas/job.js';
import { defineOperatorRoute, describeQuery } from './define-operator-route.js';
import { findUserIds, findUsernames } from './usernames.js';

const OPEN = ['UNKNOWN', 'PENDING', 'RUNNING', 'MERGING_QUEUED', 'MERGING_RUNNING'] as const;

/** GET /admin/jobs */
export const listAllJobs = defineOperatorRoute({
  method: 'GET',
  path: '/admin/jobs',
  action: 'jobs.list',
  summary: 'Jobs of all users',
  description: 'Who runs, who waits and why, the newest first. All parameters that are given must be true of a job.',
  query: adminJobsQuery,
  responses: { 200: { description: 'A page', schema: adminJobsResponse } },
  targetOf: ({ query }) => describeQuery(query),
  handle: async ({ query, call }, services) => {
    const { page_size: pageSize, before, job_id, user, request_id, job_state, cluster_name, runner_id } = query;
    const ownerIds = user === undefined || user === '' ? [undefined] : await findUserIds(services, user, call);
    const states = [...new Set(job_state.flatMap((name) => (name === 'open' ? OPEN : name)))].map(state.toProto);
    const found = await Promise.all(
      ownerIds.map((ownerId) =>
        services.jobsOperator.listAllJobs(
          {
            pageSize,
            beforeSimulationId: before === undefined ? undefined : BigInt(before),
            ownerId,
            jobId: job_id ?? '',
            requestId: request_id ?? '',
            states,
            platform:
              query.platform === undefined ? jobs.Platform.PLATFORM_UNSPECIFIED : platform.toProto(query.platform),
            clusterName: cluster_name ?? '',
            runnerId: runner_id ?? '',
            groupId: query.group_id ?? '',
          },
          call,
        ),
      ),
    );
    const page = found
      .flatMap((one) => one.jobs)
      .map((operated) => ({ ...operated, job: required(operated.job, 'job') }))
      .toSorted((a, b) => Number(b.job.simulationId - a.job.simulationId))
      .slice(0, pageSize);
    const names = await findUsernames(
      services,
      page.map(({ ownerId }) => ownerId),
      call,
    );
    const last = page.length < pageSize ? undefined : page.at(-1);
    return answer({
      message: 'Jobs',
      jobs: page.map((operated) => toOperatedJob(operated, names)),
      ...(last === undefined ? {} : { next_before: Number(last.job.simulationId) }),
    });
  },
});

type Operated = Awaited<ReturnType<RouteServices['jobsOperator']['listAllJobs']>>['jobs'][number];

function toOperatedJob(
  {
    job,
    ownerId,
    requestId,
    executable,
    pendingTaskCount,
    runningTaskCount,
    failedTaskCount,
    runnerIds,
  }: Operated & {
    readonly job: jobs.Job;
  },
  names: ReadonlyMap<bigint, string>,
) {
  return {
    job_id: job.jobId,
    simulation_id: Number(job.simulationId),
    user_id: Number(ownerId),
    username: names.get(ownerId) ?? '',
    title: job.title,
    job_state: state.toName(job.state),
    platform: platform.toName(job.platform),
    sim_type: simulator.toName(job.simulator),
    input_type: inputType.toName(job.inputType),
    ...(executable === '' ? {} : { executable }),
    ...(job.clusterName === '' ? {} : { cluster_name: job.clusterName }),
    ...(requestId === '' ? {} : { request_id: requestId }),
    start_time: toTimestamp(job.startTime, 'start_time'),
    end_time: job.endTime?.toISOString() ?? null,
    tasks: { all: job.taskCount, pending: pendingTaskCount, running: runningTaskCount, failed: failedTaskCount },
    runner_ids: runnerIds,
    ...(job.waitingReason === '' ? {} : { waiting_reason: job.waitingReason }),
    ...toFailure(job.failure),
  };
}

const jobIdOf = ({ body }: Pick<RouteRequest<'operator', unknown, { readonly job_id: string }>, 'body'>) => body.job_id;
const NOT_FOUND = { 404: { description: 'No such job' } };

/** POST /admin/jobs/cancel */
export const cancelAnyJob = defineOperatorRoute({
  method: 'POST',
  path: '/admin/jobs/cancel',
  action: 'jobs.cancel',
  summary: 'Cancel a job of any user',
  body: jobAction,
  responses: {
    200: { description: 'State after the call; a job that had ended is unchanged', schema: jobStateResponse },
    ...NOT_FOUND,
  },
  targetOf: jobIdOf,
  handle: async ({ body, call }, services) => {
    const cancelled = await services.jobsOperator.cancelAnyJob({ jobId: body.job_id }, call);
    return endedAnswer(state.toName(cancelled.state), 'CANCELED', 'Job canceled');
  },
});

/** POST /admin/jobs/fail */
export const failAnyJob = defineOperatorRoute({
  method: 'POST',
  path: '/admin/jobs/fail',
  action: 'jobs.fail',
  summary: 'End a job of any user as FAILED',
  description: 'Its owner reads the reason. What its tasks have delivered stays readable.',
  body: failAction,
  responses: {
    200: { description: 'State after the call; a job that had ended is unchanged', schema: jobStateResponse },
    ...NOT_FOUND,
  },
  targetOf: jobIdOf,
  handle: async ({ body, call }, services) => {
    const failed = await services.jobsOperator.failAnyJob({ jobId: body.job_id, reason: body.reason }, call);
    return endedAnswer(state.toName(failed.state), 'FAILED', 'Job ended as FAILED');
  },
});

function endedAnswer(job_state: ReturnType<typeof state.toName>, wanted: string, done: string) {
  return answer({ message: job_state === wanted ? done : `Job had already ended as ${job_state}`, job_state });
}

/** POST /admin/jobs/retry */
export const retryAnyJob = defineOperatorRoute({
  method: 'POST',
  path: '/admin/jobs/retry',
  action: 'jobs.retry',
  summary: 'Run the failed tasks of a job again',
  description:
    'Of a FAILED job on the direct platform: tasks that delivered nothing run again, each once, on the same histories.',
  body: jobAction,
  responses: {
    200: { description: 'State after the call', schema: retryResponse },
    ...NOT_FOUND,
    409: { description: 'There is nothing that could run again' },
  },
  targetOf: jobIdOf,
  handle: async ({ body, call }, services) => {
    const { state: after, taskCount } = await services.jobsOperator.retryAnyJob({ jobId: body.job_id }, call);
    return answer({ message: 'Tasks run again', job_state: state.toName(after), tasks: taskCount });
  },
});

/** POST /admin/jobs/merge */
export const mergeAnyJob = defineOperatorRoute({
  method: 'POST',
  path: '/admin/jobs/merge',
  action: 'jobs.merge',
  summary: 'Merge a job once more',
  description: 'What the tasks of a COMPLETED or FAILED job have delivered; the earlier results stay until then.',
  body: jobAction,
  responses: {
    200: { description: 'State after the call', schema: jobStateResponse },
    ...NOT_FOUND,
    409: { description: 'It has not ended, or there is nothing to merge' },
  },
  targetOf: jobIdOf,
  handle: async ({ body, call }, services) => {
    const merging = await services.jobsOperator.mergeAnyJob({ jobId: body.job_id }, call);
    return answer({ message: 'Results are merged again', job_state: state.toName(merging.state) });
  },
});
