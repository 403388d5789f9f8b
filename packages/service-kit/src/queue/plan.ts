import { MESSAGE_SIZE_BYTES_MAX, QueueError, type QueueMessage, type QueueTopology } from './queue.js';

/** A queue as the broker knows it. */
export interface PlannedQueue {
  readonly name: string;
  readonly deliveryLimit: number;
  readonly retryDelayMs: number;
  /** Where dead letters go; undefined for a dead-letter queue itself. */
  readonly deadName: string | undefined;
}

/** All queues of a topology, dead-letter queues included, under the names that callers use. */
export type QueuePlan = ReadonlyMap<string, PlannedQueue>;

/** @param prefix - goes before the name of every queue at the broker, so that several deployments can share it */
export function planQueues(topology: QueueTopology, prefix: string): QueuePlan {
  const plan = new Map<string, PlannedQueue>();
  for (const { name, deliveryLimit, retryDelayMs } of topology.queues) {
    if (!Number.isInteger(deliveryLimit) || deliveryLimit < 1)
      throw new RangeError(`deliveryLimit of ${name} is below 1`);
    const deadName = `${name}.dead`;
    plan.set(name, { name: prefix + name, deliveryLimit, retryDelayMs, deadName: prefix + deadName });
    plan.set(deadName, {
      name: prefix + deadName,
      deliveryLimit: Number.POSITIVE_INFINITY,
      retryDelayMs: 0,
      deadName: undefined,
    });
  }
  return plan;
}

/** The queue of that name; throws UNKNOWN_QUEUE. */
export function findQueue(plan: QueuePlan, name: string): PlannedQueue {
  const found = plan.get(name);
  if (!found) throw new QueueError('UNKNOWN_QUEUE', `queue ${name} is not declared`);
  return found;
}

/** The queue to publish to; throws UNKNOWN_QUEUE, also for a dead-letter queue, and MESSAGE_TOO_LARGE. */
export function admitMessage(plan: QueuePlan, name: string, message: QueueMessage): PlannedQueue {
  const queue = findQueue(plan, name);
  if (queue.deadName === undefined) throw new QueueError('UNKNOWN_QUEUE', `${name} takes dead letters only`);
  if (message.body.byteLength > MESSAGE_SIZE_BYTES_MAX) {
    const size = message.body.byteLength;
    throw new QueueError('MESSAGE_TOO_LARGE', `message ${message.id} has ${size} of ${MESSAGE_SIZE_BYTES_MAX} bytes`);
  }
  return queue;
}
