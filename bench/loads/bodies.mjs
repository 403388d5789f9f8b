// Large bodies of workers, and what users read of them. No runner runs.
import { sendOnce } from '../load/connection.mjs';
import { warmUpBy } from '../load/warm-up.mjs';

/** Numbers of an upload, how they are called, and how many uploads are measured. */
const SIZES = [
  [1e5, '10⁵ values', 10],
  [1e6, '10⁶ values', 5],
  [1e7, '10⁷ values', 1],
];
const LOG_BYTES = 1e6;

/** One request whose answer is only counted. A server that refuses a body may cut the connection before it is sent. */
async function transfer({ baseUrl }, request) {
  try {
    return await sendOnce(baseUrl, request, { parses: false });
  } catch (err) {
    return { error: err.message };
  }
}

/** Small bodies are warmed up by the rule of all loads. What takes long follows on shorter ones of its kind. */
async function warmUpFor(count, meter, work) {
  if (count >= 10) await warmUpBy(meter.processes, work);
  else if (count > 1) await work();
}

/** Uploads to jobs of their own, and the downloads of what was taken. */
async function upAndDown(api, meter, { path, what, count, uploadFor }) {
  const headers = await api.login();
  const jobIds = [];
  const prepare = async () => {
    jobIds.push((await api.submit(headers, 1)).jobId);
    return uploadFor(api.worker(jobIds.at(-1)));
  };
  const run = (request) => transfer(api, request);
  await warmUpFor(count, meter, async () => run(await prepare()));
  jobIds.length = 0;
  const { errors } = await meter.each(`${what} in`, { count, prepare, run });
  if (Object.keys(errors).length > 0) return; // refused: there is nothing to read
  const session = await api.login();
  const get = (i) => ({ path: `${path}?job_id=${jobIds[i]}`, headers: session });
  await warmUpFor(count, meter, () => run(get(0)));
  await meter.each(`${what} out`, { count, prepare: get, run });
}

export async function results({ api }, meter) {
  for (const [size, what, count] of SIZES) {
    const uploadFor = (worker) => api.resultsUpload(worker, size);
    await upAndDown(api, meter, { path: '/results', what, count, uploadFor });
  }
}

export async function logs({ api }, meter) {
  const uploadFor = (worker) => api.logUpload(worker, LOG_BYTES);
  await upAndDown(api, meter, { path: '/logfiles', what: '1 MB of log', count: 10, uploadFor });
}
