import type { Errand } from './batch-ports.js';
import { type SubmitBatchPorts, submitBatch } from './submit-batch.js';

/** Tried at once; batch-bridge only stores each of them. */
const BATCH = 20;

export interface ErrandPorts extends SubmitBatchPorts {
  /** Longest pause between two tries. */
  readonly errandRetryMaxMs: number;
}

/**
 * Tells batch-bridge what has become of jobs, until nothing is due. A try that fails is made again, later each time, for
 * as long as it takes.
 * @throws one of the errors, when batch-bridge did not take an errand
 */
export async function carryOutErrands(ports: ErrandPorts): Promise<void> {
  for (;;) {
    const due = await ports.errands.takeDueErrands(BATCH, ports.errandRetryMaxMs);
    const tries = await Promise.allSettled(due.map((errand) => carryOut(ports, errand)));
    const failure = tries.find((attempt) => attempt.status === 'rejected');
    if (failure !== undefined) throw failure.reason;
    if (due.length < BATCH) return;
  }
}

async function carryOut(ports: ErrandPorts, errand: Errand): Promise<void> {
  switch (errand.kind) {
    case 'submit':
      await submitBatch(ports, errand.order, 0);
      return;
    case 'cancel':
      await ports.bridge.cancelBatch(errand.jobId);
      break;
    case 'delete':
      await ports.bridge.deleteBatch(errand.jobId);
      break;
  }
  await ports.errands.finishErrand(errand.jobId, errand.kind);
}
