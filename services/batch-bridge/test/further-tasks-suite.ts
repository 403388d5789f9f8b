import { describe, expect, it } from '@jest/globals';
import { fail } from '../src/domain/errors.js';
import { markerOf } from '../src/domain/submission.js';
import type { Stores } from './memory-stores.js';
import { acceptedScenario, DEATH_MODES, type SubmissionScenario } from './submission-scenario.js';

/** What holds of tasks that a submitted job is given later; see describeSubmissions. */
export function describeFurtherTasks(createStores: () => Stores | Promise<Stores>): void {
  describe('further tasks', () => {
    const submittedOnce = async () => {
      const scenario = await acceptedScenario(await createStores());
      await scenario.live(3);
      scenario.jobs.length = 0;
      scenario.uploads.length = 0;
      return scenario;
    };
    /** Tasks 9 to 14 in arrays of four and two, and a collect job of their own, each once. */
    const expectFurther = ({ jobs, jobId, reports }: SubmissionScenario) => {
      const markers = [9, 10, -8].map((ordinal) => markerOf(jobId, ordinal));
      expect(jobs.map(({ marker }) => marker).toSorted()).toEqual(markers.toSorted());
      expect(markers[2]).toBe(`tally-${jobId}-0-8`);
      const [first, second, collect] = markers.map((marker) => jobs.find((job) => job.marker === marker));
      expect([first?.array, second?.array]).toEqual([
        { first: 1, last: 4 },
        { first: 1, last: 2 },
      ]);
      expect([first?.script, second?.script]).toEqual([
        expect.stringMatching(/ \+8$/),
        expect.stringMatching(/ \+12$/),
      ]);
      expect(collect?.afterAny).toEqual([first?.id, second?.id]);
      expect(reports.at(-1)).toMatchObject({ arrayId: first?.id, collectId: collect?.id });
    };

    it('are further arrays in the folder of the job', async () => {
      const scenario = await submittedOnce();
      expect(await scenario.extend(6)).toEqual({ kind: 'underway', waitingReason: '' });
      await scenario.live(3);
      expect(await scenario.outcome()).toEqual({ kind: 'submitted' });
      expectFurther(scenario);
      expect(scenario.uploads).toContain(`${scenario.folder}/job.json`);
      expect(scenario.commands).toContainEqual(['rm', '-f', '--', `${scenario.folder}/finish`]);
      expect(await scenario.accept()).toEqual({ kind: 'submitted' }); // a repeat finds them
      await scenario.live(3);
      expectFurther(scenario);
    });

    it('are of the owner that the job has now: by his credential, and in his folder', async () => {
      const scenario = await submittedOnce();
      const before = scenario.folder;
      scenario.userId = 8n;
      await scenario.extend(6);
      await scenario.live(3);
      expect(await scenario.outcome()).toEqual({ kind: 'submitted' });
      expectFurther(scenario);
      expect(scenario.folder).not.toBe(before);
      expect(scenario.uploads).toContain(`${scenario.folder}/job.json`);
      expect(scenario.uploads.filter((file) => file.startsWith(before))).toEqual([]);
      expect(scenario.reports.at(-1)).toMatchObject({ jobDir: scenario.folder });
      expect((await scenario.submission()).userId).toBe(8n);
    });

    it.each(DEATH_MODES)(
      'are submitted once and whole when the service dies at any call (%s it takes effect)',
      async (mode) => {
        const unharmed = await submittedOnce();
        await unharmed.extend(6);
        await unharmed.live(3);
        for (let atCall = 1; atCall <= unharmed.callCount; atCall++) {
          const scenario = await submittedOnce();
          await scenario.extend(6);
          await scenario.live(3, { atCall, mode });
          await scenario.live(50);
          expect({ atCall, outcome: await scenario.outcome() }).toEqual({ atCall, outcome: { kind: 'submitted' } });
          expectFurther(scenario);
        }
      },
    );

    it('are found at the scheduler when the database has forgotten the job', async () => {
      const stores = await createStores();
      const scenario = await acceptedScenario(stores);
      await scenario.live(3);
      scenario.jobs.length = 0;
      await scenario.extend(6);
      await scenario.live(3);
      await stores.lose(scenario.jobId);
      await scenario.accept();
      await scenario.live(10);
      expectFurther(scenario);
    });

    it('wait where a first attempt would have failed the job: what it has is to be kept', async () => {
      const scenario = await submittedOnce();
      await scenario.extend(6);
      scenario.faults.set('sessions.withSession', fail('CLUSTER_UNREACHABLE', { cause: new Error('ECONNREFUSED') }));
      await scenario.live(3);
      expect(await scenario.outcome()).toMatchObject({ kind: 'underway' });
      scenario.faults.clear();
      await scenario.live(100);
      expectFurther(scenario);
    });
  });
}
