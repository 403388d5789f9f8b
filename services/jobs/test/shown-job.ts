import { jobs } from '@tally/contracts';
import { withContext } from '@tally/service-kit';
import type { State } from '../src/domain/job-state.js';
import type { JobQuery, JobStore } from '../src/domain/ports.js';
import type { Task, TaskColumns } from '../src/domain/task.js';

/** A job with its tasks one by one, as tests look at them. */
export interface ShownJob extends jobs.Job {
  readonly tasks: readonly jobs.Task[];
}

interface JobsClient {
  getJob(request: jobs.GetJobRequest): Promise<jobs.GetJobResponse>;
  listJobs(request: jobs.ListJobsRequest): Promise<jobs.ListJobsResponse>;
}

/** Asks for a page of a user's jobs: the first of six unless said otherwise. */
export async function listJobs(client: JobsClient, userId: bigint, asked: Partial<jobs.ListJobsRequest> = {}) {
  const order = jobs.JobOrder.JOB_ORDER_UNSPECIFIED;
  const request = { pageSize: 6, pageIndex: 1, order, isAscending: false, states: [], knownVersion: '', ...asked };
  const { page, version } = await withContext({ requestId: 'test', userId }, () => client.listJobs(request));
  if (page === undefined) throw new Error('an answer without its page');
  return { ...page, version };
}

/** Asks for a job of a user. */
export async function findJob(
  client: JobsClient,
  userId: bigint,
  jobId: string,
  platform = jobs.Platform.PLATFORM_UNSPECIFIED,
): Promise<ShownJob> {
  const { job, tasks } = await withContext({ requestId: 'test', userId }, () =>
    client.getJob({ jobId, platform, knownVersion: '' }),
  );
  if (job === undefined || tasks === undefined) throw new Error('an answer without its job');
  return { ...job, tasks: tasks.taskIds.map((_, i) => taskAt(tasks, i)) };
}

const toDate = (ms = Number.NaN) => (Number.isNaN(ms) ? undefined : new Date(ms));

function taskAt(tasks: jobs.TaskColumns, i: number): jobs.Task {
  const [taskId = 0, seconds = -1] = [tasks.taskIds[i], tasks.estimatedSeconds[i]];
  return {
    taskId,
    state: tasks.states[i] ?? jobs.State.STATE_UNSPECIFIED,
    requestedPrimaries: tasks.requestedPrimaries[i] ?? -1n,
    simulatedPrimaries: tasks.simulatedPrimaries[i] ?? -1n,
    lastUpdateTime: toDate(tasks.lastUpdateTimesMs[i]),
    estimatedTime: seconds < 0 ? undefined : { seconds: BigInt(seconds), nanos: 0 },
    startTime: toDate(tasks.startTimesMs[i]),
    endTime: toDate(tasks.endTimesMs[i]),
    failure: tasks.failures[taskId] ?? '',
    attemptCount: tasks.attemptCounts[i] ?? -1,
  };
}

/** A job as the store gives it, with its tasks one by one; undefined: there is none. */
export async function loadJob(store: JobStore, query: JobQuery) {
  const found = await store.findJob(query, '');
  if (found.kind !== 'own' || found.value.shown === undefined) return undefined;
  const { tasks, ...job } = found.value.shown;
  return { ...job, tasks: tasks.states.map((state, i) => storedTaskAt(tasks, i, state)) };
}

function storedTaskAt(tasks: TaskColumns, i: number, state: State): Task {
  const taskId = tasks.taskIds[i] ?? -1;
  return {
    taskId,
    state,
    requestedPrimaries: tasks.requestedPrimaries[i] ?? -1n,
    simulatedPrimaries: tasks.simulatedPrimaries[i] ?? -1n,
    lastUpdateTime: new Date(tasks.lastUpdateTimesMs[i] ?? Number.NaN),
    estimatedSeconds: tasks.estimatedSeconds[i] ?? null,
    startTime: toDate(tasks.startTimesMs[i] ?? Number.NaN) ?? null,
    endTime: toDate(tasks.endTimesMs[i] ?? Number.NaN) ?? null,
    failure: tasks.failures.get(taskId) ?? null,
    attemptCount: tasks.attemptCounts[i] ?? -1,
  };
}
