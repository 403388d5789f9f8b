import { EXPORT_FORMATS, jobs, type results } from '@tally/contracts';
import type { CallOptions } from '@tally/service-kit';
import { onJob } from '../../access.js';
import { openChunkStream } from '../../answer/chunk-stream.js';
import { tagOf } from '../../answer/respond.js';
import { fromTarget, platform, required, simulator, state, toDescription } from '../../mappers.js';
import { defineRoute, type RouteServices } from '../../route.js';
import { crateFile, crateQuery } from '../../schemas/job.js';

/** GET /jobs/crate: a job with everything that it was given and gave, for others. */
export const getCrate = defineRoute({
  method: 'GET',
  path: '/jobs/crate',
  auth: 'session',
  access: onJob('read'),
  summary: 'A job as an RO-Crate',
  description: `A zip by the profile Workflow Run RO-Crate: the submission, the project, the deck, the results in one format, and
\`ro-crate-metadata.json\` with seed, versions, machines, times, agent and the SHA-256 of each file (docs/results.md).`,
  requestClass: 'stream',
  query: crateQuery,
  responses: {
    200: {
      description: 'The crate; without results where the job has none',
      schema: crateFile,
      contentType: 'application/zip',
      headers: { ETag: 'Weak validator: the same files with the same description' },
    },
    304: { description: 'The client has this version (If-None-Match)' },
    403: { description: "Another user's job" },
    404: { description: 'No such job' },
    409: { description: 'The job has not ended, or its results were replaced while they were read' },
  },
  handle: async ({ query, session, call }, services) => {
    const { format, license = '' } = query;
    const { username: agent } = session;
    const { version } = services;
    const { header, chunks, job } = await openCrate(services, { ...query, license, agent }, call);
    return {
      kind: 'stream',
      status: 200,
      tag: tagOf(header.version, job.endTime?.toISOString() ?? '', job.title, format, agent, license, version),
      file: { contentType: 'application/zip', name: header.fileName, isCompressible: false },
      text: chunks,
    };
  },
});

interface WantedCrate {
  readonly job_id: string;
  readonly format: keyof typeof EXPORT_FORMATS;
  readonly license: string;
  /** Who has it made. */
  readonly agent: string;
}

/**
 * Begins the crate of a job of the acting user.
 * @throws ServiceError of jobs and results: JOB_NOT_FOUND, JOB_OF_ANOTHER_USER, JOB_NOT_ENDED and others
 */
export async function openCrate(services: RouteServices, wanted: WantedCrate, call: CallOptions) {
  const { job_id: jobId, format, license, agent } = wanted;
  const [found, { runners }] = await Promise.all([
    services.jobs.getJob({ jobId, platform: jobs.Platform.PLATFORM_UNSPECIFIED, knownVersion: '' }, call),
    services.jobs.listJobRunners({ jobId }, call),
  ]);
  const job = toCrateJob(required(found.job, 'job'), required(found.tasks, 'tasks'), runners);
  const request = { jobId, format: EXPORT_FORMATS[format], job, agent, license, version: services.version };
  return { ...(await openChunkStream(services.results.exportCrate(request, call), 'a crate')), job };
}

/** Undefined: the job was submitted as it is. */
function toCrateSubmission({ taskCount, convergence, extensions }: jobs.Job): results.CrateSubmission | undefined {
  const target = convergence?.target;
  if (target === undefined && extensions === undefined) return undefined;
  return {
    taskCount: extensions?.submittedTaskCount ?? taskCount,
    targetJson: target === undefined ? '' : JSON.stringify(fromTarget(target)),
    extensions: extensions?.extensions ?? [],
  };
}

function toCrateProject({ descriptionJson }: jobs.Job): results.CrateProject | undefined {
  const { project } = toDescription(descriptionJson).description ?? {};
  return project && { projectId: project.project_id, revision: project.revision, title: project.title };
}

function toCrateJob(job: jobs.Job, tasks: jobs.TaskColumns, runners: readonly jobs.JobRunner[]): results.CrateJob {
  return {
    title: job.title,
    simulator: simulator.toName(job.simulator),
    platform: platform.toName(job.platform),
    seed: job.seed,
    taskCount: job.taskCount,
    primaries: tasks.requestedPrimaries.reduce((sum, primaries) => sum + primaries, 0n),
    state: state.toName(job.state),
    failure: job.failure,
    startTime: required(job.startTime, 'start_time'),
    endTime: job.endTime,
    machines: job.clusterName === '' ? runners.map(({ runnerId }) => runnerId) : [job.clusterName],
    submission: toCrateSubmission(job),
    project: toCrateProject(job),
  };
}
