// What is measured in an empty and in a full database: the requests of users and workers, and what a runner asks of jobs.
import fs from 'node:fs';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { jobs } from '../../packages/contracts/dist/src/index.js';
import { createGrpcClient } from '../../packages/service-kit/dist/src/index.js';
import { Connection, encodeRequest, sendOnce } from '../load/connection.mjs';

const RUNNER = 'bench-runner';
const TASKS = 10;
const TIMEOUT_MS = 60_000;

/** What the runner of the suite was started with: the bench speaks in its name, when it is stopped. */
export function readRunner(suite) {
  const { pid } = suite.process('direct-runner-1');
  const lines = fs.readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  const environment = Object.fromEntries(lines.map((line) => line.split(/=(.*)/s, 2)));
  const { RUNNER_JOBS_ADDRESS: target, RUNNER_CALLER_TOKEN: token } = environment;
  return createGrpcClient(jobs.JobsServiceService, { target, caller: 'direct-runner', token, timeoutMs: TIMEOUT_MS });
}

/** Opens a stream of events and closes it when it is ready. */
function openStream(api, headers) {
  const { hostname, port } = new URL(api.baseUrl);
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    const socket = net.connect(Number(port), hostname);
    socket.once('error', reject);
    socket.write(encodeRequest(api.baseUrl, { path: '/jobs/events', headers }));
    let text = '';
    socket.on('data', (piece) => {
      text += piece;
      if (!text.startsWith('HTTP/1.1 200')) reject(new Error(text.split('\r\n', 1)[0]));
      if (!text.includes('event: ready')) return;
      socket.destroy();
      resolve(performance.now() - startedAt);
    });
  });
}

/** Attempts of a job that wait for a runner. */
async function attemptsOf(url, jobId) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(
    'SELECT attempt_id FROM outbox JOIN jobs ON jobs.id = job_key WHERE job_id = $1 ORDER BY outbox.id',
    [jobId],
  );
  await client.end();
  return rows.map((row) => row.attempt_id);
}

/** Pages of a user's list. */
async function countPages(api, headers) {
  const { json } = await sendOnce(api.baseUrl, { path: '/user/simulations', headers });
  return json.page_count;
}

async function timed(work) {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/** Operations by name: `{count, prepare, run}` for Meter.each. The job that they are about is submitted here. */
export async function operationsOf({ api, postgres, runner }) {
  const headers = await api.login();
  const { jobId } = await api.submit(headers, TASKS);
  const worker = api.worker(jobId);
  const connection = new Connection(api.baseUrl);
  const send = (encoded) =>
    timed(async () => {
      const answer = await connection.send(encoded, true);
      if (answer.status >= 300) throw new Error(`status ${answer.status}: ${answer.body().toString().slice(0, 200)}`);
    });
  const get = (target) => () => send(encodeRequest(api.baseUrl, { path: target, headers }));
  const claims = { count: 40, attempts: [] };
  const own = [];
  const waiting = async () => {
    if (claims.attempts.length === 0) {
      const job = await api.submit(headers, claims.count);
      own.push(job.jobId);
      claims.attempts = await attemptsOf(postgres.url('tally_jobs'), job.jobId);
    }
    return claims.attempts.shift();
  };
  const exchange = (what) =>
    timed(() => runner.exchangeTasks(jobs.ExchangeTasksRequest.fromPartial({ runnerId: RUNNER, ...what })));
  const claimed = [];
  let update = 0;
  const submitOne = async () => (await api.submit(headers, 1)).jobId;
  const operations = {
    'list, first page': { count: 100, run: get('/user/simulations') },
    'list, last page': { count: 100, run: get(`/user/simulations?page_idx=${await countPages(api, headers)}`) },
    'list, FAILED only': { count: 100, run: get('/user/simulations?job_state=FAILED') },
    'list, by end': { count: 100, run: get('/user/simulations?order_by=end_time&order_type=ascend') },
    'status, 10 tasks': { count: 100, run: get(`/jobs/direct?job_id=${jobId}`) },
    'task update': { count: 100, run: () => send(api.taskUpdate(worker, 1 + (update % TASKS), 1 + update++)) },
    'submission, 10 tasks': { count: 30, run: async () => (await api.submit(headers, TASKS)).ms },
    'claim of a task': {
      count: claims.count,
      prepare: waiting,
      run: async (attempt) => {
        claimed.push(attempt);
        return exchange({ claims: [attempt] });
      },
    },
    'heartbeat of a task': {
      count: claims.count,
      prepare: async () => claimed[0],
      run: (attemptId) => exchange({ progress: [{ runnerId: RUNNER, attemptId, simulatedPrimaries: 1n }] }),
    },
    'opening events': { count: 30, run: () => openStream(api, headers) },
    'results of 1000 values': {
      count: 20,
      prepare: async () => encodeRequest(api.baseUrl, api.resultsUpload(api.worker(await submitOne()), 1_000)),
      run: send,
    },
    'cancel, 10 tasks': {
      count: 20,
      prepare: async () => (await api.submit(headers, TASKS)).jobId,
      run: (canceled) => timed(() => api.cancel(headers, canceled)),
    },
  };
  const end = async () => {
    connection.close();
    for (const open of [jobId, ...own]) await api.cancel(headers, open);
  };
  return { operations, end };
}

/** What goes on by itself: nothing but waiting, and reading the metrics now and then as Prometheus does. */
export async function waitAndScrape(metricsUrl, ms) {
  const until = performance.now() + ms;
  while (performance.now() < until) {
    await fetch(metricsUrl).then((answer) => answer.text());
    await sleep(1_000);
  }
}
