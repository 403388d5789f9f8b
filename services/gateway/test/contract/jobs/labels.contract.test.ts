import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { jobs } from '@tally/contracts';
import { jobAnswer, pageAnswer } from '../../stand-ins/job-answers.js';
import { refusalsOf } from '../../stand-ins/refuse.js';
import { type GatewayUnderTest, startGatewayUnderTest } from '../../stand-ins/suite.js';

let gateway: GatewayUnderTest;
beforeAll(async () => {
  gateway = await startGatewayUnderTest();
});
afterEach(() => gateway.reset());
afterAll(() => gateway.stop());

const refuse = refusalsOf('jobs');
const received = (rpc: string) => gateway.jobs.calls.find((call) => call.rpc === rpc);

const LABELS = { revision: 2, tags: ['qa'], note: 'n', hasNote: true, isFavourite: true, isArchived: false };
const SHOWN_LABELS = { revision: 2, tags: ['qa'], has_note: true, favourite: true, archived: false };

/** A job of a list, as jobs answers. */
const job: jobs.Job = {
  jobId: 'j',
  simulationId: 12n,
  title: 'Water',
  platform: jobs.Platform.PLATFORM_DIRECT,
  inputType: jobs.InputType.INPUT_TYPE_EDITOR,
  simulator: jobs.Simulator.SIMULATOR_SIM_A,
  state: jobs.State.STATE_COMPLETED,
  startTime: new Date('2026-01-02T03:04:05Z'),
  taskCount: 1,
  seed: 1n,
  failure: '',
  clusterName: '',
  waitingReason: '',
  isStopped: false,
  labels: LABELS,
};

describe('what is noted of jobs', () => {
  it('is shown in the list, and with the note in the status', async () => {
    gateway.jobs.answers.listJobs = async () => pageAnswer([job], 1n);
    expect((await gateway.send('GET', '/user/simulations')).body).toMatchObject({
      simulations: [{ labels: SHOWN_LABELS }],
    });
    gateway.jobs.answers.getJob = async () => jobAnswer(job);
    const { body } = await gateway.send('GET', '/jobs?job_id=j');
    expect(body).toMatchObject({ labels: { ...SHOWN_LABELS, note: 'n' }, submission: { title: 'Water' } });
  });
});

describe('GET /user/simulations?search=', () => {
  it('200: passes a search on as it is written', async () => {
    gateway.jobs.answers.listJobs = async () => pageAnswer([], 0n);
    await gateway.send('GET', '/user/simulations?search=tag:qa%20energy:100..200');
    expect(received('listJobs')?.request).toMatchObject({ search: 'tag:qa energy:100..200' });
  });

  it('400: too long, or not understood by jobs', async () => {
    expect((await gateway.send('GET', `/user/simulations?search=${'x'.repeat(501)}`)).status).toBe(400);
    gateway.jobs.answers.listJobs = refuse('REQUEST_INVALID', 'INVALID_ARGUMENT', {
      fields: [{ field: '/search', message: 'has the unknown key colour' }],
    });
    const refused = await gateway.send('GET', '/user/simulations?search=colour:red');
    expect(refused.body).toMatchObject({ status_code: 400, errors: [{ field: 'search' }] });
  });
});

describe('PUT /jobs/labels', () => {
  const put = (json: object) => gateway.send('PUT', '/jobs/labels', { json });

  it('200: passes on what is said, and shows the labels as they are', async () => {
    gateway.jobs.answers.updateJobLabels = async () => ({ labels: LABELS, title: 'T', isConflict: false });
    const note = 'two\nlines\tü';
    const reply = await put({ job_id: 'j', revision: 0, title: 'T', note, add_tags: ['qa'], archived: false });
    expect([reply.status, reply.body]).toEqual([
      200,
      { message: 'Labels stored', job_id: 'j', title: 'T', labels: { ...SHOWN_LABELS, note: 'n' } },
    ]);
    expect(received('updateJobLabels')?.request).toEqual({
      jobId: 'j',
      baseRevision: 0,
      title: 'T',
      note,
      addedTags: ['qa'],
      removedTags: [],
      isFavourite: undefined,
      isArchived: false,
    });
  });

  it('409: with the labels as somebody else has changed them', async () => {
    gateway.jobs.answers.updateJobLabels = async () => ({ labels: LABELS, title: 'T', isConflict: true });
    const reply = await put({ job_id: 'j', revision: 0, note: 'mine' });
    expect([reply.status, reply.body]).toMatchObject([409, { code: 'LABELS_CHANGED', labels: { note: 'n' } }]);
  });

  it('400 by field, 403 of another user, 404 not found', async () => {
    for (const [body, field] of [
      [{}, 'job_id'],
      [{ job_id: 'j', title: 'a\nb' }, 'title'],
      [{ job_id: 'j', note: 'x'.repeat(10_001) }, 'note'],
      [{ job_id: 'j', add_tags: ['x'.repeat(65)] }, 'add_tags/0'],
      [{ job_id: 'j', remove_tags: 'qa' }, 'remove_tags'],
    ] as const) {
      expect((await put(body)).body).toMatchObject({ status_code: 400, errors: [{ field }] });
    }
    expect((await put({ job_id: 'j', favorite: true })).status).toBe(400);
    gateway.jobs.answers.updateJobLabels = refuse('JOB_OF_ANOTHER_USER', 'PERMISSION_DENIED');
    expect((await put({ job_id: 'j', favourite: true })).status).toBe(403);
    gateway.jobs.answers.updateJobLabels = refuse('JOB_NOT_FOUND', 'NOT_FOUND');
    expect((await put({ job_id: 'j', favourite: true })).status).toBe(404);
  });
});

describe('/user/searches', () => {
  it('200: keeps, lists and forgets', async () => {
    gateway.jobs.answers.createSavedSearch = async () => ({});
    gateway.jobs.answers.listSavedSearches = async () => ({ savedSearches: [{ name: 'QA', search: 'tag:qa' }] });
    gateway.jobs.answers.deleteSavedSearch = async () => ({});
    const json = { name: 'QA', search: 'tag:qa' };
    expect((await gateway.send('PUT', '/user/searches', { json })).body).toEqual({ message: 'Search saved' });
    expect(received('createSavedSearch')?.request).toEqual({ savedSearch: json });
    expect((await gateway.send('GET', '/user/searches')).body).toEqual({ message: 'Saved searches', searches: [json] });
    expect((await gateway.send('DELETE', '/user/searches?name=QA')).body).toEqual({ message: 'Search deleted' });
    expect(received('deleteSavedSearch')?.request).toEqual({ name: 'QA' });
  });

  it('400 by field, 404 where there is none, 429 where there are 50', async () => {
    for (const json of [{ name: '', search: 'x' }, { name: 'a' }, { name: 'a', search: '' }]) {
      expect((await gateway.send('PUT', '/user/searches', { json })).status).toBe(400);
    }
    gateway.jobs.answers.deleteSavedSearch = refuse('SAVED_SEARCH_NOT_FOUND', 'NOT_FOUND');
    expect((await gateway.send('DELETE', '/user/searches?name=QA')).status).toBe(404);
    gateway.jobs.answers.createSavedSearch = refuse('SAVED_SEARCHES_FULL', 'RESOURCE_EXHAUSTED');
    expect((await gateway.send('PUT', '/user/searches', { json: { name: 'a', search: 'x' } })).status).toBe(429);
  });
});
