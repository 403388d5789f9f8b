import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { PROJECT_BYTES_MAX, THUMBNAIL_BYTES_MAX } from '@tally/contracts';
import { ServiceError } from '@tally/service-kit';
import { parseRaw, sendRaw } from '../stand-ins/raw-http.js';
import { type GatewayUnderTest, startGatewayUnderTest } from '../stand-ins/suite.js';

let gateway: GatewayUnderTest;
beforeAll(async () => {
  gateway = await startGatewayUnderTest();
});
afterEach(() => gateway.reset());
afterAll(() => gateway.stop());

const at = new Date('2026-01-02T03:04:05.678Z');
const [PNG, WEBP] = [Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.from('RIFF____WEBP')];
const urlOf = (type: string, bytes: Buffer) => `data:image/${type};base64,${bytes.toString('base64')}`;
const padded = (head: Buffer, length: number) => Buffer.concat([head, Buffer.alloc(length - head.byteLength)]);
const received = (rpc: string) => gateway.jobs.calls.findLast((call) => call.rpc === rpc)?.request;
/** What jobs is, where nothing of it matters. */
const known = {
  projectId: 'p',
  title: 'Water',
  revision: 4,
  createTime: at,
  updateTime: at,
  thumbnail: urlOf('png', PNG),
  sizeBytes: 12n,
};
const revision = { revision: 3, saveTime: at, title: 'Old', note: 'n', sizeBytes: 9n, jobIds: ['j'], jobCount: 1n };

const take = () => {
  gateway.jobs.answers.createProject = async () => ({ projectId: 'p' });
  gateway.jobs.answers.updateProject = async () => ({ revision: 4, saveTime: at, isConflict: false });
};
const post = (json: unknown) => gateway.send('POST', '/projects', { json });

describe('POST /projects', () => {
  it('201: passes the text on byte for byte', async () => {
    take();
    const text = '{ "b":1.0, "10":[1e400], "__proto__":{"constructor":1}, "a\\u0000":"\u00fc", "a":null }';
    const raw = `{"title":"T","note":"first","project":${text},"unknown":1}`;
    const reply = await gateway.send('POST', '/projects', { raw, headers: { 'Idempotency-Key': 'k' } });
    expect([reply.status, reply.body]).toEqual([201, { message: 'Project kept', project_id: 'p', revision: 1 }]);
    expect(received('createProject')).toEqual({
      title: 'T',
      note: 'first',
      thumbnail: '',
      projectJson: Buffer.from(text),
      idempotencyKey: 'k',
    });
  });

  it('201: for a group; 400: the group is none', async () => {
    take();
    expect((await post({ project: {}, group_id: 'g1' })).status).toBe(201);
    expect(received('createProject')).toMatchObject({ groupId: 'g1' });
    expect((await post({ project: {}, group_id: '' })).body.errors).toMatchObject([{ field: 'group_id' }]);
  });

  it('201: with a picture of at most 64 KiB', async () => {
    take();
    for (const thumbnail of [
      urlOf('png', padded(PNG, THUMBNAIL_BYTES_MAX)),
      urlOf('webp', padded(WEBP, THUMBNAIL_BYTES_MAX)),
    ]) {
      expect((await post({ project: {}, thumbnail })).status).toBe(201);
      expect(received('createProject')).toMatchObject({ thumbnail });
    }
  });

  it.each([
    ['of another type', urlOf('jpeg', PNG)],
    ['that is none', urlOf('png', Buffer.from('<script>'))],
    ['of the other type', urlOf('webp', PNG)],
    ['that is too large', urlOf('png', padded(PNG, THUMBNAIL_BYTES_MAX + 1))],
    ['from elsewhere', 'https://elsewhere.example/a.png'],
    ['that is empty', ''],
    ['with more behind it', `${urlOf('png', PNG)}"><script>`],
  ])('400: a picture %s', async (_name, thumbnail) => {
    take();
    const { status, body } = await post({ project: {}, thumbnail });
    expect([status, body.errors]).toMatchObject([400, [{ field: 'thumbnail' }]]);
    expect(gateway.jobs.calls).toEqual([]);
  });

  it.each([
    ['no project', {}, 'project'],
    ['a list', { project: [] }, 'project'],
    ['a text', { project: '{}' }, 'project'],
    ['a title of two lines', { project: {}, title: 'a\nb' }, 'title'],
    ['a long title', { project: {}, title: 'x'.repeat(257) }, 'title'],
    ['a long note', { project: {}, note: 'x'.repeat(257) }, 'note'],
  ])('400: %s', async (_name, json, field) => {
    const { status, body } = await post(json);
    expect([status, body.errors]).toMatchObject([400, [{ field }]]);
  });

  it('400: nested 10 000 deep, with the limit', async () => {
    const raw = `{"project":${'{"a":'.repeat(10_000)}1${'}'.repeat(10_001)}`;
    const { status, body } = await gateway.send('POST', '/projects', { raw });
    expect([status, body.message]).toEqual([400, expect.stringContaining('at most 500 objects and lists')]);
  });

  it('413: a body of 30 MB, before it is sent; 413 or 400 of jobs just above the limit', async () => {
    const head = `POST /projects HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nConnection: close\r\nCookie: ${gateway.cookie()}\r\n`;
    const answer = await sendRaw(gateway.port, `${head}Content-Length: 30000000\r\nExpect: 100-continue\r\n\r\n`);
    expect(parseRaw(answer)).toMatchObject({ status: 413, body: { code: 'BODY_TOO_LARGE' } });
    expect(answer).not.toContain('100 Continue');
    take();
    expect((await post({ project: { text: 'x'.repeat(PROJECT_BYTES_MAX - 11) } })).status).toBe(201);
    const { projectJson } = received('createProject') as { projectJson: Buffer };
    expect(projectJson).toHaveLength(PROJECT_BYTES_MAX);
  });

  it.each([
    ['PROJECT_QUOTA_EXCEEDED', 'RESOURCE_EXHAUSTED', 429],
    ['IDEMPOTENCY_KEY_REUSED', 'ALREADY_EXISTS', 422],
    ['PROJECT_TOO_LARGE', 'INVALID_ARGUMENT', 400],
  ] as const)('%s of jobs is %s, %d', async (reason, status, expected) => {
    gateway.jobs.answers.createProject = async () => {
      throw new ServiceError('jobs', reason, status, 'text');
    };
    expect(await post({ project: {} })).toMatchObject({ status: expected, body: { code: reason } });
  });
});

describe('PUT /projects', () => {
  const put = (json: object) => gateway.send('PUT', '/projects', { json: { project_id: 'p', revision: 3, ...json } });

  it('200: what is not sent stays, and an empty picture goes', async () => {
    take();
    const reply = await put({ title: 'T' });
    const saved = { message: 'Project saved', project_id: 'p', revision: 4, saved_at: at.toISOString() };
    expect([reply.status, reply.body]).toEqual([200, saved]);
    expect(received('updateProject')).toEqual({ projectId: 'p', baseRevision: 3, title: 'T' });
    await put({ project: { a: 1 }, thumbnail: '', note: null });
    const { projectJson, ...rest } = received('updateProject') as { projectJson: Buffer };
    expect([projectJson.toString(), rest]).toEqual(['{"a":1}', { projectId: 'p', baseRevision: 3, thumbnail: '' }]);
  });

  it('409: somebody has saved meanwhile; the answer tells the current revision', async () => {
    gateway.jobs.answers.updateProject = async () => ({ revision: 5, saveTime: at, isConflict: true });
    const reply = await put({ project: {} });
    expect(reply).toMatchObject({
      status: 409,
      body: { code: 'PROJECT_CHANGED', status_code: 409, revision: 5, saved_at: at.toISOString() },
    });
  });

  it('400: without the revision that it is based on', async () => {
    for (const wrong of [undefined, 0, '3', 1.5]) {
      const { status, body } = await put({ revision: wrong });
      expect([status, body.errors]).toMatchObject([400, [{ field: 'revision' }]]);
    }
  });
});

describe('GET /projects/project', () => {
  it('200: the text as it is; 304: to who has this version', async () => {
    const text = '{"b": 1.0, "1": [1e400], "__proto__": {}}';
    gateway.jobs.answers.getProject = async ({ knownVersion }) =>
      knownVersion === 'v'
        ? { version: 'v', projectJson: Buffer.alloc(0) }
        : { version: 'v', project: known, revision, projectJson: Buffer.from(text) };
    const reply = await gateway.send('GET', '/projects/project?project_id=p&revision=3');
    expect(reply.text.endsWith(`"project":${text}}`)).toBe(true);
    expect(reply.body).toMatchObject({
      project_id: 'p',
      title: 'Old',
      revision: 3,
      current_revision: 4,
      saved_at: at.toISOString(),
      note: 'n',
      size_bytes: 9,
    });
    const headers = { 'If-None-Match': reply.headers.get('etag') ?? '' };
    const again = await gateway.send('GET', '/projects/project?project_id=p&revision=3', { headers });
    expect([again.status, again.text]).toEqual([304, '']);
  });

  it.each([
    ['PROJECT_NOT_FOUND', 'NOT_FOUND', 404],
    ['PROJECT_REVISION_NOT_FOUND', 'NOT_FOUND', 404],
    ['PROJECT_OF_ANOTHER_USER', 'PERMISSION_DENIED', 403],
  ] as const)('%s of jobs is %s, %d, on every route of one project', async (reason, status, expected) => {
    const refuse = async () => {
      throw new ServiceError('jobs', reason, status, 'text');
    };
    const { answers } = gateway.jobs;
    [answers.getProject, answers.updateProject, answers.listProjectRevisions, answers.deleteProject] = [
      refuse,
      refuse,
      refuse,
      refuse,
    ];
    const replies = [
      await gateway.send('GET', '/projects/project?project_id=p'),
      await gateway.send('PUT', '/projects', { json: { project_id: 'p', revision: 1 } }),
      await gateway.send('GET', '/projects/revisions?project_id=p'),
      await gateway.send('DELETE', '/projects?project_id=p'),
    ];
    for (const reply of replies) expect(reply).toMatchObject({ status: expected, body: { code: reason } });
  });
});

describe('GET /projects', () => {
  it('200: a page with pictures; 304: to who has this version', async () => {
    gateway.jobs.answers.listProjects = async ({ knownVersion }) =>
      knownVersion === 'v'
        ? { version: 'v' }
        : { version: 'v', page: { projects: [known, { ...known, thumbnail: '' }], projectCount: 7n } };
    const target = '/projects?page_size=2&page_idx=2&order_by=title&order_type=ascend&search=50%25';
    const reply = await gateway.send('GET', target);
    expect(reply.body).toMatchObject({
      page_count: 4,
      projects_count: 7,
      projects: [{ thumbnail: known.thumbnail }, {}],
    });
    expect(received('listProjects')).toMatchObject({ pageSize: 2, pageIndex: 2, isAscending: true, search: '50%' });
    const headers = { 'If-None-Match': reply.headers.get('etag') ?? '' };
    expect((await gateway.send('GET', target, { headers })).status).toBe(304);
  });
});

describe('GET /projects/revisions and DELETE /projects', () => {
  it('200: the history with its jobs', async () => {
    gateway.jobs.answers.listProjectRevisions = async () => ({ revisions: [revision, { ...revision, note: '' }] });
    const { body } = await gateway.send('GET', '/projects/revisions?project_id=p');
    const shown = {
      revision: 3,
      saved_at: at.toISOString(),
      title: 'Old',
      size_bytes: 9,
      job_ids: ['j'],
      job_count: 1,
    };
    expect(body.revisions).toEqual([{ ...shown, note: 'n' }, shown]);
  });

  it('200: deleted', async () => {
    gateway.jobs.answers.deleteProject = async () => ({});
    expect((await gateway.send('DELETE', '/projects?project_id=p')).status).toBe(200);
    expect(received('deleteProject')).toEqual({ projectId: 'p' });
  });
});
