import { randomUUID } from 'node:crypto';
import { connect } from 'amqplib';
import { sharedRabbitmq } from '../infrastructure/shared-infrastructure.js';

/** A corner of the test run's RabbitMQ where no other test file is. */
export interface TestBroker {
  /** For service-kit's openQueue: it puts a prefix of this file's own before every queue name. */
  readonly url: string;
}

/** For a test file: the RabbitMQ broker of this test run, under a queue prefix of its own. */
export async function createTestBroker(): Promise<TestBroker> {
  const { url } = await sharedRabbitmq();
  const own = new URL(url);
  own.searchParams.set('queue_prefix', `test-${randomUUID().slice(0, 8)}.`);
  return { url: own.href };
}

/** Deletes a queue, as somebody would by mistake. @param name - as the topology has it, without the prefix */
export async function deleteQueueOf(url: string, name: string): Promise<void> {
  const connection = await connect(url);
  try {
    const channel = await connection.createChannel();
    await channel.deleteQueue(`${new URL(url).searchParams.get('queue_prefix') ?? ''}${name}`);
  } finally {
    await connection.close();
  }
}
