import { setTimeout as sleep } from 'node:timers/promises';
import { calibrate } from '../load/calibrate.mjs';
import { Connection, encodeRequest } from '../load/connection.mjs';
import { describeDurations, rounded } from '../load/statistics.mjs';

const PAUSE_MS = 20;

/** How long a small request takes while something else is done: one after the other until `work` has ended. */
export async function probe(name, { meter, api }, request, work) {
  await meter.waitForQuiet();
  const encoded = encodeRequest(api.baseUrl, request);
  const connection = new Connection(api.baseUrl);
  const durations = [];
  const ended = new AbortController();
  const working = work().finally(() => ended.abort());
  while (!ended.signal.aborted) {
    const startedAt = performance.now();
    await connection.send(encoded);
    durations.push(performance.now() - startedAt);
    await sleep(PAUSE_MS);
  }
  await working;
  connection.close();
  const { p50Ms, p99Ms, maxMs } = describeDurations(durations);
  const record = { count: durations.length, p50Ms: rounded(p50Ms), p99Ms: rounded(p99Ms), maxMs: rounded(maxMs) };
  await meter.note(name, { shows: 'maxMs', ...record, calibrationMs: calibrate() });
}
