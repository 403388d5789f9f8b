import type { BatchBridge, BatchStore } from '../batch/batch-ports.js';
import { type SubmitBatchPorts, submitBatch } from '../batch/submit-batch.js';
import { type NotifyPorts, notifyEnd } from '../notify/notify-end.js';
import type { JobData } from '../ports.js';
import type { Duty, DutyOutcome } from './duty.js';
import { type MergePorts, mergeJob } from './merge-job.js';

export interface PerformPorts extends MergePorts {
  readonly jobData: JobData;
  readonly notify: NotifyPorts;
  /** Undefined: this deployment has no batch platform. */
  readonly cluster: (SubmitBatchPorts & { readonly bridge: BatchBridge; readonly batch: BatchStore }) | undefined;
}

/** Does what a duty asks for; may be repeated, and run twice at once. @param signal - the service stops */
export async function performDuty(ports: PerformPorts, duty: Duty, signal: AbortSignal): Promise<DutyOutcome> {
  const { jobId } = duty;
  switch (duty.kind) {
    case 'merge':
      return mergeJob(ports, duty, signal);
    case 'remove':
      await ports.jobData.deleteJobData(jobId);
      return 'done';
    case 'remove_results':
      await ports.jobData.deleteJobParts(jobId, 'results');
      return 'done';
    case 'remove_logs':
      await ports.jobData.deleteJobParts(jobId, 'logs');
      return 'done';
    case 'notify':
      return notifyEnd(ports.notify, jobId);
    case 'submit':
      return submitAgain(clusterOf(ports), duty.jobId, duty.firstTask);
    case 'cancel':
      await clusterOf(ports).bridge.cancelBatch(jobId, duty.lastTask);
      return 'done';
    case 'delete':
      await clusterOf(ports).bridge.deleteBatch(jobId);
      return 'done';
  }
}

function clusterOf({ cluster }: PerformPorts) {
  if (cluster === undefined) throw new Error('there is a duty to a cluster, and no batch platform is configured');
  return cluster;
}

/** Its duty stays while the job is open, and ends with it. */
async function submitAgain(
  cluster: ReturnType<typeof clusterOf>,
  jobId: Duty['jobId'],
  firstTask: number,
): Promise<DutyOutcome> {
  const job = await cluster.batch.findBatchJob(jobId);
  if (job === undefined || !job.isOpen) return 'done';
  await submitBatch(cluster, { ...job.target, jobId, firstTask }, 0);
  return 'stored';
}
