import type { Logger } from '../logger.js';
import { planQueues } from './plan.js';
import { type Queue, type QueueTopology } from './queue.js';

const CLAIM_MS = 30_000;
const CLAIM_MIN_MS = 1_000; // it is renewed three times as often

/**
 * Opens the queues at a URL and creates those that are missing: amqp(s):// is a RabbitMQ virtual host, postgres(ql)://
 * a PostgreSQL database of its own. Two settings of ours in the query: `queue_prefix` goes before the name of every
 * queue; `queue_claim_ms` (PostgreSQL only) is how long a dead consumer keeps a message, 30 000 unless given. Tries for
 * about 15 s, then throws UNAVAILABLE.
 */
export async function openQueue(url: string, topology: QueueTopology, logger: Logger): Promise<Queue> {
  const address = new URL(url);
  const settings = address.searchParams;
  const plan = planQueues(topology, settings.get('queue_prefix') ?? '');
  const claimMs = Number(settings.get('queue_claim_ms') ?? CLAIM_MS);
  if (!Number.isInteger(claimMs) || claimMs < CLAIM_MIN_MS)
    throw new RangeError(`queue_claim_ms is below ${CLAIM_MIN_MS}`);
  settings.delete('queue_prefix');
  settings.delete('queue_claim_ms');
  switch (address.protocol) {
    case 'amqp:':
    case 'amqps:': {
      const { openAmqpQueue } = await import('./amqp.js');
      return openAmqpQueue(address.href, plan, logger);
    }
    case 'postgres:':
    case 'postgresql:': {
      const { openPostgresQueue } = await import('./postgres.js');
      return openPostgresQueue(address.href, plan, claimMs, logger);
    }
    default:
      throw new TypeError(`a queue URL starts with amqp(s): or postgres(ql):, not ${address.protocol}`);
  }
}
