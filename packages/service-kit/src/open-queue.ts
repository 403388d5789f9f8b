import type { Logger } from './logger.js';
import { planQueues, type Queue, type QueueTopology } from './queue.js';

/**
 * Opens the queues at a URL and creates those that are missing: amqp(s):// is a RabbitMQ virtual host, postgres(ql)://
 * a PostgreSQL database of its own. `?queue_prefix=` goes before the name of every queue. Tries for about 15 s, then
 * throws UNAVAILABLE.
 */
export async function openQueue(url: string, topology: QueueTopology, logger: Logger): Promise<Queue> {
  const address = new URL(url);
  const plan = planQueues(topology, address.searchParams.get('queue_prefix') ?? '');
  address.searchParams.delete('queue_prefix');
  switch (address.protocol) {
    case 'amqp:':
    case 'amqps:': {
      const { openAmqpQueue } = await import('./amqp-queue.js');
      return openAmqpQueue(address.href, plan, logger);
    }
    case 'postgres:':
    case 'postgresql:': {
      const { openPostgresQueue } = await import('./postgres-queue.js');
      return openPostgresQueue(address.href, plan, logger);
    }
    default:
      throw new TypeError(`a queue URL starts with amqp(s): or postgres(ql):, not ${address.protocol}`);
  }
}
