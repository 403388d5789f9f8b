// A bare runner: what a job that has been submitted needs at least, with the suite's own libraries. Durable messages that the
// broker has confirmed; for each task a claim, a folder with the deck, the simulator, its output and its end; and the sum of all
// outputs. Nothing of it is for the case that any of these fails.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs/promises';
import path from 'node:path';
import { libraries } from './libraries.mjs';
import { openStore } from './store.mjs';

const QUEUE = 'floor-tasks';
/** As many at once as direct-runner has slots on two cores. */
const SLOTS = 2;

/**
 * Resolves to what carries out the tasks of a job, one job at a time.
 * @param needs - `{queueUrl, bodies, jobs, simulator, directory, deck}`: addresses of two stores, and the deck of a task; without
 *   `queueUrl` there is no broker
 */
export async function openBareRunner({ queueUrl, bodies: bodiesTarget, jobs: jobsTarget, simulator, directory, deck }) {
  const bodies = openStore(bodiesTarget);
  const jobs = openStore(jobsTarget);
  let outputIds;
  const runTask = async (message) => {
    const { jobId, taskId } = JSON.parse(message);
    await jobs.change({ jobId, taskId, state: 'RUNNING' });
    const folder = path.join(directory, `${jobId}-${taskId}`);
    await fs.mkdir(folder);
    for (const [name, text] of Object.entries(deck)) await fs.writeFile(path.join(folder, name), text);
    const [code] = await once(spawn(simulator, [folder], { stdio: 'ignore' }), 'exit');
    if (code !== 0) throw new Error(`${simulator} ended with ${code}`);
    const names = (await fs.readdir(folder)).filter((name) => !(name in deck));
    const files = await Promise.all(names.map((name) => fs.readFile(path.join(folder, name))));
    outputIds.push(String(await bodies.put(Buffer.concat(files))));
    await jobs.change({ jobId, taskId, state: 'COMPLETED' });
    await fs.rm(folder, { recursive: true });
  };
  const merge = async () => {
    let sum;
    for (const id of outputIds) {
      const output = await bodies.get(id);
      // its files are no lists of numbers, but of as many bytes
      const numbers = new Float64Array(Uint8Array.from(output).buffer, 0, Math.floor(output.length / 8));
      if (sum === undefined) sum = numbers;
      else for (const [i, number] of numbers.entries()) sum[i] += number;
    }
    await bodies.put(Buffer.from(sum.buffer));
  };
  const run = queueUrl === undefined ? inTurns(runTask) : await throughBroker(queueUrl, runTask);
  return async ({ jobId, ntasks }) => {
    outputIds = [];
    await run(Array.from({ length: ntasks }, (_, i) => JSON.stringify({ jobId, taskId: i + 1 })));
    await merge();
    await jobs.change({ jobId, taskId: 1, state: 'MERGED' });
  };
}

/** Sends messages and resolves when all of them have been handled. */
async function throughBroker(url, handle) {
  const connection = await libraries.amqp.connect(url);
  const channel = await connection.createConfirmChannel();
  await channel.assertQueue(QUEUE, { durable: true, arguments: { 'x-queue-type': 'quorum' } });
  await channel.prefetch(SLOTS);
  let left = 0;
  let resolveAll;
  await channel.consume(QUEUE, async (message) => {
    await handle(message.content.toString());
    channel.ack(message);
    left -= 1;
    if (left === 0) resolveAll();
  });
  return async (messages) => {
    left = messages.length;
    const handled = new Promise((resolve) => (resolveAll = resolve));
    for (const message of messages) channel.sendToQueue(QUEUE, Buffer.from(message), { persistent: true });
    await channel.waitForConfirms();
    await handled;
  };
}

const inTurns = (handle) => async (messages) => {
  const waiting = [...messages];
  const slot = async () => {
    while (waiting.length > 0) await handle(waiting.shift());
  };
  await Promise.all(Array.from({ length: SLOTS }, slot));
};
