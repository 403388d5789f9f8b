import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type JobId, readJobId } from './job-id.js';
import type { Change } from './ports.js';
import type { SchedulerJobId } from './scheduler.js';
import {
  DESIRED_STATES,
  isIn,
  markerOf,
  NEXT_PHASES,
  type PhaseKind,
  type SchedulerJobState,
  type StoredSubmission,
  type Submission,
} from './submission.js';
import {
  accept,
  attemptSchedulerJob,
  beginAttempt,
  endSubmission,
  extend,
  isExtension,
  markCancelSent,
  markCleared,
  markEndReported,
  markSubmitted,
  markUploaded,
  outcomeOf,
  recordTarget,
  repeat,
  requestStop,
  reschedule,
  setSchedulerJobs,
  setWaiting,
  updateSubmission,
} from './submission-state.js';

const jobId = readJobId('20261121-150405-0191c2a4-7f3e-7c1d-9a55-1f2e3d4c5b6a');
const options = { partition: 'batch', wallTimeSeconds: 600, memoryMib: 100 };
const later = (ms: number) => new Date(Date.UTC(2026, 10, 21) + ms);
const schedulerJobs = [0, 1, 2].map((ordinal) => {
  return { ordinal, firstTask: ordinal, taskCount: Math.min(ordinal, 1), state: { kind: 'planned' } as const };
});
const remoteJob = { username: 'jane', taskCount: 2, schedulerJobs };
const known = (id: string): SchedulerJobState => ({ kind: 'known', id: id as SchedulerJobId, knownAt: later(0) });

/** Every operation on what is stored, at a time; a submission that was loaded before commands came is `seen`. */
type Operation = (stored: StoredSubmission, seen: Submission | undefined, now: Date) => Change<unknown> | Submission;
const onStored =
  (update: (stored: Submission, seen: Submission, now: Date) => Submission): Operation =>
  (stored, seen, now) =>
    typeof stored === 'object' ? update(stored, seen ?? stored, now) : { result: undefined };
const OPERATIONS: Readonly<Record<string, Operation>> = {
  submit: (stored, _, now) =>
    stored === undefined
      ? accept({ jobId, userId: 1n, clusterName: 'north', options, origin: {}, firstTask: 1, lastTask: 2 }, now)
      : repeat(stored, now),
  cancel: (stored, _, now) => requestStop(stored, jobId, 'canceled', now),
  delete: (stored, _, now) => requestStop(stored, jobId, 'deleted', now),
  attempt: onStored((stored, _, now) => beginAttempt(stored, later(now.getTime() - later(0).getTime() + 5))),
  reschedule: onStored((stored, seen, now) => reschedule(stored, seen, { dueAt: now, waitingReason: 'away' })),
  target: onStored((stored) => recordTarget(stored, 'jane')),
  upload: onStored((stored, _, now) => markUploaded(stored, remoteJob, now)),
  known: onStored((stored) => setSchedulerJobs(stored, new Map([0, 1, 2].map((i) => [i, known(`${i + 10}`)])))),
  lost: onStored((stored) =>
    setSchedulerJobs(stored, new Map([[1, { ...known('11'), kind: 'lost' } as SchedulerJobState]])),
  ),
  finishSubmit: onStored((stored, _, now) => markSubmitted(stored, now)),
  wait: onStored((stored) => setWaiting(stored, 'held')),
  cancelSent: onStored(markCancelSent),
  end: onStored((stored, _, now) => endSubmission(stored, { message: 'over' }, now)),
  fail: onStored((stored, _, now) => endSubmission(stored, { reason: 'LOGIN_REFUSED', message: 'no' }, now)),
  reportEnd: onStored((stored, _, now) => markEndReported(stored, later(1e6), now)),
  clear: onStored((stored, _, now) => markCleared(stored, now)),
};

/** Whether something is left to do, which only a submission that is due ever gets. */
function hasWork({ phase, desired }: Submission): boolean {
  if (phase.kind === 'cleared') return false;
  return phase.kind !== 'submitted' || (desired !== 'run' && phase.cancelSentAt === undefined);
}

function expectKept(before: StoredSubmission, after: StoredSubmission): void {
  if (typeof before !== 'object') {
    if (before === 'revoked') expect(after).toBe('revoked');
    return;
  }
  if (typeof after !== 'object') throw new Error('a submission is not forgotten');
  const [from, to] = [before.phase.kind, after.phase.kind];
  expect(from === to || NEXT_PHASES[from].includes(to)).toBe(true);
  expect(DESIRED_STATES.indexOf(after.desired)).toBeGreaterThanOrEqual(DESIRED_STATES.indexOf(before.desired));
  if (outcomeOf(before).kind === 'failed') expect(outcomeOf(after)).toEqual(outcomeOf(before));
  expect([to, after.dueAt !== undefined || !hasWork(after)]).toEqual([to, true]);
}

describe('any sequence of operations', () => {
  it('moves a submission forward only, loses no command, and never leaves work that is not due', () => {
    const steps = fc.array(fc.tuple(fc.constantFrom(...Object.keys(OPERATIONS)), fc.boolean()), { maxLength: 40 });
    fc.assert(
      fc.property(steps, (sequence) => {
        let stored: StoredSubmission;
        let seen: Submission | undefined;
        for (const [i, [name, isLoading]] of sequence.entries()) {
          if (isLoading && typeof stored === 'object') seen = stored;
          let change: ReturnType<Operation>;
          try {
            change = OPERATIONS[name]?.(stored, seen, later(10 * i)) ?? { result: undefined };
          } catch (err) {
            expect(String(err)).toContain('a submission that is'); // not in this phase
            continue;
          }
          const save = 'result' in change ? change.save : change;
          const after: StoredSubmission = save === undefined ? stored : 'phase' in save ? save : 'revoked';
          expectKept(stored, after);
          stored = after;
        }
      }),
    );
  });

  it('reaches every phase in its order', () => {
    const order = ['submit', 'target', 'upload', 'known', 'finishSubmit', 'end', 'reportEnd', 'clear'];
    let stored: StoredSubmission;
    const phases = new Set<PhaseKind>();
    for (const name of order) {
      const change = OPERATIONS[name]?.(stored, undefined, later(0)) ?? { result: undefined };
      stored = ('result' in change ? change.save : change) as Submission;
      phases.add(stored.phase.kind);
    }
    expect([...phases]).toEqual(['accepted', 'uploaded', 'submitted', 'ended', 'cleared']);
  });
});

describe('further tasks', () => {
  const first = { jobId, userId: 1n, clusterName: 'north', options, origin: {}, firstTask: 1, lastTask: 2 };
  const accepted = accept(first, later(0)).save as Submission;
  const uploaded = markUploaded(accepted, remoteJob, later(0));
  const submitted = markSubmitted(setSchedulerJobs(uploaded, new Map([[1, known('11')]])), later(0));
  const ended = endSubmission(submitted, { message: 'over' }, later(1));
  const cleared = markCleared(markEndReported(ended, later(1), later(1)), later(2));
  const stopped = requestStop(submitted, jobId, 'canceled', later(1)).save as Submission;
  const tasks = { userId: 8n, firstTask: 3, lastTask: 5, origin: { requestId: 'r' } };

  it('are those that are not known yet', () => {
    expect([2, 3].map((lastTask) => isExtension(submitted, lastTask))).toEqual([false, true]);
    for (const nothing of [undefined, 'revoked', { ...cleared, lastTask: 0 }] as const)
      expect(isExtension(nothing, 3)).toBe(false);
  });

  it('are accepted when nothing is left to do for those before, also after a stop, and due at once', () => {
    const stoppedAndEnded = endSubmission(stopped, { message: 'over' }, later(1));
    for (const stored of [submitted, ended, cleared, stoppedAndEnded]) {
      const { save, wakesWorker, result } = extend(stored, tasks, later(9));
      const phase = { kind: 'accepted' };
      const fresh = { acceptedAt: later(9), dueAt: later(9), attemptCount: 0, waitingReason: '', desired: 'run' };
      expect(save).toEqual({ ...stored, ...tasks, ...fresh, phase });
      expect([wakesWorker, result]).toEqual([true, { kind: 'underway', waitingReason: '' }]);
    }
  });

  it('wait for what is still being submitted or canceled, and never come to a deleted job', () => {
    for (const stored of [accepted, uploaded, stopped])
      expect(() => extend(stored, tasks, later(9))).toThrow(
        expect.objectContaining({ reason: 'SUBMISSION_UNFINISHED' }),
      );
    const deleted = requestStop(ended, jobId, 'deleted', later(2)).save as Submission;
    expect(extend(deleted, tasks, later(9))).toEqual({ result: { kind: 'revoked' } });
  });

  it('are not ended by a cancel that was about those before', () => {
    const extended = extend(ended, tasks, later(9)).save as Submission;
    expect(requestStop(extended, jobId, 'canceled', later(10), 2)).toEqual({ result: undefined });
    for (const lastTask of [0, 5])
      expect(requestStop(extended, jobId, 'canceled', later(10), lastTask).save).toMatchObject({ desired: 'canceled' });
  });

  it('are not touched by what began before them', async () => {
    const extended = extend(ended, tasks, later(9)).save as Submission;
    const store = {
      change: async (_: JobId, decide: (stored: StoredSubmission) => Change<Submission>) => decide(extended).result,
    };
    const change = store.change as never;
    const end = (stored: Submission) => endSubmission(stored, { message: 'over' }, later(10));
    expect(await updateSubmission({ change }, submitted, end)).toBe(extended);
    expect(await updateSubmission({ change }, extended, end)).toMatchObject({ phase: { kind: 'ended' } });
  });
});

describe('a command', () => {
  const accepted = accept(
    { jobId, userId: 1n, clusterName: 'north', options, origin: {}, firstTask: 1, lastTask: 2 },
    later(0),
  ).save as Submission;
  const uploaded = markUploaded(accepted, remoteJob, later(0));
  const submitted = markSubmitted(setSchedulerJobs(uploaded, new Map([[1, known('11')]])), later(0));

  it('makes what waits due at once, and nothing else', () => {
    const waiting = reschedule(accepted, accepted, { dueAt: later(1e6), waitingReason: 'no certificate' });
    expect(repeat(waiting, later(5))).toMatchObject({ save: { dueAt: later(5) }, wakesWorker: true });
    expect(repeat(accepted, later(5))).toEqual({ save: accepted, result: outcomeOf(accepted) });
    for (const stored of [submitted, 'revoked'] as const) {
      expect(repeat(stored, later(5))).toEqual({ result: outcomeOf(stored) });
    }
  });

  it('that came while something else was done is done next', () => {
    const canceled = requestStop(accepted, jobId, 'canceled', later(5)).save as Submission;
    expect(reschedule(canceled, accepted, { dueAt: later(1e6), waitingReason: '' }).dueAt).toEqual(later(0));
    const deleted = { ...submitted, desired: 'deleted' } as const;
    expect(markCancelSent(deleted, { ...submitted, desired: 'canceled' }, later(5)).dueAt).toEqual(later(5));
  });

  it('to delete is sent to the cluster again: the collect job, which a cancel spares, is to end', () => {
    const canceled = requestStop(submitted, jobId, 'canceled', later(5)).save as Submission;
    const sent = markCancelSent(canceled, canceled, later(6));
    expect(sent.dueAt).toBeUndefined();
    const { save } = requestStop(sent, jobId, 'deleted', later(7));
    expect(save).toMatchObject({ dueAt: later(7), phase: { cancelSentAt: undefined } });
    expect(requestStop(save as Submission, jobId, 'canceled', later(8)).save).toBeUndefined();
  });

  it('drops what has no id when everything is submitted', () => {
    expect(isIn('submitted', submitted) && submitted.phase.remoteJob.schedulerJobs.map((job) => job.ordinal)).toEqual([
      1,
    ]);
  });

  describe('to submit a scheduler job', () => {
    const [, job = schedulerJobs[0]] = schedulerJobs;
    const attempt = (stored: StoredSubmission, holder = 'me', expiresAt = later(10)) =>
      attemptSchedulerJob(stored, { holder: 'me', expiresAt }, job as never, { holder, now: later(5) }).result;

    it('is allowed for the holder of the lease, while nobody else has tried', () => {
      expect(attempt(uploaded)).toBe(true);
      expect(attempt(uploaded, 'another')).toBe(false);
      expect(attempt(uploaded, 'me', later(5))).toBe(false);
      const attempted = new Map([[1, { kind: 'attempted', attemptedAt: later(1) } as const]]);
      expect(attempt(setSchedulerJobs(uploaded, attempted))).toBe(false);
      for (const stored of [undefined, 'revoked', accepted, submitted] as const) expect(attempt(stored)).toBe(false);
    });

    it('changes nothing that is known already', () => {
      const ofOne = setSchedulerJobs(uploaded, new Map([[1, known('11')]]));
      expect(setSchedulerJobs(ofOne, new Map([[1, known('12')]]))).toEqual(ofOne);
    });
  });
});

describe('readJobId', () => {
  it('takes what jobs gives out, safe in a path and in a marker', () => {
    expect(markerOf(readJobId(jobId), 3)).toBe(`tally-${jobId}-3`);
  });

  it.each(['', '..', `${jobId}/..`, `../${jobId}`, `${jobId}\n`, jobId.toUpperCase(), `$(${jobId})`, jobId.slice(1)])(
    'refuses %j',
    (text) => {
      expect(() => readJobId(text)).toThrow(expect.objectContaining({ reason: 'JOB_ID_INVALID' }));
    },
  );
});
