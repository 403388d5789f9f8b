// The bare minimum of loads that take more than a request: bodies that are stored behind a bare service and read, submissions,
// jobs, streams.
import fs from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { meterOf, withFloor, work } from '../floor/start.mjs';
import { SCHEMA } from '../floor/store.mjs';
import { sendOnce } from '../load/connection.mjs';
import { warmUpBy } from '../load/warm-up.mjs';
import { imageFlags } from '../suite/image-command.mjs';
import { countFor, LOG_BYTES, RESULT_SIZES, transfer, warmUpFor } from './bulk.mjs';
import { bareStreams } from './idle.mjs';
import { RUNS, WARM_UP_JOB_TASKS } from './runs.mjs';
import { SUBMISSIONS } from './updates.mjs';
import { inTasks } from './words.mjs';

/** More take a gigabyte of memory, as text. */
const STORED_VALUES_MAX = 2.5e6;

export const storedLogs = (bench) =>
  withRoutes(bench, 'logs', (meter, routes) =>
    upAndDown(meter, routes, '/logfiles', '1 MB', 10, bench.api.logUpload({}, LOG_BYTES)),
  );

export const storedResults = (bench) =>
  withRoutes(bench, 'results', async (meter, routes) => {
    for (const size of RESULT_SIZES.filter((count) => count <= STORED_VALUES_MAX)) {
      const upload = bench.api.resultsUpload({}, size);
      await upAndDown(meter, routes, '/results', `${size} values`, countFor(size), upload);
    }
  });

export const submissions = (bench) =>
  withRoutes(bench, 'submit', async (meter, { url }) => {
    await warmUpBy(meter.world.processes, () => sendOnce(url, bench.api.submission({}, 1)));
    for (const [ntasks, count] of SUBMISSIONS) {
      const run = () => sendOnce(url, bench.api.submission({}, ntasks));
      await meter.each(`floor: submit, ${inTasks(ntasks)}`, { count, run });
    }
  });

/** Jobs as a user has them done: submitted by HTTP, carried out, and asked for at their end. */
export const noOpJobs = (bench) =>
  withRoutes(bench, 'runs', async (_meter, routes, stores) => {
    const { directory: parent, servers, simulator, api } = bench;
    const [bodies, jobs] = targetsOf(stores);
    const directory = fs.mkdtempSync(path.join(parent, 'floor-'));
    const needs = JSON.stringify({ bodies, jobs, simulator, directory, deck: readDeck(simulator) });
    const env = servers.rabbitmq && { FLOOR_QUEUE_URL: servers.rabbitmq.url };
    await withFloor('tasks', needs, { env }, async (runner) => {
      const runJob = async (ntasks) => {
        const startedAt = performance.now();
        const { json } = await sendOnce(routes.url, api.submission({}, ntasks));
        await work(runner, { jobId: json.job_id, ntasks });
        await sendOnce(routes.url, { path: `/jobs/direct?job_id=${json.job_id}` });
        return performance.now() - startedAt;
      };
      const meter = meterOf(bench, [runner, routes, ...stores], servers);
      await warmUpBy(meter.world.processes, () => runJob(WARM_UP_JOB_TASKS));
      for (const [ntasks, count] of RUNS) {
        await meter.each(`floor: no-op job, ${inTasks(ntasks)}`, { count, run: () => runJob(ntasks) });
      }
    });
  });

/** A route that keeps streams open, as its image would run it. */
export const openStreams = (bench) =>
  withFloor('streams', '', { flags: imageFlags() }, (server) => {
    const meter = meterOf(bench, [server]);
    return bareStreams({ meter, processes: meter.world.processes }, server.url);
  });

async function withStore(postgres, database, measure) {
  await postgres.createDatabase(database);
  const client = new pg.Client({ connectionString: postgres.url(database) });
  await client.connect();
  await client.query(SCHEMA);
  await client.end();
  await withFloor('store', postgres.url(database), {}, measure);
}

/** Two stores, for bodies and for jobs, in databases of their own. */
function withStores({ postgres }, name, measure) {
  return withStore(postgres, `floor_${name}_bodies`, (bodies) =>
    withStore(postgres, `floor_${name}_jobs`, (jobs) => measure([bodies, jobs])),
  );
}

const targetsOf = (stores) => stores.map(({ said }) => `127.0.0.1:${said}`);

function withRoutes(bench, name, measure) {
  return withStores(bench, name, (stores) =>
    withFloor('routes', targetsOf(stores).join(' '), {}, (routes) =>
      measure(meterOf(bench, [routes, ...stores], { postgresql: bench.postgres }), routes, stores),
    ),
  );
}

async function upAndDown(meter, { url }, route, what, count, upload) {
  const target = { baseUrl: url };
  const ids = [];
  const post = async () => {
    const answer = await sendOnce(url, upload);
    ids.push(answer.json.id);
    return answer;
  };
  await warmUpFor(count, meter, post);
  await meter.each(`floor: POST ${route}, ${what}`, { count, run: post });
  const get = (i) => ({ path: `${route}?id=${ids[i]}` });
  const run = (request) => transfer(target, request);
  await warmUpFor(count, meter, () => run(get(0)));
  await meter.each(`floor: GET ${route}, ${what}`, { count, prepare: get, run });
}

/** The deck of a task, as the no-op simulator reads it. */
function readDeck(simulator) {
  const folder = path.dirname(simulator);
  const names = fs.readdirSync(folder).filter((name) => name.endsWith('.dat'));
  return Object.fromEntries(names.map((name) => [name, fs.readFileSync(path.join(folder, name), 'utf8')]));
}
