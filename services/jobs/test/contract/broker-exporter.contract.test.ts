import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { QUEUE_TOPOLOGY, TASK_QUEUE } from '@tally/contracts';
import { openQueue, type Queue, silentLogger } from '@tally/service-kit';
import { compareMetricRecording, freePort, startLocalRabbitmq, waitFor } from '@tally/testkit';

const exporterPort = await freePort();
const broker = await startLocalRabbitmq({ exporterPort });
const withBroker = broker === undefined ? describe.skip : describe;

withBroker("RabbitMQ's exporter as it comes", () => {
  let queue: Queue;
  beforeAll(async () => {
    queue = await openQueue(broker?.url ?? '', QUEUE_TOPOLOGY, silentLogger);
    await queue.publish(TASK_QUEUE, { id: 'a', body: new Uint8Array(), headers: {} });
  });
  afterAll(async () => {
    await queue?.close();
    await broker?.stop();
  });
  const scrape = async (path: string) => (await fetch(`http://127.0.0.1:${exporterPort}${path}`)).text();

  it('knows the sum over all queues and none by name: what alert rules need comes from jobs', async () => {
    const counted = async () => /^rabbitmq_queue_messages_ready 1$/m.test(await scrape('/metrics'));
    await waitFor(counted, { what: 'the message in the sum' }); // counted every 5 s
    const text = await scrape('/metrics');
    expect(text).not.toContain(TASK_QUEUE);
    expect(compareMetricRecording('rabbitmq', text)).toEqual([]);
    expect(await scrape('/metrics/per-object')).toContain(`queue="${TASK_QUEUE}"`);
  });
});
