// A page of GET /user/simulations for a user with 100 000 simulations against one with 10, alternating in one run through
// the whole suite. The simulations are put straight into the database of jobs. Usage: node bench/listing.mjs [requests]
import process from 'node:process';
import pg from 'pg';
import { createRunDirectory, HttpSession, removeRunDirectory } from '../packages/testkit/dist/src/index.js';
import { startServers } from '../tools/demo/servers.mjs';

const REQUESTS = Number(process.argv[2] ?? 300);
const WARM_UP = 30;
const MANY = 100_000;
const FEW = 10;
const AIM = 3;
const say = (line) => process.stdout.write(`${line}\n`);

const percentile = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];

/** Simulations that ended over the past, in the states that a history has. */
async function seed(client, ownerId, count) {
  await client.query(
    `INSERT INTO simulations (job_id, owner_id, title, platform, input_type, simulator, state, seed, task_count, start_time, end_time)
     SELECT 'bench-' || $1::bigint || '-' || n, $1::bigint, 'Simulation ' || n, 'direct', 'editor', 'simA',
       (ARRAY['COMPLETED', 'COMPLETED', 'COMPLETED', 'FAILED', 'CANCELED'])[1 + n % 5], n, 1,
       now() - n * interval '1 minute', now() - n * interval '1 minute' + interval '30 s'
     FROM generate_series(1, $2::int) n`,
    [ownerId, count],
  );
}

async function newUser(baseUrl, username) {
  const session = new HttpSession(baseUrl);
  const credentials = { username, password: 'bench-password' };
  await session.call('PUT', '/auth/register', credentials);
  await session.call('POST', '/auth/login', credentials);
  const [, claims] = session.cookies.get('access_token').split('.');
  return { session, id: JSON.parse(Buffer.from(claims, 'base64url')).sub };
}

const PAGES = [
  ['the first page', () => ''],
  ['a page of 100', () => '?page_size=100'],
  ['the last page', (count) => `?page_idx=${Math.ceil(count / 6)}`],
  ['the first page of FAILED', () => '?job_state=FAILED'],
  ['the first page by end', () => '?order_by=end_time&order_type=ascend'],
];

const directory = createRunDirectory('bench');
const servers = await startServers({ directory, install: false, port: 0, say: () => {} });
const client = new pg.Client({ connectionString: servers.postgres.url('tally_jobs') });
await client.connect();
let isMet = true;
try {
  const [many, few] = [
    await newUser(servers.suite.gatewayUrl, 'bench-many'),
    await newUser(servers.suite.gatewayUrl, 'bench-few'),
  ];
  await seed(client, many.id, MANY);
  await seed(client, few.id, FEW);
  await client.query('ANALYZE');
  const time = async ({ session }, query, expected) => {
    const startedAt = performance.now();
    const answer = await session.call('GET', `/user/simulations${query}`);
    const durationMs = performance.now() - startedAt;
    if (expected !== undefined && answer.simulations_count !== expected) throw new Error('wrong count');
    return durationMs;
  };
  for (const [name, query] of PAGES) {
    const [ofMany, ofFew] = [[], []];
    const isFiltered = query(1).includes('job_state');
    for (let i = -WARM_UP; i < REQUESTS; i++) {
      const [a, b] = [
        await time(many, query(MANY), isFiltered ? MANY / 5 : MANY),
        await time(few, query(FEW), isFiltered ? FEW / 5 : FEW),
      ];
      if (i < 0) continue;
      ofMany.push(a);
      ofFew.push(b);
    }
    for (const list of [ofMany, ofFew]) list.sort((a, b) => a - b);
    const ratio = percentile(ofMany, 0.5) / percentile(ofFew, 0.5);
    isMet &&= ratio <= AIM;
    const column = (list) =>
      `p50 ${percentile(list, 0.5).toFixed(1).padStart(5)} ms  p99 ${percentile(list, 0.99).toFixed(1).padStart(5)} ms`;
    say(`${name.padEnd(26)} of ${MANY}: ${column(ofMany)}   of ${FEW}: ${column(ofFew)}   ratio ${ratio.toFixed(2)}`);
  }
  say(`ratio of the medians at most ${AIM}: ${isMet ? 'yes' : 'NO'}`);
} finally {
  await client.end();
  await servers.stop();
  removeRunDirectory(directory);
}
process.exit(isMet ? 0 : 1);
