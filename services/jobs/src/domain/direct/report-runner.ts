import { invalidField } from '../errors.js';
import type { RunnerReport, RunnerStore } from '../ports.js';
import type { RunnerId } from '../task.js';

const RUNNER_ID_LENGTH_MAX = 256;

/**
 * Notes that a runner lives and what it can run.
 * @returns whether it is to take no more tasks
 * @throws ServiceError REQUEST_INVALID
 */
export async function reportRunner(
  { runners, runnerExpiryMs }: { readonly runners: RunnerStore; readonly runnerExpiryMs: number },
  runnerId: RunnerId,
  report: RunnerReport,
): Promise<boolean> {
  if (runnerId === '' || runnerId.length > RUNNER_ID_LENGTH_MAX) {
    throw invalidField('/runner_id', `must have 1 to ${RUNNER_ID_LENGTH_MAX} characters`);
  }
  return await runners.report(runnerId, report, runnerExpiryMs);
}
