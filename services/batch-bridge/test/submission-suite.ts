import { describe, expect, it } from '@jest/globals';
import { newJobId, ServiceError } from '@tally/service-kit';
import { fail } from '../src/domain/errors.js';
import type { JobId } from '../src/domain/job-id.js';
import { markerOf } from '../src/domain/submission.js';
import { describeFurtherTasks } from './further-tasks-suite.js';
import type { Stores } from './memory-stores.js';
import { describeRefusals } from './refusals-suite.js';
import { acceptedScenario, DEATH_MODES, ORIGIN, SubmissionScenario } from './submission-scenario.js';

const unavailable = new ServiceError('kit', 'SERVICE_UNAVAILABLE', 'UNAVAILABLE', 'unavailable');
const noCredential = new ServiceError('auth', 'CREDENTIAL_NOT_FOUND', 'NOT_FOUND', 'No credential; log in again');

/**
 * What holds of submissions, whatever stops in between; for stores in memory and in PostgreSQL.
 * @param createStores - called for every scenario, with a cluster of its own
 */
export function describeSubmissions(createStores: () => Stores | Promise<Stores>): void {
  const newScenario = async () => acceptedScenario(await createStores());
  const idsOf = ({ jobs }: SubmissionScenario, marker: string) =>
    jobs.flatMap((job) => (job.marker === marker ? job.id : []));

  /** Two arrays of four tasks and the collect job behind both, each once. */
  const expectWhole = (scenario: SubmissionScenario) => {
    const { jobs, jobId, folder } = scenario;
    expect(jobs.map(({ marker }) => marker).sort()).toEqual([0, 1, 2].map((ordinal) => markerOf(jobId, ordinal)));
    const arrays = [1, 2].flatMap((ordinal) => idsOf(scenario, markerOf(jobId, ordinal)));
    const [collect] = idsOf(scenario, markerOf(jobId, 0));
    expect(jobs.find(({ id }) => id === collect)?.afterAny).toEqual(arrays);
    const last = scenario.reports.at(-1);
    expect(last).toEqual({ jobDir: folder, arrayId: arrays[0], collectId: collect, waitingReason: '' });
    expect(jobs.filter(({ isCanceled }) => isCanceled)).toEqual([]);
  };

  describe('a submission', () => {
    it('is a folder, arrays no larger than the cluster takes, and the collect job behind all of them', async () => {
      const scenario = await newScenario();
      await scenario.live(3);
      expect(await scenario.outcome()).toEqual({ kind: 'submitted' });
      expectWhole(scenario);
      const [first, second, collect] = scenario.jobs;
      expect([first?.array, second?.array, collect?.array]).toEqual([
        { first: 1, last: 4 },
        { first: 1, last: 4 },
        undefined,
      ]);
      expect(second?.script).toMatch(/^\/opt\/node .*helper-1\.mjs run --folder \S+ --task \+4$/);
      expect([first?.logName, second?.logName, collect?.logName]).toEqual(['log-1-%a', 'log-2-%a', 'log-0']);
      expect(collect?.options).toMatchObject({ wallTimeSeconds: 600, memoryMib: 500 });
      const { folder } = scenario;
      expect(scenario.uploads).toEqual([
        '/scratch/someone/tally/.tally/helper-1.mjs',
        ...['job.json', 'update.key', 'deck/input.txt'].map((name) => `${folder}/${name}`),
      ]);
    });

    it('is submitted in the name of the request that asked for it', async () => {
      const scenario = await newScenario();
      await scenario.live(3);
      expect(scenario.submitContexts).toEqual([ORIGIN, ORIGIN, ORIGIN]);
    });

    it.each(DEATH_MODES)(
      'is made once and whole when the service dies at any call (%s it takes effect)',
      async (mode) => {
        const unharmed = await newScenario();
        await unharmed.live(3);
        for (let atCall = 1; atCall <= unharmed.callCount; atCall++) {
          const scenario = await newScenario();
          await scenario.live(3, { atCall, mode });
          await scenario.live(50);
          expect({ atCall, outcome: await scenario.outcome() }).toEqual({ atCall, outcome: { kind: 'submitted' } });
          expectWhole(scenario);
        }
      },
    );

    it.each(DEATH_MODES)('leaves nothing running when it is canceled after a death at any call (%s)', async (mode) => {
      const unharmed = await newScenario();
      await unharmed.live(3);
      for (let atCall = 1; atCall <= unharmed.callCount; atCall++) {
        const scenario = await newScenario();
        await scenario.live(3, { atCall, mode });
        const before = scenario.jobs.length;
        await scenario.stop('canceled');
        await scenario.live(50);
        const started = scenario.jobs.length - before;
        expect(started).toBeLessThanOrEqual(mode === 'late' ? 1 : 0); // what was on its way when the service died
        const collect = markerOf(scenario.jobId, 0); // delivers what finished tasks have left
        expect(scenario.jobs.filter(({ isCanceled, marker }) => !isCanceled && marker !== collect)).toEqual([]);
        expect(await scenario.outcome()).toEqual({ kind: 'submitted' }); // or canceled before: no failure either way
      }
    });
  });

  describeFurtherTasks(createStores);
  describeRefusals(createStores);

  it('is found at the scheduler when the database has forgotten it, and not made again', async () => {
    const stores = await createStores();
    const scenario = await acceptedScenario(stores);
    await scenario.live(3);
    await stores.lose(scenario.jobId);
    await scenario.accept(); // jobs repeats the command for as long as the job is open
    await scenario.live(10);
    expect(await scenario.outcome()).toEqual({ kind: 'submitted' });
    expectWhole(scenario);
  });

  describe('a first attempt', () => {
    it.each(['LOGIN_REFUSED', 'HOST_KEY_CHANGED', 'CLUSTER_UNREACHABLE'] as const)(
      'fails the job when there is no connection: %s',
      async (reason) => {
        const scenario = await newScenario();
        scenario.faults.set('sessions.withSession', fail(reason, { cause: new Error('connect ECONNREFUSED') }));
        await scenario.live(1);
        const message = expect.stringContaining('connect ECONNREFUSED');
        expect(await scenario.answer()).toEqual({ kind: 'failed', reason, message });
        await scenario.live(3);
        expect(await scenario.outcome()).toEqual({ kind: 'failed', reason, message });
        expect(scenario.logs.get('submission')).toContain('connect ECONNREFUSED');
        const failure = expect.stringMatching(/^SUBMISSION_FAILED: .*connect ECONNREFUSED/);
        expect(scenario.reports).toEqual([{ end: { failure, lastTask: 8 } }]);
      },
    );

    it('is repeated when nobody waits for its outcome any more', async () => {
      const scenario = await newScenario();
      scenario.faults.set('sessions.withSession', fail('CLUSTER_UNREACHABLE', { cause: new Error('ECONNREFUSED') }));
      await scenario.live(3);
      const waitingReason = expect.stringContaining('ECONNREFUSED');
      expect(await scenario.answer()).toEqual({ kind: 'underway', waitingReason }); // asked too late
      scenario.faults.clear();
      await scenario.live(10);
      expectWhole(scenario);
    });

    it('fails the job when its files cannot be written', async () => {
      const scenario = await newScenario();
      scenario.faults.set('session.upload', fail('UPLOAD_DAMAGED', { cause: new Error('No space left on device') }));
      await scenario.live(1);
      expect(await scenario.answer()).toMatchObject({ kind: 'failed', reason: 'UPLOAD_DAMAGED' });
      expect(scenario.logs.get('submission')).toContain('No space left on device');
    });

    it('fails the job with the message of the scheduler that refuses, and leaves nothing behind', async () => {
      const scenario = await newScenario();
      scenario.faults.set(
        'scheduler.submit',
        fail('SCHEDULER_REFUSED', { message: 'The scheduler refused: no such account' }),
      );
      await scenario.live(3);
      expect(await scenario.outcome()).toMatchObject({
        reason: 'SCHEDULER_REFUSED',
        message: expect.stringContaining('no such account'),
      });
      expect(scenario.jobs).toEqual([]);
    });

    it('fails the job when the deployment has no update keys', async () => {
      const scenario = await newScenario();
      scenario.updateKey = '';
      await scenario.live(3);
      expect(await scenario.outcome()).toMatchObject({ kind: 'failed', reason: 'UPDATE_KEY_MISSING' });
    });

    it('is retried when another service is unavailable for a moment', async () => {
      const scenario = await newScenario();
      scenario.faults.set('results.getDeck', unavailable);
      await scenario.live(3);
      const waitingReason = expect.stringContaining('A part of the service does not work');
      expect(await scenario.outcome()).toEqual({ kind: 'underway', waitingReason });
      expect(scenario.logs.get('submission')).toContain('A part of the service does not work');
      scenario.faults.clear();
      await scenario.live(10);
      expectWhole(scenario);
    });

    it('says so where a library of ours throws something of its own', async () => {
      const scenario = await newScenario();
      scenario.faults.set('session.upload', new TypeError('of a library'));
      await scenario.live(3);
      const { waitingReason = '' } = scenario.reports.at(-1) ?? {};
      expect(waitingReason).toContain('A part of the service does not work');
      expect(scenario.logs.get('submission')).toContain('A part of the service does not work');
    });

    it('that another service kept from the cluster is none that the cluster could fail: the job waits for it', async () => {
      const scenario = await newScenario();
      scenario.faults.set('credentials.get', unavailable);
      await scenario.live(1);
      scenario.faults.clear();
      scenario.faults.set('sessions.withSession', fail('CLUSTER_UNREACHABLE', { cause: new Error('ECONNREFUSED') }));
      await scenario.live(3);
      const waitingReason = expect.stringContaining('ECONNREFUSED');
      expect(await scenario.outcome()).toEqual({ kind: 'underway', waitingReason });
    });

    it('says nothing against the job when the service itself is stopping', async () => {
      const scenario = await newScenario();
      scenario.stopping.abort();
      scenario.faults.set('session.upload', fail('COMMAND_LOST'));
      await scenario.live(1);
      scenario.stopping = new AbortController();
      scenario.faults.clear();
      await scenario.live(10);
      expectWhole(scenario);
    });
  });

  describe('a later attempt', () => {
    it('is repeated with growing pauses, says why, and does not start anything twice', async () => {
      const scenario = await newScenario();
      scenario.faults.set('credentials.get', noCredential);
      await scenario.live(1);
      scenario.faults.clear();
      scenario.faults.set('sessions.withSession', fail('CLUSTER_UNREACHABLE', { cause: new Error('ETIMEDOUT') }));
      await scenario.live(10);
      expect(await scenario.outcome()).toMatchObject({
        kind: 'underway',
        waitingReason: expect.stringContaining('ETIMEDOUT'),
      });
      scenario.faults.clear();
      await scenario.live(10);
      expectWhole(scenario);
    });

    it('looks for the job of an unanswered sbatch, and calls it again only after the grace', async () => {
      const scenario = await newScenario();
      scenario.faults.set('scheduler.submit', fail('COMMAND_LOST'));
      await scenario.live(1);
      scenario.faults.clear();
      await scenario.clock.advance(1_000);
      const attempted = scenario.clock.now().getTime();
      await scenario.live(40);
      expectWhole(scenario);
      expect(scenario.clock.now().getTime() - attempted).toBeGreaterThan(30_000);
    });

    it('brings its own helper along when another release has uploaded the job', async () => {
      const scenario = await newScenario();
      scenario.faults.set('scheduler.submit', fail('COMMAND_LOST'));
      await scenario.live(1);
      scenario.faults.clear();
      scenario.helperName = 'helper-2.mjs';
      await scenario.live(40);
      expectWhole(scenario);
      expect(scenario.uploads.at(-1)).toBe('/scratch/someone/tally/.tally/helper-2.mjs');
      for (const { script } of scenario.jobs) expect(script).toContain('/.tally/helper-2.mjs ');
    });

    it('submits the collect job without the array that the scheduler has lost meanwhile', async () => {
      const scenario = await newScenario();
      scenario.lostAtCollect = markerOf(scenario.jobId, 1);
      for (let minutes = 0; minutes < 20; minutes++) await scenario.live(10);
      expect(await scenario.outcome()).toEqual({ kind: 'submitted' });
      const collect = scenario.jobs.find(({ marker }) => marker === markerOf(scenario.jobId, 0));
      expect(collect?.afterAny).toEqual(idsOf(scenario, markerOf(scenario.jobId, 2)));
    });

    it('finds the job after a refusal that was none: the scheduler has it all the same', async () => {
      const scenario = await newScenario();
      scenario.addJob(markerOf(scenario.jobId, 1));
      scenario.faults.set('scheduler.submit', fail('SCHEDULER_REFUSED'));
      await scenario.live(3);
      expect(idsOf(scenario, markerOf(scenario.jobId, 1))).toHaveLength(1);
    });
  });

  describe('waiting', () => {
    it('lasts while there is no credential, reports why, and ends with a login', async () => {
      const scenario = await newScenario();
      scenario.faults.set('credentials.get', noCredential);
      await scenario.live(2);
      expect(await scenario.outcome()).toEqual({ kind: 'underway', waitingReason: noCredential.message });
      expect(scenario.reports).toContainEqual({ waitingReason: noCredential.message });
      expect(scenario.logs.get('submission')?.trim().split('\n')).toHaveLength(1);
      scenario.faults.clear();
      await scenario.live(10);
      expectWhole(scenario);
    });

    it('fails the job in the end', async () => {
      const scenario = await newScenario();
      scenario.faults.set('credentials.get', noCredential);
      await scenario.live(2);
      await scenario.clock.advance(73 * 3_600_000);
      await scenario.live(2);
      expect(await scenario.outcome()).toMatchObject({
        reason: 'SUBMISSION_EXPIRED',
        message: expect.stringContaining(noCredential.message),
      });
    });
  });

  describe('the collect job', () => {
    it('is not submitted before the scheduler shows all arrays: a dependency on an unknown one counts as fulfilled', async () => {
      const scenario = await newScenario();
      scenario.hidden.add(markerOf(scenario.jobId, 2));
      await scenario.live(20);
      expect(idsOf(scenario, markerOf(scenario.jobId, 0))).toEqual([]);
      scenario.hidden.clear();
      await scenario.live(10);
      expectWhole(scenario);
    });

    it('waits for nothing that is lost', async () => {
      const scenario = await newScenario();
      scenario.hidden.add(markerOf(scenario.jobId, 2));
      await scenario.live(20);
      await scenario.clock.advance(600_000);
      await scenario.live(10);
      const collect = scenario.jobs.find(({ marker }) => marker === markerOf(scenario.jobId, 0));
      expect(collect?.afterAny).toEqual(idsOf(scenario, markerOf(scenario.jobId, 1)));
    });
  });

  describe('a command', () => {
    it('to cancel ends at once what has not reached the cluster', async () => {
      const scenario = await newScenario();
      await scenario.stop('canceled');
      scenario.faults.set('credentials.get', noCredential); // nor is one needed
      await scenario.live(3);
      expect(scenario.uploads).toEqual([]);
      expect(scenario.reports).toEqual([{ end: { failure: 'The job was canceled', lastTask: 8 } }]);
    });

    it('that comes before the submission keeps it from doing anything', async () => {
      const scenario = new SubmissionScenario(await createStores(), newJobId(new Date()) as JobId);
      await scenario.stop('deleted');
      expect(await scenario.accept()).toEqual({ kind: 'revoked' });
      await scenario.live(3);
      expect(scenario.callCount).toBe(0);
    });

    it('is not needed where the job has ended at jobs: nothing is started any more', async () => {
      const scenario = await newScenario();
      scenario.isJobOpen = false;
      await scenario.live(3);
      expect([scenario.jobs, scenario.uploads]).toEqual([[], []]);
    });
  });

  it('is done by nobody whose lease is over', async () => {
    const scenario = await newScenario();
    // another copy takes the cluster while this one is in the middle
    scenario.onUpload = async () => {
      await scenario.takeLease('another', new Date(scenario.clock.now().getTime() + 61_000), 1_000);
    };
    await scenario.live(1);
    expect(scenario.jobs).toEqual([]);
  });
}
