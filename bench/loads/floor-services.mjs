// The bare minimum behind a bare service with a database: bodies that are stored and read, submissions, tasks.
import fs from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { meterOf, startFloor, work } from '../floor/start.mjs';
import { SCHEMA } from '../floor/store.mjs';
import { sendOnce } from '../load/connection.mjs';
import { imageFlags } from '../suite/image-command.mjs';
import { countFor, LOG_BYTES, RESULT_SIZES, transfer } from './bulk.mjs';
import { bareStreams } from './idle.mjs';
import { RUNS, WARM_UP_TASKS } from './runs.mjs';
import { SUBMISSIONS, WARM_UP_SUBMISSIONS } from './updates.mjs';
import { inTasks } from './words.mjs';

const DATABASES = ['floor_bodies', 'floor_jobs'];
/** More take a gigabyte of memory, as text. */
const STORED_VALUES_MAX = 2.5e6;

async function startStores(postgres) {
  const stores = [];
  for (const name of DATABASES) {
    await postgres.createDatabase(name);
    const client = new pg.Client({ connectionString: postgres.url(name) });
    await client.connect();
    await client.query(SCHEMA);
    await client.end();
    stores.push(await startFloor('store', postgres.url(name)));
  }
  return stores;
}

/** What loads of `bench.chosen` are compared with. */
export async function floorServices(bench) {
  const stores = await startStores(bench.postgres);
  const targets = stores.map(({ said }) => `127.0.0.1:${said}`);
  const routes = await startFloor('routes', targets.join(' '));
  const meter = meterOf(bench, [routes, ...stores], bench.servers);
  const { api, chosen } = bench;
  if (chosen.has('logs')) await upAndDown(meter, routes, '/logfiles', '1 MB', 10, api.logUpload({}, LOG_BYTES));
  for (const size of chosen.has('results') ? RESULT_SIZES.filter((count) => count <= STORED_VALUES_MAX) : []) {
    await upAndDown(meter, routes, '/results', `${size} values`, countFor(size), api.resultsUpload({}, size));
  }
  if (chosen.has('submit')) await submissions(meter, routes, api);
  if (chosen.has('runs') || chosen.has('sustained')) await tasks(bench, stores, targets);
  for (const { child } of [routes, ...stores]) child.kill();
}

async function upAndDown(meter, { url }, route, what, count, upload) {
  const target = { baseUrl: url };
  const ids = [];
  const post = async () => {
    const answer = await sendOnce(url, upload);
    ids.push(answer.json.id);
    return answer;
  };
  await post();
  await meter.each(`floor: POST ${route}, ${what}`, { count, run: post });
  const get = (i) => ({ path: `${route}?id=${ids[i]}` });
  await meter.each(`floor: GET ${route}, ${what}`, {
    count,
    prepare: get,
    run: (request) => transfer(target, request),
  });
}

async function submissions(meter, { url }, api) {
  for (let i = 0; i < WARM_UP_SUBMISSIONS; i++) await sendOnce(url, api.submission({}, 1));
  for (const [ntasks, count] of SUBMISSIONS) {
    const run = () => sendOnce(url, api.submission({}, ntasks));
    await meter.each(`floor: submit, ${inTasks(ntasks)}`, { count, run });
  }
}

/** The deck of a task, as the no-op simulator reads it. */
function readDeck(simulator) {
  const folder = path.dirname(simulator);
  const names = fs.readdirSync(folder).filter((name) => name.endsWith('.dat'));
  return Object.fromEntries(names.map((name) => [name, fs.readFileSync(path.join(folder, name), 'utf8')]));
}

async function tasks(bench, stores, [bodies, jobs]) {
  const { directory, servers, simulator } = bench;
  const needs = {
    bodies,
    jobs,
    simulator,
    directory: fs.mkdtempSync(path.join(directory, 'floor-')),
    deck: readDeck(simulator),
  };
  const env = servers.rabbitmq && { FLOOR_QUEUE_URL: servers.rabbitmq.url };
  const runner = await startFloor('tasks', JSON.stringify(needs), { env });
  const meter = meterOf(bench, [runner, ...stores], servers);
  await work(runner, WARM_UP_TASKS);
  for (const [ntasks, count] of RUNS) {
    const run = async () => {
      const startedAt = performance.now();
      await work(runner, ntasks);
      return performance.now() - startedAt;
    };
    await meter.each(`floor: no-op job, ${inTasks(ntasks)}`, { count, run });
  }
  runner.child.kill();
}

/** A route that keeps streams open, as its image would run it. */
export async function floorStreams(bench) {
  const server = await startFloor('streams', '', { flags: imageFlags() });
  const meter = meterOf(bench, [server]);
  await bareStreams({ meter, processes: meter.world.processes }, server.url);
  server.child.kill();
}
