// What the same machine needs for the bare minimum, in the same run: what the suite is compared with.
import path from 'node:path';
import pg from 'pg';
import { meterOf, withFloor, work } from '../floor/start.mjs';
import { countFor, RESULT_SIZES, transfer } from './bulk.mjs';

const CONNECTIONS = 16;
const BCRYPT_COST = 12; // auth's default
const JOBS = 100;
const TASKS = 10;

async function fillDatabase(postgres) {
  await postgres.createDatabase('floor');
  const url = postgres.url('floor');
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

export async function floor(bench) {
  await requests(bench);
  await rounds(bench);
  if (bench.chosen.has('results')) await bodies(bench);
}

async function requests(bench) {
  const database = await fillDatabase(bench.postgres);
  const servers = { postgresql: bench.postgres };
  const rate = (name, started, taking = {}) =>
    meterOf(bench, started, taking).rate(`floor: ${name} (${CONNECTIONS})`, started[0].url, {
      connections: CONNECTIONS,
      next: { path: '/?job_id=job-7' },
    });
  const behind = (argument, name, taking) =>
    withFloor('service', argument, {}, (service) =>
      withFloor('hop', `127.0.0.1:${service.said}`, {}, (hop) => rate(name, [hop, service], taking)),
    );
  await withFloor('bare', '', {}, (bare) => rate('Express', [bare]));
  await withFloor('database', database, {}, (route) => rate('Express, PostgreSQL', [route], servers));
  await behind('', 'Express, gRPC hop');
  await behind(database, 'Express, gRPC hop, PostgreSQL', servers);
}

async function rounds(bench) {
  const measure = (name, mode, argument, units) =>
    withFloor(mode, argument, {}, (started) =>
      meterOf(bench, [started]).work(`floor: ${name}`, 1, () => work(started, units)),
    );
  await measure('password hash', 'hash', String(BCRYPT_COST), 10);
  // its folder holds the deck of a task, as it was made
  await measure('no-op simulator', 'start', `${bench.simulator} ${path.dirname(bench.simulator)}`, 100);
}

function bodies(bench) {
  return withFloor('bulk', '', {}, async (server) => {
    const target = { baseUrl: server.url };
    const meter = meterOf(bench, [server]);
    for (const size of RESULT_SIZES) {
      const upload = bench.api.resultsUpload({}, size);
      const download = { path: `/results?bytes=${upload.body.length}` };
      const count = countFor(size);
      await meter.each(`floor: POST of ${size} values`, { count, run: () => transfer(target, upload) });
      await meter.each(`floor: GET of ${size} values`, { count, run: () => transfer(target, download) });
    }
  });
}
