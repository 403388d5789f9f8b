import { createHash, randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  type HttpSession,
  type MailServerUnderTest,
  readZip,
  runStatement,
  startMailServer,
  waitFor,
  workspaceRoot,
} from '@tally/testkit';
import { type BatchSuite, batchEnded, batchReached, startBatchSuite, submitBatch } from './fixtures/batch-fixture.js';
import { ended, exampleProject, reached, submit } from './fixtures/suite-fixture.js';

/** Where the examples of the OpenAPI document are kept; `pnpm docs:examples` sets the variable and writes them anew. */
const FILE = path.join(workspaceRoot(), 'services/gateway/src/http/openapi/examples.json');
const IS_WRITING = process.env.TALLY_WRITE_EXAMPLES === '1';

/** One key for all jobs: jobs hands out the keys of single jobs to clusters only. */
const SHARED_KEY = 'shared-update-key-of-this-deployment';

interface Example {
  readonly summary: string;
  readonly query?: Record<string, string>;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
  readonly status: number;
  readonly answer?: unknown;
}

const examples: Record<string, Example[]> = {};
let suite: BatchSuite;
let mailServer: MailServerUnderTest;
beforeAll(async () => {
  mailServer = await startMailServer();
  const authEnv = {
    AUTH_SMTP_HOST: '127.0.0.1',
    AUTH_SMTP_PORT: String(mailServer.port),
    AUTH_SMTP_SECURITY: 'none',
    AUTH_SMTP_FROM: 'tally@example.org',
    AUTH_PUBLIC_URL: 'https://tally.example.org',
  };
  suite = await startBatchSuite({
    authEnv,
    jobsEnv: { JOBS_UPDATE_KEY_SHARED: SHARED_KEY, JOBS_WEBHOOKS_ENABLED: 'true' },
    runners: 2,
  });
}, 300_000);
afterAll(async () => {
  await suite?.stop();
  await mailServer?.stop();
});

interface Request {
  readonly query?: Record<string, string>;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
  /** Shown instead of the body: a real one may be long or of no use to anybody else. */
  readonly shownBody?: unknown;
}

/** Sends a request and keeps it with its answer. */
async function keep(session: HttpSession, operation: string, summary: string, request: Request = {}) {
  const [method = '', target = ''] = operation.split(' ');
  const { query, headers, body, shownBody = body } = request;
  const search = query === undefined ? '' : `?${new URLSearchParams(query).toString()}`;
  const answer = await session.send(method, target + search, { body, headers });
  examples[operation] ??= [];
  examples[operation].push({
    summary,
    ...(query === undefined ? {} : { query }),
    ...(headers === undefined ? {} : { headers }),
    ...(shownBody === undefined || answer.status >= 300 ? {} : { body: shownBody }),
    status: answer.status,
    ...(answer.status === 304 ? {} : { answer: answer.body }),
  });
  return answer;
}

/** A project whose answers are short enough to be read: one detector of ten bins. */
function shortProject(primaries: number) {
  const project = exampleProject('proton-150mev-water', primaries) as unknown as {
    detectorManager: { detectors: { geometryData: { parameters: { zSegments: number } } }[] };
    scoringManager: { outputs: { quantities: object[] }[]; filters: object[] };
  };
  const [detector] = project.detectorManager.detectors;
  const [output] = project.scoringManager.outputs;
  if (detector === undefined || output === undefined) throw new Error('the example project has no detector');
  detector.geometryData.parameters.zSegments = 10;
  project.detectorManager.detectors = [detector];
  project.scoringManager.outputs = [{ ...output, quantities: output.quantities.slice(0, 1) }];
  project.scoringManager.filters = [];
  return project as unknown as ReturnType<typeof exampleProject>;
}

/** One template of the list, and none of its project's parts but one: they are as long as projects are. */
async function keepTemplates(anyone: HttpSession) {
  await keep(anyone, 'GET /templates', 'The first of them');
  const [list] = examples['GET /templates'] ?? [];
  const { templates = [] } = (list?.answer ?? {}) as { templates?: object[] };
  Object.assign(list?.answer ?? {}, { templates: templates.slice(0, 1) });
  await keep(anyone, 'GET /templates/template', 'A slab of bone', { query: { name: 'bone-slab' } });
  const [one] = examples['GET /templates/template'] ?? [];
  const { project: { beam } = {} } = (one?.answer ?? {}) as { project?: { beam?: object } };
  Object.assign(one?.answer ?? {}, { project: { beam } });
  await keep(anyone, 'GET /templates/template', 'No such template', { query: { name: 'nothing' } });
}

async function keepAccounts(user: HttpSession) {
  const credentials = { username: 'ada', password: 'correct horse battery' };
  await keep(user, 'PUT /auth/register', 'A new user', { body: credentials });
  await keep(user, 'PUT /auth/register', 'The name is taken', { body: credentials });
  await keep(user, 'POST /auth/login', 'Logged in', { body: credentials });
  await keep(suite.newSession(), 'POST /auth/login', 'Wrong password', { body: { ...credentials, password: 'guess' } });
  await keep(suite.newSession(), 'POST /auth/login', 'No password', { body: { username: 'ada' } });
  await keep(user, 'GET /auth/refresh', 'A new access token');
  await keep(user, 'GET /auth/status', 'A local user');
  await keep(suite.newSession(), 'GET /auth/status', 'Nobody is logged in');
  await keepTokens(user);
  await keep(user, 'POST /user/update', 'Another display name', { body: { display_name: 'Ada L.' } });
  await keepPasswordReset(user);
  await keepEmail(user);
  await keepSubscriptions(user);
}

async function keepSubscriptions(user: HttpSession) {
  const put = (summary: string, body: object) => keep(user, 'PUT /user/subscriptions', summary, { body });
  await put('Of all jobs', { scope: 'all', channels: ['mail'] });
  await put('Of a sweep', { scope: 'sweep', target: 'ranges-2026-11', channels: ['mail', 'webhooks'] });
  await put('No such job', { scope: 'job', target: 'unknown', channels: ['mail'] });
  await keep(user, 'GET /user/subscriptions', 'All jobs, and a sweep');
  await keepWebhooks(user);
}

/** Nobody answers at an address of documentation. */
async function keepWebhooks(user: HttpSession) {
  const url = 'https://hooks.example.org/tally';
  const { body } = await keep(user, 'POST /user/webhooks', 'Its secret is shown once', { body: { url } });
  Object.assign(examples['POST /user/webhooks']?.[0]?.answer ?? {}, { secret: 'whsec_…' });
  await keep(user, 'POST /user/webhooks', 'A private address', { body: { url: 'https://10.0.0.1/' } });
  await keep(user, 'GET /user/webhooks', 'One webhook');
  const ref = { webhook_id: String(body.webhook_id) };
  await keep(user, 'POST /user/webhooks/test', 'A test is on its way', { body: ref });
  await keep(user, 'DELETE /user/webhooks', 'Removed', { query: ref });
  await keep(user, 'DELETE /user/webhooks', 'It is gone', { query: ref });
}

/** By links as they are mailed. */
async function keepEmail(user: HttpSession) {
  const anyone = suite.newSession();
  const email = 'ada@example.org';
  await keep(user, 'PUT /user/email', 'A link is on its way', { body: { email } });
  await keep(user, 'PUT /user/email', 'No address', { body: { email: 'ada' } });
  const text = await waitFor(() => mailServer.mails.at(-1)?.part('text/plain')?.toString(), { what: 'the mail' });
  const body = { token: /#([\w-]{43})/.exec(text)?.[1] ?? '' };
  const request = { body, shownBody: { token: 'vGQ5…' } };
  await keep(anyone, 'POST /auth/email/confirm', 'The address is confirmed', request);
  await keep(anyone, 'POST /auth/email/confirm', 'A link that has been used', request);
  await keep(user, 'GET /user/email', 'A confirmed address');
  await keep(user, 'GET /user/removals', 'Nothing goes');
  await keep(anyone, 'POST /auth/password-reset', 'Whether or not there is such a user', { body: { username: 'ada' } });
}

/** By a link as `create-password-reset` of auth makes it. */
async function keepPasswordReset(user: HttpSession) {
  const body = { token: randomBytes(32).toString('base64url'), new_password: 'correct horse battery' };
  const hash = createHash('sha256').update(body.token).digest();
  await runStatement(
    suite.databases.auth,
    `INSERT INTO one_time_links SELECT $1, 'password_reset', id, now(), now() + interval '1 hour' FROM users WHERE username = 'ada'`,
    [hash],
  );
  const request = { body, shownBody: { ...body, token: 'vGQ5…' } };
  await keep(suite.newSession(), 'POST /auth/password-reset/confirm', 'The password is set', request);
  await keep(suite.newSession(), 'POST /auth/password-reset/confirm', 'A link that has been used', request);
  await user.send('POST', '/auth/login', { body: { username: 'ada', password: body.new_password } });
}

async function keepTokens(user: HttpSession) {
  const body = { name: 'laptop', scopes: ['read', 'submit'] };
  const { body: made } = await keep(user, 'POST /auth/tokens', 'For 90 days', { body });
  Object.assign(examples['POST /auth/tokens']?.[0]?.answer ?? {}, { token: 'tly_…' }); // not to look like a leaked one
  await keep(user, 'GET /auth/tokens', 'One token');
  await keep(user, 'DELETE /auth/tokens', 'Ended', { query: { token_id: String(made.token_id) } });
  await keep(user, 'DELETE /auth/tokens', 'It has ended', { query: { token_id: String(made.token_id) } });
  await keep(user, 'GET /auth/sessions', 'Where the user is logged in');
  await keep(user, 'DELETE /auth/sessions', 'One that has ended', { query: { session_id: String(made.token_id) } });
}

async function keepGroups(user: HttpSession) {
  await suite
    .newSession()
    .send('PUT', '/auth/register', { body: { username: 'otto', password: 'correct horse battery' } });
  const { body: made } = await keep(user, 'POST /groups', 'A new group', { body: { name: 'Beam line' } });
  const query = { group_id: String(made.group_id) };
  await keep(user, 'POST /groups', 'No name', { body: {} });
  await keep(user, 'GET /groups', 'One group');
  await keep(user, 'PUT /groups', 'Another name', { body: { ...query, name: 'Beam line 2' } });
  const added = { ...query, username: 'otto', role: 'viewer' };
  const { body: member } = await keep(user, 'POST /groups/members', 'A viewer', { body: added });
  await keep(user, 'POST /groups/members', 'Is one already', { body: added });
  await keep(user, 'POST /groups/members', 'No such user', { body: { ...added, username: 'nobody' } });
  await keep(user, 'GET /groups/members', 'Two members', { query });
  const user_id = Number(member.user_id);
  await keep(user, 'PUT /groups/members', 'May change things', { body: { ...query, user_id, role: 'member' } });
  await keep(user, 'DELETE /groups/members', 'Removed', { query: { ...query, user_id: String(user_id) } });
  await keep(user, 'DELETE /groups/members', 'The last manager stays', { query });
  await keep(user, 'DELETE /groups', 'Deleted', { query });
  await keep(user, 'DELETE /groups', 'It is gone', { query });
}

async function keepJobs(user: HttpSession, stranger: HttpSession) {
  const body = { sim_type: 'simA', input_type: 'editor', ntasks: 2, sim_data: shortProject(200), seed: 42 };
  const shownBody = { ...body, sim_data: { project: { title: 'as for POST /jobs/direct' } } };
  await keep(user, 'POST /estimate', 'Before anything has run', { body, shownBody });
  await keep(user, 'POST /estimate', 'A wrong number of tasks', { body: { ...body, ntasks: 201 } });
  const headers = { 'Idempotency-Key': 'e3b1f0c4' };
  const { body: accepted } = await keep(user, 'POST /jobs/direct', 'A project of the editor', { body, headers });
  await keep(user, 'POST /jobs/direct', 'A missing field', { body: { ...body, sim_type: undefined } });
  await keep(user, 'POST /jobs/direct', 'The key of another body', { body: { ...body, ntasks: 3 }, headers });
  const query = { job_id: String(accepted.job_id) };
  await ended(user, query.job_id);
  const long = { job_id: await submit(user, { project: exampleProject('proton-150mev-water', 2_000_000), ntasks: 2 }) };
  await keep(user, 'DELETE /user/simulations', 'It still runs', { query: long });
  await keep(user, 'DELETE /jobs/direct', 'Canceled', { query: long });
  await keep(user, 'DELETE /jobs/direct', 'Canceled before', { query: long });
  const early = {
    job_id: await submit(user, { project: exampleProject('proton-150mev-water', 100_000_000), ntasks: 1 }),
  };
  await reached(user, early.job_id, ({ job_tasks_status: [task] }) => (task?.simulated_primaries ?? 0) > 0);
  await keep(user, 'POST /jobs/direct/stop', 'Stopped', { query: early });
  await ended(user, early.job_id);
  await keep(user, 'POST /jobs/direct/stop', 'It had ended', { query: early });
  await keep(user, 'GET /jobs/direct', 'A job that was stopped', { query: early });
  const more = { primaries: 100, ntasks: 1 };
  await keep(user, 'POST /jobs/direct/extend', 'Further primaries', { body: { job_id: early.job_id, ...more } });
  await keep(user, 'POST /jobs/direct/extend', 'It was cancelled', { body: { job_id: long.job_id, ...more } });
  await ended(user, early.job_id);
  for (const target of ['/jobs/direct', '/jobs']) {
    await keep(user, `GET ${target}`, 'A job that has ended', { query });
    await keep(user, `GET ${target}`, 'No such job', { query: { job_id: 'unknown' } });
  }
  await keep(user, 'GET /results', 'Everything', { query });
  await keepCrate(user, query);
  await keep(user, 'GET /jobs/crate', 'No such job', { query: { job_id: 'unknown' } });
  await keep(user, 'GET /results/compare', 'A job with itself: nothing differs', {
    query: { ...query, with: query.job_id },
  });
  await keep(user, 'GET /results', 'No such estimator', { query: { ...query, estimator_name: 'nothing' } });
  for (const target of ['/estimators', '/inputs', '/logfiles']) {
    await keep(user, `GET ${target}`, 'A job that has ended', { query });
    await keep(stranger, `GET ${target}`, "Another user's job", { query });
  }
  await keepLabels(user, stranger, query);
  await keep(user, 'GET /usage', 'This month', { query: { format: 'json' } });
  await keep(user, 'GET /usage', 'No such group', { query: { group_id: 'unknown' } });
  const list = { page_size: '2', order_by: 'end_time', job_state: 'COMPLETED,CANCELED' };
  await keep(user, 'GET /user/simulations', 'The first two that ended', { query: list });
  await keep(user, 'DELETE /user/simulations', 'Deleted', { query });
}

async function keepLabels(user: HttpSession, stranger: HttpSession, query: { readonly job_id: string }) {
  const body = { ...query, revision: 0, title: 'Depth curve, reference', add_tags: ['qa'], favourite: true };
  await keep(user, 'PUT /jobs/labels', 'The first labels', { body });
  await keep(user, 'PUT /jobs/labels', 'They have changed', { body: { ...body, note: 'Too few primaries.' } });
  await keep(stranger, 'PUT /jobs/labels', "Another user's job", { body });
  await keep(user, 'PUT /user/searches', 'Kept', { body: { name: 'Reference', search: 'tag:qa is:favourite' } });
  await keep(user, 'PUT /user/searches', 'An unknown key', { body: { name: 'Red', search: 'colour:red' } });
  await keep(user, 'GET /user/searches', 'One search');
  await keep(user, 'GET /user/simulations', 'A search', { query: { search: 'tag:qa particle:proton' } });
  await keep(user, 'DELETE /user/searches', 'Forgotten', { query: { name: 'Reference' } });
}

async function keepShares(user: HttpSession, stranger: HttpSession) {
  const { body: kept } = await user.send('POST', '/projects', { body: { project: { project: { title: 'Shared' } } } });
  const query = { project_id: String(kept.project_id) };
  await keep(stranger, 'GET /shares/access', "Another user's project", { query });
  await keep(user, 'POST /shares', 'No such user', { body: { ...query, with: 'user', username: 'nobody' } });
  const withUser = { ...query, with: 'user', username: 'otto' };
  const { body: share } = await keep(user, 'POST /shares', 'With a user', { body: withUser });
  const expires_at = new Date(Date.now() + 7 * 24 * 60 * 60_000).toISOString();
  const { body: link } = await keep(user, 'POST /shares', 'By a link', {
    body: { ...query, with: 'link', expires_at },
  });
  const headers = { 'X-Share-Link': String(link.token) };
  const shown = { token: 'tlyshr_…', path: '/console/shared#tlyshr_…' }; // not to look like a leaked one
  Object.assign(examples['POST /shares']?.at(-1)?.answer ?? {}, shown);
  await keep(user, 'GET /shares', 'A user and a link', { query });
  await keep(user, 'GET /shares/access', 'Of its owner', { query });
  await keep(stranger, 'GET /shares/link', 'A project', { headers });
  Object.assign(examples['GET /shares/link']?.[0] ?? {}, { headers: { 'X-Share-Link': shown.token } });
  await keep(stranger, 'GET /shares/link', 'It has ended', { headers: { 'X-Share-Link': 'tlyshr_guess' } });
  const { body: group } = await user.send('POST', '/groups', { body: { name: 'Beam line' } });
  const gift = { ...query, group_id: String(group.group_id) };
  await keep(user, 'PUT /shares/group', 'Given to a group', { body: gift });
  await keep(stranger, 'PUT /shares/group', "Another user's project", { body: { ...gift, group_id: null } });
  await keep(user, 'DELETE /shares', 'Ended', { query: { share_id: String(share.share_id) } });
  await keep(user, 'DELETE /shares', 'It has ended', { query: { share_id: String(share.share_id) } });
  await user.send('DELETE', `/projects?project_id=${query.project_id}`);
  await user.send('DELETE', `/groups?group_id=${gift.group_id}`);
}

/** A picture of one pixel. */
const PIXEL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

async function keepProjects(user: HttpSession, stranger: HttpSession) {
  const project = { metadata: { version: '0.13' }, project: { title: 'Bone behind water' }, beam: { energy: 150 } };
  const headers = { 'Idempotency-Key': '5d1c9a60' };
  const first = { project, thumbnail: PIXEL };
  const { body: kept } = await keep(user, 'POST /projects', 'A draft', { body: first, headers });
  await keep(user, 'POST /projects', 'The key of another body', { body: { project: {} }, headers });
  await keep(user, 'POST /projects', 'No project', { body: { title: 'Bone' } });
  const query = { project_id: String(kept.project_id) };
  const next = { ...query, revision: 1, project: { ...project, beam: { energy: 120 } }, note: 'lower energy' };
  await keep(user, 'PUT /projects', 'The next revision', { body: next });
  await keep(user, 'PUT /projects', 'Somebody has saved meanwhile', { body: { ...next, project } });
  await keep(user, 'GET /projects', 'The first page', { query: { search: 'bone', order_by: 'title' } });
  await keep(user, 'GET /projects/project', 'As it is', { query });
  await keep(user, 'GET /projects/project', 'As it was', { query: { ...query, revision: '1' } });
  await keep(user, 'GET /projects/project', 'No such revision', { query: { ...query, revision: '3' } });
  await keep(stranger, 'GET /projects/project', "Another user's project", { query });
  const run = { sim_type: 'simA', input_type: 'editor', ntasks: 1, sim_data: shortProject(200) };
  const job_id = await submitted(user, { ...run, project: { ...query, revision: 2 } });
  await ended(user, job_id);
  await keep(user, 'GET /projects/revisions', 'Two revisions, one of them run', { query });
  await keep(user, 'DELETE /projects', 'Deleted', { query });
  await keep(user, 'DELETE /projects', 'It is gone', { query });
}

async function submitted(user: HttpSession, body: object): Promise<string> {
  const answer = await user.send('POST', '/jobs/direct', { body });
  expect(answer.status).toBe(202);
  return String(answer.body.job_id);
}

/** What external workers report: here on a job that the service's own workers are busy with. */
async function keepWorkers(user: HttpSession) {
  const project = exampleProject('proton-150mev-water', 2_000_000);
  const jobId = await submit(user, { project, ntasks: 2 });
  const job = { simulation_id: jobId, update_key: SHARED_KEY };
  const shown = { simulation_id: jobId, update_key: '…' };
  const worker = suite.newSession();
  const report = async (operation: string, summary: string, members: object, all = job, shownAll = shown) =>
    keep(worker, operation, summary, { body: { ...all, ...members }, shownBody: { ...shownAll, ...members } });
  const progress = { task_state: 'RUNNING', simulated_primaries: 1_000, estimated_time: 60, celery_id: 'attempt-1' };
  await report('POST /tasks', 'Progress', { task_id: 1, update_dict: progress });
  await report('POST /tasks', 'Another key', { task_id: 1, update_dict: {}, update_key: 'guess' });
  await report('POST /tasks', 'No such task', { task_id: 3, update_dict: {} });
  await report('POST /logfiles', 'Text of a task', { logfiles: { task_1: 'started\n' } });
  const data = { values: [1.5, 0.5], errors: [0.1, 0.05], dimensions: [[0.5, 1.5]], unit: 'MeV' };
  const estimators = [{ name: 'depth', pages: [{ page_number: 1, name: 'Energy', data }] }];
  const update = { update_key: SHARED_KEY, sim_id: jobId, job_state: 'MERGING_RUNNING' };
  await keep(worker, 'POST /jobs', 'Results come', { body: update, shownBody: { ...update, update_key: '…' } });
  await report('POST /results', 'Final results', { estimators });
  await keep(worker, 'POST /jobs', 'Ignored: the job has ended', {
    body: { ...update, job_state: 'FAILED' },
    shownBody: { ...update, job_state: 'FAILED', update_key: '…' },
  });
  const other = { ...job, simulation_id: await submit(user, { project, ntasks: 1 }) };
  const axis_dim1 = { values: [0.5, 1.5], name: 'Position (Z)', unit: 'cm' };
  const page = {
    data: { values: [1.5, 0.5], name: 'Energy', unit: 'MeV' },
    axis_dim1,
    metadata: { detector: 'Energy' },
  };
  const ofSender = { estimators: [{ name: 'depth', pages: [page] }] };
  const shownOther = { ...other, update_key: '…' };
  await report('POST /results', "Pages as the field's own sender makes them", ofSender, other, shownOther);
}

/** A zip, of which the example says what is in it. */
async function keepCrate(user: HttpSession, query: { readonly job_id: string }) {
  const response = await fetch(`${suite.gatewayUrl}/jobs/crate?job_id=${query.job_id}`, { headers: cookieOf(user) });
  const isZip =
    Buffer.from(await response.arrayBuffer())
      .subarray(0, 2)
      .toString() === 'PK';
  const answer = isZip ? '(a zip: submission.json, inputs/, deck/, results/, ro-crate-metadata.json)' : '(no zip)';
  examples['GET /jobs/crate'] = [{ summary: 'A job that has ended', query, status: response.status, answer }];
}

/** The same of a class. */
async function keepClassArchive(operator: HttpSession, query: { readonly class_id: string }) {
  const path = `/admin/classes/export?class_id=${query.class_id}`;
  const response = await fetch(`${suite.gatewayUrl}${path}`, { headers: cookieOf(operator) });
  const names = [...readZip(Buffer.from(await response.arrayBuffer())).keys()];
  const answer = `(a zip: ${names.join(', ')})`;
  examples['GET /admin/classes/export'] = [
    { summary: 'Two students without work', query, status: response.status, answer },
  ];
}

const cookieOf = (user: HttpSession) => ({
  cookie: user.cookieHeader,
});

/** The first event of the stream, which never ends. */
async function keepEvents(user: HttpSession) {
  const response = await fetch(`${suite.gatewayUrl}/jobs/events`, { headers: cookieOf(user) });
  let answer = '';
  for await (const chunk of response.body ?? []) {
    answer = Buffer.from(chunk as Uint8Array).toString('utf8');
    break;
  }
  examples['GET /jobs/events'] = [{ summary: 'The beginning of a stream', status: response.status, answer }];
}

async function keepSingleSignOn(user: HttpSession, local: HttpSession) {
  const shownBody = { sso_token: 'eyJhbGciOi…' };
  await keep(user, 'POST /auth/sso', 'Logged in', { body: { sso_token: await suite.ssoToken() }, shownBody });
  await keep(user, 'GET /auth/sso', 'Where users sign in');
  const { codeVerifier: code_verifier, redirectUri: redirect_uri, ...returned } = await suite.ssoCode();
  const shownCode = {
    code: 'SplxlOBeZQQYbYS6WxSbIA',
    code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
    redirect_uri: 'https://tally.example.org/console/sso',
    nonce: 'n-0S6_WzA2Mj-0S6_WzA2Mj',
  };
  const body = { ...returned, code_verifier, redirect_uri };
  await keep(user, 'POST /auth/sso/code', 'Logged in', { body, shownBody: shownCode });
  await keep(user, 'POST /auth/sso/code', 'A code that is not of the realm', { body: shownCode });
  await keep(user, 'POST /auth/sso', 'A token that is not one', { body: { sso_token: 'guess' } });
  await keepBatchJobs(user, local);
  await keep(user, 'GET /clusters', 'Clusters of this deployment');
  await keep(user, 'DELETE /auth/sso', 'Logged out');
}

async function keepBatchJobs(user: HttpSession, local: HttpSession) {
  const batch_options = { cluster_name: 'north', scheduler_options: { time: '1:00:00', partition: 'batch' } };
  const body = { sim_type: 'simA', input_type: 'editor', ntasks: 2, sim_data: shortProject(200), batch_options };
  const { body: accepted } = await keep(user, 'POST /jobs/batch', 'A project of the editor', { body });
  const elsewhere = { ...body, batch_options: { ...batch_options, cluster_name: 'south' } };
  await keep(user, 'POST /jobs/batch', 'No such cluster', { body: elsewhere });
  await keep(local, 'POST /jobs/batch', 'Not a user of single sign-on', { body });
  const query = { job_id: String(accepted.job_id) };
  await batchEnded(user, query.job_id);
  await keep(user, 'GET /jobs/batch', 'A job that has ended', { query });
  const more = { ...query, primaries: 100, ntasks: 1 };
  await keep(user, 'POST /jobs/batch/extend', 'Further primaries', { body: more });
  await keep(user, 'POST /jobs/batch/extend', 'No such job', { body: { ...more, job_id: 'unknown' } });
  await batchEnded(user, query.job_id);
  await keep(user, 'GET /jobs/batch', 'No such job', { query: { job_id: 'unknown' } });
  const project = exampleProject('proton-150mev-water', 2_000_000);
  const long = { job_id: await submitBatch(user, { project, ntasks: 2 }) };
  await batchReached(user, long.job_id, ({ job_tasks_status: [task] }) => task?.task_state === 'RUNNING');
  await keep(user, 'POST /jobs/batch/stop', 'No such job', { query: { job_id: 'unknown' } });
  await keep(user, 'DELETE /jobs/batch', 'Canceled', { query: long });
  await keep(user, 'POST /jobs/batch/stop', 'It had ended', { query: long });
  await keep(user, 'DELETE /jobs/batch', 'No such job', { query: { job_id: 'unknown' } });
}

/** What an operator does with a job of a user, with the user, and with the deployment. */
async function keepAdmin(operator: HttpSession, user: HttpSession) {
  const project = exampleProject('proton-150mev-water', 20_000_000);
  const job_id = await submit(user, { project, ntasks: 1 });
  await reached(user, job_id, ({ job_tasks_status: [task] }) => task?.task_state === 'RUNNING');
  await keep(operator, 'GET /admin/jobs', 'One job', { query: { job_id } });
  await keep(operator, 'GET /admin/jobs', 'Nobody has this name', { query: { user: 'nobody', job_state: 'open' } });
  await keep(user, 'GET /admin/jobs', 'No operator', { query: { job_id } });
  await keep(operator, 'GET /admin/load', 'By user', { query: { by: 'user' } });
  const reason = 'asked for by phone';
  await keep(operator, 'POST /admin/jobs/fail', 'With a reason for its owner', { body: { job_id, reason } });
  await keep(operator, 'POST /admin/jobs/retry', 'Its task runs again', { body: { job_id, reason } });
  await keep(operator, 'POST /admin/jobs/cancel', 'Canceled', { body: { job_id, reason } });
  await keep(operator, 'POST /admin/jobs/cancel', 'No such job', { body: { job_id: 'unknown', reason } });
  await keep(operator, 'POST /admin/jobs/retry', 'It is not FAILED', { body: { job_id, reason } });
  const done = await submit(user, { project: exampleProject('proton-150mev-water', 100), ntasks: 1 });
  await ended(user, done);
  await keep(operator, 'POST /admin/jobs/merge', 'Merged again', { body: { job_id: done, reason } });
  await keep(operator, 'POST /admin/jobs/merge', 'No such job', { body: { job_id: 'unknown', reason } });
  const { body } = await keep(operator, 'GET /admin/runners', 'Two runners');
  const [runner] = body.runners as { runner_id: string }[];
  for (const draining of [true, false]) {
    const drain = { runner_id: runner?.runner_id, draining, reason };
    await keep(operator, 'POST /admin/runners/drain', draining ? 'Drained' : 'It takes tasks again', { body: drain });
  }
  const pause = { platform: 'direct', sentence: 'Maintenance until 14:00', reason };
  await keep(operator, 'PUT /admin/pauses', 'Paused', { body: pause });
  await keep(operator, 'GET /admin/pauses', 'One platform');
  const refused = { sim_type: 'simA', input_type: 'editor', ntasks: 1, sim_data: shortProject(10) };
  await keep(user, 'POST /jobs/direct', 'Submissions are paused', { body: refused });
  await keep(operator, 'PUT /admin/pauses', 'Taken again', { body: { ...pause, sentence: null } });
  const { body: found } = await keep(operator, 'GET /admin/users', 'A part of a name', { query: { search: 'user-' } });
  const [{ user_id } = { user_id: 0 }] = found.users as { user_id: number }[];
  await keep(operator, 'POST /admin/users/end-sessions', 'They end', { body: { user_id, reason } });
  await keep(operator, 'POST /admin/users/block', 'Blocked', { body: { user_id, blocked: true, reason } });
  await keep(operator, 'POST /admin/users/block', 'No such user', {
    body: { user_id: 999_999, blocked: true, reason },
  });
  const quota = { user_id, processor_seconds_month: 360_000, running_tasks: 8, reason };
  await keep(operator, 'PUT /admin/quotas', 'A hundred hours a month', { body: quota });
  await keep(operator, 'PUT /admin/quotas', 'Groups have none on bytes', {
    body: { group_id: 'any', stored_bytes: 1, reason },
  });
  await keep(operator, 'GET /admin/quotas', 'Of one user');
  await keep(operator, 'GET /admin/usage', 'This month', { query: { format: 'json' } });
  await keep(operator, 'GET /admin/usage', 'No month', { query: { from: '2026' } });
  await keep(operator, 'POST /admin/users/reset', 'A link', { body: { user_id, reason } });
  Object.assign(examples['POST /admin/users/reset']?.[0]?.answer ?? {}, {
    link: 'https://tally.example.org/console/password#…',
  });
  const [, other] = found.users as { user_id: number }[];
  await keep(operator, 'POST /admin/users/delete', 'No such new owner', {
    body: { user_id, new_owner_id: 999_999, reason },
  });
  if (other !== undefined)
    await keep(operator, 'POST /admin/users/delete', 'Given to another user', {
      body: { user_id, new_owner_id: other.user_id, reason },
    });
  await keep(operator, 'POST /admin/users/delete', 'Deleted', { body: { user_id, reason } });
  const rules = [{ data: 'logs', state: 'any', after_days: 90 }];
  await keep(operator, 'GET /admin/retention', 'What rules would remove', {
    query: { rules: 'logs:any:90,jobs:FAILED:30' },
  });
  await keep(operator, 'GET /admin/retention', 'No rule', { query: { rules: 'inputs:any:90' } });
  await keep(operator, 'PUT /admin/retention', 'Set', { body: { rules, reason } });
  await keep(operator, 'PUT /admin/retention', 'None any more', { body: { rules: [], reason } });
  const course = { name: 'Dosimetry 2026', usernames: ['student-1', 'student-2'], at_end: 'delete', reason };
  const ends_at = new Date(Date.now() + 30 * 86_400_000).toISOString();
  await keep(operator, 'POST /admin/classes', 'Two students', { body: { ...course, ends_at } });
  const { invitations = [] } = (examples['POST /admin/classes']?.[0]?.answer ?? {}) as {
    invitations?: { link: string }[];
  };
  for (const made of invitations) {
    made.link = 'https://tally.example.org/console/password#…';
  }
  await keep(operator, 'POST /admin/classes', 'Names are taken', { body: { ...course, ends_at } });
  const { class: made } = (examples['POST /admin/classes']?.[0]?.answer ?? {}) as { class?: { class_id: string } };
  const class_id = made?.class_id ?? '';
  await keep(operator, 'PUT /admin/classes/quota', 'Ten hours a month, two tasks at a time', {
    body: { class_id, processor_seconds_month: 36_000, running_tasks: 2, reason },
  });
  await keep(operator, 'PUT /admin/classes/quota', 'No such class', { body: { class_id: 'unknown', reason } });
  await keep(operator, 'POST /admin/classes/invitations', 'Of all who have not joined', { body: { class_id, reason } });
  const again = (examples['POST /admin/classes/invitations']?.[0]?.answer ?? {}) as {
    invitations?: { link: string }[];
  };
  for (const link of again.invitations ?? []) link.link = 'https://tally.example.org/console/password#…';
  await keep(operator, 'GET /admin/classes', 'One class');
  await keepClassArchive(operator, { class_id });
  await keep(operator, 'POST /admin/classes/end', 'Deleted with all work', {
    body: { class_id, accounts: 'delete', reason },
  });
  await keep(operator, 'POST /admin/classes/invitations', 'It has ended', { body: { class_id, reason } });
  await keep(operator, 'GET /admin/audit', 'The last change', { query: { page_size: '1' } });
}

/** What an answer is made of, without what changes from run to run. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf);
  if (typeof value !== 'object' || value === null) return typeof value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, shapeOf(member)]));
}

/** In whichever order they were kept. */
const shapes = (all: Record<string, Example[]>) =>
  Object.entries(all)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([operation, kept]) => ({
      operation,
      answers: kept.map(({ summary, status, answer }) => ({ summary, status, answer: shapeOf(answer) })),
    }));

it('the examples of the OpenAPI document are what the suite answers', async () => {
  const anyone = suite.newSession();
  for (const target of ['/', '/livez', '/readyz', '/limits', '/simulators']) await keep(anyone, `GET ${target}`, 'Now');
  await keepTemplates(anyone);
  const ada = suite.newSession();
  await keepAccounts(ada);
  await keepGroups(ada);
  const stranger = await suite.newUser();
  await keepJobs(ada, stranger);
  await keepProjects(ada, stranger);
  await keepShares(ada, stranger);
  await keepWorkers(ada);
  await keepEvents(ada);
  await keepSingleSignOn(suite.newSession(), ada);
  await keepAdmin(await suite.newOperator(), ada);
  await keep(ada, 'DELETE /auth/logout', 'Logged out');
  if (IS_WRITING) writeFileSync(FILE, `${JSON.stringify(examples, null, 2)}\n`);
  const known = JSON.parse(readFileSync(FILE, 'utf8')) as Record<string, Example[]>;
  expect(shapes(examples)).toEqual(shapes(known));
}, 300_000);
