// Submissions, and jobs of no-op tasks from submission to end.
import { warmUpBy } from '../load/warm-up.mjs';

/** Short, since it is what the first task is waited for with. */
const FIRST_POLL_MS = 10;
const POLL_MS = 50;
const CLIENTS = 4;

const inTasks = (count) => `${count} ${count === 1 ? 'task' : 'tasks'}`;
const isCompleted = ({ state }) => state === 'COMPLETED';

/** Tasks of a submission, and how many of them are measured. */
const SUBMISSIONS = [
  [1, 100],
  [10, 100],
  [100, 30],
];

/** Without a runner, so that nothing else happens to the jobs. */
export async function submit({ api }, meter) {
  const user = await api.login();
  await warmUpBy(meter.processes, async () => api.cancel(user, (await api.submit(user, 1)).jobId));
  for (const [ntasks, count] of SUBMISSIONS) {
    const headers = await api.login();
    const jobIds = [];
    const run = async () => {
      const { jobId, ms } = await api.submit(headers, ntasks);
      jobIds.push(jobId);
      return ms;
    };
    await run();
    await meter.each(`submission of ${inTasks(ntasks)}`, { count, run });
    for (const jobId of jobIds) await api.cancel(headers, jobId);
  }
}

/** How long a user waits until something happens. */
export async function firstTask({ api }, meter) {
  const headers = await api.login();
  const run = async () => {
    const startedAt = performance.now();
    const { jobId } = await api.submit(headers, 1);
    await api.reached(headers, jobId, ({ tasks: [state] }) => state !== 'PENDING', FIRST_POLL_MS);
    const ms = performance.now() - startedAt;
    await api.reached(headers, jobId, isCompleted, POLL_MS);
    return ms;
  };
  await warmUpBy(meter.processes, run);
  await meter.each('submission to first task RUNNING', { count: 20, run });
}

/** Jobs of four clients at once, until all have ended; counted in tasks. */
export async function noOpTasks({ api }, meter) {
  const headers = await api.login();
  for (const [jobCount, ntasks] of [
    [60, 1],
    [20, 10],
  ]) {
    await meter.work(`no-op task, jobs of ${ntasks}`, async () => {
      await runJobs(api, headers, jobCount, ntasks);
      return { units: jobCount * ntasks };
    });
  }
}

async function runJobs(api, headers, jobCount, ntasks) {
  const jobIds = [];
  let left = jobCount;
  const client = async () => {
    while (left-- > 0) jobIds.push((await api.submit(headers, ntasks)).jobId);
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  for (const jobId of jobIds) await api.reached(headers, jobId, isCompleted, POLL_MS);
}
