import { processDue } from '../upkeep/process-due.js';
import type { BridgeCommand } from './batch-ports.js';
import { type SubmitBatchPorts, submitBatch } from './submit-batch.js';

/** Tried at once; batch-bridge only stores each of them. */
const BATCH = 20;

export interface BridgeCommandPorts extends SubmitBatchPorts {
  /** Longest pause between two tries. */
  readonly bridgeCommandRetryMaxMs: number;
}

/**
 * Tells batch-bridge what has become of jobs, until nothing is due. A try that fails is made again, later each time, for
 * as long as it takes.
 * @throws one of the errors, when batch-bridge did not take a command
 */
export async function processBridgeCommands(ports: BridgeCommandPorts): Promise<void> {
  await processDue(
    (limit) => ports.commands.takeDueCommands(limit, ports.bridgeCommandRetryMaxMs),
    (command) => executeCommand(ports, command),
    BATCH,
  );
}

async function executeCommand(ports: BridgeCommandPorts, command: BridgeCommand): Promise<void> {
  switch (command.kind) {
    case 'submit':
      await submitBatch(ports, command.submission, 0);
      return;
    case 'cancel':
      await ports.bridge.cancelBatch(command.jobId, command.lastTask);
      break;
    case 'delete':
      await ports.bridge.deleteBatch(command.jobId);
      break;
  }
  await ports.commands.finishCommand(command.jobId, command.kind);
}
