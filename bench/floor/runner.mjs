// A bare runner: for each task a claim, a folder with the deck, the simulator, its output and its end; for each job the sum of all
// outputs. Nothing of it is for the case that any of these fails.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { openStore } from './store.mjs';
import { takeTasks } from './task-queue.mjs';

/** As many at once as direct-runner has slots on two cores. */
const SLOTS = 2;

/** Says that it is ready. `targets`: addresses of a store for bodies and one for jobs; `deck`: files of a task by name. */
export async function runTasks({ targets, queueUrl, simulator, directory, deck }) {
  const [bodies, jobs] = targets.map(openStore);
  const endedOfJobs = new Map();

  async function runTask({ jobId, taskId, ntasks }) {
    await jobs.change([jobId, taskId, 'RUNNING', 0]);
    const folder = path.join(directory, `${jobId}-${taskId}`);
    await fs.mkdir(folder);
    for (const [name, text] of Object.entries(deck)) await fs.writeFile(path.join(folder, name), text);
    const [code] = await once(spawn(simulator, [folder], { stdio: 'ignore' }), 'exit');
    if (code !== 0) throw new Error(`${simulator} ended with ${code}`);
    const names = (await fs.readdir(folder)).filter((name) => !(name in deck));
    const files = await Promise.all(names.map((name) => fs.readFile(path.join(folder, name))));
    await bodies.put(Buffer.concat(files), [jobId, `output ${taskId}`]);
    await jobs.change([jobId, taskId, 'COMPLETED', 1_000]);
    await fs.rm(folder, { recursive: true });
    const ended = endedOfJobs.get(jobId) ?? 0;
    endedOfJobs.set(jobId, ended + 1);
    if (ended + 1 === ntasks) await merge(jobId, ntasks);
  }

  async function merge(jobId, ntasks) {
    endedOfJobs.delete(jobId);
    let sum;
    for (let taskId = 1; taskId <= ntasks; taskId++) {
      const output = await bodies.get(Buffer.alloc(0), [jobId, `output ${taskId}`]);
      // its files are no lists of numbers, but of as many bytes
      const numbers = new Float64Array(Uint8Array.from(output).buffer, 0, Math.floor(output.length / 8));
      if (sum === undefined) sum = numbers;
      else for (const [i, number] of numbers.entries()) sum[i] += number;
    }
    await bodies.put(Buffer.from(sum.buffer), [jobId, 'results']);
    await jobs.end([jobId]);
  }

  await takeTasks(queueUrl, SLOTS, runTask);
  process.send('ready');
}
