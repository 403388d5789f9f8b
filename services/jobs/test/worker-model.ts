import fc from 'fast-check';
import { STATES, type State } from '../src/domain/job-state.js';

/**
 * What the interface says of workers' updates ("States and transitions", "Task update rules"), written a second time, as
 * plainly as it goes, and random commands for it. Times are milliseconds; the model does not know the clock: a moment
 * that the service has to set itself is `'now'`.
 */
export type Moment = number | 'now' | null;

export interface TaskModel {
  state: State;
  requested: bigint;
  simulated: bigint;
  estimate: number | null;
  start: Moment;
  end: Moment;
  /** FAILED without a reason. */
  isUnexplained: boolean;
}

export interface TaskCommand {
  readonly kind: 'task';
  readonly taskId: number;
  readonly attemptName: string | undefined;
  readonly update: {
    readonly state: State | undefined;
    readonly requested: bigint | undefined;
    readonly simulated: bigint | undefined;
    readonly estimate: number | undefined;
    readonly start: number | undefined;
    readonly end: number | undefined;
    readonly failure: string | undefined;
  };
}
export type Command =
  | TaskCommand
  | { readonly kind: 'job'; readonly update: { readonly state: State; readonly end: number | undefined } }
  | { readonly kind: 'results'; readonly hash: string; readonly primaries: bigint | undefined }
  /** Nothing is heard of who merges, or is waited for, until the lease is over. */
  | { readonly kind: 'silence' }
  | { readonly kind: 'cancel' }
  | { readonly kind: 'delete' };

/** `cut`: the process dies before it has stored anything, or after, before it could answer; then the sender repeats. */
export interface Step {
  readonly command: Command;
  readonly cut: 'not' | 'before' | 'after';
}

/** What the sender is told; `gone`: there is no such job any more. */
export type Answer = boolean | 'gone' | State;

const ENDED: readonly State[] = ['COMPLETED', 'FAILED', 'CANCELED'];
const hasEnded = (state: State) => ENDED.includes(state);

export class WorkerModel {
  state: State = 'PENDING';
  end: Moment = null;
  isGone = false;
  readonly tasks: TaskModel[];
  readonly #current: (string | undefined)[];
  readonly #replaced: Set<string>[];
  /** What ended the job, and each task: who repeats it hears the same again. */
  #jobEndedBy = '';
  readonly #taskEndedBy: string[];

  constructor(requested: readonly bigint[]) {
    const unset = { simulated: 0n, estimate: null, start: null, end: null, isUnexplained: false };
    const blank = { state: 'PENDING' as State, ...unset };
    this.tasks = requested.map((primaries) => ({ ...blank, requested: primaries }));
    this.#current = requested.map(() => undefined);
    this.#replaced = requested.map(() => new Set());
    this.#taskEndedBy = requested.map(() => '');
  }

  apply(command: Command): Answer {
    if (this.isGone) return 'gone';
    switch (command.kind) {
      case 'task':
        return this.#updateTask(command);
      case 'job':
        return this.#updateJob(command.update.state, command.update.end, nameOf(command.update));
      case 'results':
        return this.#takeResults(command.hash, command.primaries);
      case 'silence':
        this.#endLease();
        return true;
      case 'cancel':
        if (!hasEnded(this.state)) this.#updateJob('CANCELED', undefined, '');
        return this.state;
      case 'delete':
        if (!hasEnded(this.state)) return false;
        this.isGone = true;
        return true;
    }
  }

  /** A task that was called FAILED without a reason did not fail after all, unless these results say that they lack some. */
  #takeResults(hash: string, said: bigint | undefined): boolean {
    if (hasEnded(this.state)) return this.#jobEndedBy === hash;
    const givenUp = this.tasks.filter(({ state }) => state === 'FAILED' || state === 'CANCELED');
    const asked = this.tasks.reduce((sum, { requested }) => sum + requested, 0n);
    const isMistake = givenUp.every(({ isUnexplained }) => isUnexplained) && (said === undefined || said >= asked);
    for (const task of this.tasks) if (!hasEnded(task.state)) finish(task, 'COMPLETED');
    this.#endJob(givenUp.length === 0 || isMistake ? 'COMPLETED' : 'FAILED', hash);
    return true;
  }

  /** What was waited for does not come: what tasks delivered is for the service's own workers to merge. */
  #endLease(): void {
    if (hasEnded(this.state)) return;
    if (this.tasks.every(({ state }) => hasEnded(state))) {
      if (this.tasks.some(({ state }) => state === 'COMPLETED')) this.state = 'MERGING_RUNNING';
      else this.#endJob('FAILED', '');
    } else if (this.state.startsWith('MERGING')) {
      this.state = 'RUNNING';
    }
  }

  #updateJob(state: State, end: number | undefined, name: string): boolean {
    if (hasEnded(this.state)) return name !== '' && this.#jobEndedBy === name;
    if (state === this.state) return true;
    this.end ??= end ?? null;
    this.state = state;
    if (!hasEnded(state)) return true;
    const rest = state === 'COMPLETED' ? 'COMPLETED' : 'CANCELED';
    for (const task of this.tasks) if (!hasEnded(task.state)) finish(task, rest);
    this.#endJob(state, name);
    return true;
  }

  #endJob(state: State, name: string): void {
    this.state = state;
    this.end ??= 'now';
    this.#jobEndedBy = name;
  }

  #updateTask({ taskId, attemptName, update }: TaskCommand): boolean {
    const [task, replaced] = [this.tasks[taskId - 1], this.#replaced[taskId - 1]];
    if (task === undefined || replaced === undefined) throw new Error('the commands name tasks that are there');
    const name = nameOf(update);
    if (hasEnded(task.state)) return this.#taskEndedBy[taskId - 1] === name;
    if (attemptName !== undefined && replaced.has(attemptName)) return false;
    const current = this.#current[taskId - 1];
    if (attemptName !== undefined && attemptName !== current) {
      if (current !== undefined) replaced.add(current);
      this.#current[taskId - 1] = attemptName;
    }
    if (update.requested !== undefined && update.requested !== 0n) task.requested = update.requested;
    if (update.simulated !== undefined && update.simulated !== 0n) task.simulated = update.simulated;
    if (update.estimate !== undefined && task.end === null) task.estimate = update.estimate;
    if (update.start !== undefined && task.start === null) task.start = update.start;
    if (update.end !== undefined && task.end === null) {
      task.end = update.end;
      task.estimate = null;
    }
    if (update.state === undefined || update.state === task.state) return true;
    task.state = update.state;
    if (update.state === 'RUNNING' && (this.state === 'PENDING' || this.state === 'UNKNOWN')) this.state = 'RUNNING';
    if (!hasEnded(update.state)) return true;
    finish(task, update.state);
    task.isUnexplained = update.state === 'FAILED' && update.failure === undefined;
    this.#taskEndedBy[taskId - 1] = name;
    if (!this.tasks.every(({ state }) => hasEnded(state))) return true;
    const mayStillDeliver = this.tasks.some(({ state, isUnexplained }) => state === 'COMPLETED' || isUnexplained);
    if (!mayStillDeliver) this.#endJob('FAILED', '');
    else if (!this.state.startsWith('MERGING')) this.state = 'MERGING_QUEUED';
    return true;
  }
}

function finish(task: TaskModel, state: State): void {
  task.state = state;
  if (state === 'COMPLETED') task.simulated = task.requested;
  task.end ??= 'now';
  task.estimate = null;
}

const nameOf = (update: object) =>
  JSON.stringify(update, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value));

/** A few moments only, so that the same comes twice. */
const moment = fc.option(
  fc.integer({ min: 1, max: 4 }).map((day) => Date.UTC(2026, 0, day, 3, 4, 5, 678)),
  {
    nil: undefined,
  },
);
const primaries = fc.option(fc.bigInt({ min: 0n, max: 3n }), { nil: undefined });
const state = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom<State>('UNKNOWN', 'PENDING', 'RUNNING', 'MERGING_QUEUED', 'MERGING_RUNNING'),
  },
  { weight: 3, arbitrary: fc.constantFrom<State>(...STATES) },
);

/** Steps for a job with so many tasks. */
export function stepsFor(taskCount: number, lengthMax: number): fc.Arbitrary<Step[]> {
  const task = fc.record({
    kind: fc.constant('task' as const),
    taskId: fc.integer({ min: 1, max: taskCount }),
    attemptName: fc.option(fc.constantFrom('a', 'b', 'c'), { nil: undefined }),
    update: fc.record({
      state: fc.option(state, { nil: undefined }),
      requested: primaries,
      simulated: primaries,
      estimate: fc.option(fc.nat(3), { nil: undefined }),
      start: moment,
      end: moment,
      failure: fc.constantFrom(undefined, 'exit code 1'),
    }),
  });
  const results = fc.record({
    kind: fc.constant('results' as const),
    hash: fc.constantFrom('h1', 'h2'),
    primaries: fc.constantFrom(undefined, 1n, 1_000n),
  });
  const job = fc.record({ kind: fc.constant('job' as const), update: fc.record({ state, end: moment }) });
  const command: fc.Arbitrary<Command> = fc.oneof(
    { weight: 20, arbitrary: task },
    { weight: 5, arbitrary: job },
    { weight: 1, arbitrary: results },
    { weight: 1, arbitrary: fc.constant({ kind: 'silence' as const }) },
    { weight: 1, arbitrary: fc.constant({ kind: 'cancel' as const }) },
    { weight: 2, arbitrary: fc.constant({ kind: 'delete' as const }) },
  );
  const cut = fc.oneof(
    { weight: 6, arbitrary: fc.constant('not' as const) },
    { weight: 1, arbitrary: fc.constant('before' as const) },
    { weight: 2, arbitrary: fc.constant('after' as const) },
  );
  return fc.array(fc.record({ command, cut }), { minLength: 1, maxLength: lengthMax });
}
