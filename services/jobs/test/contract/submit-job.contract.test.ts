import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jobs, results } from '@tally/contracts';
import { waitFor } from '@tally/testkit';
import { projectWith } from '../project.js';
import { findJob } from '../shown-job.js';
import { as, openSuite, type SubmissionChanges, type Suite, submission, submissionHeader } from '../suite.js';

let suite: Suite;
let gateway: ReturnType<Suite['client']>;
const alice = 1n;
const submit = (overrides: SubmissionChanges = {}, primaries?: number) =>
  as(alice, () => gateway.submitJob(submission(overrides, primaries)));
const countJobs = async () => (await suite.sql<{ n: number }>('SELECT count(*)::int AS n FROM jobs'))[0]?.n;
/** Jobs that are written ahead, or of which something may have been stored that has to go. */
const listBegun = async () => {
  const rows = await suite.sql<{ id: string }>("SELECT job_id AS id FROM duties WHERE kind = 'remove'");
  return rows.map(({ id }) => id);
};

beforeAll(async () => {
  suite = await openSuite();
  await suite.start({ callTimeoutMs: 1_000, sweepIntervalMs: 50 });
  gateway = suite.client('gateway');
});
afterAll(() => suite.stop());

describe('SubmitJob OK', () => {
  it('stores the job PENDING with its tasks, 10 primaries over 4 tasks as 3, 3, 2, 2', async () => {
    const { jobId, simulationId, seed } = await submit({ taskCount: 4, title: 'Ten', seed: 2n ** 64n - 1n }, 10);
    expect(jobId).toMatch(/^\d{8}-\d{6}-[0-9a-f-]{36}$/);
    expect(seed).toBe(2n ** 64n - 1n);
    const job = await findJob(gateway, alice, jobId, jobs.Platform.PLATFORM_DIRECT);
    expect(job).toMatchObject({
      title: 'Ten',
      state: jobs.State.STATE_PENDING,
      simulator: jobs.Simulator.SIMULATOR_SIM_A,
      inputType: jobs.InputType.INPUT_TYPE_EDITOR,
      platform: jobs.Platform.PLATFORM_DIRECT,
      taskCount: 4,
      seed: 2n ** 64n - 1n,
      failure: '',
      simulationId,
    });
    expect(simulationId).toBeGreaterThan(0n);
    expect(job?.tasks.map((task) => task.requestedPrimaries)).toEqual([3n, 3n, 2n, 2n]);
    expect(job?.tasks.map((task) => task.taskId)).toEqual([1, 2, 3, 4]);
    expect(job?.tasks.every((task) => task.state === jobs.State.STATE_PENDING && task.attemptCount === 1)).toBe(true);
    expect(job?.endTime).toBeUndefined();
  });

  it('gives results what was submitted, byte for byte, and the decks made from it', async () => {
    const simDataJson = projectWith(100, (project) => Object.assign(project, { ключ: 'ж'.repeat(300_000) }));
    const { jobId } = await submit({ simDataJson });
    const input = suite.results.inputs.get(jobId);
    expect(input?.ownerId).toBe(alice);
    const [submitted, ...deck] = input?.documents ?? [];
    expect(submitted?.role).toBe(results.DocumentRole.DOCUMENT_ROLE_SUBMITTED);
    expect(submitted?.text).toBe(simDataJson.toString());
    const namesOf = (wanted: results.DocumentRole) =>
      deck.filter(({ role }) => role === wanted).map(({ name }) => name);
    expect(namesOf(results.DocumentRole.DOCUMENT_ROLE_DECK)).toEqual(['problem.json', 'manifest.json']);
    expect(namesOf(results.DocumentRole.DOCUMENT_ROLE_SIMULATOR_DECK)).toContain('detect.dat');
    expect(deck.every(({ text }) => text !== '')).toBe(true);
    expect(input?.header?.documentCount).toBe(1 + deck.length);
  });

  it('says of the job and to results what it simulates, whatever its title says', async () => {
    const { jobId, seed } = await submit({ simDataJson: projectWith(100, () => {}), title: '70 MeV carbon', seed: 7n });
    const { job } = await as(1n, () =>
      gateway.getJob({ jobId, platform: jobs.Platform.PLATFORM_UNSPECIFIED, knownVersion: '' }),
    );
    const described: unknown = JSON.parse(job?.descriptionJson ?? '');
    expect(described).toMatchObject({
      title: '70 MeV carbon',
      simulator: 'simA',
      engine: expect.stringMatching(/^reference \d/),
      seed: `${seed}`,
      requested_primaries: 100,
      submitted_at: expect.stringMatching(/Z$/),
      beam: 'proton, 150 MeV',
      water_ionisation_ev: 75,
    });
    expect(JSON.parse(suite.results.inputs.get(jobId)?.header?.descriptionJson ?? '')).toEqual(described);
    const [row] = await suite.sql<{ description: object }>('SELECT description FROM jobs WHERE job_id = $1', [jobId]);
    for (const column of ['title', 'simulator', 'seed']) expect(row?.description).not.toHaveProperty(column);
  });

  it('leaves out by choice what cannot be scored, and tells results', async () => {
    const simDataJson = projectWith(100, (project) => {
      const { scoringManager } = project as unknown as { scoringManager: { outputs: { quantities: object[] }[] } };
      scoringManager.outputs[0]?.quantities.push({
        uuid: randomUUID(),
        name: 'Equivalent',
        keyword: 'NEqvDose',
        modifiers: [],
      });
    });
    const idempotencyKey = randomUUID();
    await expect(submit({ simDataJson, idempotencyKey })).rejects.toMatchObject({ reason: 'PROJECT_UNSUPPORTED' });
    const onUnsupported = jobs.OnUnsupported.ON_UNSUPPORTED_OMIT;
    const { jobId, warnings } = await submit({ simDataJson, onUnsupported, idempotencyKey });
    expect(warnings).toEqual([{ code: 'QUANTITY_OMITTED', message: expect.stringContaining('"Equivalent"') }]);
    expect(suite.results.inputs.get(jobId)?.header?.warnings).toEqual(warnings);
    expect((await submit({ simDataJson, onUnsupported, idempotencyKey })).jobId).toBe(jobId);
    await expect(submit({ idempotencyKey })).rejects.toMatchObject({ reason: 'IDEMPOTENCY_KEY_REUSED' });
  });

  it('draws a seed of its own for every job', async () => {
    const seeds = await Promise.all(Array.from({ length: 4 }, () => submit()));
    expect(new Set(seeds.map(({ seed }) => seed)).size).toBe(4);
  });

  it("takes the project's title, else Untitled", async () => {
    const titleOf = async (title: string | undefined) => {
      const simDataJson = projectWith(10, (project) => {
        if (project.project) project.project.title = title;
      });
      const { jobId } = await submit({ simDataJson });
      return (await findJob(gateway, alice, jobId)).title;
    };
    expect(await titleOf('Depth dose')).toBe('Depth dose');
    expect(await titleOf('')).toBe('Untitled');
  });

  it('takes 1000 tasks in one go', async () => {
    const { jobId } = await submit({ taskCount: 1000 }, 1_000_003);
    const [sum] = await suite.sql<{ n: number; primaries: string; last: string }>(
      `SELECT count(*)::int AS n, sum(requested_primaries)::text AS primaries,
         max(first_history + requested_primaries)::text AS last
       FROM tasks JOIN jobs s ON s.id = job_key WHERE job_id = $1`,
      [jobId],
    );
    expect(sum).toEqual({ n: 1000, primaries: '1000003', last: '1000003' });
  });
});

describe('SubmitJob with an idempotency key', () => {
  it('answers a repeat with the first job, also when both come at once', async () => {
    const idempotencyKey = randomUUID();
    const before = await countJobs();
    const answers = await Promise.all([submit({ idempotencyKey }), submit({ idempotencyKey })]);
    answers.push(await submit({ idempotencyKey }));
    expect(new Set(answers.map(({ jobId }) => jobId)).size).toBe(1);
    expect(new Set(answers.map(({ seed }) => seed)).size).toBe(1);
    expect(new Set(answers.map(({ simulationId }) => simulationId)).size).toBe(1);
    expect(await countJobs()).toBe((before ?? 0) + 1);
    const jobId = answers[0]?.jobId ?? '';
    await as(alice, () => gateway.cancelJob({ jobId, platform: jobs.Platform.PLATFORM_DIRECT }));
    await as(alice, () => gateway.deleteJob({ jobId }));
    expect(await submit({ idempotencyKey })).toMatchObject({ jobId, simulationId: 0n });
  });

  it('removes the input that the slower of two stored', async () => {
    const idempotencyKey = randomUUID();
    const stored: string[] = [];
    suite.results.onInput = async (jobId) => {
      stored.push(jobId);
      await waitFor(() => stored.length === 2);
    };
    const [first] = await Promise.all([submit({ idempotencyKey }), submit({ idempotencyKey })]);
    suite.results.onInput = async () => {};
    const loser = stored.find((jobId) => jobId !== first?.jobId) ?? '';
    await waitFor(() => suite.results.deleted.includes(loser), { what: 'removal of the input' });
    expect(suite.results.inputs.has(first?.jobId ?? '')).toBe(true);
  });

  it('is refused for another body, and is free for another user', async () => {
    const idempotencyKey = randomUUID();
    const { jobId } = await submit({ idempotencyKey });
    await expect(submit({ idempotencyKey, title: 'Other' })).rejects.toMatchObject({
      status: 'ALREADY_EXISTS',
      reason: 'IDEMPOTENCY_KEY_REUSED',
    });
    const other = await as(2n, () => gateway.submitJob(submission({ idempotencyKey })));
    expect(other.jobId).not.toBe(jobId);
  });

  it('remembers warnings word for word, whatever characters names have', async () => {
    const simDataJson = projectWith(10, (project) => {
      const { zones } = (project as unknown as { zoneManager: { zones: object[] } }).zoneManager;
      zones.push({ ...zones[0], uuid: randomUUID(), name: 'nul \0, half \ud800', unionOperations: [] });
    });
    const request = { idempotencyKey: randomUUID(), simDataJson };
    const { jobId, warnings } = await submit(request);
    expect(warnings.map(({ code }) => code)).toEqual(['ZONE_EMPTY']);
    expect(suite.results.inputs.get(jobId)?.header?.warnings).toEqual(warnings);
    expect((await submit(request)).warnings).toEqual(warnings);
  });

  it('is forgotten after its time', async () => {
    const idempotencyKey = randomUUID();
    const { jobId } = await submit({ idempotencyKey });
    await suite.sql(`UPDATE idempotency_keys SET expires_at = now() - interval '1 s' WHERE key = $1`, [idempotencyKey]);
    const again = await submit({ idempotencyKey, title: 'Other' });
    expect(again.jobId).not.toBe(jobId);
  });
});

describe('SubmitJob INVALID_ARGUMENT', () => {
  const refused = async (overrides: SubmissionChanges, expected: object, primaries?: number) => {
    const before = await countJobs();
    const begun = await listBegun();
    await expect(submit(overrides, primaries)).rejects.toMatchObject({ status: 'INVALID_ARGUMENT', ...expected });
    expect(await countJobs()).toBe(before);
    expect((await listBegun()).filter((jobId) => !begun.includes(jobId))).toEqual([]);
  };
  const invalid = (field: string) => ({ reason: 'REQUEST_INVALID', fields: [{ field }] });

  it.each([0, -1, 1001])('refuses %i tasks', (taskCount) => refused({ taskCount }, invalid('/ntasks')));
  it('refuses more tasks than primaries', () => refused({ taskCount: 11 }, invalid('/ntasks'), 10));
  it.each(['two\nlines', 'x'.repeat(257), 'nul\0'])('refuses a title that is not one line of 256', (title) =>
    refused({ title }, invalid('/title')),
  );
  it('refuses an idempotency key that is too long', () =>
    refused({ idempotencyKey: 'k'.repeat(256) }, invalid('/idempotency_key')));
  it('refuses unknown words', async () => {
    await refused({ platform: jobs.Platform.PLATFORM_UNSPECIFIED }, invalid('/platform'));
    await refused({ simulator: jobs.Simulator.SIMULATOR_UNSPECIFIED }, invalid('/sim_type'));
    await refused({ inputType: jobs.InputType.INPUT_TYPE_UNSPECIFIED }, invalid('/input_type'));
  });
  it('refuses input files that nothing here can run', () =>
    refused(
      { inputType: jobs.InputType.INPUT_TYPE_FILES, simulator: jobs.Simulator.SIMULATOR_SIM_B },
      { reason: 'INPUT_TYPE_UNSUPPORTED' },
    ));
  it('names what is wrong with input files', () =>
    refused(
      {
        inputType: jobs.InputType.INPUT_TYPE_FILES,
        simDataJson: Buffer.from('{"beam.dat":"NSTAT 10 0","../mat.dat":"","geo.dat":7}'),
      },
      { reason: 'PROJECT_INVALID', fields: [{ field: '/sim_data/..~1mat.dat' }, { field: '/sim_data/geo.dat' }] },
    ));
  it('refuses what is not JSON', () =>
    refused({ simDataJson: Buffer.from('{') }, { reason: 'PROJECT_INVALID', fields: [{ field: '/sim_data' }] }));
  it('names everything that is wrong with a project', async () => {
    const simDataJson = projectWith(10, (project) =>
      Object.assign(project, { beam: { energy: -1, sigma: 7 }, scoringManager: 7 }),
    );
    const err: unknown = await submit({ simDataJson }).catch((thrown: unknown) => thrown);
    expect(err).toMatchObject({ status: 'INVALID_ARGUMENT', reason: 'PROJECT_INVALID' });
    const fields = (err as { fields: { field: string; message: string }[] }).fields;
    expect(fields.map(({ field }) => field)).toEqual(
      expect.arrayContaining(['/sim_data/beam/energy', '/sim_data/beam/sigma', '/sim_data/scoringManager']),
    );
    expect(fields.every(({ message }) => message !== '')).toBe(true);
  });
  it('refuses what the simulator cannot do', () =>
    refused(
      { simDataJson: projectWith(10, (p) => Object.assign(p, { specialComponentsManager: { CTCube: {} } })) },
      { reason: 'PROJECT_UNSUPPORTED', fields: [{ field: '/sim_data/specialComponentsManager/CTCube' }] },
    ));
  it('refuses more primaries than the limit', () =>
    refused({}, { reason: 'PROJECT_TOO_LARGE', fields: [{ field: '/sim_data/beam/numberOfParticles' }] }, 10 ** 12));
  it('refuses sim_data over the limit', async () => {
    const small = await suite.start({ simDataBytesMax: 1_000 });
    const call = as(alice, () => suite.client('gateway', small).submitJob(submission()));
    await expect(call).rejects.toMatchObject({ status: 'INVALID_ARGUMENT', reason: 'SIM_DATA_TOO_LARGE' });
    await small.stop();
  });
});

describe('SubmitJob in pieces', () => {
  const simDataJson = projectWith(100, (project) => Object.assign(project, { note: 'ж'.repeat(700_000) }));
  type Part = jobs.SubmitJobRequest;
  const chunk = (from: number, to?: number): Part => ({
    part: { $case: 'chunk', value: simDataJson.subarray(from, to) },
  });
  const header = (bytes: number): Part => ({ part: { $case: 'submission', value: submissionHeader({}, bytes) } });
  async function* sent(parts: readonly Part[]): AsyncGenerator<Part> {
    yield* parts;
  }
  const send = (...parts: Part[]) => as(alice, () => gateway.submitJob(sent(parts)));

  it('OK: results get what was submitted, byte for byte', async () => {
    const { jobId } = await send(header(simDataJson.length), chunk(0, 500_001), chunk(500_001));
    const [submitted] = suite.results.inputs.get(jobId)?.documents ?? [];
    expect(submitted?.text).toBe(simDataJson.toString());
  });

  it.each([
    ['less than its header says', [header(simDataJson.length + 1), chunk(0)]],
    ['more', [header(10), chunk(0, 11)]],
    ['no header', [chunk(0, 10)]],
    ['two headers', [header(20), chunk(0, 10), header(20)]],
    ['fewer than none', [header(-1)]],
    ['nothing', []],
  ])('INVALID_ARGUMENT: %s', async (_, parts) => {
    await expect(send(...parts)).rejects.toMatchObject({
      status: 'INVALID_ARGUMENT',
      fields: [{ field: '/sim_data' }],
    });
  });

  it('INVALID_ARGUMENT: more than the limit, before it comes', async () => {
    await expect(send(header(2 ** 40))).rejects.toMatchObject({ reason: 'SIM_DATA_TOO_LARGE' });
  });
});

describe('SubmitJob UNIMPLEMENTED', () => {
  it('refuses the batch platform until it is there', async () => {
    await expect(submit({ platform: jobs.Platform.PLATFORM_BATCH })).rejects.toMatchObject({
      status: 'UNIMPLEMENTED',
      reason: 'PLATFORM_UNIMPLEMENTED',
    });
  });
});

describe('SubmitJob UNAVAILABLE', () => {
  it('leaves no job behind when results is down, and removes what may have been stored', async () => {
    const before = await countJobs();
    let jobId = '';
    suite.results.onInput = async (id) => {
      jobId = id;
    };
    suite.results.setDown(true);
    await expect(submit()).rejects.toMatchObject({ status: 'UNAVAILABLE' });
    suite.results.setDown(false);
    suite.results.onInput = async () => {};
    expect(await countJobs()).toBe(before);
    await waitFor(() => suite.results.deleted.includes(jobId), { what: 'removal of the input' });
  });

  it('gives up a submission that was swept, and its job never appears', async () => {
    const before = await countJobs();
    let jobId = '';
    suite.results.onInput = async (id) => {
      jobId = id;
      await suite.sql("DELETE FROM duties WHERE kind = 'remove' AND job_id = $1", [id]);
    };
    await expect(submit()).rejects.toMatchObject({ status: 'UNAVAILABLE', reason: 'SUBMISSION_ABANDONED' });
    suite.results.onInput = async () => {};
    expect(await countJobs()).toBe(before);
    expect(jobId).not.toBe('');
  });

  it('removes the input of a submission whose service died before the job was stored', async () => {
    await suite.sql(`INSERT INTO duties (id, kind, job_id) VALUES ('dead', 'remove', 'dead')`);
    suite.results.inputs.set('dead', { ownerId: alice, documents: [] });
    const other = await suite.start({ sweepIntervalMs: 50 });
    await waitFor(() => !suite.results.inputs.has('dead'), { what: 'removal of the input' });
    const isDone = async () => (await suite.sql(`SELECT 1 FROM duties WHERE job_id = 'dead'`)).length === 0;
    await waitFor(isDone, { what: 'the end of the duty' });
    await other.stop();
  });
});

describe('SubmitJob PERMISSION_DENIED and UNAUTHENTICATED', () => {
  it('is for the gateway, and for a user', async () => {
    const runner = suite.client('direct-runner');
    await expect(as(alice, () => runner.submitJob(submission()))).rejects.toMatchObject({
      reason: 'CALLER_NOT_ALLOWED',
    });
    await expect(gateway.submitJob(submission())).rejects.toMatchObject({ reason: 'USER_REQUIRED' });
  });
});
