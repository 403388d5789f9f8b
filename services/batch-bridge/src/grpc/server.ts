import { batchBridge } from '@tally/contracts';
import { type Implementation, implement } from '@tally/service-kit';
import { cancelBatch, type StopPorts } from '../domain/clean/cancel-batch.js';
import { deleteBatch } from '../domain/clean/delete-batch.js';
import { listClusters } from '../domain/cluster/list-clusters.js';
import { readJobId } from '../domain/job-id.js';
import type { ClusterStore } from '../domain/ports.js';
import { checkSubmission } from '../domain/submit/check-submission.js';
import type { SubmitBatchPorts } from '../domain/submit/submit-batch.js';
import { readSchedulerOptionsJson, toCheckedSubmission, toProtoClusters } from './mappers.js';
import { submitBatchRpc } from './submit-batch.js';

export interface RpcPorts extends SubmitBatchPorts, StopPorts {
  readonly store: SubmitBatchPorts['store'];
  readonly clusterStore: ClusterStore;
}

const callers = ['jobs'];

/** The RPCs of batch-bridge with their callers. */
export function batchBridgeRpcs(ports: RpcPorts): Implementation {
  return implement(batchBridge.BatchBridgeServiceService, {
    listClusters: {
      callers: ['gateway'],
      handle: async () => toProtoClusters(await listClusters(ports.clusterStore), ports.defaultCluster),
    },
    checkSubmission: {
      callers,
      handle: async ({ clusterName, schedulerOptionsJson }) => {
        const schedulerOptions = readSchedulerOptionsJson(schedulerOptionsJson);
        return toCheckedSubmission(checkSubmission(ports, { clusterName, schedulerOptions }));
      },
    },
    submitBatch: { callers, handle: submitBatchRpc(ports) },
    cancelBatch: {
      callers,
      handle: async ({ jobId, lastTask }) => {
        await cancelBatch(ports, readJobId(jobId), lastTask);
        return {};
      },
    },
    deleteBatch: {
      callers,
      handle: async ({ jobId }) => {
        await deleteBatch(ports, readJobId(jobId));
        return {};
      },
    },
  });
}
