import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { auth, jobs, results } from '@tally/contracts';
import { ServiceError, type StatusName } from '@tally/service-kit';
import { waitFor } from '@tally/testkit';
import { type GatewayUnderTest, startGatewayUnderTest } from '../../stand-ins/suite.js';

let gateway: GatewayUnderTest;
let open: GatewayUnderTest;
beforeAll(async () => {
  gateway = await startGatewayUnderTest({ endedSessionsRefreshMs: 100 });
  open = await startGatewayUnderTest({ shareLinksWithoutAccount: true, trustedProxies: ['127.0.0.1'] });
});
afterEach(() => {
  gateway.reset();
  open.reset();
});
afterAll(async () => {
  await gateway.stop();
  await open.stop();
});

/** The session's user, and whose the job is. */
const [READER, OWNER] = [7n, 9n];
const TOKEN = `tlyshr_${'A'.repeat(43)}`;
const { ACCESS_ACTION_READ: READ, ACCESS_ACTION_CHANGE: CHANGE } = jobs.AccessAction;
const otto = { userId: 9n, username: 'otto', provider: auth.AuthProvider.AUTH_PROVIDER_LOCAL, displayName: '' };
/** A job of a list. */
const SHOWN = {
  jobId: 'j',
  title: 'T',
  state: jobs.State.STATE_COMPLETED,
  simulator: jobs.Simulator.SIMULATOR_SIM_A,
  inputType: jobs.InputType.INPUT_TYPE_EDITOR,
  platform: jobs.Platform.PLATFORM_DIRECT,
  taskCount: 1,
  startTime: new Date(0),
};
/** A project of a list. */
const PROJECT = {
  projectId: 'p',
  title: 'T',
  revision: 1,
  createTime: new Date(0),
  updateTime: new Date(0),
  thumbnail: '',
  sizeBytes: 2n,
};

const refuse = (domain: string, reason: string, status: StatusName) =>
  new ServiceError(domain, reason, status, 'refused', {});
const foreign = (domain = 'jobs') => refuse(domain, 'JOB_OF_ANOTHER_USER', 'PERMISSION_DENIED');
const callsOf = (rpc: string, { jobs: ofJobs, results: ofResults } = gateway) =>
  [...ofJobs.calls, ...ofResults.calls].filter((call) => call.rpc === rpc);
const actingIn = (rpc: string, of = gateway) => callsOf(rpc, of).map(({ context }) => context?.userId);

/** Everything is the owner's, who lets others do this. */
function share(actions: readonly jobs.AccessAction[], { jobs: ofJobs, results: ofResults } = gateway) {
  const own = (domain: string) => {
    const call = [...ofJobs.calls, ...ofResults.calls].at(-1);
    if (call?.context?.userId !== OWNER) throw foreign(domain);
  };
  ofJobs.answers.cancelJob = async () => {
    own('jobs');
    return { state: jobs.State.STATE_CANCELED };
  };
  ofResults.answers.listEstimators = async () => {
    own('results');
    const header = { version: 'v', primaries: 1n, taskCount: 1, isPartial: false, engine: 'e', warnings: [] };
    return { header: results.ResultsHeader.fromPartial(header), estimators: [] };
  };
  ofJobs.answers.getAccess = async ({ action }) => {
    if (actions.length === 0) throw foreign();
    if (!actions.includes(action)) throw refuse('jobs', 'ACCESS_INSUFFICIENT', 'PERMISSION_DENIED');
    return { ownerId: OWNER, actions: [...actions], groupId: '' };
  };
}

describe('a route about a job', () => {
  it('asks nobody about the access of an owner', async () => {
    gateway.jobs.answers.cancelJob = async () => ({ state: jobs.State.STATE_CANCELED });
    expect((await gateway.send('DELETE', '/jobs/direct?job_id=j')).status).toBe(200);
    expect(gateway.jobs.calls.map(({ rpc }) => rpc)).toEqual(['cancelJob']);
  });

  it('answers in the name of the owner when jobs allows it, and tells services who reads', async () => {
    share([READ, CHANGE]);
    expect((await gateway.send('DELETE', '/jobs/direct?job_id=j')).status).toBe(200);
    expect((await gateway.send('GET', '/estimators?job_id=j')).status).toBe(200);
    expect(actingIn('cancelJob')).toEqual([READER, OWNER]);
    expect(actingIn('listEstimators')).toEqual([READER, OWNER]);
    expect(actingIn('getAccess')).toEqual([READER, READER]);
    expect(callsOf('getAccess').map(({ request }) => request)).toEqual([
      { resource: { kind: jobs.ResourceKind.RESOURCE_KIND_JOB, id: 'j' }, action: CHANGE, linkToken: '' },
      { resource: { kind: jobs.ResourceKind.RESOURCE_KIND_JOB, id: 'j' }, action: READ, linkToken: '' },
    ]);
    expect(callsOf('listEstimators')[1]?.context).toMatchObject({ readerId: READER });
    expect(callsOf('listEstimators')[1]?.context?.userGroups).toBeUndefined();
  });

  it('stays shut without access, and for what access does not allow', async () => {
    share([]);
    const shut = await gateway.send('GET', '/estimators?job_id=j');
    expect([shut.status, shut.body.code]).toEqual([403, 'JOB_OF_ANOTHER_USER']);
    share([READ]);
    const readOnly = await gateway.send('DELETE', '/jobs/direct?job_id=j');
    expect([readOnly.status, readOnly.body.code]).toEqual([403, 'ACCESS_INSUFFICIENT']);
    expect(actingIn('cancelJob')).toEqual([READER]);
  });

  it('answers as before where jobs is of a release without shares', async () => {
    share([READ]);
    for (const each of [gateway, open]) {
      each.jobs.answers.getAccess = async () => {
        throw new ServiceError('kit', 'REMOTE', 'UNIMPLEMENTED', 'unknown', {});
      };
    }
    const reply = await gateway.send('GET', '/estimators?job_id=j');
    expect([reply.status, reply.body.code]).toEqual([403, 'JOB_OF_ANOTHER_USER']);
    gateway.results.answers.listEstimators = async () => {
      throw refuse('results', 'JOB_NOT_FOUND', 'NOT_FOUND');
    };
    expect((await gateway.send('GET', '/estimators?job_id=j')).status).toBe(404);
    const headers = { 'X-Share-Link': TOKEN };
    expect((await open.send('GET', '/estimators?job_id=j', { cookie: '', headers })).status).toBe(404);
  });

  it('remembers nothing: what was allowed a moment ago is asked again', async () => {
    share([READ]);
    expect((await gateway.send('GET', '/estimators?job_id=j')).status).toBe(200);
    share([]);
    expect((await gateway.send('GET', '/estimators?job_id=j')).status).toBe(403);
  });
});

describe('GET /results/compare', () => {
  it('asks for both jobs, and names both owners', async () => {
    gateway.jobs.answers.getAccess = async ({ resource }) => {
      if (resource?.id === 'secret') throw foreign();
      return { ownerId: resource?.id === 'mine' ? READER : OWNER, actions: [READ], groupId: '' };
    };
    gateway.results.answers.compareResults = async function* ({ withOwnerId }) {
      if (withOwnerId === undefined) throw foreign('results');
      yield { part: { $case: 'header', value: { version: 'v' } } };
      yield { part: { $case: 'chunk', value: Buffer.from('[]') } };
    };
    const reply = await gateway.send('GET', '/results/compare?job_id=mine&with=theirs');
    expect(reply.status).toBe(200);
    expect(callsOf('compareResults').at(-1)).toMatchObject({
      request: { jobId: 'mine', withJobId: 'theirs', withOwnerId: OWNER },
      context: { userId: READER },
    });
    for (const query of ['job_id=theirs&with=secret', 'job_id=secret&with=theirs']) {
      gateway.results.calls.length = 0;
      expect((await gateway.send('GET', `/results/compare?${query}`)).status).toBe(403);
      expect(callsOf('compareResults')).toHaveLength(1);
    }
  });
});

describe('a share link', () => {
  const link = (token = TOKEN) => ({ headers: { 'X-Share-Link': token } });

  it('opens nothing to who is not signed in, unless the deployment allows it', async () => {
    share([READ]);
    const shut = await gateway.send('GET', '/estimators?job_id=j', { cookie: '', ...link() });
    expect([shut.status, shut.body.code]).toEqual([401, 'TOKEN_MISSING']);
    expect(gateway.jobs.calls).toEqual([]);
    share([READ], open);
    expect((await open.send('GET', '/estimators?job_id=j', { cookie: '', ...link() })).status).toBe(200);
    expect(actingIn('getAccess', open)).toEqual([undefined]);
    expect(actingIn('listEstimators', open)).toEqual([OWNER]);
    expect(callsOf('getAccess', open)[0]?.request).toMatchObject({ linkToken: TOKEN });
    const stale = { cookie: 'access_token=stale', ...link() };
    expect((await open.send('GET', '/estimators?job_id=j', stale)).status).toBe(200);
  });

  it('opens reading only, no stream, and nothing that names no job or project', async () => {
    share([READ, CHANGE], open);
    for (const [method, path] of [
      ['DELETE', '/jobs/direct?job_id=j'],
      ['GET', '/jobs/events?job_id=j'],
      ['GET', '/user/simulations'],
      ['GET', '/shares?job_id=j'],
      ['GET', '/groups'],
    ] as const) {
      const answer = await open.send(method, path, { cookie: '', ...link() });
      expect({ path, status: answer.status, code: answer.body.code }).toEqual({
        path,
        status: 401,
        code: 'TOKEN_MISSING',
      });
    }
  });

  it('is shown to jobs with a session, too, and never in a query or answer', async () => {
    share([READ]);
    expect((await gateway.send('GET', '/estimators?job_id=j', link())).status).toBe(200);
    expect(callsOf('getAccess')[0]?.request).toMatchObject({ linkToken: TOKEN });
  });

  it('is turned away for a minute where an address has shown too many that open nothing', async () => {
    open.jobs.answers.getShareLink = async () => {
      throw refuse('jobs', 'SHARE_LINK_INVALID', 'NOT_FOUND');
    };
    const from = (address: string) =>
      open.send('GET', '/shares/link', { headers: { 'X-Share-Link': TOKEN, 'X-Forwarded-For': address } });
    for (let i = 0; i < 30; i++) expect((await from('192.0.2.1')).body.code).toBe('SHARE_LINK_INVALID');
    const asked = callsOf('getShareLink', open).length;
    const refused = await from('192.0.2.1');
    expect([refused.status, refused.body.code]).toEqual([429, 'SHARE_LINKS_THROTTLED']);
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    expect(callsOf('getShareLink', open)).toHaveLength(asked);
    expect((await from('192.0.2.2')).status).toBe(404);
    share([READ], open);
    const other = await open.send('GET', '/estimators?job_id=j', {
      headers: { 'X-Share-Link': TOKEN, 'X-Forwarded-For': '192.0.2.1' },
    });
    expect(other.status).toBe(429);
  });
});

describe('GET /jobs/events of one job', () => {
  it("tells the owner's events of this job alone, and ends when access is taken back, within 5 s", async () => {
    let isAllowed = true;
    gateway.jobs.answers.getAccess = async () => {
      if (!isAllowed) throw foreign();
      return { ownerId: OWNER, actions: [READ], groupId: '' };
    };
    gateway.jobs.answers.watchJobEvents = async function* () {
      yield { part: { $case: 'opened', value: { position: 1n, isResumed: false } } };
      for (const [id, jobId] of [
        [2n, 'other'],
        [3n, 'j'],
      ] as const) {
        yield { part: { $case: 'event', value: { id, jobId, change: { $case: 'deleted', value: {} } } } };
      }
      await new Promise(() => {});
    };
    const response = await fetch(`${gateway.url}/jobs/events?job_id=j`, { headers: { Cookie: gateway.cookie() } });
    expect(response.status).toBe(200);
    let text = '';
    let isEnded = false;
    const reading = (async () => {
      for await (const piece of response.body ?? []) text += Buffer.from(piece as Uint8Array).toString('utf8');
      isEnded = true;
    })();
    await waitFor(() => text.includes('"job_id":"j"'), { what: 'the event' });
    expect(text).not.toContain('other');
    expect(actingIn('watchJobEvents')).toEqual([OWNER]);
    isAllowed = false;
    const startedAt = performance.now();
    await waitFor(() => isEnded, { what: 'the end of the stream', timeoutMs: 5_000 });
    expect(performance.now() - startedAt).toBeLessThan(5_000);
    await reading;
    expect((await gateway.send('GET', '/jobs/events?job_id=j')).status).toBe(403);
  });
});

describe('the routes of shares', () => {
  const createTime = new Date('2026-01-01T00:00:00Z');

  it('share with a user by name, with a group, or by a link', async () => {
    gateway.jobs.answers.listShares = async () => ({ shares: [], groupId: '' });
    gateway.auth.answers.getUserByName = async () => ({ user: otto });
    gateway.auth.answers.listNames = async () => ({ users: [otto], groups: [{ groupId: 'g1', name: 'Clinic' }] });
    gateway.jobs.answers.createShare = async ({ subject, expireTime }) => ({
      share: { shareId: 's', subject, createTime, expireTime },
      linkToken: subject?.$case === 'link' ? TOKEN : '',
    });
    const make = async (json: object) =>
      (await gateway.send('POST', '/shares', { json: { job_id: 'j', ...json } })).body;
    expect(await make({ with: 'user', username: 'otto' })).toMatchObject({
      with: 'user',
      user: { user_id: 9, username: 'otto' },
      expires_at: null,
    });
    expect(await make({ with: 'group', group_id: 'g1' })).toMatchObject({ group: { group_id: 'g1', name: 'Clinic' } });
    const expires_at = '2026-02-01T00:00:00.000Z';
    expect(await make({ with: 'link', expires_at })).toMatchObject({
      token: TOKEN,
      path: `/console/shared#${TOKEN}`,
      expires_at,
    });
    for (const json of [
      {},
      { with: 'user' },
      { with: 'group' },
      { with: 'link' },
      { with: 'all' },
      { with: 'link', expires_at: 'soon' },
      { with: 'group', group_id: 'g1', project_id: 'p' },
    ]) {
      expect({ json, body: await make(json) }).toMatchObject({ body: { code: 'REQUEST_INVALID' } });
    }
  });

  it('look up no name for who does not own the job', async () => {
    gateway.jobs.answers.listShares = async () => {
      throw foreign();
    };
    share([READ]);
    const json = { job_id: 'j', with: 'user', username: 'otto' };
    expect((await gateway.send('POST', '/shares', { json })).body.code).toBe('ACCESS_INSUFFICIENT');
    expect(gateway.auth.calls.some(({ rpc }) => rpc === 'getUserByName')).toBe(false);
  });

  it('list, end and give to a group', async () => {
    gateway.auth.answers.listNames = async () => ({ users: [], groups: [{ groupId: 'g1', name: 'Clinic' }] });
    gateway.jobs.answers.listShares = async () => ({
      shares: [
        { shareId: 'a', subject: { $case: 'userId', value: 9n }, createTime },
        { shareId: 'b', subject: { $case: 'link', value: true }, createTime, expireTime: createTime },
      ],
      groupId: 'g1',
    });
    expect((await gateway.send('GET', '/shares?project_id=p')).body).toMatchObject({
      group: { group_id: 'g1', name: 'Clinic' },
      shares: [
        { with: 'user', user: { username: '—' } },
        { with: 'link', expires_at: '2026-01-01T00:00:00.000Z' },
      ],
    });
    gateway.jobs.answers.deleteShare = async () => ({});
    expect((await gateway.send('DELETE', '/shares?share_id=a')).status).toBe(200);
    gateway.jobs.answers.updateResourceGroup = async () => ({});
    for (const group_id of ['g1', null]) {
      expect((await gateway.send('PUT', '/shares/group', { json: { job_id: 'j', group_id } })).status).toBe(200);
    }
    expect(callsOf('updateResourceGroup').map(({ request }) => (request as { groupId: string }).groupId)).toEqual([
      'g1',
      '',
    ]);
  });

  it('say what the user may do, and whose it is; a guest learns no name', async () => {
    const actions = [READ, CHANGE];
    for (const each of [gateway, open]) {
      each.jobs.answers.getAccess = async () => ({ ownerId: OWNER, actions, groupId: '' });
      each.auth.answers.listNames = async () => ({ users: [otto], groups: [] });
    }
    expect((await gateway.send('GET', '/shares/access?job_id=j')).body).toMatchObject({
      is_owner: false,
      owner: { username: 'otto' },
      actions: ['read', 'change'],
    });
    const guest = await open.send('GET', '/shares/access?job_id=j', { cookie: '', headers: { 'X-Share-Link': TOKEN } });
    expect(guest.body).toMatchObject({ is_owner: false, owner: null, group: null });
    expect(open.auth.calls.some(({ rpc }) => rpc === 'listNames')).toBe(false);
  });
});

describe('lists of what is not only the own', () => {
  it('name owners and groups', async () => {
    gateway.jobs.answers.listSharedProjects = async () => ({
      projects: [
        {
          project: PROJECT,
          ownerId: 9n,
          groupId: 'g1',
          actions: [READ, CHANGE],
        },
      ],
      projectCount: 1n,
    });
    gateway.auth.answers.listNames = async () => ({
      users: [{ userId: 9n, username: 'otto', provider: auth.AuthProvider.AUTH_PROVIDER_LOCAL, displayName: '' }],
      groups: [{ groupId: 'g1', name: 'Clinic' }],
    });
    expect((await gateway.send('GET', '/projects?view=group&group_id=g1')).body).toMatchObject({
      projects: [
        { project_id: 'p', owner: { username: 'otto' }, group: { name: 'Clinic' }, actions: ['read', 'change'] },
      ],
      projects_count: 1,
    });
    gateway.jobs.answers.listSharedJobs = async () => ({ jobs: [], jobCount: 0n });
    expect((await gateway.send('GET', '/user/simulations?view=shared')).body).toMatchObject({
      simulations: [],
      simulations_count: 0,
    });
    expect((await gateway.send('GET', '/user/simulations?view=all')).status).toBe(400);
  });

  it('pass the search on, and are not sent again to who has them; the tag tells nothing that the list does not', async () => {
    const labels = { revision: 1, tags: ['qa'], note: '', hasNote: false, isFavourite: false, isArchived: false };
    let title = 'Clinic';
    gateway.jobs.answers.listSharedJobs = async () => ({
      jobs: [{ job: jobs.Job.fromPartial({ ...SHOWN, labels }), ownerId: 9n, groupId: 'g1', actions: [READ, CHANGE] }],
      jobCount: 1n,
    });
    gateway.jobs.answers.listSharedProjects = async () => ({
      projects: [{ project: PROJECT, ownerId: 9n, groupId: 'g1', actions: [READ] }],
      projectCount: 1n,
    });
    gateway.auth.answers.listNames = async () => ({ users: [otto], groups: [{ groupId: 'g1', name: title }] });
    for (const path of ['/user/simulations?view=group&search=tag%3Aqa', '/projects?view=shared&search=T']) {
      title = 'Clinic';
      const first = await gateway.send('GET', path);
      const tag = first.headers.get('etag') ?? '';
      expect([first.status, tag]).toEqual([200, expect.stringMatching(/^"v1-/)]);
      const again = () => gateway.send('GET', path, { headers: { 'If-None-Match': tag } });
      expect((await again()).status).toBe(304);
      title = 'Clinic 2';
      expect((await again()).body).not.toEqual(first.body);
    }
    expect(callsOf('listSharedJobs')[0]?.request).toMatchObject({ search: 'tag:qa' });
  });

  it('a project of others says whose it is and what one may do with it', async () => {
    const revision = {
      revision: 1,
      saveTime: new Date(0),
      title: 'T',
      note: '',
      sizeBytes: 2n,
      jobIds: [],
      jobCount: 0n,
    };
    for (const each of [gateway, open]) {
      share([READ], each);
      each.jobs.answers.getProject = async () => {
        if (each.jobs.calls.at(-1)?.context?.userId !== OWNER)
          throw refuse('jobs', 'PROJECT_OF_ANOTHER_USER', 'PERMISSION_DENIED');
        return { version: 'v', project: PROJECT, revision, projectJson: Buffer.from('{}') };
      };
      each.auth.answers.listNames = async () => ({ users: [otto], groups: [] });
    }
    const path = '/projects/project?project_id=p';
    const reply = await gateway.send('GET', path);
    expect(reply.body).toMatchObject({ project: {}, owner: { username: 'otto' }, actions: ['read'] });
    const known = { headers: { 'If-None-Match': reply.headers.get('etag') ?? '' } };
    expect((await gateway.send('GET', path, known)).status).toBe(304);
    share([READ, CHANGE]);
    expect((await gateway.send('GET', path, known)).body).toMatchObject({ actions: ['read', 'change'] });
    const guest = await open.send('GET', path, { cookie: '', headers: { 'X-Share-Link': TOKEN } });
    expect([guest.body.actions, guest.body.owner]).toEqual([['read'], undefined]);
  });
});
