import { jobs } from '@tally/contracts';
import { type Implementation, implement } from '@tally/service-kit';
import type { BatchStatePorts, ReportBatchPorts } from '../domain/batch/report-batch.js';
import type { EndTaskPorts } from '../domain/direct/report-task-end.js';
import type { WatchPorts } from '../domain/events/watch-job-events.js';
import type { ExtendLimits } from '../domain/extend-job.js';
import type { JobStore, RunnerStore } from '../domain/ports.js';
import type { ProjectConverter } from '../domain/submit/convert-project.js';
import type { EstimatePorts } from '../domain/submit/estimate-job.js';
import type { Quotas } from '../domain/submit/quotas.js';
import type { WorkerPorts } from '../domain/worker/worker-ports.js';
import { reportBatchRpc } from './batch/report-batch.js';
import { cancelJobRpc } from './cancel-job.js';
import { deleteJobRpc } from './delete-job.js';
import { exchangeTasksRpc } from './direct/exchange-tasks.js';
import { reportRunnerRpc } from './direct/report-runner.js';
import { estimateJobRpc } from './estimate-job.js';
import { extendJobRpc } from './extend-job.js';
import { getJobRpc } from './get-job.js';
import { getQuotasRpc } from './get-quotas.js';
import { listJobRunnersRpc } from './list-job-runners.js';
import { listJobsRpc } from './list-jobs.js';
import { listSimulatorsRpc } from './list-simulators.js';
import { stopJobRpc } from './stop-job.js';
import { submitJobRpc } from './submit-job.js';
import { watchJobEventsRpc } from './watch-job-events.js';
import { getWorkerTargetRpc } from './worker/get-worker-target.js';
import { reportWorkerOutputRpc } from './worker/report-worker-output.js';
import { updateJobRpc } from './worker/update-job.js';
import { updateTaskRpc } from './worker/update-task.js';

export interface RpcPorts
  extends EstimatePorts,
    EndTaskPorts,
    WorkerPorts,
    WatchPorts,
    BatchStatePorts,
    ReportBatchPorts {
  readonly limits: EstimatePorts['limits'] & EndTaskPorts['limits'] & ExtendLimits;
  readonly quotas: Quotas;
  readonly jobs: JobStore;
  readonly converter: ProjectConverter;
  readonly runners: RunnerStore;
  readonly runnerExpiryMs: number;
  readonly leaseMs: number;
  readonly heartbeatMs: number;
}

const USERS = ['gateway'];
const WORKERS = ['direct-runner'];
/** Who passes on what external workers say. */
const FORWARDERS = ['gateway', 'batch-bridge'];
/** Who speaks to the clusters. */
const BRIDGES = ['batch-bridge'];

/** Every RPC of this service with its callers. */
export function jobsRpcs(ports: RpcPorts): Implementation {
  return implement(jobs.JobsServiceService, {
    submitJob: { callers: USERS, handle: submitJobRpc(ports) },
    estimateJob: { callers: USERS, handle: estimateJobRpc(ports) },
    getJob: { callers: USERS, handle: getJobRpc(ports.jobs), isQuiet: true },
    listJobRunners: { callers: USERS, handle: listJobRunnersRpc(ports.jobs) },
    listJobs: { callers: USERS, handle: listJobsRpc(ports.jobs), isQuiet: true },
    cancelJob: { callers: USERS, handle: cancelJobRpc(ports) },
    stopJob: { callers: USERS, handle: stopJobRpc(ports) },
    extendJob: { callers: USERS, handle: extendJobRpc(ports) },
    deleteJob: { callers: USERS, handle: deleteJobRpc(ports) },
    watchJobEvents: { callers: USERS, handle: watchJobEventsRpc(ports) },
    listSimulators: { callers: USERS, handle: listSimulatorsRpc(ports), isQuiet: true },
    getQuotas: { callers: USERS, handle: getQuotasRpc(ports.quotas), isQuiet: true },
    exchangeTasks: { callers: WORKERS, handle: exchangeTasksRpc(ports), isQuiet: true },
    reportRunner: { callers: WORKERS, handle: reportRunnerRpc(ports), isQuiet: true },
    updateJob: { callers: FORWARDERS, handle: updateJobRpc(ports) },
    updateTask: { callers: FORWARDERS, handle: updateTaskRpc(ports), isQuiet: true },
    getWorkerTarget: { callers: FORWARDERS, handle: getWorkerTargetRpc(ports), isQuiet: true },
    reportWorkerOutput: { callers: FORWARDERS, handle: reportWorkerOutputRpc(ports) },
    reportBatch: { callers: BRIDGES, handle: reportBatchRpc(ports), isQuiet: true },
  });
}
