import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jobs } from '@tally/contracts';
import { findJob, listJobs } from '../../shown-job.js';
import { as, openSuite, type Suite, submission } from '../../suite.js';

let suite: Suite;
let gateway: ReturnType<Suite['client']>;
const [alice, bob] = [1n, 2n];
const submit = async () => (await as(alice, () => gateway.submitJob(submission()))).jobId;
const update = (jobId: string, change: Partial<jobs.UpdateJobLabelsRequest>, userId = alice) =>
  as(userId, () => gateway.updateJobLabels({ addedTags: [], removedTags: [], ...change, jobId }));

beforeAll(async () => {
  suite = await openSuite();
  await suite.start({ cleanUpIntervalMs: 20 });
  gateway = suite.client('gateway');
});
afterAll(() => suite.stop());

describe('UpdateJobLabels OK', () => {
  it('stores what is said, leaves the rest, and shows it with the job', async () => {
    const jobId = await submit();
    expect((await findJob(gateway, alice, jobId)).labels).toBeUndefined();
    const first = await update(jobId, { addedTags: ['qa'], note: 'two\nlines', isFavourite: true });
    expect(first).toMatchObject({ isConflict: false, labels: { revision: 1, tags: ['qa'], note: 'two\nlines' } });
    await update(jobId, { title: 'Renamed', addedTags: ['b', 'a'], removedTags: ['qa'] });
    const job = await findJob(gateway, alice, jobId);
    expect(job).toMatchObject({
      title: 'Renamed',
      labels: {
        revision: 2,
        tags: ['a', 'b'],
        note: 'two\nlines',
        hasNote: true,
        isFavourite: true,
        isArchived: false,
      },
    });
    expect(JSON.parse(job.descriptionJson ?? '')).toMatchObject({ title: 'Renamed' });
    const { jobs: listed } = await listJobs(gateway, alice, { search: jobId });
    expect(listed).toMatchObject([{ title: 'Renamed', labels: { tags: ['a', 'b'], note: '', hasNote: true } }]);
  });

  it('gives the job and its list another version', async () => {
    const jobId = await submit();
    const versions = async () => [
      (await as(alice, () => gateway.getJob({ jobId, platform: jobs.Platform.PLATFORM_UNSPECIFIED, knownVersion: '' })))
        .version,
      (await listJobs(gateway, alice)).version,
    ];
    const before = await versions();
    await update(jobId, { isFavourite: true });
    const after = await versions();
    expect(after[0]).not.toBe(before[0]);
    expect(after[1]).not.toBe(before[1]);
  });

  it('tells who follows the jobs of the user', async () => {
    const jobId = await submit();
    const abort = new AbortController();
    const follow = async () => {
      const stream = gateway.watchJobEvents({}, { signal: abort.signal });
      for await (const { part } of stream) {
        if (part?.$case === 'opened') await update(jobId, { title: 'Told' });
        else return part?.value;
      }
      return undefined;
    };
    expect(await as(alice, follow)).toMatchObject({ jobId, change: { $case: 'job' } });
    abort.abort();
  });

  it('does nothing for a repeat, and refuses a change of what somebody else has changed', async () => {
    const jobId = await submit();
    const first = await update(jobId, { note: 'mine', baseRevision: 0 });
    expect(await update(jobId, { note: 'mine', baseRevision: 0 })).toEqual(first);
    const conflict = await update(jobId, { note: 'theirs', baseRevision: 0 });
    expect(conflict).toMatchObject({ isConflict: true, labels: { revision: 1, note: 'mine' } });
    expect((await findJob(gateway, alice, jobId)).labels?.note).toBe('mine');
    expect(await update(jobId, { note: 'theirs', baseRevision: 1 })).toMatchObject({ isConflict: false });
  });

  it('keeps all tags that are added at the same time', async () => {
    const jobId = await submit();
    const tags = Array.from({ length: 12 }, (_, i) => `t${i}`);
    await Promise.all(tags.map((tag) => update(jobId, { addedTags: [tag] })));
    expect((await findJob(gateway, alice, jobId)).labels).toMatchObject({ revision: 12, tags: tags.toSorted() });
  });

  it('leaves archived jobs out of lists and their counts until they come back, whatever becomes of them', async () => {
    const carol = 3n;
    const ids = [];
    for (let i = 0; i < 3; i++) ids.push((await as(carol, () => gateway.submitJob(submission()))).jobId);
    const [first = '', second = ''] = ids;
    const counts = async () => {
      const of = async (search: string) => Number((await listJobs(gateway, carol, { search })).jobCount);
      return [await of(''), await of('is:archived'), await of('is:any')];
    };
    for (const jobId of [first, second]) await update(jobId, { isArchived: true }, carol);
    expect(await counts()).toEqual([1, 2, 3]);
    await as(carol, () => gateway.cancelJob({ jobId: first, platform: jobs.Platform.PLATFORM_UNSPECIFIED }));
    expect(await counts()).toEqual([1, 2, 3]);
    await as(carol, () => gateway.deleteJob({ jobId: first }));
    await update(second, { isArchived: false }, carol);
    expect(await counts()).toEqual([2, 0, 2]);
  });
});

describe('UpdateJobLabels refusals', () => {
  it('PERMISSION_DENIED and NOT_FOUND: a job of another user, or of nobody', async () => {
    const jobId = await submit();
    await expect(update(jobId, { title: 'Mine now' }, bob)).rejects.toMatchObject({ reason: 'JOB_OF_ANOTHER_USER' });
    await expect(update('no-job', { title: 'x' })).rejects.toMatchObject({ reason: 'JOB_NOT_FOUND' });
    expect((await findJob(gateway, alice, jobId)).labels).toBeUndefined();
  });

  it.each([
    [{}, '/title'],
    [{ title: ' ' }, '/title'],
    [{ note: 'a\u0000b' }, '/note'],
    [{ addedTags: Array.from({ length: 21 }, (_, i) => `t${i}`) }, '/add_tags'],
    [{ removedTags: [''] }, '/remove_tags'],
  ])('INVALID_ARGUMENT: %j', async (change, field) => {
    const jobId = await submit();
    await expect(update(jobId, change)).rejects.toMatchObject({
      status: 'INVALID_ARGUMENT',
      reason: 'REQUEST_INVALID',
      fields: [{ field }],
    });
  });
});

describe('saved searches', () => {
  const save = (name: string, search: string, userId = alice) =>
    as(userId, () => gateway.createSavedSearch({ savedSearch: { name, search } }));
  const list = async (userId = alice) =>
    (await as(userId, () => gateway.listSavedSearches({}))).savedSearches.map(({ name, search }) => [name, search]);
  const remove = (name: string, userId = alice) => as(userId, () => gateway.deleteSavedSearch({ name }));

  it('are kept by name for one user, and replaced', async () => {
    await save(' QA ', 'tag:qa');
    await save('Failed', ' state:failed ');
    await save('QA', 'tag:qa is:favourite');
    expect(await list()).toEqual([
      ['Failed', 'state:failed'],
      ['QA', 'tag:qa is:favourite'],
    ]);
    expect(await list(bob)).toEqual([]);
    await expect(remove('QA', bob)).rejects.toMatchObject({ status: 'NOT_FOUND', reason: 'SAVED_SEARCH_NOT_FOUND' });
    await remove('QA');
    expect(await list()).toEqual([['Failed', 'state:failed']]);
  });

  it('are 50 at most, also when they are saved at once', async () => {
    const names = Array.from({ length: 60 }, (_, i) => `n${i}`);
    const outcomes = await Promise.allSettled(names.map((name) => save(name, 'x', 5n)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(50);
    const refused = outcomes.find(({ status }) => status === 'rejected');
    expect(refused).toMatchObject({ reason: { status: 'RESOURCE_EXHAUSTED', reason: 'SAVED_SEARCHES_FULL' } });
    const [[kept = ''] = []] = await list(5n);
    await save(kept, 'another');
    expect(await list(5n)).toHaveLength(50);
  });

  it.each([
    ['', 'x', '/name'],
    ['x'.repeat(65), 'x', '/name'],
    ['a', ' ', '/search'],
    ['a', 'colour:red', '/search'],
  ])('INVALID_ARGUMENT: %s, %s', async (name, search, field) => {
    await expect(save(name, search)).rejects.toMatchObject({ reason: 'REQUEST_INVALID', fields: [{ field }] });
  });
});
