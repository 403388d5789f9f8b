import { describe, expect, it } from '@jest/globals';
import { fail } from '../src/domain/errors.js';
import { markerOf } from '../src/domain/submission.js';
import type { Stores } from './memory-stores.js';
import { LIMITS } from './observation-fixture.js';
import { acceptedScenario, type SubmissionScenario } from './submission-scenario.js';

/** What a scheduler's refusals mean for a submission, and what is left of one that fails. */
export function describeRefusals(createStores: () => Stores | Promise<Stores>): void {
  const newScenario = async () => acceptedScenario(await createStores());

  /** Two arrays and the collect job, each once. */
  const expectWhole = ({ jobs, jobId }: SubmissionScenario) => {
    expect(jobs.map(({ marker }) => marker).sort()).toEqual([0, 1, 2].map((ordinal) => markerOf(jobId, ordinal)));
    expect(jobs.filter(({ isCanceled }) => isCanceled)).toEqual([]);
  };

  describe('a refusal', () => {
    const refused = fail('SCHEDULER_REFUSED', { message: 'The scheduler refused: Invalid account' });
    const denied = fail('SCHEDULER_DENIED', { message: 'The scheduler refused: Access/permission denied' });

    it.each([
      ['of access', 1, denied],
      ['of a part, where another one was taken', 2, refused],
    ])('%s has to be said twice', async (_, ordinal, err) => {
      const scenario = await newScenario();
      scenario.refusals.push({ marker: markerOf(scenario.jobId, ordinal), err });
      await scenario.live(60);
      expect(scenario.reports).toContainEqual({ waitingReason: err.message });
      expectWhole(scenario);
    });

    it('that is said twice ends the job, and what was taken of it before', async () => {
      const scenario = await newScenario();
      const refusal = { marker: markerOf(scenario.jobId, 2), err: refused };
      scenario.refusals.push(refusal, refusal);
      for (let i = 0; i < 4; i++) await scenario.live(30);
      expect(await scenario.outcome()).toMatchObject({ kind: 'failed', reason: 'SCHEDULER_REFUSED' });
      expect(scenario.jobs.map(({ marker, isCanceled }) => [marker, isCanceled])).toEqual([
        [markerOf(scenario.jobId, 1), true],
      ]);
    });

    it('counts only when the scheduler was asked for the job, too', async () => {
      const scenario = await newScenario();
      scenario.refusals.push({ marker: markerOf(scenario.jobId, 1), err: refused });
      scenario.faults.set('scheduler.find', fail('SCHEDULER_UNREACHABLE'));
      await scenario.live(3);
      scenario.faults.clear();
      await scenario.live(60);
      expectWhole(scenario);
    });

    it('of the collect job costs no array: the tasks run without it', async () => {
      const scenario = await newScenario();
      const refusal = { marker: markerOf(scenario.jobId, 0), err: refused };
      scenario.refusals.push(refusal, refusal);
      await scenario.live(60);
      expect(await scenario.outcome()).toEqual({ kind: 'submitted' });
      expect(scenario.jobs.map(({ marker, isCanceled }) => [marker, isCanceled])).toEqual([
        [markerOf(scenario.jobId, 1), false],
        [markerOf(scenario.jobId, 2), false],
      ]);
      expect(scenario.logs.get('submission')).toContain('the tasks run without it');
    });

    it('for the number of jobs is waited for with long pauses', async () => {
      const scenario = await newScenario();
      const err = fail('SCHEDULER_BUSY', { cause: new Error('AssocMaxSubmitJobLimit') });
      scenario.refusals.push({ marker: markerOf(scenario.jobId, 1), err });
      await scenario.live(1);
      const from = scenario.clock.now().getTime();
      const dueAt = (await scenario.submission()).dueAt?.getTime() ?? 0;
      expect(dueAt - from).toBeGreaterThan(LIMITS.retryMaxMs - 2_000);
      expect(scenario.reports.at(-1)?.waitingReason).toContain('AssocMaxSubmitJobLimit');
      await scenario.live(60);
      expectWhole(scenario);
    });
  });

  describe('a submission', () => {
    it('that could not be submitted whole for too long goes on with what was taken', async () => {
      const scenario = await newScenario();
      scenario.hidden.add(markerOf(scenario.jobId, 2));
      await scenario.live(20);
      await scenario.clock.advance(73 * 3_600_000);
      scenario.faults.set('scheduler.observe', fail('SCHEDULER_UNREACHABLE'));
      await scenario.live(3);
      expect(await scenario.outcome()).toEqual({ kind: 'submitted' });
      expect(scenario.jobs.map(({ isCanceled }) => isCanceled)).toEqual([false, false]);
      expect(scenario.logs.get('submission')).toContain('What was submitted of it goes on');
    });

    it('that failed ends what an sbatch without answer brings to the scheduler after all', async () => {
      const scenario = await newScenario();
      scenario.faults.set('scheduler.submit', fail('COMMAND_LOST'));
      await scenario.live(2);
      await scenario.clock.advance(73 * 3_600_000);
      await scenario.live(2);
      expect(await scenario.outcome()).toMatchObject({ reason: 'SUBMISSION_EXPIRED' });
      scenario.addJob(markerOf(scenario.jobId, 1));
      await scenario.live(30);
      expect(scenario.jobs.map(({ isCanceled }) => isCanceled)).toEqual([true]);
    });
  });
}
