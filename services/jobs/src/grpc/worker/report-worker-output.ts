import type { jobs } from '@tally/contracts';
import { invalidField } from '../../domain/errors.js';
import { reportWorkerOutput, type WorkerOutput } from '../../domain/worker/report-worker-output.js';
import type { WorkerPorts } from '../../domain/worker/worker-ports.js';
import { readCredential } from './worker-mappers.js';

/** ReportWorkerOutput of jobs_service.proto. */
export function reportWorkerOutputRpc(ports: WorkerPorts) {
  return async (request: jobs.ReportWorkerOutputRequest): Promise<jobs.ReportWorkerOutputResponse> => ({
    isApplied: await reportWorkerOutput(ports, readCredential(request.credential), readOutput(request)),
  });
}

function readOutput({ taskId, contentHash, primaries }: jobs.ReportWorkerOutputRequest): WorkerOutput {
  if (taskId !== 0) return { kind: 'task', taskId };
  if (!/^[0-9a-f]{64}$/.test(contentHash)) throw invalidField('/content_hash', 'must be a SHA-256 in hex');
  return { kind: 'final', contentHash, primaries };
}
