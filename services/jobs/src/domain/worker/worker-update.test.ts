import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  type Answer,
  type Command,
  type Moment,
  stepsFor,
  type TaskCommand,
  WorkerModel,
} from '../../../test/worker-model.js';
import { decideJobStep, judgeDelivery, type TaskTally } from '../job-end.js';
import { isTerminal, JOB_TRANSITIONS, type JobTrigger, OPEN_STATES, type State } from '../job-state.js';
import { TASK_TRANSITIONS, type TaskTrigger } from '../task-state.js';
import { decideJobUpdate, decideTaskUpdate, hashUpdate, type JobFields, type TaskFields } from './worker-update.js';

const SEQUENCES = 10_000;
/** Far from every moment that a command says. */
const NOW = new Date('2030-01-01T00:00:00Z');

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
interface JobFixture {
  job: Mutable<JobFields>;
  jobEndedBy: string | null;
  isGone: boolean;
  readonly tasks: { fields: Mutable<TaskFields>; endedBy: string | null; attemptNames: string[] }[];
}

/** A job that lives by the rules of this folder, in memory: every move is one of the tables or a decision. */
function openFixture(requested: readonly bigint[]): JobFixture {
  const job: JobFields = { state: 'PENDING', endTime: null, jobDir: null, arrayId: null, collectId: null };
  const blank: Omit<TaskFields, 'requestedPrimaries'> = {
    state: 'PENDING',
    simulatedPrimaries: 0n,
    estimatedSeconds: null,
    startTime: null,
    endTime: null,
    failure: null,
    isUnexplained: false,
  };
  const tasks = requested.map((requestedPrimaries) => ({
    fields: { ...blank, requestedPrimaries },
    endedBy: null,
    attemptNames: [],
  }));
  return { job, jobEndedBy: null, isGone: false, tasks };
}

function moveJob(fixture: JobFixture, trigger: JobTrigger): boolean {
  const { from, to } = JOB_TRANSITIONS[trigger];
  if (!from.some((state) => state === fixture.job.state)) return false;
  fixture.job.state = to;
  if (isTerminal(to)) fixture.job.endTime ??= NOW;
  return true;
}

function moveTasks({ tasks }: JobFixture, trigger: TaskTrigger): void {
  const { from, to } = TASK_TRANSITIONS[trigger];
  for (const { fields } of tasks) {
    if (!from.some((state) => state === fields.state)) continue;
    fields.state = to;
    if (to === 'COMPLETED') fields.simulatedPrimaries = fields.requestedPrimaries;
    fields.endTime ??= NOW;
    fields.estimatedSeconds = null;
  }
}

const toDate = (at: number | undefined) => (at === undefined ? undefined : new Date(at));

function updateTask(fixture: JobFixture, { taskId, attemptName, update }: TaskCommand): boolean {
  const task = fixture.tasks[taskId - 1];
  if (task === undefined) throw new Error('no such task');
  const said = {
    state: update.state,
    requestedPrimaries: update.requested,
    simulatedPrimaries: update.simulated,
    estimatedSeconds: update.estimate,
    startTime: toDate(update.start),
    endTime: toDate(update.end),
    ...(update.failure === undefined ? {} : { failure: update.failure }),
  };
  const known = attemptName === undefined || attemptName === task.attemptNames[0] ? 'current' : 'new';
  const attempt = known === 'new' && task.attemptNames.includes(attemptName ?? '') ? 'replaced' : known;
  const decision = decideTaskUpdate(task.fields, attempt, task.endedBy, said, NOW);
  if (decision.kind === 'ignored') return decision.isRepeat;
  if (attempt === 'new' && attemptName !== undefined) task.attemptNames.unshift(attemptName);
  const { state: from } = task.fields;
  task.fields = { ...decision.fields };
  const { state } = task.fields;
  if (state === 'RUNNING' && from !== state) moveJob(fixture, 'started');
  if (!isTerminal(state)) return true;
  task.endedBy = hashUpdate(said);
  const step = decideJobStep(tallyOf(fixture), 'external', false);
  if (step.kind === 'continue') return true;
  if (step.kind === 'fail') expect(moveJob(fixture, 'nothingDelivered')).toBe(true);
  else if (!fixture.job.state.startsWith('MERGING')) expect(moveJob(fixture, 'tasksEnded')).toBe(true);
  return true;
}

/** No output of a task ever comes here. */
function tallyOf({ tasks }: JobFixture): TaskTally {
  const all = tasks.map(({ fields }) => fields);
  const givenUp = all.filter(({ state }) => state === 'FAILED' || state === 'CANCELED');
  const completedCount = all.filter(({ state }) => state === 'COMPLETED').length;
  const sum = (some: readonly TaskFields[]) => some.reduce((total, task) => total + task.requestedPrimaries, 0n);
  return {
    openCount: all.length - givenUp.length - completedCount,
    completedCount,
    undeliveredCount: completedCount,
    firstUndelivered: null,
    givenUpCount: givenUp.length,
    unexplainedCount: givenUp.filter(({ isUnexplained }) => isUnexplained).length,
    primaries: sum(all),
    givenUpPrimaries: sum(givenUp),
    deliveredPrimaries: 0n,
    stoppedCount: 0,
    exampleFailure: givenUp[0]?.failure ?? null,
  };
}

/** The lease of who merges, or is waited for, runs out. */
function endLease(fixture: JobFixture): void {
  if (isTerminal(fixture.job.state)) return;
  const step = decideJobStep(tallyOf(fixture), 'external', true);
  if (step.kind === 'fail') expect(moveJob(fixture, 'nothingDelivered')).toBe(true);
  else if (step.kind === 'merge') expect(moveJob(fixture, 'mergeStarted')).toBe(true);
  else moveJob(fixture, 'mergeAbandoned'); // false: nobody said that it merges
}

function applyTo(fixture: JobFixture, command: Command): Answer {
  if (fixture.isGone) return 'gone';
  switch (command.kind) {
    case 'task':
      return updateTask(fixture, command);
    case 'job': {
      const update = { ...UNSAID, state: command.update.state, endTime: toDate(command.update.end) };
      const decision = decideJobUpdate(
        { ...fixture.job, platform: 'direct', hasMerge: false },
        fixture.jobEndedBy,
        update,
        NOW,
      );
      if (decision.kind === 'ignored') return decision.isRepeat;
      fixture.job = { ...decision.fields };
      if (isTerminal(update.state)) {
        moveTasks(fixture, update.state === 'COMPLETED' ? 'jobCompleted' : 'canceled');
        fixture.jobEndedBy = hashUpdate(update);
      }
      return true;
    }
    case 'results': {
      if (isTerminal(fixture.job.state)) return fixture.jobEndedBy === command.hash;
      const { isPartial, failure } = judgeDelivery(tallyOf(fixture), command.primaries);
      expect(failure !== null).toBe(isPartial);
      moveTasks(fixture, 'jobCompleted');
      expect(moveJob(fixture, isPartial ? 'deliveredInPart' : 'delivered')).toBe(true);
      fixture.jobEndedBy = command.hash;
      return true;
    }
    case 'silence':
      endLease(fixture);
      return true;
    case 'cancel':
      if (moveJob(fixture, 'canceled')) moveTasks(fixture, 'canceled');
      return fixture.job.state;
    case 'delete':
      fixture.isGone = isTerminal(fixture.job.state);
      return fixture.isGone;
  }
}
const UNSAID = { jobDir: undefined, arrayId: undefined, collectId: undefined };

const momentOf = (date: Date | null): Moment => (date?.getTime() === NOW.getTime() ? 'now' : (date?.getTime() ?? null));
const seen = ({ job, tasks, isGone }: JobFixture) => ({
  state: job.state,
  end: momentOf(job.endTime),
  isGone,
  tasks: tasks.map(({ fields }) => ({
    state: fields.state,
    requested: fields.requestedPrimaries,
    simulated: fields.simulatedPrimaries,
    estimate: fields.estimatedSeconds,
    start: momentOf(fields.startTime),
    end: momentOf(fields.endTime),
    isUnexplained: fields.isUnexplained,
  })),
});
const modelled = ({ state, end, isGone, tasks }: WorkerModel) => ({ state, end, isGone, tasks });

/** `expect` is asked only to show a difference: it takes most of the time otherwise. */
function requireEqual(actual: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(actual, expected)) expect(actual).toEqual(expected);
}

describe('what external workers say', () => {
  it('comes to what the interface says, in every order, cut off and repeated', () => {
    const ends = new Map<State | 'open', number>();
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 3 }).chain((count) => fc.tuple(fc.constant(count), stepsFor(count, 15))),
        ([count, steps]) => {
          const requested = Array.from({ length: count }, (_, i) => BigInt(10 + i));
          const [fixture, model] = [openFixture(requested), new WorkerModel(requested)];
          for (const { command, cut } of steps) {
            const before = seen(fixture);
            // cut before anything was stored: nothing happened, and the sender says it again
            const answer = applyTo(fixture, command);
            requireEqual(answer, model.apply(command));
            requireEqual(seen(fixture), modelled(model));
            if (isTerminal(before.state))
              requireEqual({ ...seen(fixture), isGone: false }, { ...before, isGone: false });
            if (cut !== 'after' || command.kind === 'delete') continue;
            const after = seen(fixture);
            requireEqual([applyTo(fixture, command), model.apply(command)], [answer, answer]);
            requireEqual(seen(fixture), after);
          }
          const end = isTerminal(fixture.job.state) ? fixture.job.state : 'open';
          ends.set(end, (ends.get(end) ?? 0) + 1);
        },
      ),
      { numRuns: SEQUENCES },
    );
    // the sequences reach every end, often
    for (const end of ['COMPLETED', 'FAILED', 'CANCELED', 'open'] as const) {
      expect(ends.get(end) ?? 0).toBeGreaterThan(SEQUENCES / 50);
    }
  });

  it('is one and the same by its hash, whatever the order of its fields', () => {
    const update = { ...UNSAID, state: 'COMPLETED' as const, endTime: NOW, arrayId: 1n };
    const other = { arrayId: 1n, endTime: new Date(NOW), jobDir: undefined, collectId: undefined };
    expect(hashUpdate(update)).toBe(hashUpdate({ ...other, state: 'COMPLETED' }));
    expect(hashUpdate(update)).not.toBe(hashUpdate({ ...update, arrayId: 2n }));
    expect(OPEN_STATES.some(isTerminal)).toBe(false);
  });
});
