/**
 * The queues of the suite, declared once for those who publish and those who consume. A message holds names only
 * (proto/jobs/v1/queue_messages.proto), so that losing, repeating or reading one does no harm.
 */
export const TASK_QUEUE = 'direct.tasks';

/**
 * Topology for service-kit's queue port. A delivery that is not acknowledged comes back; after `deliveryLimit`
 * deliveries it goes to `<name>.dead`. A message that is given back for later comes again after `retryDelayMs`.
 */
export const QUEUE_TOPOLOGY = {
  queues: [{ name: TASK_QUEUE, deliveryLimit: 20, retryDelayMs: 1_000 }],
} as const;
