import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { jobs } from '@tally/contracts';
import { ServiceError } from '@tally/service-kit';
import { sendRaw } from '../../stand-ins/raw-http.js';
import { type GatewayUnderTest, startGatewayUnderTest } from '../../stand-ins/suite.js';

let gateway: GatewayUnderTest;
beforeAll(async () => {
  gateway = await startGatewayUnderTest();
});
afterEach(() => gateway.reset());
afterAll(() => gateway.stop());

const at = new Date('2026-01-02T03:04:05Z');
const job = (changes: Partial<jobs.Job>): jobs.Job =>
  jobs.Job.create({
    jobId: 'j',
    simulator: jobs.Simulator.SIMULATOR_SIM_A,
    platform: jobs.Platform.PLATFORM_DIRECT,
    inputType: jobs.InputType.INPUT_TYPE_EDITOR,
    state: jobs.State.STATE_RUNNING,
    startTime: at,
    taskCount: 1,
    ...changes,
  });

const { PLATFORM_DIRECT, PLATFORM_BATCH, PLATFORM_UNSPECIFIED } = jobs.Platform;
describe.each([
  ['/jobs/direct', PLATFORM_DIRECT],
  ['/jobs/batch', PLATFORM_BATCH],
  ['/jobs', PLATFORM_UNSPECIFIED],
])('GET %s', (path, platform) => {
  it('asks for the version alone, and for the job when that is another one, or none', async () => {
    let version = '7-1-19';
    gateway.jobs.answers.getVersions = async ({ queries }) => ({ versions: queries.map(() => version) });
    gateway.jobs.answers.getJob = async () => ({
      job: job({ tasks: [], waitingReason: version }),
      version,
      tasks: jobs.TaskColumns.create(),
    });
    const ask = async (headers = {}) => {
      const before = gateway.jobs.calls.length;
      const jobId = path;
      const reply = await gateway.send('GET', `${path}?job_id=${jobId}`, { cookie: gateway.ssoCookie, headers });
      const reason = reply.status === 200 ? reply.body.waiting_reason : undefined;
      return [reply.status, reason, ...gateway.jobs.calls.slice(before).map(({ rpc }) => rpc)];
    };
    expect(await ask()).toEqual([200, version, 'getJob']);
    expect(await ask()).toEqual([200, version, 'getVersions']);
    expect(await ask({ 'If-None-Match': '"v1-7-1-19"' })).toEqual([304, undefined, 'getVersions']);
    const asked = gateway.jobs.calls.findLast(({ rpc }) => rpc === 'getVersions')?.request;
    const value = { jobId: path, platform };
    expect(asked).toEqual({ queries: [{ userId: 7n, what: { $case: 'job', value } }] });
    version = '7-1-20';
    expect(await ask()).toEqual([200, version, 'getVersions', 'getJob']);
    version = '7-1-21';
    expect(await ask()).toEqual([200, version, 'getJob']); // it has just changed
    expect(await ask()).toEqual([200, version, 'getJob']);
    expect(await ask()).toEqual([200, version, 'getVersions']);
    gateway.jobs.answers.getVersions = async () => ({ versions: [''] });
    gateway.jobs.answers.getJob = async () => {
      throw new ServiceError('jobs', 'JOB_OF_ANOTHER_USER', 'PERMISSION_DENIED', 'of another user');
    };
    expect(await ask()).toEqual([403, undefined, 'getVersions', 'getJob']);
    gateway.jobs.answers.getVersions = async () => ({ versions: [] });
    expect(await ask()).toEqual([500, undefined, 'getVersions']);
  });

  it('asks jobs of the release before for the job itself, which leaves out the tasks of a known version', async () => {
    gateway.jobs.answers.getVersions = async () => {
      throw new ServiceError('kit', 'UNKNOWN_METHOD', 'UNIMPLEMENTED', 'unknown method');
    };
    const tasks = jobs.TaskColumns.create({ failures: {} });
    gateway.jobs.answers.getJob = async ({ knownVersion }) => {
      return { job: job({}), version: '8-1-1', tasks: knownVersion === '8-1-1' ? undefined : tasks };
    };
    const ask = () => gateway.send('GET', `${path}?job_id=before${path}`, { cookie: gateway.ssoCookie });
    const first = await ask();
    expect(first.status).toBe(200);
    const again = await ask();
    expect([again.status, again.text]).toEqual([200, first.text]);
    expect(gateway.jobs.calls.at(-1)?.request).toMatchObject({ knownVersion: '8-1-1' });
  });
});

describe('GET /user/simulations', () => {
  /** The last page that was asked about, by the version that is answered. */
  const answerPages = (versionNow: () => string) => {
    gateway.jobs.answers.getVersions = async ({ queries }) => ({ versions: queries.map(versionNow) });
    gateway.jobs.answers.listJobs = async () => {
      return { jobs: [job({ tasks: [], title: versionNow() })], jobCount: 7n, version: versionNow() };
    };
  };

  it('200: with a validator; 304: nobody reads or writes the page again for who has that version', async () => {
    let version = '7-a_B-c';
    answerPages(() => version);
    const list = async (headers = {}, query = 'page_size=7') => {
      const before = gateway.jobs.calls.length;
      const reply = await gateway.send('GET', `/user/simulations?${query}`, { headers });
      const title =
        reply.status === 200 ? (reply.body.simulations as { readonly title: string }[])[0]?.title : reply.text;
      const rpcs = gateway.jobs.calls.slice(before).map(({ rpc }) => rpc);
      return { answer: [reply.status, title, reply.headers.get('etag')], rpcs, reply };
    };
    const etag = '"v1-7-a_B-c"';
    const first = await list();
    expect(first).toMatchObject({ answer: [200, version, etag], rpcs: ['listJobs'] });
    expect(first.reply.headers.get('cache-control')).toBe('private, no-cache');
    expect(await list()).toMatchObject({
      answer: first.answer,
      rpcs: ['getVersions'],
      reply: { body: first.reply.body },
    });
    const known = { answer: [304, '', etag], rpcs: ['getVersions'] };
    expect(await list({ 'If-None-Match': etag })).toMatchObject(known);
    expect(await list({ 'If-None-Match': `W/"other", ${etag}` }, 'page_size=8')).toMatchObject(known);
    version = '8-a_B-c';
    const changed = { answer: [200, version, '"v1-8-a_B-c"'] };
    expect(await list({ 'If-None-Match': etag })).toMatchObject({ ...changed, rpcs: ['getVersions', 'listJobs'] });
    expect(await list()).toMatchObject({ ...changed, rpcs: ['listJobs'] });
    expect(await list()).toMatchObject({ ...changed, rpcs: ['getVersions'] });
  });

  it('200: pages without a version are not kept', async () => {
    gateway.jobs.answers.listJobs = async () => ({ jobs: [], jobCount: 7n });
    for (const _turn of [1, 2]) {
      const reply = await gateway.send('GET', '/user/simulations?page_idx=999');
      expect([reply.headers.get('etag'), reply.headers.get('cache-control')]).toEqual([null, 'no-store']);
      expect(gateway.jobs.calls.at(-1)?.rpc).toBe('listJobs');
    }
  });

  it("200: what is kept is not another user's, another page or one in another order or of other states", async () => {
    answerPages(() => 'x');
    const asked = async (query: string, cookie?: string) => {
      await gateway.send('GET', `/user/simulations${query}`, cookie === undefined ? {} : { cookie });
      return gateway.jobs.calls.at(-1)?.rpc;
    };
    const queries = ['?page_idx=50', '?page_idx=50&page_size=5', '?page_idx=50&order_by=end_time'];
    queries.push(
      '?page_idx=50&order_type=ascend',
      '?page_idx=50&job_state=FAILED',
      '?page_idx=50&job_state=FAILED,RUNNING',
    );
    for (const query of queries) expect([await asked(query), await asked(query)]).toEqual(['listJobs', 'getVersions']);
    expect(await asked('?page_idx=50', gateway.cookie({ sub: '8' }))).toBe('listJobs');
  });

  it('200: pages and jobs that are asked for together share a call', async () => {
    answerPages(() => 'x');
    gateway.jobs.answers.getJob = async () => ({ job: job({}), version: 'x', tasks: jobs.TaskColumns.create() });
    const paths = ['/user/simulations?page_size=9', '/user/simulations?page_size=10', '/jobs?job_id=together'];
    const head = `Host: x\r\nCookie: ${gateway.cookie()}\r\n`;
    const requests = paths
      .flatMap((path) => [path, path, path, path])
      .map((path) => `GET ${path} HTTP/1.1\r\n${head}\r\n`);
    const last = `GET / HTTP/1.1\r\n${head}Connection: close\r\n\r\n`;
    for (const path of paths) await gateway.send('GET', path);
    gateway.jobs.calls.length = 0;
    const answers = (await sendRaw(gateway.port, requests.join('') + last)).split('HTTP/1.1 ').slice(1);
    expect(answers.map((answer) => answer.slice(0, 3))).toEqual([...requests, last].map(() => '200'));
    const calls = gateway.jobs.calls.map(({ rpc, request }) => [
      rpc,
      (request as jobs.GetVersionsRequest).queries.length,
    ]);
    expect(calls.reduce((sum, [, count]) => sum + Number(count), 0)).toBe(requests.length);
    expect(calls.length).toBeLessThan(requests.length / 2);
  });
});
