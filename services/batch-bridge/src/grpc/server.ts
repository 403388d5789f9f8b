import { batchBridge } from '@tally/contracts';
import { type Implementation, implement } from '@tally/service-kit';
import type { StopPorts } from '../domain/clean/cancel-batch.js';
import type { ClusterStore } from '../domain/ports.js';
import type { SubmitBatchPorts } from '../domain/submit/submit-batch.js';
import { cancelBatchRpc } from './cancel-batch.js';
import { checkSubmissionRpc } from './check-submission.js';
import { deleteBatchRpc } from './delete-batch.js';
import { listClustersRpc } from './list-clusters.js';
import { submitBatchRpc } from './submit-batch.js';

export interface RpcPorts extends SubmitBatchPorts, StopPorts {
  readonly store: SubmitBatchPorts['store'];
  readonly clusterStore: ClusterStore;
}

/** Every RPC of this service with its callers. */
export function batchBridgeRpcs(ports: RpcPorts): Implementation {
  return implement(batchBridge.BatchBridgeServiceService, {
    listClusters: { callers: ['gateway'], handle: listClustersRpc(ports) },
    checkSubmission: { callers: ['jobs'], handle: checkSubmissionRpc(ports) },
    submitBatch: { callers: ['jobs'], handle: submitBatchRpc(ports) },
    cancelBatch: { callers: ['jobs'], handle: cancelBatchRpc(ports) },
    deleteBatch: { callers: ['jobs'], handle: deleteBatchRpc(ports) },
  });
}
