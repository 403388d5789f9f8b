// Jobs of no-op tasks from submission to end, with one runner.
import { warmUpBy } from '../load/warm-up.mjs';
import { inTasks } from './words.mjs';

const POLL_MS = 50;
/** Short, since it is what the first task is waited for with. */
const FIRST_POLL_MS = 10;

const isCompleted = ({ state }) => state === 'COMPLETED';

async function runJob(api, headers, ntasks) {
  const startedAt = performance.now();
  const { jobId } = await api.submit(headers, ntasks);
  await api.reached(headers, jobId, isCompleted, POLL_MS);
  return performance.now() - startedAt;
}

/** Tasks of a job, and how many of them are measured. */
export const RUNS = [
  [1, 40],
  [10, 5],
  [100, 3],
];
/** Of jobs that are not measured, until the compiler has done its work. */
export const WARM_UP_JOB_TASKS = 4;

export async function runs({ meter, api }) {
  const headers = await api.login();
  await warmUpBy(meter.world.processes, () => runJob(api, headers, WARM_UP_JOB_TASKS));
  await meter.each('submit to first task running', { count: 10, run: () => firstTask(api, headers) });
  for (const [ntasks, count] of RUNS) {
    await meter.each(`no-op job, ${inTasks(ntasks)}`, { count, run: () => runJob(api, headers, ntasks) });
  }
}

async function firstTask(api, headers) {
  const startedAt = performance.now();
  const { jobId } = await api.submit(headers, 1);
  await api.reached(headers, jobId, ({ tasks: [state] }) => state !== 'PENDING', FIRST_POLL_MS);
  const ms = performance.now() - startedAt;
  await api.reached(headers, jobId, isCompleted, POLL_MS);
  return ms;
}

const CLIENTS = 4;
const DRAIN_POLL_MS = 200;

/** Many jobs from four clients at once, until all have ended; counted in tasks. */
export async function sustained({ meter, api }) {
  const headers = await api.login(); // before what is measured: a password's hash costs as much as three jobs
  const load = (jobCount, ntasks) =>
    meter.work(`sustained, jobs of ${inTasks(ntasks)}`, CLIENTS, () => runJobs(api, headers, jobCount, ntasks));
  await load(60, 1);
  await load(20, 10);
}

async function runJobs(api, headers, jobCount, ntasks) {
  const jobIds = [];
  let left = jobCount;
  const client = async () => {
    while (left-- > 0) jobIds.push((await api.submit(headers, ntasks)).jobId);
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  for (const jobId of jobIds) await api.reached(headers, jobId, isCompleted, DRAIN_POLL_MS);
  return { units: jobCount * ntasks };
}
