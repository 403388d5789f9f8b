import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jobs } from '@tally/contracts';
import { withContext } from '@tally/service-kit';
import { projectsOf } from '../../projects.js';
import { as, openSuite, type Suite, submission } from '../../suite.js';

const { RESOURCE_KIND_JOB: JOB, RESOURCE_KIND_PROJECT: PROJECT } = jobs.ResourceKind;
const { SHARED_VIEW_GROUP: GROUP, SHARED_VIEW_SHARED: SHARED } = jobs.SharedView;
const {
  ACCESS_ACTION_READ: READ,
  ACCESS_ACTION_CHANGE: CHANGE,
  ACCESS_ACTION_DELETE: DELETE,
  ACCESS_ACTION_SHARE: SHARE,
} = jobs.AccessAction;
const [OWNER, READER] = [1n, 2n];
const DAY_MS = 24 * 60 * 60_000;

let suite: Suite;
let gateway: ReturnType<Suite['client']>;
beforeAll(async () => {
  suite = await openSuite();
  await suite.start();
  gateway = suite.client('gateway');
});
afterAll(() => suite.stop());

/** Calls of a user who is in groups. */
const member = <T>(userId: bigint, groups: Readonly<Record<string, string>>, call: () => Promise<T>) =>
  withContext({ requestId: 'test', userId, userGroups: new Map(Object.entries(groups)) }, call);
/** Calls of who is not signed in. */
const guest = <T>(call: () => Promise<T>) => withContext({ requestId: 'test' }, call);

async function newJob(changes: Partial<jobs.Submission> = {}): Promise<jobs.Resource> {
  const { jobId } = await member(OWNER, { g1: 'member' }, () => gateway.submitJob(submission(changes)));
  return { kind: JOB, id: jobId };
}
const newProject = async (): Promise<jobs.Resource> => ({
  kind: PROJECT,
  id: await projectsOf(gateway, OWNER).create({ json: '{"project":{"title":"Bone"}}' }),
});
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS);
const share = (resource: jobs.Resource, subject: jobs.CreateShareRequest['subject'], expireTime?: Date) =>
  member(OWNER, { g1: 'viewer' }, () => gateway.createShare({ resource, subject, expireTime }));
const access = (resource: jobs.Resource, action = jobs.AccessAction.ACCESS_ACTION_UNSPECIFIED, linkToken = '') =>
  gateway.getAccess({ resource, action, linkToken });
const LINK = { $case: 'link', value: true } as const;
const LINK_INVALID = { status: 'NOT_FOUND', reason: 'SHARE_LINK_INVALID' };

describe.each([
  ['job', newJob, 'JOB'],
  ['project', newProject, 'PROJECT'],
] as const)('access to a %s', (_, make, name) => {
  it('is of its owner, and of nobody else; what is not there is not there', async () => {
    const resource = await make();
    expect(await as(OWNER, () => access(resource))).toEqual({
      ownerId: OWNER,
      actions: [READ, CHANGE, DELETE, SHARE],
      groupId: '',
    });
    const foreign = { status: 'PERMISSION_DENIED', reason: `${name}_OF_ANOTHER_USER` };
    await expect(as(READER, () => access(resource))).rejects.toMatchObject(foreign);
    await expect(member(READER, { g1: 'manager' }, () => access(resource))).rejects.toMatchObject(foreign);
    const missing = { status: 'NOT_FOUND', reason: `${name}_NOT_FOUND` };
    for (const id of ['', 'x', 'a\0b']) {
      await expect(as(READER, () => access({ ...resource, id }))).rejects.toMatchObject(missing);
    }
    await expect(guest(() => access(resource))).rejects.toMatchObject(LINK_INVALID);
    await expect(guest(() => access({ ...resource, id: 'x' }))).rejects.toMatchObject(LINK_INVALID);
  });

  it('follows the role in its group, which its owner sets and takes back', async () => {
    const resource = await make();
    const give = (groupId: string, groups: Readonly<Record<string, string>>) =>
      member(OWNER, groups, () => gateway.updateResourceGroup({ resource, groupId }));
    await give('g1', { g1: 'viewer' });
    const table = [
      ['viewer', [READ]],
      ['member', [READ, CHANGE]],
      ['manager', [READ, CHANGE, DELETE]],
    ] as const;
    for (const [role, actions] of table) {
      const found = await member(READER, { g1: role, g2: 'manager' }, () => access(resource));
      expect(found).toEqual({ ownerId: OWNER, actions, groupId: 'g1' });
    }
    await expect(member(READER, { g1: 'viewer' }, () => access(resource, CHANGE))).rejects.toMatchObject({
      status: 'PERMISSION_DENIED',
      reason: 'ACCESS_INSUFFICIENT',
    });
    await expect(give('g2', { g1: 'manager' })).rejects.toMatchObject({ reason: 'REQUEST_INVALID' });
    await expect(
      member(READER, { g1: 'manager' }, () => gateway.updateResourceGroup({ resource, groupId: '' })),
    ).rejects.toMatchObject({ reason: `${name}_OF_ANOTHER_USER` });
    await give('', {});
    await expect(member(READER, { g1: 'manager' }, () => access(resource))).rejects.toMatchObject({
      reason: `${name}_OF_ANOTHER_USER`,
    });
  });

  it('comes with a share of a user, a group or a link, to read only, and goes with it at once', async () => {
    const resource = await make();
    const { share: ofUser } = await share(resource, { $case: 'userId', value: READER });
    const { share: ofGroup } = await share(resource, { $case: 'groupId', value: 'g1' });
    const { share: ofLink, linkToken } = await share(resource, LINK, inDays(1));
    expect(linkToken).toMatch(/^tlyshr_[A-Za-z0-9_-]{43}$/);
    const readers: readonly [jobs.Share | undefined, () => Promise<jobs.GetAccessResponse>][] = [
      [ofUser, () => as(READER, () => access(resource, READ))],
      [ofGroup, () => member(3n, { g1: 'manager' }, () => access(resource, READ))],
      [ofLink, () => guest(() => access(resource, READ, linkToken))],
      [ofLink, () => as(4n, () => access(resource, READ, linkToken))],
    ];
    for (const [, read] of readers) expect(await read()).toEqual({ ownerId: OWNER, actions: [READ], groupId: '' });
    const found = await guest(() => gateway.getShareLink({ linkToken }));
    expect(found).toMatchObject({ resource, expireTime: ofLink?.expireTime });
    const listed = await as(OWNER, () => gateway.listShares({ resource }));
    expect(listed.shares.map(({ subject }) => subject)).toEqual([
      { $case: 'userId', value: READER },
      { $case: 'groupId', value: 'g1' },
      LINK,
    ]);
    for (const [given, read] of readers) {
      await as(OWNER, () => gateway.deleteShare({ shareId: given?.shareId ?? '' })).catch(() => {});
      await expect(read()).rejects.toMatchObject({ status: expect.stringMatching(/PERMISSION_DENIED|NOT_FOUND/) });
    }
    await expect(guest(() => gateway.getShareLink({ linkToken }))).rejects.toMatchObject(LINK_INVALID);
  });

  it('is shared by its owner alone, and its shares are seen and ended by nobody else', async () => {
    const resource = await make();
    const foreign = { status: 'PERMISSION_DENIED', reason: `${name}_OF_ANOTHER_USER` };
    const { share: given } = await share(resource, { $case: 'userId', value: READER });
    await as(OWNER, () => gateway.createShare({ resource, subject: { $case: 'userId', value: READER } }));
    const asReader = <T>(call: () => Promise<T>) => as(READER, call);
    await expect(asReader(() => gateway.listShares({ resource }))).rejects.toMatchObject(foreign);
    await expect(
      asReader(() => gateway.createShare({ resource, subject: { $case: 'userId', value: 9n } })),
    ).rejects.toMatchObject(foreign);
    for (const shareId of [given?.shareId ?? '', 'x', '\0']) {
      await expect(asReader(() => gateway.deleteShare({ shareId }))).rejects.toMatchObject({
        status: 'NOT_FOUND',
        reason: 'SHARE_NOT_FOUND',
      });
    }
    expect((await as(OWNER, () => gateway.listShares({ resource }))).shares).toHaveLength(1);
  });
});

describe('CreateShare INVALID_ARGUMENT', () => {
  it('names what is wrong', async () => {
    const resource = await newJob();
    const table = [
      [undefined, undefined, '/with'],
      [{ $case: 'link', value: false }, undefined, '/with'],
      [{ $case: 'userId', value: OWNER }, undefined, '/username'],
      [{ $case: 'groupId', value: 'g2' }, undefined, '/group_id'],
      [LINK, undefined, '/expires_at'],
      [LINK, inDays(91), '/expires_at'],
      [LINK, inDays(-1), '/expires_at'],
      [{ $case: 'userId', value: READER }, inDays(-1), '/expires_at'],
    ] as const;
    for (const [subject, end, field] of table) {
      await expect(share(resource, subject, end)).rejects.toMatchObject({
        reason: 'REQUEST_INVALID',
        fields: [{ field }],
      });
    }
  });
});

describe('CreateShare PERMISSION_DENIED', () => {
  it('makes no links where the deployment makes none', async () => {
    const closed = suite.client('gateway', await suite.start({ shareLinkDaysMax: 0 }));
    const resource = await newJob();
    await expect(
      as(OWNER, () => closed.createShare({ resource, subject: LINK, expireTime: inDays(1) })),
    ).rejects.toMatchObject({ status: 'PERMISSION_DENIED', reason: 'SHARE_LINKS_DISABLED' });
  });
});

describe('CreateShare RESOURCE_EXHAUSTED', () => {
  it('keeps a hundred shares, and one more of whom there is one already', async () => {
    const resource = await newJob();
    await suite.sql(
      `INSERT INTO shares (share_id, job_key, subject) SELECT 'full' || n, jobs.id, 'user:' || n
       FROM jobs, generate_series(101, 200) n WHERE job_id = $1`,
      [resource.id],
    );
    await expect(share(resource, { $case: 'userId', value: 201n })).rejects.toMatchObject({
      status: 'RESOURCE_EXHAUSTED',
      reason: 'SHARES_EXCEEDED',
    });
    expect((await share(resource, { $case: 'userId', value: 150n })).share?.shareId).toBe('full150');
  });
});

describe('share links', () => {
  it('are kept as SHA-256 only, end when they say so, and are forgotten', async () => {
    const resource = await newJob();
    const { linkToken, share: given } = await share(resource, LINK, inDays(1));
    const rows = await suite.sql<{ subject: string }>('SELECT subject FROM shares');
    expect(JSON.stringify(rows)).not.toContain(linkToken.slice(7));
    await suite.sql(`UPDATE shares SET expires_at = now() - interval '1 s' WHERE share_id = $1`, [given?.shareId]);
    await expect(guest(() => access(resource, READ, linkToken))).rejects.toMatchObject(LINK_INVALID);
    await expect(guest(() => gateway.getShareLink({ linkToken }))).rejects.toMatchObject(LINK_INVALID);
    expect((await as(OWNER, () => gateway.listShares({ resource }))).shares).toEqual([]);
  });

  it('open what they were made for and nothing else, and die with it', async () => {
    const [resource, other] = [await newProject(), await newProject()];
    const { linkToken } = await share(resource, LINK, inDays(1));
    await expect(guest(() => access(other, READ, linkToken))).rejects.toMatchObject(LINK_INVALID);
    await expect(guest(() => access(resource, CHANGE, linkToken))).rejects.toMatchObject({
      reason: 'ACCESS_INSUFFICIENT',
    });
    for (const wrong of ['', 'tlyshr_', `${linkToken}x`, `tlyshr_${'A'.repeat(43)}`, 'a\0']) {
      await expect(guest(() => access(resource, READ, wrong))).rejects.toMatchObject(LINK_INVALID);
      await expect(guest(() => gateway.getShareLink({ linkToken: wrong }))).rejects.toMatchObject(LINK_INVALID);
    }
    await as(OWNER, () => gateway.deleteProject({ projectId: resource.id }));
    await expect(guest(() => access(resource, READ, linkToken))).rejects.toMatchObject(LINK_INVALID);
    expect(
      await suite.sql('SELECT 1 FROM shares JOIN projects ON projects.id = project_key WHERE project_id = $1', [
        resource.id,
      ]),
    ).toEqual([]);
  });
});

describe('CreateProject with a group', () => {
  it('gives the project to a group of its user, and to no other', async () => {
    const create = (groupId: string | undefined, idempotencyKey = '') => {
      const request = { title: '', projectJson: Buffer.from('{}'), thumbnail: '', note: '', idempotencyKey, groupId };
      return member(OWNER, { g1: 'viewer', g3: 'viewer' }, () => gateway.createProject(request));
    };
    const { projectId } = await create('g1', 'once');
    const resource = { kind: PROJECT, id: projectId };
    expect(await member(READER, { g1: 'member' }, () => access(resource))).toMatchObject({ groupId: 'g1' });
    expect(await create('g1', 'once')).toEqual({ projectId });
    await expect(create('g3', 'once')).rejects.toMatchObject({ reason: 'IDEMPOTENCY_KEY_REUSED' });
    await expect(create('g2')).rejects.toMatchObject({ reason: 'REQUEST_INVALID', fields: [{ field: '/group_id' }] });
  });
});

describe('SubmitJob with a group', () => {
  it('gives the job to a group of its user, and to no other', async () => {
    const resource = await newJob({ groupId: 'g1' });
    expect(await member(READER, { g1: 'viewer' }, () => access(resource))).toMatchObject({ groupId: 'g1' });
    await expect(newJob({ groupId: 'g2' })).rejects.toMatchObject({
      reason: 'REQUEST_INVALID',
      fields: [{ field: '/group_id' }],
    });
  });
});

describe('ListSharedJobs, ListSharedProjects', () => {
  const pageOf = (view: jobs.SharedView, groupId = '') => ({
    view,
    groupId,
    pageSize: 10,
    pageIndex: 1,
    isAscending: true,
  });
  const listJobs = async (view: jobs.SharedView, groupId = '', states: jobs.State[] = [], search = '') => {
    const order = jobs.JobOrder.JOB_ORDER_START_TIME;
    const page = await gateway.listSharedJobs({ ...pageOf(view, groupId), order, states, search });
    return { ids: page.jobs.map(({ job }) => job?.jobId), page };
  };
  const listProjects = async (view: jobs.SharedView, search = '') => {
    const order = jobs.ProjectOrder.PROJECT_ORDER_TITLE;
    const page = await gateway.listSharedProjects({ ...pageOf(view), order, search });
    return { ids: page.projects.map(({ project }) => project?.projectId), page };
  };

  it('show what is of the groups of the user, or shared, and nothing else', async () => {
    const [inGroup, shared, private_, ended] = [
      await newJob({ groupId: 'g1' }),
      await newJob(),
      await newJob(),
      await newJob(),
    ];
    await suite.sql(`UPDATE jobs SET group_id = 'h1' WHERE job_id = $1`, [inGroup.id]);
    await share(shared, { $case: 'userId', value: 21n });
    await share(shared, { $case: 'groupId', value: 'g1' });
    await share(ended, { $case: 'userId', value: 21n }, inDays(1));
    await suite.sql(`UPDATE shares SET expires_at = now() WHERE expires_at IS NOT NULL`);
    const ofGroup = await member(21n, { h1: 'viewer' }, () => listJobs(GROUP));
    expect(ofGroup.ids).toEqual([inGroup.id]);
    expect(ofGroup.page).toMatchObject({ jobCount: 1n, jobs: [{ ownerId: OWNER, groupId: 'h1' }] });
    expect((await member(21n, { h1: 'viewer' }, () => listJobs(GROUP, 'h2'))).ids).toEqual([]);
    expect(
      (await member(21n, { h1: 'viewer' }, () => listJobs(GROUP, 'h1', [jobs.State.STATE_COMPLETED]))).ids,
    ).toEqual([]);
    expect((await as(21n, () => listJobs(SHARED))).ids).toEqual([shared.id]);
    const byGroup = await member(22n, { g1: 'viewer' }, () => listJobs(SHARED, 'g1'));
    expect(byGroup.ids).toContain(shared.id);
    expect(byGroup.ids).not.toContain(private_.id);
    expect((await member(OWNER, { g1: 'viewer' }, () => listJobs(SHARED))).ids).toEqual([]);
    expect((await as(23n, () => listJobs(SHARED))).page).toMatchObject({ jobs: [], jobCount: 0n });
  });

  it('find by the terms of a search, and say what the user may do; labels are for who may change the job', async () => {
    const [tagged, other] = [await newJob({ title: 'Head phantom' }), await newJob({ title: 'Water' })];
    for (const resource of [tagged, other]) {
      await member(OWNER, { s1: 'viewer' }, () => gateway.updateResourceGroup({ resource, groupId: 's1' }));
      await share(resource, { $case: 'userId', value: 41n });
    }
    const labels = { addedTags: ['qa'], removedTags: [], note: 'for the audit', isArchived: false, isFavourite: true };
    await as(OWNER, () => gateway.updateJobLabels({ jobId: tagged.id, ...labels }));
    const find = async (userId: bigint, role: string | undefined, search: string, view = GROUP) => {
      const groups: Record<string, string> = role === undefined ? {} : { s1: role };
      return member(userId, groups, () => listJobs(view, '', [], search));
    };
    const table = [
      ['viewer', [READ], false],
      ['member', [READ, CHANGE], true],
      ['manager', [READ, CHANGE, DELETE], true],
    ] as const;
    for (const [role, actions, hasLabels] of table) {
      const all = await find(42n, role, '');
      expect(all.page).toMatchObject({ jobCount: 2n, jobs: [{ actions }, { actions }] });
      expect(all.page.jobs.map(({ job }) => job?.labels?.tags)).toEqual([hasLabels ? ['qa'] : undefined, undefined]);
      expect((await find(42n, role, 'phantom')).ids).toEqual([tagged.id]);
      for (const search of ['tag:qa', 'audit', 'is:favourite']) {
        expect([role, search, (await find(42n, role, search)).ids]).toEqual([
          role,
          search,
          hasLabels ? [tagged.id] : [],
        ]);
      }
    }
    expect((await find(41n, undefined, 'water', SHARED)).page).toMatchObject({
      jobCount: 1n,
      jobs: [{ actions: [READ] }],
    });
    expect((await find(41n, undefined, 'tag:qa', SHARED)).page).toMatchObject({ jobCount: 0n, jobs: [] });
    expect((await find(OWNER, 'viewer', 'tag:qa')).page.jobs).toMatchObject([
      { actions: [READ, CHANGE, DELETE, SHARE] },
    ]);
    await as(OWNER, () => gateway.updateJobLabels({ jobId: tagged.id, ...labels, isArchived: true }));
    expect((await find(42n, 'viewer', '')).ids).toEqual([tagged.id, other.id]); // whether it is archived is a label
    expect((await find(42n, 'member', '')).ids).toEqual([other.id]);
    expect((await find(42n, 'member', 'is:archived')).ids).toEqual([tagged.id]);
    expect((await find(42n, 'viewer', 'is:archived')).ids).toEqual([]);
    expect((await find(41n, undefined, '', SHARED)).ids).toEqual([tagged.id, other.id]);
    await member(OWNER, {}, () => gateway.updateResourceGroup({ resource: tagged, groupId: '' }));
    expect((await find(41n, undefined, '', SHARED)).ids).toEqual([tagged.id, other.id]);
    await expect(find(42n, 'viewer', 'energy:x')).rejects.toMatchObject({ reason: 'REQUEST_INVALID' });
  });

  it('come page by page, in order, of several groups', async () => {
    const ids: (string | undefined)[] = [];
    for (const groupId of ['p1', 'p2', 'p1', 'p2', 'p1']) {
      const resource = await newJob();
      await suite.sql('UPDATE jobs SET group_id = $2 WHERE job_id = $1', [resource.id, groupId]);
      ids.push(resource.id);
    }
    const read = async (pageIndex: number, search: string, isAscending: boolean) => {
      const asked = { ...pageOf(GROUP), order: jobs.JobOrder.JOB_ORDER_START_TIME, states: [], search, isAscending };
      const page = await member(51n, { p1: 'viewer', p2: 'viewer' }, () =>
        gateway.listSharedJobs({ ...asked, pageSize: 2, pageIndex }),
      );
      expect(page.jobCount).toBe(5n);
      return page.jobs.map(({ job }) => job?.jobId);
    };
    for (const search of ['', 'simulator:simA']) {
      const pages = [await read(1, search, true), await read(2, search, true), await read(3, search, true)];
      expect(pages.flat()).toEqual(ids);
      expect(await read(3, search, false)).toEqual(ids.slice(0, 1));
      expect(await read(4, search, true)).toEqual([]);
    }
  });

  it('do the same for projects, with a search', async () => {
    const project = await newProject();
    await newProject();
    await share(project, { $case: 'userId', value: 31n });
    expect((await as(31n, () => listProjects(SHARED, 'bON'))).ids).toEqual([project.id]);
    expect((await as(31n, () => listProjects(SHARED, '%'))).page).toMatchObject({ projects: [], projectCount: 0n });
    await member(OWNER, { k1: 'member' }, () => gateway.updateResourceGroup({ resource: project, groupId: 'k1' }));
    expect((await member(32n, { k1: 'viewer' }, () => listProjects(GROUP))).ids).toEqual([project.id]);
  });

  it('refuse a page that there is not', async () => {
    for (const bad of [
      { pageSize: 0 },
      { pageSize: 101 },
      { pageIndex: 0 },
      { view: jobs.SharedView.SHARED_VIEW_UNSPECIFIED },
    ]) {
      const order = jobs.JobOrder.JOB_ORDER_START_TIME;
      const request = { ...pageOf(SHARED), order, states: [], ...bad };
      await expect(as(OWNER, () => gateway.listSharedJobs(request))).rejects.toMatchObject({
        reason: 'REQUEST_INVALID',
      });
      const projects = { ...pageOf(SHARED), order: jobs.ProjectOrder.PROJECT_ORDER_UNSPECIFIED, search: '', ...bad };
      await expect(as(OWNER, () => gateway.listSharedProjects(projects))).rejects.toMatchObject({
        reason: 'REQUEST_INVALID',
      });
    }
  });
});
