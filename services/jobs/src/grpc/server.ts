import { jobs } from '@tally/contracts';
import { type Implementation, implement } from '@tally/service-kit';
import type { BatchOrderPorts } from '../domain/batch/get-batch-order.js';
import type { ReportBatchPorts } from '../domain/batch/report-batch.js';
import type { EndMergePorts } from '../domain/direct/report-merge-end.js';
import type { EndTaskPorts } from '../domain/direct/report-task-end.js';
import type { WatchPorts } from '../domain/events/watch-job-events.js';
import type { JobStore, LeaseStore, RunnerStore } from '../domain/ports.js';
import type { ProjectConverter } from '../domain/submit/convert-project.js';
import type { SubmitJobPorts } from '../domain/submit/submit-job.js';
import type { WorkerPorts } from '../domain/worker/worker-ports.js';
import { cancelJobRpc } from './cancel-job.js';
import { claimMergeRpc } from './claim-merge.js';
import { claimTaskRpc } from './claim-task.js';
import { deleteJobRpc } from './delete-job.js';
import { getBatchOrderRpc } from './get-batch-order.js';
import { getJobRpc } from './get-job.js';
import { getWorkerTargetRpc } from './get-worker-target.js';
import { listJobsRpc } from './list-jobs.js';
import { listSimulatorsRpc } from './list-simulators.js';
import { reportBatchRpc } from './report-batch.js';
import { reportMergeRpc } from './report-merge.js';
import { reportMergeEndRpc } from './report-merge-end.js';
import { reportRunnerRpc } from './report-runner.js';
import { reportTaskRpc } from './report-task.js';
import { reportTaskEndRpc } from './report-task-end.js';
import { reportWorkerOutputRpc } from './report-worker-output.js';
import { submitJobRpc } from './submit-job.js';
import { updateJobRpc } from './update-job.js';
import { updateTaskRpc } from './update-task.js';
import { watchJobEventsRpc } from './watch-job-events.js';

export interface RpcPorts
  extends SubmitJobPorts,
    EndTaskPorts,
    EndMergePorts,
    WorkerPorts,
    WatchPorts,
    BatchOrderPorts,
    ReportBatchPorts {
  readonly limits: SubmitJobPorts['limits'] & EndTaskPorts['limits'];
  readonly jobs: JobStore;
  readonly converter: ProjectConverter;
  readonly leases: LeaseStore;
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
    getJob: { callers: USERS, handle: getJobRpc(ports.jobs), isQuiet: true },
    listJobs: { callers: USERS, handle: listJobsRpc(ports.jobs), isQuiet: true },
    cancelJob: { callers: USERS, handle: cancelJobRpc(ports) },
    deleteJob: { callers: USERS, handle: deleteJobRpc(ports) },
    watchJobEvents: { callers: USERS, handle: watchJobEventsRpc(ports) },
    listSimulators: { callers: USERS, handle: listSimulatorsRpc(ports), isQuiet: true },
    claimTask: { callers: WORKERS, handle: claimTaskRpc(ports) },
    reportTask: { callers: WORKERS, handle: reportTaskRpc(ports), isQuiet: true },
    reportTaskEnd: { callers: WORKERS, handle: reportTaskEndRpc(ports) },
    claimMerge: { callers: WORKERS, handle: claimMergeRpc(ports) },
    reportMerge: { callers: WORKERS, handle: reportMergeRpc(ports), isQuiet: true },
    reportMergeEnd: { callers: WORKERS, handle: reportMergeEndRpc(ports) },
    reportRunner: { callers: WORKERS, handle: reportRunnerRpc(ports), isQuiet: true },
    updateJob: { callers: FORWARDERS, handle: updateJobRpc(ports) },
    updateTask: { callers: FORWARDERS, handle: updateTaskRpc(ports), isQuiet: true },
    getWorkerTarget: { callers: FORWARDERS, handle: getWorkerTargetRpc(ports), isQuiet: true },
    reportWorkerOutput: { callers: FORWARDERS, handle: reportWorkerOutputRpc(ports) },
    getBatchOrder: { callers: BRIDGES, handle: getBatchOrderRpc(ports) },
    reportBatch: { callers: BRIDGES, handle: reportBatchRpc(ports), isQuiet: true },
  });
}
