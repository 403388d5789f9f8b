// What workers send, and submissions: without a runner, so that nothing else happens to the jobs.
import { warmUpBy } from '../load/warm-up.mjs';
import { inTasks } from './words.mjs';

export async function tasks({ meter, api }) {
  const { jobId } = await api.submit(await api.login(), 100);
  const worker = api.worker(jobId);
  const update = (taskOf) => (i) => api.taskUpdate(worker, taskOf(i), 1 + (i % 900));
  const load = (name, connections, taskOf) =>
    meter.rate(`${name} (${connections})`, api.baseUrl, { connections, next: update(taskOf) });
  await load('POST /tasks, 100 tasks', 1, (i) => 1 + (i % 100));
  await load('POST /tasks, 100 tasks', 8, (i) => 1 + (i % 100));
  await load('POST /tasks, one task', 8, () => 7);
  await api.cancel(await api.login(), jobId);
}

/** Tasks of a submission, and how many of them are measured. */
export const SUBMISSIONS = [
  [1, 100],
  [10, 100],
  [100, 30],
];
export async function submit({ meter, api }) {
  const user = await api.login();
  await warmUpBy(meter.world.processes, async () => api.cancel(user, (await api.submit(user, 1)).jobId));
  const load = async (ntasks, count) => {
    const headers = await api.login();
    const jobIds = [];
    const run = async () => {
      const { jobId, ms } = await api.submit(headers, ntasks);
      jobIds.push(jobId);
      return ms;
    };
    await run();
    await meter.each(`submit, ${inTasks(ntasks)}`, { count, run });
    for (const jobId of jobIds) await api.cancel(headers, jobId);
  };
  for (const [ntasks, count] of SUBMISSIONS) await load(ntasks, count);
}
