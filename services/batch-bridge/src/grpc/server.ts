import { batchBridge } from '@tally/contracts';
import { type Implementation, implement } from '@tally/service-kit';
import type { ClusterStore } from '../domain/ports.js';
import type { SubmitBatchPorts } from '../domain/submit-batch.js';
import { cancelBatch } from './cancel-batch.js';
import { checkSubmission } from './check-submission.js';
import { deleteBatch } from './delete-batch.js';
import { listClusters } from './list-clusters.js';
import { submitBatch } from './submit-batch.js';

/** The RPCs of batch-bridge with their callers. */
export function batchBridgeRpcs(clusters: ClusterStore, ports: SubmitBatchPorts): Implementation {
  return implement(batchBridge.BatchBridgeServiceService, {
    listClusters: { callers: ['gateway'], handle: () => listClusters(clusters) },
    checkSubmission: { callers: ['jobs'], handle: (request) => checkSubmission(ports, request) },
    submitBatch: { callers: ['jobs'], handle: (request) => submitBatch(ports, request) },
    cancelBatch: { callers: ['jobs'], handle: (request) => cancelBatch(ports, request) },
    deleteBatch: { callers: ['jobs'], handle: (request) => deleteBatch(ports, request) },
  });
}
