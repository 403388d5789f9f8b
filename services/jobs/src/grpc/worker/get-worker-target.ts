import type { jobs } from '@tally/contracts';
import { getWorkerTarget } from '../../domain/worker/get-worker-target.js';
import type { WorkerPorts } from '../../domain/worker/worker-ports.js';
import { readAttemptName, readCredential } from './worker-mappers.js';

/** GetWorkerTarget of jobs_service.proto. */
export function getWorkerTargetRpc(ports: WorkerPorts) {
  return (request: jobs.GetWorkerTargetRequest): Promise<jobs.GetWorkerTargetResponse> =>
    getWorkerTarget(ports, readCredential(request.credential), {
      taskId: request.taskId === 0 ? undefined : request.taskId,
      attemptName: readAttemptName(request.celeryId),
      contentHash: request.contentHash === '' ? undefined : request.contentHash,
      primaries: request.primaries,
    });
}
