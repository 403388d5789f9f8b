// Large bodies: results and logs, and what they do to small requests meanwhile. Without a runner.
import { setTimeout as sleep } from 'node:timers/promises';
import { sendOnce } from '../load/connection.mjs';
import { warmUpBy } from '../load/warm-up.mjs';
import { probe } from './probe.mjs';

export const RESULT_SIZES = [1e3, 1e5, 1e6, 2.5e6, 1e7];
export const LOG_BYTES = 1e6;
const BLOCKING_VALUES = 1e6;
const ALONE_MS = 3_000;

/** Requests of small bodies; as many are warmed up by the rule of all loads. */
const COUNT_SMALL = 10;

/** Fewer of what takes long. */
export const countFor = (size) => (size > 1e6 ? 1 : size > 1e5 ? 3 : COUNT_SMALL);

/** One request whose answer is only counted. A server that refuses a body may cut the connection before it is sent. */
export async function transfer({ baseUrl }, request) {
  try {
    return await sendOnce(baseUrl, request, { parses: false });
  } catch (err) {
    return { error: err.message };
  }
}

/** What takes long follows on shorter ones of its kind, and makes compilers work for longer than it lasts. */
export async function warmUpFor(count, meter, work) {
  if (count >= COUNT_SMALL) await warmUpBy(meter.world.processes, work);
  else if (count > 1) await work();
}

/** A job without work, for a worker to deliver to. */
async function newJob(api, headers) {
  const { jobId } = await api.submit(headers, 1);
  return jobId;
}

/** Uploads to jobs of their own, and the downloads of what was taken. */
async function upAndDown({ meter, api }, path, what, count, uploadFor) {
  const headers = await api.login();
  const jobIds = [];
  const prepare = async () => {
    jobIds.push(await newJob(api, headers));
    return uploadFor(api.worker(jobIds.at(-1)));
  };
  const run = (request) => transfer(api, request);
  await warmUpFor(count, meter, async () => run(await prepare()));
  jobIds.length = 0;
  const { errors } = await meter.each(`POST ${path}, ${what}`, { count, prepare, run });
  if (Object.keys(errors).length > 0) return; // refused: there is nothing to read
  const session = await api.login();
  const get = (i) => ({ path: `${path}?job_id=${jobIds[i]}`, headers: session });
  await warmUpFor(count, meter, () => run(get(0)));
  await meter.each(`GET ${path}, ${what}`, { count, prepare: get, run });
}

export async function results(bench) {
  for (const size of RESULT_SIZES) {
    const uploadFor = (worker) => bench.api.resultsUpload(worker, size);
    await upAndDown(bench, '/results', `${size} values`, countFor(size), uploadFor);
  }
}

export async function logs(bench) {
  await upAndDown(bench, '/logfiles', '1 MB', COUNT_SMALL, (worker) => bench.api.logUpload(worker, LOG_BYTES));
}

/** Whether large results hold up small requests. */
export async function blocking(bench) {
  const { api } = bench;
  const headers = await api.login();
  const jobId = await newJob(api, headers);
  const upload = api.resultsUpload(api.worker(jobId), BLOCKING_VALUES);
  const download = { path: `/results?job_id=${jobId}`, headers };
  const during = (what, work) => probe(`GET / ${what}`, bench, { path: '/' }, work);
  await during('alone', () => sleep(ALONE_MS));
  await during(`during POST of ${BLOCKING_VALUES} values`, () => transfer(api, upload));
  await during(`during GET of ${BLOCKING_VALUES} values`, () => transfer(api, download));
}
