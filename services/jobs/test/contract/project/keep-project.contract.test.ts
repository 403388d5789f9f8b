import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jobs } from '@tally/contracts';
import { type ProjectCalls, projectsOf } from '../../projects.js';
import { ANY_PLATFORM, as, openSuite, type Suite, submission } from '../../suite.js';

let suite: Suite;
let gateway: ReturnType<Suite['client']>;
let alice: ProjectCalls;
let bob: ProjectCalls;
beforeAll(async () => {
  suite = await openSuite();
  const [first, second] = [await suite.start(), await suite.start()];
  gateway = suite.client('gateway', first);
  [alice, bob] = [projectsOf(gateway, 1n), projectsOf(suite.client('gateway', second), 2n)];
});
afterAll(() => suite.stop());

/** Moves the saves of a project into the past, the last one by `seconds`, each before it by as much again. */
const age = (projectId: string, seconds: number) =>
  suite.sql(
    `UPDATE project_revisions SET saved_at = now() - $2 * (project.revision + 1 - project_revisions.revision) * interval '1 s'
     FROM projects project WHERE project.id = project_key AND project_id = $1`,
    [projectId, seconds],
  );

describe('CreateProject OK', () => {
  it('keeps the text byte for byte, whatever is in it', async () => {
    const json = '{"b": 1.0, "2": [], "1": 1e400, "__proto__": {"x": 12345678901234567890}, "ü\\u0000": null, "b": 2 }';
    const projectId = await alice.create({ json });
    const { project, revision, json: read } = await alice.get(projectId);
    expect(read).toBe(json);
    expect(project).toMatchObject({
      projectId,
      title: 'Untitled',
      revision: 1,
      sizeBytes: BigInt(Buffer.byteLength(json)),
    });
    expect(revision).toMatchObject({ revision: 1, title: 'Untitled', note: '' });
  });

  it("takes the title that is given, else the project's own in one line, else Untitled", async () => {
    const titleOf = async (json: string, title = '') =>
      (await alice.get(await alice.create({ json, title }))).project.title;
    expect(await titleOf('{"project":{"title":"Own"}}', ' Given ')).toBe('Given');
    expect(await titleOf('{"project":{"title":" Own\\n\\u0000line "}}')).toBe('Own  line');
    expect(await titleOf(JSON.stringify({ project: { title: 'x'.repeat(300) } }))).toHaveLength(256);
    for (const json of ['{"project":{"title":7}}', '{"project":[]}', '{"project":{"title":" "}}', '{}']) {
      expect(await titleOf(json)).toBe('Untitled');
    }
  });

  it('answers a repeat with the same key alike, also at once, and refuses the key of something else', async () => {
    const key = randomUUID();
    const ids = await Promise.all(Array.from({ length: 4 }, () => alice.create({ json: '{"a":1}', key })));
    expect(new Set(ids).size).toBe(1);
    await expect(alice.create({ json: '{"a":2}', key })).rejects.toMatchObject({ reason: 'IDEMPOTENCY_KEY_REUSED' });
    await expect(as(1n, () => gateway.submitJob(submission({ idempotencyKey: key })))).rejects.toMatchObject({
      reason: 'IDEMPOTENCY_KEY_REUSED',
    });
    expect(await bob.create({ json: '{"a":2}', key })).not.toBe(ids[0]);
  });
});

describe('CreateProject INVALID_ARGUMENT', () => {
  it.each([
    ['no JSON', '{"a":NaN}', '/project'],
    ['half a JSON', '{"a":', '/project'],
    ['a list', '[]', '/project'],
    ['null', 'null', '/project'],
    ['a text', '"x"', '/project'],
    ['nothing', '', '/project'],
  ])('for %s', async (_name, json, field) => {
    await expect(alice.create({ json })).rejects.toMatchObject({ reason: 'REQUEST_INVALID', fields: [{ field }] });
  });

  it('for bytes that are no UTF-8, titles and notes of several lines or too many characters', async () => {
    const bytes = Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]);
    await expect(alice.create({ json: bytes })).rejects.toMatchObject({ fields: [{ field: '/project' }] });
    for (const text of ['a\nb', 'a\u2028b', 'x'.repeat(257)]) {
      await expect(alice.create({ title: text })).rejects.toMatchObject({ fields: [{ field: '/title' }] });
      await expect(alice.create({ note: text })).rejects.toMatchObject({ fields: [{ field: '/note' }] });
    }
  });

  it('for a text above 4 MiB, which is named; of exactly so much it is kept', async () => {
    const json = `{"a":"${'x'.repeat(4 * 1024 * 1024 - 8)}"}`;
    expect((await alice.get(await alice.create({ json }))).json).toHaveLength(4_194_304);
    await expect(alice.create({ json: `${json} ` })).rejects.toMatchObject({
      reason: 'PROJECT_TOO_LARGE',
      message: 'project has 4194305 bytes, more than the 4194304 allowed',
      fields: [{ field: '/project' }],
    });
  });
});

describe('UpdateProject OK', () => {
  it('saves text, title, picture and note as the next revision; what is not sent stays', async () => {
    const projectId = await alice.create({ json: '{"a":1}', title: 'One', thumbnail: 'data:1', note: 'first' });
    expect(await alice.save(projectId, 1, { json: '{"a":2}' })).toMatchObject({ revision: 2, isConflict: false });
    expect(await alice.get(projectId)).toMatchObject({ json: '{"a":2}', revision: { title: 'One', note: '' } });
    expect(await alice.save(projectId, 2, { title: 'Two', note: 'renamed' })).toMatchObject({ revision: 3 });
    const third = await alice.get(projectId);
    expect(third).toMatchObject({
      json: '{"a":2}',
      project: { title: 'Two', revision: 3 },
      revision: { revision: 3, title: 'Two', note: 'renamed' },
    });
    expect(await alice.get(projectId, 1)).toMatchObject({ json: '{"a":1}', revision: { title: 'One', note: 'first' } });
    expect((await alice.list({ search: 'two' })).projects).toMatchObject([{ projectId, thumbnail: 'data:1' }]);
    await alice.save(projectId, 3, { thumbnail: '' });
    expect((await alice.list({ search: 'two' })).projects).toMatchObject([{ projectId, thumbnail: '', revision: 3 }]);
  });

  it('makes no revision of what is there, but takes its picture and note', async () => {
    const projectId = await alice.create({ json: '{"a":1}' });
    const saved = await alice.save(projectId, 1, { json: '{"a":1}', note: 'kept', thumbnail: 'data:2' });
    expect(saved).toMatchObject({ revision: 1, isConflict: false });
    expect((await alice.revisions(projectId)).map(({ revision, note }) => [revision, note])).toEqual([[1, 'kept']]);
  });

  it('answers a repeat like the first time, also when the first answer was lost on its way', async () => {
    const projectId = await alice.create({ json: '{"a":1}' });
    for (const change of [{ json: '{"a":2}' }, { title: 'Again' }, { title: 'More', json: '{"a":3}', note: 'n' }]) {
      const { revision } = (await alice.get(projectId)).project;
      const first = await alice.save(projectId, revision, change);
      expect(await alice.save(projectId, revision, change)).toEqual(first);
      expect(first).toMatchObject({ revision: revision + 1, isConflict: false });
    }
  });

  it('is no conflict where the text that somebody else saved is the same', async () => {
    const projectId = await alice.create({ json: '{"a":1}' });
    await alice.save(projectId, 1, { json: '{"a":2}' });
    await alice.save(projectId, 2, { json: '{"a":3}' });
    expect(await alice.save(projectId, 1, { json: '{"a":3}' })).toMatchObject({ revision: 3, isConflict: false });
  });
});

describe('UpdateProject of two at once', () => {
  it('stores one of them; the other is told the revision of the first, and nothing is lost', async () => {
    const [one, other] = [alice, projectsOf(suite.client('gateway'), 1n)];
    const projectId = await one.create({ json: '{"a":0}' });
    for (let base = 1; base < 15; base++) {
      const texts = ['one', 'other'].map((name) => JSON.stringify({ name, base }));
      const [first, second] = await Promise.all([
        one.save(projectId, base, { json: texts[0] ?? '' }),
        other.save(projectId, base, { json: texts[1] ?? '' }),
      ]);
      expect(new Set([first.isConflict, second.isConflict])).toEqual(new Set([false, true]));
      expect([first.revision, second.revision]).toEqual([base + 1, base + 1]);
      expect(first.saveTime).toEqual(second.saveTime);
      expect((await one.get(projectId)).json).toBe(texts[first.isConflict ? 1 : 0]);
    }
  });

  it('a change of the title is a conflict with any other save, since it says nothing of the text', async () => {
    const projectId = await alice.create({ json: '{"a":0}', title: 'T' });
    await alice.save(projectId, 1, { json: '{"a":1}' });
    expect(await alice.save(projectId, 1, { title: 'T' })).toMatchObject({ revision: 2, isConflict: true });
    expect(await alice.save(projectId, 1, { json: '{"a":2}' })).toMatchObject({ revision: 2, isConflict: true });
    expect(await alice.get(projectId)).toMatchObject({ json: '{"a":1}', project: { revision: 2 } });
  });
});

describe('the history', () => {
  const kept = async (projectId: string) => (await alice.revisions(projectId)).map(({ revision }) => revision);
  /** Saves `count` times, every save a number of seconds after the one before. */
  async function saveOften(projectId: string, count: number, seconds: number) {
    const { revision } = (await alice.get(projectId)).project;
    for (let at = revision; at < revision + count; at++) {
      await age(projectId, seconds);
      await alice.save(projectId, at, { json: JSON.stringify({ at }) });
    }
  }

  it('keeps the newest two, the last save of five minutes, and what has a note or was run', async () => {
    const projectId = await alice.create({ json: '{"a":1}' });
    await alice.save(projectId, 1, { json: '{"a":2}', note: 'before bone' });
    await alice.save(projectId, 2, { json: '{"a":3}' });
    const { jobId } = await as(1n, () => gateway.submitJob(submission({ project: { projectId, revision: 3 } })));
    for (let at = 3; at < 9; at++) await alice.save(projectId, at, { json: JSON.stringify({ at }) });
    const now = await kept(projectId);
    expect(now.slice(0, 2)).toEqual([9, 8]);
    expect(now.slice(-2)).toEqual([3, 2]);
    expect(now.length).toBeLessThanOrEqual(5); // one more where five minutes begin meanwhile
    const [run] = (await alice.revisions(projectId)).filter(({ revision }) => revision === 3);
    expect(run).toMatchObject({ jobIds: [jobId], jobCount: 1n });
    await expect(alice.get(projectId, 5)).rejects.toMatchObject({ reason: 'PROJECT_REVISION_NOT_FOUND' });
    await as(1n, () => gateway.cancelJob({ jobId, platform: ANY_PLATFORM }));
    await as(1n, () => gateway.deleteJob({ jobId }));
    await alice.save(projectId, 9, { json: '{"a":10}' });
    expect(await kept(projectId)).not.toContain(3);
  });

  it('has a hundred revisions at most, of which unmarked ones go first', async () => {
    const projectId = await alice.create({ json: '{"a":1}', note: 'the first' });
    await saveOften(projectId, 103, 301);
    const now = await kept(projectId);
    expect(now).toHaveLength(100);
    expect(now.slice(0, 3)).toEqual([104, 103, 102]);
    expect(now.at(-1)).toBe(1);
    expect(now.at(-2)).toBe(6);
  }, 60_000);
});

describe('ListProjects OK', () => {
  it('orders, searches, pages and counts', async () => {
    const carol = projectsOf(gateway, 3n);
    const ids: string[] = [];
    for (const title of ['b 100%', 'A_c', 'a 1000']) ids.push(await carol.create({ title }));
    const [b, underscore, thousand] = ids;
    await carol.save(b ?? '', 1, { json: '{"x":1}' });
    const list = async (asked: Partial<jobs.ListProjectsRequest>) => {
      const page = await carol.list(asked);
      return [page.projects.map(({ projectId }) => projectId), Number(page.projectCount)];
    };
    expect(await list({})).toEqual([[b, thousand, underscore], 3]);
    const { PROJECT_ORDER_CREATE_TIME, PROJECT_ORDER_TITLE } = jobs.ProjectOrder;
    expect(await list({ order: PROJECT_ORDER_CREATE_TIME, isAscending: true })).toEqual([ids, 3]);
    expect(await list({ order: PROJECT_ORDER_TITLE, isAscending: true })).toEqual([[thousand, underscore, b], 3]);
    expect(await list({ search: '0%' })).toEqual([[b], 1]);
    expect(await list({ search: 'a_C' })).toEqual([[underscore], 1]);
    expect(await list({ search: '\0' })).toEqual([[], 0]);
    expect(await list({ pageSize: 2, pageIndex: 2 })).toEqual([[underscore], 3]);
    expect(await list({ pageIndex: 2 ** 31 - 1, pageSize: 100 })).toEqual([[], 3]);
    for (const wrong of [{ pageSize: 0 }, { pageSize: 101 }, { pageIndex: 0 }]) {
      await expect(carol.list(wrong)).rejects.toMatchObject({ reason: 'REQUEST_INVALID' });
    }
  });
});

describe('versions', () => {
  it('of a project and of a page change with every save, and are answered with nothing else until then', async () => {
    const dave = projectsOf(gateway, 4n);
    const projectId = await dave.create({ json: '{"a":1}' });
    const [project, page] = [await dave.open(projectId), await dave.page()];
    expect((await dave.open(projectId, project.version)).project).toBeUndefined();
    expect((await dave.page(page.version)).page).toBeUndefined();
    await dave.save(projectId, 1, { note: 'said' });
    const noted = await dave.open(projectId, project.version);
    expect(noted.revision).toMatchObject({ revision: 1, note: 'said' });
    await dave.save(projectId, 1, { json: '{"a":2}' });
    expect((await dave.open(projectId, noted.version)).project).toMatchObject({ revision: 2 });
    expect((await dave.page(page.version)).page).toMatchObject({ projectCount: 1n });
  });
});

describe('NOT_FOUND and PERMISSION_DENIED', () => {
  it("of every call for a project that is not there, or that is somebody else's", async () => {
    const projectId = await alice.create({ json: '{"a":1}' });
    const calls = (id: string) => [
      () => bob.get(id),
      () => bob.save(id, 1, { json: '{"a":2}' }),
      () => bob.revisions(id),
      () => bob.delete(id),
      () => as(2n, () => gateway.submitJob(submission({ project: { projectId: id, revision: 1 } }))),
    ];
    for (const call of calls(projectId))
      await expect(call()).rejects.toMatchObject({ reason: 'PROJECT_OF_ANOTHER_USER' });
    for (const id of [randomUUID(), 'none', '\0']) {
      for (const call of calls(id)) await expect(call()).rejects.toMatchObject({ reason: 'PROJECT_NOT_FOUND' });
    }
    expect(await alice.get(projectId)).toMatchObject({ json: '{"a":1}' });
    expect((await bob.list({})).projects.map((project) => project.projectId)).not.toContain(projectId);
  });
});

describe('DeleteProject OK', () => {
  it('removes all revisions; jobs that ran it stay, and still name it', async () => {
    const projectId = await alice.create({ json: '{"a":1}', title: 'Gone' });
    await alice.save(projectId, 1, { json: '{"a":2}' });
    const { jobId } = await as(1n, () => gateway.submitJob(submission({ project: { projectId, revision: 1 } })));
    await alice.delete(projectId);
    await expect(alice.get(projectId)).rejects.toMatchObject({ reason: 'PROJECT_NOT_FOUND' });
    await expect(alice.delete(projectId)).rejects.toMatchObject({ reason: 'PROJECT_NOT_FOUND' });
    expect(
      await suite.sql(
        'SELECT 1 FROM project_revisions r WHERE NOT EXISTS (SELECT 1 FROM projects WHERE id = project_key)',
      ),
    ).toEqual([]);
    const { job } = await as(1n, () => gateway.getJob({ jobId, platform: ANY_PLATFORM, knownVersion: '' }));
    expect(JSON.parse(job?.descriptionJson ?? '')).toMatchObject({
      project: { project_id: projectId, revision: 1, title: 'Gone' },
    });
    expect(JSON.parse(suite.results.inputs.get(jobId)?.header?.descriptionJson ?? '')).toMatchObject({
      project: { project_id: projectId },
    });
  });
});

describe('SubmitJob from a project', () => {
  it('refuses a revision that never was, and takes one that was folded', async () => {
    const projectId = await alice.create({ json: '{"a":1}' });
    for (let at = 1; at < 6; at++) await alice.save(projectId, at, { json: JSON.stringify({ at }) });
    const submit = (revision: number) =>
      as(1n, () => gateway.submitJob(submission({ project: { projectId, revision } })));
    for (const wrong of [0, -1, 7]) {
      await expect(submit(wrong)).rejects.toMatchObject({
        reason: 'REQUEST_INVALID',
        fields: [{ field: '/project/revision', message: 'must be a whole number from 1 to 6' }],
      });
    }
    for (const right of [1, 3, 6]) expect((await submit(right)).jobId).not.toBe('');
  });

  it('is another submission than one without, by its idempotency key', async () => {
    const projectId = await alice.create({ json: '{"a":1}' });
    const idempotencyKey = randomUUID();
    const project = { projectId, revision: 1 };
    const { jobId } = await as(1n, () => gateway.submitJob(submission({ project, idempotencyKey })));
    expect((await as(1n, () => gateway.submitJob(submission({ project, idempotencyKey })))).jobId).toBe(jobId);
    await expect(as(1n, () => gateway.submitJob(submission({ idempotencyKey })))).rejects.toMatchObject({
      reason: 'IDEMPOTENCY_KEY_REUSED',
    });
  });
});
