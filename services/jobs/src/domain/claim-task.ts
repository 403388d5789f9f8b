import { fail, invalidField } from './errors.js';
import type { TaskStore, Wake } from './ports.js';
import type { AttemptId, RunnerId, WorkOrder } from './task.js';

/**
 * Gives an attempt to a worker and opens its lease. The same worker asking again gets the same order.
 * @throws ServiceError ATTEMPT_NOT_CLAIMABLE, REQUEST_INVALID
 */
export async function claimTask(
  ports: { tasks: TaskStore; wake: Wake; leaseMs: number },
  attemptId: AttemptId,
  runnerId: RunnerId,
): Promise<WorkOrder> {
  if (runnerId === '') throw invalidField('/runner_id', 'must not be empty');
  const order = await ports.tasks.claimTask(attemptId, runnerId, ports.leaseMs);
  if (order === undefined) throw fail('ATTEMPT_NOT_CLAIMABLE');
  ports.wake.outbox(); // the window has room for the next
  return order;
}
