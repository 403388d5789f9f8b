// The first requests after a restart, when nothing is compiled yet: of all processes, which are ready when they are asked.
import { setTimeout as sleep } from 'node:timers/promises';
import { sendOnce } from '../load/connection.mjs';
import { median, rounded } from '../load/statistics.mjs';

const RESTARTS = 5;
const VALUES = 1_000;
const READY_POLL_MS = 20;
const READY_WAIT_MS = 60_000;

export async function restart(target, meter) {
  const taken = { 'first status poll': [], 'first submission': [], 'first upload of 1000 values': [] };
  const first = async (name, request) => {
    const before = meter.processes.now();
    const { status, ms, json } = await sendOnce(target.api.baseUrl, request);
    if (status >= 300) throw new Error(`${name} after a restart: ${status}`);
    taken[name].push({ ms, cpuMs: 1000 * meter.processes.since(before).total });
    return json;
  };
  const headers = await target.api.login();
  const { jobId } = await target.api.submit(headers, 10);
  for (let i = 0; i < RESTARTS; i++) {
    await meter.waitForQuiet();
    await target.restart();
    const { api } = target;
    await isReady(api.baseUrl);
    await first('first status poll', { path: `/jobs/direct?job_id=${jobId}`, headers });
    const submitted = await first('first submission', api.submission(headers, 1));
    await first('first upload of 1000 values', api.resultsUpload(api.worker(submitted.job_id), VALUES));
  }
  for (const [name, all] of Object.entries(taken)) {
    const durations = all.map(({ ms }) => ms);
    const cpuMs = rounded(median(all.map((one) => one.cpuMs)));
    await meter.note(name, {
      shows: 'p50Ms',
      p50Ms: rounded(median(durations)),
      maxMs: rounded(Math.max(...durations)),
      cpuMs,
    });
  }
}

async function isReady(baseUrl) {
  const until = performance.now() + READY_WAIT_MS;
  while ((await sendOnce(baseUrl, { path: '/readyz' })).status !== 200) {
    if (performance.now() > until) throw new Error('not ready after a restart');
    await sleep(READY_POLL_MS);
  }
}
