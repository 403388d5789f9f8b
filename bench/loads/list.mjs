// The list of a user's jobs, for users with few and many. The jobs are put straight into the database of jobs.
import pg from 'pg';

const SIZES = [10, 1_000, 10_000, 100_000];
/** By what they are called; `query`: for a list of so many. */
const PAGES = [
  { what: '', query: () => '' },
  { what: ', page of 100', query: () => '?page_size=100' },
  { what: ', last page', query: (size) => `?page_idx=${Math.ceil(size / 6)}` },
  { what: ', FAILED only', query: () => '?job_state=FAILED' },
  { what: ', by end', query: () => '?order_by=end_time&order_type=ascend' },
];

/** Simulations that ended over the past, in the states that a history has. */
async function seed(client, ownerId, count) {
  await client.query(
    `INSERT INTO jobs (job_id, owner_id, title, platform, input_type, simulator, state, seed, task_count, start_time, end_time)
     SELECT 'bench-' || $1::bigint || '-' || n, $1::bigint, 'Simulation ' || n, 'direct', 'editor', 'simA',
       (ARRAY['COMPLETED', 'COMPLETED', 'COMPLETED', 'FAILED', 'CANCELED'])[1 + n % 5], n, 1,
       now() - n * interval '1 minute', now() - n * interval '1 minute' + interval '30 s'
     FROM generate_series(1, $2::int) n`,
    [ownerId, count],
  );
}

/** Registers a user; resolves to the number that its access token names. */
async function newUser(api, username) {
  await api.register(username);
  const { Cookie } = await api.login(username);
  const [, claims] = /access_token=([^;]*)/.exec(Cookie)[1].split('.');
  return JSON.parse(Buffer.from(claims, 'base64url')).sub;
}

export async function list({ meter, api, postgres }) {
  const client = new pg.Client({ connectionString: postgres.url('tally_jobs') });
  await client.connect();
  for (const size of SIZES) await seed(client, await newUser(api, `bench-list-${size}`), size);
  await client.query('VACUUM ANALYZE');
  await client.end();
  for (const size of SIZES) {
    // all pages of the smallest and the largest list, which are to be compared
    const isEnd = size === SIZES[0] || size === SIZES.at(-1);
    for (const { what, query } of PAGES.slice(0, isEnd ? PAGES.length : 3)) {
      const next = { path: `/user/simulations${query(size)}`, headers: await api.login(`bench-list-${size}`) };
      await meter.rate(`GET /user/simulations of ${size}${what} (16)`, api.baseUrl, { connections: 16, next });
    }
  }
}
