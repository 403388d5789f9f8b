import type { jobs } from '@tally/contracts';

/** What jobs answers to GetJob and ListJobs, with a version that no test asks about unless it is given. */
export const jobAnswer = (job: jobs.Job, tasks: readonly jobs.Task[] = [], version = 'a'): jobs.GetJobResponse => {
  return { job, tasks: toColumns(tasks), version };
};
export const pageAnswer = (page: jobs.Job[], jobCount: bigint, version = 'a'): jobs.ListJobsResponse => {
  return { page: { jobs: page, jobCount }, version };
};

function toColumns(tasks: readonly jobs.Task[]): jobs.TaskColumns {
  const failures = tasks.flatMap(({ taskId, failure }) => (failure === '' ? [] : [[taskId, failure] as const]));
  return {
    taskIds: tasks.map(({ taskId }) => taskId),
    states: tasks.map(({ state }) => state),
    requestedPrimaries: tasks.map(({ requestedPrimaries }) => requestedPrimaries),
    simulatedPrimaries: tasks.map(({ simulatedPrimaries }) => simulatedPrimaries),
    estimatedSeconds: tasks.map(({ estimatedTime }) => Number(estimatedTime?.seconds ?? -1)),
    startTimesMs: tasks.map(({ startTime }) => startTime?.getTime() ?? Number.NaN),
    endTimesMs: tasks.map(({ endTime }) => endTime?.getTime() ?? Number.NaN),
    lastUpdateTimesMs: tasks.map(({ lastUpdateTime }) => lastUpdateTime?.getTime() ?? Number.NaN),
    attemptCounts: tasks.map(({ attemptCount }) => attemptCount),
    failures: Object.fromEntries(failures),
  };
}
