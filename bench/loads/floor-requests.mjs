// The bare minimum of requests, password hashes, processes and bodies, with the same libraries.
import path from 'node:path';
import pg from 'pg';
import { meterOf, withFloor, work } from '../floor/start.mjs';
import { resultsAnswerBytes } from '../suite/api.mjs';
import { countFor, RESULT_SIZES, transfer } from './bulk.mjs';

const CONNECTIONS = 16;
const BCRYPT_COST = 12; // auth's default
const JOBS = 100;
const TASKS = 10;

async function fillDatabase(postgres, name) {
  await postgres.createDatabase(name);
  const url = postgres.url(name);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`CREATE TABLE floor_tasks (job_id text, task_id int, state text, requested bigint, simulated bigint,
    updated_at timestamptz(3), PRIMARY KEY (job_id, task_id))`);
  await client.query(
    `INSERT INTO floor_tasks SELECT 'job-' || j, t, 'RUNNING', 10000, 500, now()
     FROM generate_series(1, $1::int) j, generate_series(1, $2::int) t`,
    [JOBS, TASKS],
  );
  await client.query('VACUUM ANALYZE');
  await client.end();
  return url;
}

/** Requests of a route that is made of `what`. */
const rate = (bench, what, started, taking) =>
  meterOf(bench, started, taking).rate(`floor: ${what} (${CONNECTIONS})`, started[0].url, {
    connections: CONNECTIONS,
    next: { path: '/?job_id=job-7' },
  });

const behindHop = (argument, measure) =>
  withFloor('service', argument, {}, (service) =>
    withFloor('hop', `127.0.0.1:${service.said}`, {}, (hop) => measure([hop, service])),
  );

/** A bare route, before a load. */
export const bareRoute = (bench, load) =>
  withFloor('bare', '', {}, (bare) => rate(bench, `Express, before ${load}`, [bare]));

/** A route that asks PostgreSQL behind a gRPC hop, before a load. */
export async function routeOfService(bench, load) {
  const database = await fillDatabase(bench.postgres, `floor_${load}`);
  const servers = { postgresql: bench.postgres };
  const what = `Express, gRPC hop, PostgreSQL, before ${load}`;
  await behindHop(database, (started) => rate(bench, what, started, servers));
}

/** What a route takes with PostgreSQL alone, and with a hop alone: no load is compared with them. */
export async function partsOfRoute(bench) {
  const database = await fillDatabase(bench.postgres, 'floor_parts');
  const servers = { postgresql: bench.postgres };
  await withFloor('database', database, {}, (route) => rate(bench, 'Express, PostgreSQL', [route], servers));
  await behindHop('', (started) => rate(bench, 'Express, gRPC hop', started));
}

const rounds = (bench, name, mode, argument, units) =>
  withFloor(mode, argument, {}, (started) =>
    meterOf(bench, [started]).work(`floor: ${name}`, 1, () => work(started, units)),
  );

export const passwordHash = (bench) => rounds(bench, 'password hash', 'hash', String(BCRYPT_COST), 10);

/** The process of a task; the simulator's folder holds a deck as it was made. */
export const noOpSimulator = (bench) =>
  rounds(bench, 'no-op simulator', 'start', `${bench.simulator} ${path.dirname(bench.simulator)}`, 100);

/** Bodies that are parsed and no more, and as many bytes sent as the suite's answer has. */
export function bodies(bench) {
  return withFloor('bulk', '', {}, async (server) => {
    const target = { baseUrl: server.url };
    const meter = meterOf(bench, [server]);
    for (const size of RESULT_SIZES) {
      const upload = bench.api.resultsUpload({}, size);
      const download = { path: `/results?bytes=${resultsAnswerBytes(upload.body.length, size)}` };
      const count = countFor(size);
      await meter.each(`floor: POST of ${size} values`, { count, run: () => transfer(target, upload) });
      await meter.each(`floor: GET of ${size} values`, { count, run: () => transfer(target, download) });
    }
  });
}
