import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { HttpSession } from '@tally/testkit';
import fc from 'fast-check';
import { type GeneratedRequest, RequestArbitrary, type RequestDocument } from './fixtures/request-arbitrary.js';
import { ended, exampleProject, results, startTestSuite, submit, type TestSuite } from './fixtures/suite-fixture.js';

/** Fixed, so that a failure is the same on every machine; another one may be given to look further. */
const SEED = Number(process.env.TALLY_SEED ?? '20261121');
const REQUEST_COUNT = 5_000;
/** Requests under way at the same time. */
const CONCURRENCY = 16;
/** No request of this run may take longer: sessions, databases and the disk are those of a busy machine. */
const HANG_MS = 30_000;

/** Worker-facing requests get past the key, for the jobs of the storm. */
const UPDATE_KEY = 'shared-update-key-of-this-deployment';

let suite: TestSuite;
beforeAll(async () => {
  // no runner: nothing runs what the storm submits; cheap password hashes: the storm is not about them
  const env = { auth: { AUTH_BCRYPT_COST: '10' }, jobs: { JOBS_UPDATE_KEY_SHARED: UPDATE_KEY } };
  suite = await startTestSuite({ runners: 0, env });
});
afterAll(() => suite?.stop());

interface Outcome {
  readonly status: number;
  /** What was wrong with the answer. */
  readonly fault?: string;
}

/** Sends a request and judges the answer; what the document does not allow is a fault as well. */
async function send(request: GeneratedRequest, session: HttpSession): Promise<Outcome> {
  const client = suite.newSession();
  if (request.cookie === 'rubbish') client.cookies.set('access_token', 'eyJhbGciOiJFUzI1NiJ9.e30.x');
  if (request.cookie === 'session') for (const [name, value] of session.cookies) client.cookies.set(name, value);
  const query = new URLSearchParams([...request.query]).toString();
  const headers = { ...request.headers, ...(request.body === undefined ? {} : { 'content-type': 'application/json' }) };
  const target = `${request.path}${query === '' ? '' : `?${query}`}`;
  const what = `${request.method} ${target.slice(0, 200)} ${(request.body ?? '').slice(0, 2_000)}`;
  try {
    const sent = client.send(request.method, target, { headers, body: request.body });
    const { status, body } = await Promise.race([sent, hang()]);
    // 503 and 504 are honest answers of a machine that is busy with other things; the document has them
    return { status, ...(status === 500 ? { fault: `${JSON.stringify(body)} to ${what}` } : {}) };
  } catch (err) {
    return { status: 0, fault: `${String(err)} to ${what}` };
  }
}

/** Sends all requests, several at a time; the order is that of the list. */
async function sendAll(list: readonly GeneratedRequest[], session: HttpSession): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const left = list.values();
  const worker = async () => {
    for (const request of left) outcomes.push(await send(request, session));
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  return outcomes;
}

function hang(): Promise<never> {
  return new Promise((_resolve, reject) => {
    setTimeout(() => reject(new Error(`no answer after ${HANG_MS} ms`)), HANG_MS).unref();
  });
}

/** Requests to every operation; those that end the session, or never end, are made without one. */
async function requests(
  own: readonly string[],
  kept: string,
  projects: readonly string[],
): Promise<fc.Arbitrary<GeneratedRequest>> {
  const response = await fetch(`${suite.gatewayUrl}/openapi.json`);
  const document = (await response.json()) as RequestDocument;
  const ids = [...own, '20260102-030405-00000000-0000-4000-8000-000000000000'];
  const project = exampleProject('proton-150mev-water', 10);
  const arbitrary = new RequestArbitrary(document, {
    job_id: [...ids, kept],
    sim_id: ids,
    simulation_id: ids,
    update_key: [UPDATE_KEY],
    task_id: [1, 2, 3],
    logfiles: [{ task_1: 'text\n' }, { stdout: 'text', task_2: 'more' }],
    estimators: [ESTIMATORS],
    sim_data: [project],
    input_json: [project],
    input_files: [{ 'beam.dat': 'text' }],
    ntasks: [1, 2, 10],
    project_id: [...projects, '00000000-0000-4000-8000-000000000000'],
    revision: [1, 2],
    thumbnail: [PIXEL],
    page_numbers: ['1', '1-3,5'],
    job_state: ['', 'COMPLETED', 'RUNNING,FAILED'],
  });
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { responses }]) => {
      const isEndless = JSON.stringify(responses).includes('text/event-stream');
      const endsSession = method === 'delete' && path.startsWith('/auth/');
      const cookies =
        isEndless || endsSession ? (['none', 'rubbish'] as const) : (['none', 'rubbish', ...USUAL] as const);
      return arbitrary.operation(method.toUpperCase(), path, cookies);
    }),
  );
  return fc.oneof(...operations);
}
/** A picture of a kept project. */
const PIXEL = `data:image/png;base64,${Buffer.from('\x89PNG\r\n\x1a\n', 'latin1').toString('base64')}`;
/** What a worker uploads. */
const ESTIMATORS = [
  {
    name: 'depth',
    pages: [{ page_number: 1, name: 'Energy', data: { values: [1, 2], dimensions: [[0.5, 1.5]], unit: 'MeV' } }],
  },
];

const USUAL = Array.from({ length: 10 }, () => 'session' as const);

/** Whatever the storm has started is stopped, so that a runner finds only what is to be kept. */
async function cancelAll(session: HttpSession): Promise<void> {
  const query = 'page_size=100&job_state=UNKNOWN,PENDING,RUNNING,MERGING_QUEUED,MERGING_RUNNING';
  for (;;) {
    const { simulations } = await session.call<{ simulations: { job_id: string }[] }>(
      'GET',
      `/user/simulations?${query}`,
    );
    if (simulations.length === 0) return;
    for (const { job_id: jobId } of simulations) await session.call('DELETE', `/jobs/direct?job_id=${jobId}`);
  }
}

it('thousands of generated requests get no 500, no hang and no answer outside the document, and lose nothing', async () => {
  const [keeper, stormer] = [await suite.newUser(), await suite.newUser()];
  const kept = await submit(keeper, { project: exampleProject('proton-150mev-water', 500), ntasks: 3, seed: '5' });
  const own: string[] = [];
  while (own.length < 20)
    own.push(await submit(stormer, { project: exampleProject('proton-150mev-water', 10), ntasks: 2 }));
  const projects: string[] = [];
  const draft = { body: { project: { project: { title: 'Draft' } } } };
  for (const owner of [stormer, stormer, stormer, keeper])
    projects.push((await owner.request('POST', '/projects', draft)).project_id);
  const generated = fc.sample(await requests(own, kept, projects), { seed: SEED, numRuns: REQUEST_COUNT });
  const outcomes = await sendAll(generated, stormer);
  expect(outcomes.flatMap(({ fault }) => fault ?? [])).toEqual([]);
  expect(outcomes).toHaveLength(REQUEST_COUNT);
  const seen = new Set(outcomes.map(({ status }) => status));
  for (const status of [200, 202, 400, 401, 403, 404, 413]) expect(seen).toContain(status);

  await cancelAll(stormer);
  await suite.addCopy('direct-runner');
  expect((await ended(keeper, kept)).job_state).toBe('COMPLETED');
  expect((await results(keeper, kept)).primaries).toBe(500);
  expect(await keeper.request('GET', '/projects')).toMatchObject({
    projects_count: 1,
    projects: [{ title: 'Draft', revision: 1 }],
  });
}, 300_000);
