import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { describeProjectChanges } from '@tally/client';
import type { HttpSession } from '@tally/testkit';
import {
  ended,
  exampleProject,
  flatten,
  jobStatus,
  results,
  startTestSuite,
  type TestSuite,
} from './fixtures/suite-fixture.js';

let suite: TestSuite;
let user: HttpSession;
beforeAll(async () => {
  suite = await startTestSuite();
  user = await suite.newUser();
});
afterAll(() => suite?.stop());

/** The example of protons in water, of another energy. */
function waterAt(energy: number) {
  const project = exampleProject('proton-150mev-water', 400);
  return { ...project, beam: { ...(project.beam as object), energy } };
}

const keep = async (project: object) =>
  (await user.request('POST', '/projects', { body: { project: { ...project } } })).project_id;
const open = (project_id: string, revision?: number) =>
  user.request('GET', '/projects/project', { query: { project_id, ...(revision === undefined ? {} : { revision }) } });
const save = (session: HttpSession, project_id: string, revision: number, project: object) =>
  session.send<{ revision: number; code?: string }>('PUT', '/projects', { body: { project_id, revision, project } });

describe('a kept project', () => {
  it('is saved by two tabs: the second one learns what the first has changed, in words, and nothing is lost', async () => {
    const project_id = await keep(waterAt(150));
    const second = suite.newSession();
    for (const [name, value] of user.cookies) second.cookies.set(name, value);
    expect(await save(user, project_id, 1, waterAt(120))).toMatchObject({ status: 200, body: { revision: 2 } });
    const refused = await save(second, project_id, 1, waterAt(90));
    expect(refused).toMatchObject({ status: 409, body: { code: 'PROJECT_CHANGED', revision: 2 } });
    const [base, now] = [await open(project_id, 1), await open(project_id, refused.body.revision)];
    expect(describeProjectChanges(base.project, now.project)).toEqual(['energy of the beam: 150 → 120 MeV']);
    expect(await save(second, project_id, 2, waterAt(90))).toMatchObject({ status: 200, body: { revision: 3 } });
    expect((await open(project_id)).project).toEqual(waterAt(90));
  });

  it('outlives the service: a save whose answer was lost is sent again, and is one save', async () => {
    const project_id = await keep(waterAt(150));
    for (const [revision, energy] of [
      [1, 140],
      [2, 130],
    ] as const) {
      const dying = save(user, project_id, revision, waterAt(energy)).catch(() => undefined);
      await suite.process('jobs').kill();
      await dying;
      await suite.process('jobs').start();
      const again = await save(user, project_id, revision, waterAt(energy));
      expect(again).toMatchObject({ status: 200, body: { revision: revision + 1 } });
    }
    expect(await open(project_id)).toMatchObject({ revision: 3, project: { beam: { energy: 130 } } });
  });

  it('is run: the job names its revision, tells how to run it again, and outlives it', async () => {
    const project_id = await keep(waterAt(120));
    const title = 'Range of 120 MeV';
    const body = {
      sim_type: 'simA' as const,
      input_type: 'editor' as const,
      ntasks: 2,
      sim_data: waterAt(120),
      title,
      seed: '18446744073709551615',
      project: { project_id, revision: 1 },
    };
    const { job_id } = await user.request('POST', '/jobs/direct', { body });
    const status = await ended(user, job_id);
    const from = { project_id, revision: 1, title: '150 MeV proton pencil beam in water' };
    expect(status.description?.project).toEqual(from);
    expect((await results(user, job_id)).description?.project).toEqual(from);
    const { simulations } = await user.request('GET', '/user/simulations');
    expect(simulations.find((job) => job.job_id === job_id)?.description?.project).toEqual(from);
    const { revisions } = await user.request('GET', '/projects/revisions', { query: { project_id } });
    expect(revisions).toMatchObject([{ revision: 1, job_ids: [job_id], job_count: 1 }]);

    const { sim_data, project: _, ...sent } = body;
    expect(status.submission).toEqual({ ...sent, platform: 'direct', on_unsupported: 'refuse' });
    const inputs = await user.request('GET', '/inputs', { query: { job_id } });
    expect(inputs.input).toEqual(sim_data);
    const { platform: _platform, ...again } = status.submission ?? {};
    const repeated = await user.send('POST', '/jobs/direct', { body: { ...again, sim_data: inputs.input } });
    await ended(user, String(repeated.body.job_id));
    expect(flatten(await results(user, String(repeated.body.job_id)))).toEqual(flatten(await results(user, job_id)));

    await user.request('DELETE', '/projects', { query: { project_id } });
    expect((await jobStatus(user, job_id)).description?.project).toEqual(from);
    expect((await user.request('GET', '/inputs', { query: { job_id } })).input).toEqual(sim_data);
    const gone = await user.send('POST', '/jobs/direct', { body });
    expect(gone).toMatchObject({ status: 404, body: { code: 'PROJECT_NOT_FOUND' } });
  });

  it("is nobody else's", async () => {
    const project_id = await keep(waterAt(150));
    const stranger = await suite.newUser();
    const mine = { query: { project_id } };
    const asked = [
      await stranger.send('GET', `/projects/project?project_id=${project_id}`),
      await stranger.send('GET', `/projects/revisions?project_id=${project_id}`),
      await stranger.send('DELETE', `/projects?project_id=${project_id}`),
      await save(stranger, project_id, 1, {}),
    ];
    for (const answer of asked)
      expect(answer).toMatchObject({ status: 403, body: { code: 'PROJECT_OF_ANOTHER_USER' } });
    expect((await stranger.request('GET', '/projects')).projects).toEqual([]);
    expect((await user.request('GET', '/projects/project', mine)).revision).toBe(1);
  });

  it('is open to tokens: to read with read, to save with submit', async () => {
    const project_id = await keep({});
    const withToken = async (scopes: ('read' | 'submit')[]) => {
      const { token } = await user.request('POST', '/auth/tokens', { body: { name: scopes.join(), scopes } });
      const session = suite.newSession();
      session.token = token;
      return session;
    };
    const [reader, writer] = [await withToken(['read']), await withToken(['submit'])];
    expect((await reader.request('GET', '/projects')).projects.length).toBeGreaterThan(0);
    expect(await save(reader, project_id, 1, { a: 1 })).toMatchObject({
      status: 403,
      body: { code: 'TOKEN_SCOPE_MISSING' },
    });
    expect(await save(writer, project_id, 1, { a: 1 })).toMatchObject({ status: 200 });
  });
});
