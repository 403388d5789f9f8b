import { jobs } from '@tally/contracts';
import { actingUser, currentContext, type Implementation, implement, type Routes } from '@tally/service-kit';
import type { SharePorts } from '../domain/access/change-shares.js';
import {
  type BatchStatePorts,
  getBatchState,
  type ReportBatchPorts,
  reportBatch,
} from '../domain/batch/report-batch.js';
import { cancelJob } from '../domain/cancel-job.js';
import { deleteJob } from '../domain/delete-job.js';
import { reportRunner } from '../domain/direct/report-runner.js';
import type { EndTaskPorts } from '../domain/direct/report-task-end.js';
import { type WatchPorts, watchJobEvents } from '../domain/events/watch-job-events.js';
import { type ExtendLimits, extendJob } from '../domain/extend-job.js';
import type { SubscriptionPorts } from '../domain/notify/subscription.js';
import { requireOwn } from '../domain/owned.js';
import type { JobStore, RunnerStore } from '../domain/ports.js';
import type { ProjectPorts } from '../domain/project/create-project.js';
import type { ProjectQuotas } from '../domain/project/project-ports.js';
import { getJob } from '../domain/read/get-job.js';
import { listJobs } from '../domain/read/list-jobs.js';
import { estimateRemaining } from '../domain/read/remaining-time.js';
import { stopJob } from '../domain/stop-job.js';
import type { ProjectConverter } from '../domain/submit/convert-project.js';
import { type EstimatePorts, estimateJob } from '../domain/submit/estimate-job.js';
import type { Quotas } from '../domain/submit/quotas.js';
import { submitJob } from '../domain/submit/submit-job.js';
import type { UsagePorts } from '../domain/usage/get-usage.js';
import type { WebhookPorts } from '../domain/webhook/webhook.js';
import { getWorkerTarget } from '../domain/worker/get-worker-target.js';
import { reportWorkerOutput } from '../domain/worker/report-worker-output.js';
import { updateJob } from '../domain/worker/update-job.js';
import { updateTask } from '../domain/worker/update-task.js';
import type { WorkerPorts } from '../domain/worker/worker-ports.js';
import { accessRpcs } from './access-rpcs.js';
import { readBatchReport } from './batch-mappers.js';
import { toProtoJobEstimate } from './estimate-mappers.js';
import { exchangeTasksRpc } from './exchange-tasks.js';
import { type LabelPorts, labelRpcs } from './label-rpcs.js';
import { listSimulatorsRpc } from './list-simulators.js';
import {
  readJobId,
  readJobQuery,
  readListQuery,
  readPlatformFilter,
  readRunnerId,
  readRunnerReport,
  toProtoColumns,
  toProtoJob,
  toProtoQuotas,
  toProtoState,
  toProtoWatchPart,
} from './mappers.js';
import { projectRpcs } from './project-rpcs.js';
import { receiveSubmission } from './receive-submission.js';
import { type RetentionPorts, removalRpcs } from './retention-rpcs.js';
import { subscriptionRpcs } from './subscription-rpcs.js';
import { usageRpcs } from './usage-rpcs.js';
import { webhookRpcs } from './webhook-rpcs.js';
import { readAttemptName, readCredential, readJobUpdate, readOutput, readTaskUpdate } from './worker-mappers.js';

export interface RpcPorts
  extends EstimatePorts,
    LabelPorts,
    SubscriptionPorts,
    Pick<UsagePorts, 'usage'>,
    Omit<RetentionPorts, 'jobs'>,
    WebhookPorts,
    EndTaskPorts,
    WorkerPorts,
    WatchPorts,
    BatchStatePorts,
    ReportBatchPorts,
    SharePorts {
  readonly limits: EstimatePorts['limits'] & EndTaskPorts['limits'] & ExtendLimits & ProjectPorts['limits'];
  readonly quotas: Quotas & ProjectQuotas;
  readonly jobs: JobStore;
  readonly projects: ProjectPorts['projects'];
  readonly converter: ProjectConverter;
  readonly runners: RunnerStore;
  readonly runnerExpiryMs: number;
  readonly leaseMs: number;
  readonly heartbeatMs: number;
}

type Service = typeof jobs.JobsServiceService;

const USERS = ['gateway'];
const WORKERS = ['direct-runner'];
/** Who passes on what external workers say. */
const FORWARDERS = ['gateway', 'batch-bridge'];
/** Who speaks to the clusters. */
const BRIDGES = ['batch-bridge'];
/** Of a call whose caller cannot go away. */
const NEVER = new AbortController().signal;

/** The RPCs of jobs with their callers. */
export function jobsRpcs(ports: RpcPorts): Implementation {
  return implement(jobs.JobsServiceService, {
    ...submissionRpcs(ports),
    ...jobRpcs(ports),
    ...labelRpcs(ports),
    ...subscriptionRpcs(ports),
    ...removalRpcs(ports),
    ...usageRpcs(ports),
    ...webhookRpcs(ports),
    ...projectRpcs(ports),
    ...accessRpcs(ports),
    ...reportRpcs(ports),
    ...externalWorkerRpcs(ports),
  });
}

const submissionRpcs = (ports: RpcPorts) =>
  ({
    submitJob: {
      callers: USERS,
      handle: async (messages) => {
        const submission = await receiveSubmission(messages, ports.limits);
        const { jobId, jobKey: simulationId = 0n, seed, warnings } = await submitJob(ports, submission);
        return { jobId, simulationId, seed, warnings: [...warnings] };
      },
    },
    estimateJob: {
      callers: USERS,
      handle: async (messages) =>
        toProtoJobEstimate(await estimateJob(ports, await receiveSubmission(messages, ports.limits))),
    },
    listSimulators: { callers: USERS, handle: () => listSimulatorsRpc(ports), isQuiet: true },
    getQuotas: { callers: USERS, handle: async () => toProtoQuotas(ports.quotas), isQuiet: true },
  }) satisfies Partial<Routes<Service>>;

/** A job of the acting user, on the platform that is asked for. */
const ownJob = ({ jobId, platform }: { readonly jobId: string; readonly platform?: jobs.Platform }) => ({
  ownerId: actingUser(),
  jobId: readJobId(jobId),
  platform: platform === undefined ? undefined : readPlatformFilter(platform),
});

const jobRpcs = (ports: RpcPorts) =>
  ({
    getJob: {
      callers: USERS,
      handle: async (request) => {
        const query = readJobQuery(actingUser(), request);
        const { version, shown } = await getJob(ports.jobs, query, request.knownVersion);
        if (shown === undefined) return { version };
        const remainingSeconds = estimateRemaining(shown);
        return { version, job: toProtoJob(shown), tasks: toProtoColumns(shown.tasks), remainingSeconds };
      },
      isQuiet: true,
    },
    listJobs: {
      callers: USERS,
      handle: async (request) => {
        const query = readListQuery(actingUser(), request);
        const { version, shown } = await listJobs(ports.jobs, query, request.knownVersion);
        return { version, page: shown && { jobs: shown.jobs.map(toProtoJob), jobCount: BigInt(shown.jobCount) } };
      },
      isQuiet: true,
    },
    listJobRunners: {
      callers: USERS,
      handle: async ({ jobId }) => ({ runners: [...requireOwn(await ports.jobs.listRunners(ownJob({ jobId })))] }),
    },
    cancelJob: {
      callers: USERS,
      handle: async (request) => ({ state: toProtoState(await cancelJob(ports, ownJob(request))) }),
    },
    stopJob: {
      callers: USERS,
      handle: async (request) => {
        const { state, isStopped } = await stopJob(ports, ownJob(request));
        return { state: toProtoState(state), isStopped };
      },
    },
    extendJob: {
      callers: USERS,
      handle: async ({ primaries, taskCount, idempotencyKey, ...request }) =>
        extendJob(ports, ownJob(request), { primaries: Number(primaries), taskCount, idempotencyKey }),
    },
    deleteJob: {
      callers: USERS,
      handle: async ({ jobId }) => {
        await deleteJob(ports, ownJob({ jobId }));
        return {};
      },
    },
    watchJobEvents: {
      callers: USERS,
      handle: async function* ({ afterId }) {
        for await (const part of watchJobEvents(ports, actingUser(), afterId, currentContext()?.signal ?? NEVER)) {
          yield toProtoWatchPart(part);
        }
      },
    },
  }) satisfies Partial<Routes<Service>>;

/** Of runners and of batch-bridge. */
const reportRpcs = (ports: RpcPorts) =>
  ({
    exchangeTasks: { callers: WORKERS, handle: (request) => exchangeTasksRpc(ports, request), isQuiet: true },
    reportRunner: {
      callers: WORKERS,
      handle: async ({ runnerId, ...report }) => {
        return { isDraining: await reportRunner(ports, readRunnerId(runnerId), readRunnerReport(report)) };
      },
      isQuiet: true,
    },
    reportBatch: {
      callers: BRIDGES,
      handle: async (request) => {
        const jobId = readJobId(request.jobId);
        const isOpen = await reportBatch(ports, jobId, readBatchReport(request));
        return { isOpen, state: request.wantsState ? await getBatchState(ports, jobId) : undefined };
      },
      isQuiet: true,
    },
  }) satisfies Partial<Routes<Service>>;

const externalWorkerRpcs = (ports: RpcPorts) =>
  ({
    updateJob: {
      callers: FORWARDERS,
      handle: async (request) => ({
        isApplied: await updateJob(ports, readCredential(request.credential), readJobUpdate(request)),
      }),
    },
    updateTask: {
      callers: FORWARDERS,
      handle: async (request) => {
        const target = { taskId: request.taskId, attemptName: readAttemptName(request.celeryId) };
        const update = readTaskUpdate(request);
        const { mustFinish, ...answer } = await updateTask(ports, readCredential(request.credential), target, update);
        return { ...answer, ...(mustFinish ? { mustFinish } : {}) };
      },
      isQuiet: true,
    },
    getWorkerTarget: {
      callers: FORWARDERS,
      handle: async ({ credential, taskId, celeryId, contentHash, primaries }) =>
        getWorkerTarget(ports, readCredential(credential), {
          taskId: taskId === 0 ? undefined : taskId,
          attemptName: readAttemptName(celeryId),
          contentHash: contentHash === '' ? undefined : contentHash,
          primaries,
        }),
      isQuiet: true,
    },
    reportWorkerOutput: {
      callers: FORWARDERS,
      handle: async (request) => ({
        isApplied: await reportWorkerOutput(ports, readCredential(request.credential), readOutput(request)),
      }),
    },
  }) satisfies Partial<Routes<Service>>;
