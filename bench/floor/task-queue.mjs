// The bare way of a task through the broker: a durable message, confirmed before the submission is answered.
import { libraries } from './libraries.mjs';

const QUEUE = 'floor-tasks';

async function openChannel(url) {
  const connection = await libraries.amqp.connect(url);
  const channel = await connection.createConfirmChannel();
  await channel.assertQueue(QUEUE, { durable: true, arguments: { 'x-queue-type': 'quorum' } });
  return channel;
}

/** Resolves to what sends the tasks of a job. */
export async function sendsTasks(url) {
  const channel = await openChannel(url);
  return async (jobId, ntasks) => {
    for (let taskId = 1; taskId <= ntasks; taskId++) {
      channel.sendToQueue(QUEUE, Buffer.from(JSON.stringify({ jobId, taskId, ntasks })), { persistent: true });
    }
    await channel.waitForConfirms();
  };
}

/** Handles `slots` tasks at once. */
export async function takeTasks(url, slots, handle) {
  const channel = await openChannel(url);
  await channel.prefetch(slots);
  await channel.consume(QUEUE, async (message) => {
    await handle(JSON.parse(message.content.toString()));
    channel.ack(message);
  });
}
