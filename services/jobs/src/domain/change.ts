/** What an operation stores, as data, and how it comes about: rows of a snapshot, replaced one by one. */
import type { DutyWork } from './duties/duty.js';
import { isJobEvent, type NewEvent, taskEventKind } from './events/job-event.js';
import type { JobExtension, JobId, UserId } from './job.js';
import { isTerminal } from './job-state.js';
import {
  type AttemptRow,
  addTask,
  type EarlierAnswer,
  hasDelivered,
  type JobRow,
  type MergeRow,
  type Snapshot,
  type TaskRow,
  type TaskSum,
} from './snapshot.js';
import type { Usage } from './submit/quotas.js';
import type { TaskPlan } from './task.js';

/** A message about a task that must reach the queue. */
export interface NewMessage {
  readonly ownerId: UserId;
  readonly jobKey: bigint;
  /** Id of the attempt. */
  readonly id: string;
}

/** What is owed from now on, in place of an earlier one of the same kind; merges are rows of their own. */
export type NewDuty = { readonly jobId: JobId } & (
  | Exclude<DutyWork, { readonly kind: 'merge' | 'remove' | 'delete' | 'notify' }>
  | { readonly kind: 'remove' | 'delete' | 'notify' }
);

/** Tasks that a job is given besides those that it has; on the direct platform with their first attempts and messages. */
export interface AddedTasks {
  readonly job: JobRow;
  readonly tasks: readonly TaskPlan[];
  /** That they are; undefined: its owner has not asked for them. */
  readonly extension: JobExtension | undefined;
}

/** What a repeat with the same idempotency key is answered with. */
export interface NewAnswer {
  readonly job: JobRow;
  readonly key: string;
  readonly requestHash: string;
  readonly answer: NonNullable<EarlierAnswer['answer']>;
  /** For so long. */
  readonly hours: number;
}

/** Rows as they are to be; those that stay as they are do not occur. */
export interface Change {
  readonly jobs: readonly JobRow[];
  readonly tasks: readonly TaskRow[];
  readonly addedTasks: readonly AddedTasks[];
  readonly attempts: readonly AttemptRow[];
  readonly openedAttempts: readonly AttemptRow[];
  /** Opened, or as they are now. */
  readonly merges: readonly MergeRow[];
  /** Ids of those that have ended, or that nobody wants any more. */
  readonly endedMerges: readonly string[];
  readonly addedMessages: readonly NewMessage[];
  /** Attempts whose message is taken back, if there is one. */
  readonly droppedMessages: readonly string[];
  /** Attempts whose message leaves the outbox until a runner can take them. */
  readonly parkedMessages: readonly string[];
  readonly duties: readonly NewDuty[];
  /** Batch jobs that are not to be submitted any more. */
  readonly endedSubmits: readonly JobId[];
  readonly answers: readonly NewAnswer[];
  readonly deletedJobs: readonly JobRow[];
  /** Of tasks before those of jobs. */
  readonly events: readonly NewEvent[];
}

/** A change under construction: rules read here what they have written here. */
export interface Draft {
  readonly now: Date;
  /** @throws Error when it was not loaded */
  job(jobKey: bigint): JobRow;
  findJob(jobId: JobId): JobRow | undefined;
  /** Whether its row may be replaced. */
  isLocked(jobKey: bigint): boolean;
  /** @throws Error when it was not loaded */
  task(taskKey: bigint): TaskRow;
  findTask(jobKey: bigint, taskId: number): TaskRow | undefined;
  /** Those that were loaded. */
  tasksOf(jobKey: bigint): readonly TaskRow[];
  /** All tasks of a job, loaded or not. @throws Error when the rest was not loaded */
  tally(jobKey: bigint): TaskSum;
  /** Numbers of the tasks of a job that have delivered, loaded or not, ascending; none of them is open. */
  deliveredTasks(jobKey: bigint): readonly number[];
  /** What the owner of the job has. @throws Error when it was not loaded */
  usage(): Usage;
  /** To the key that was asked for; undefined: there is none. */
  earlierAnswer(): EarlierAnswer | undefined;
  findAttempt(id: string): AttemptRow | undefined;
  attemptsOf(taskKey: bigint): readonly AttemptRow[];
  openAttemptOf(taskKey: bigint): AttemptRow | undefined;
  /** Of all tasks of a job that were loaded. */
  openAttempts(jobKey: bigint): readonly AttemptRow[];
  openMergeOf(jobKey: bigint): MergeRow | undefined;
  /** @throws Error when its row is not locked */
  putJob(job: JobRow): void;
  /** The state that the job has now is told, though it goes on to another one by the same change. */
  tellState(jobKey: bigint): void;
  putTask(task: TaskRow): void;
  /** What is added is not seen in this draft. @throws Error when the job's row is not locked */
  addTasks(jobKey: bigint, tasks: readonly TaskPlan[], extension: JobExtension | undefined): void;
  /** One that is not there is opened. */
  putAttempt(attempt: AttemptRow): void;
  /** In place of the one that its job has. */
  putMerge(merge: MergeRow): void;
  endMerge(jobKey: bigint): void;
  addMessage(message: NewMessage): void;
  dropMessage(id: string): void;
  /** It was given to a runner that cannot run it. */
  parkMessage(attemptId: string): void;
  addDuty(duty: NewDuty): void;
  /** The batch job is not to be submitted any more. */
  endSubmit(jobId: JobId): void;
  addAnswer(answer: NewAnswer): void;
  deleteJob(jobKey: bigint): void;
  change(): Change;
}

/** Rows by key, with those that were replaced or added. */
class Rows<Key extends bigint | string, Row extends object> {
  readonly #rows: Map<Key, Row>;
  readonly #loaded: ReadonlyMap<Key, Row>;
  readonly #put = new Set<Key>();

  constructor(
    loaded: readonly Row[],
    readonly keyOf: (row: Row) => Key,
  ) {
    this.#loaded = new Map(loaded.map((row) => [keyOf(row), row]));
    this.#rows = new Map(this.#loaded);
  }

  get(key: Key): Row | undefined {
    return this.#rows.get(key);
  }

  require(key: Key): Row {
    const row = this.#rows.get(key);
    if (row === undefined) throw new Error(`row ${key} was not loaded`);
    return row;
  }

  /** A row that says the same is none: it spares a row version. */
  put(row: Row): void {
    const key = this.keyOf(row);
    if (isSame(row, this.#rows.get(key))) return;
    this.#rows.set(key, row);
    this.#put.add(key);
  }

  filter(isWanted: (row: Row) => boolean): Row[] {
    return [...this.#rows.values()].filter(isWanted);
  }

  find(isWanted: (row: Row) => boolean): Row | undefined {
    for (const row of this.#rows.values()) if (isWanted(row)) return row;
    return undefined;
  }

  replaced = (): Row[] => this.filter((row) => this.#put.has(this.keyOf(row)) && this.#loaded.has(this.keyOf(row)));
  /** As it was loaded. */
  before = (row: Row): Row => this.#loaded.get(this.keyOf(row)) ?? row;
  added = (): Row[] => this.filter((row) => !this.#loaded.has(this.keyOf(row)));
}

function isSame(a: object, b: object | undefined): boolean {
  if (b === undefined) return false;
  const other = b as Readonly<Record<string, unknown>>;
  return Object.entries(a).every(([name, value]: [string, unknown]) => {
    const before = other[name];
    return value instanceof Date && before instanceof Date ? value.getTime() === before.getTime() : value === before;
  });
}

/** Begins a change of what was loaded. */
export function openDraft(snapshot: Snapshot): Draft {
  const jobs = new Rows(snapshot.jobs, ({ jobKey }) => jobKey);
  const tasks = new Rows(snapshot.tasks, ({ taskKey }) => taskKey);
  const attempts = new Rows(snapshot.attempts, ({ id }) => id);
  const merges = openMerges(snapshot.merges);
  const messages = openMessages();
  const passed: NewEvent[] = [];
  const duties: NewDuty[] = [];
  const endedSubmits = new Set<JobId>();
  const answers: NewAnswer[] = [];
  const deleted = new Set<bigint>();
  const addedTasks: AddedTasks[] = [];
  const requireLocked = (jobKey: bigint) => {
    if (!snapshot.lockedJobs.has(jobKey)) throw new Error(`job ${jobKey} is not locked`);
  };
  const tasksOf = (jobKey: bigint) => tasks.filter((task) => task.jobKey === jobKey);
  return {
    now: snapshot.now,
    job: (jobKey) => jobs.require(jobKey),
    findJob: (jobId) => jobs.find((job) => job.jobId === jobId),
    isLocked: (jobKey) => snapshot.lockedJobs.has(jobKey),
    task: (taskKey) => tasks.require(taskKey),
    findTask: (jobKey, taskId) => tasks.find((task) => task.jobKey === jobKey && task.taskId === taskId),
    tasksOf,
    tally: (jobKey) => {
      const rest = snapshot.restOfTasks.get(jobKey);
      if (rest === undefined) throw new Error(`the tasks of job ${jobKey} were not loaded`);
      return tasksOf(jobKey).reduce(addTask, rest);
    },
    deliveredTasks: (jobKey) => deliveredTasks(snapshot, jobs.require(jobKey), tasksOf(jobKey)),
    findAttempt: (id) => attempts.get(id),
    attemptsOf: (taskKey) => attempts.filter((attempt) => attempt.taskKey === taskKey),
    openAttemptOf: (taskKey) => attempts.find((attempt) => attempt.taskKey === taskKey && attempt.endedAt === null),
    openAttempts: (jobKey) =>
      attempts.filter(({ endedAt, taskKey }) => endedAt === null && tasks.get(taskKey)?.jobKey === jobKey),
    openMergeOf: merges.get,
    usage: () => {
      if (snapshot.usage === undefined) throw new Error('what its owner has was not loaded');
      return snapshot.usage;
    },
    putJob: (job) => {
      requireLocked(job.jobKey);
      jobs.put(job);
    },
    tellState: (jobKey) => void passed.push(...stateEvents(jobs, jobs.require(jobKey))),
    putTask: (task) => tasks.put(task),
    addTasks: (jobKey, plans, extension) => {
      requireLocked(jobKey);
      addedTasks.push({ job: jobs.require(jobKey), tasks: plans, extension });
    },
    putAttempt: (attempt) => attempts.put(attempt),
    putMerge: merges.put,
    endMerge: merges.end,
    addMessage: messages.add,
    dropMessage: messages.drop,
    parkMessage: messages.park,
    earlierAnswer: () => snapshot.earlierAnswer,
    addDuty: (duty) => duties.push(duty),
    endSubmit: (jobId) => endedSubmits.add(jobId),
    addAnswer: (answer) => answers.push(answer),
    deleteJob: (jobKey) => deleted.add(jobKey),
    change: () => ({
      ...withEvents(jobs, tasks, passed, snapshot.now),
      addedTasks,
      attempts: attempts.replaced(),
      openedAttempts: attempts.added(),
      ...merges.change(),
      ...messages.change(),
      duties: [...duties, ...notifications(jobs)],
      endedSubmits: [...endedSubmits],
      answers,
      deletedJobs: [...deleted].map((jobKey) => jobs.require(jobKey)),
    }),
  };
}

/** Those who want to be told of a job that ends by this change are told later. */
function notifications(jobs: Rows<bigint, JobRow>): NewDuty[] {
  return jobs
    .replaced()
    .filter((job) => job.isWatched && isTerminal(job.state) && !isTerminal(jobs.before(job).state))
    .map(({ jobId }) => ({ kind: 'notify', jobId }));
}

/** That a job is in a new state; none when it was in it before. */
function stateEvents(jobs: Rows<bigint, JobRow>, job: JobRow): NewEvent[] {
  const { jobKey, state } = job;
  return jobs.before(job).state === state ? [] : [{ kind: 'job', jobKey, state }];
}

/** @param tasks - of the job, that were loaded */
function deliveredTasks({ deliveredRest }: Snapshot, job: JobRow, tasks: readonly TaskRow[]): number[] {
  const loaded = tasks.filter((task) => hasDelivered(task, job)).map(({ taskId }) => taskId);
  return [...(deliveredRest?.get(job.jobKey) ?? []), ...loaded].toSorted((a, b) => a - b);
}

/** Merges of a change: of a job at most one. */
function openMerges(loaded: readonly MergeRow[]) {
  const before = new Map(loaded.map((merge) => [merge.jobKey, merge]));
  const merges = new Map(before);
  return {
    get: (jobKey: bigint) => merges.get(jobKey),
    put: (merge: MergeRow) => void merges.set(merge.jobKey, merge),
    end: (jobKey: bigint) => void merges.delete(jobKey),
    change: (): Pick<Change, 'merges' | 'endedMerges'> => ({
      merges: [...merges.values()].filter((merge) => !isSame(merge, before.get(merge.jobKey))),
      endedMerges: loaded.flatMap(({ id, jobKey }) => (merges.has(jobKey) ? [] : id)),
    }),
  };
}

/** Messages of a change. */
function openMessages() {
  const added = new Map<string, NewMessage>();
  const dropped = new Set<string>();
  const parked = new Set<string>();
  return {
    add: (message: NewMessage) => void added.set(message.id, message),
    drop: (id: string) => {
      if (!added.delete(id)) dropped.add(id);
    },
    park: (attemptId: string) => void parked.add(attemptId),
    change: (): Pick<Change, 'addedMessages' | 'droppedMessages' | 'parkedMessages'> => ({
      addedMessages: [...added.values()],
      droppedMessages: [...dropped],
      parkedMessages: [...parked],
    }),
  };
}

/** Rows that were replaced, and what is told of them. */
function withEvents(
  jobs: Rows<bigint, JobRow>,
  tasks: Rows<bigint, TaskRow>,
  passed: readonly NewEvent[],
  now: Date,
): Pick<Change, 'jobs' | 'tasks' | 'events'> {
  const events: NewEvent[] = [];
  const changedTasks = tasks.replaced().map((task) => {
    const { jobKey, taskKey } = task;
    const kind = taskEventKind(tasks.before(task), task, now);
    if (kind !== undefined) events.push({ kind, jobKey, taskKey });
    return kind === 'progress' ? { ...task, progressEventAt: now } : task;
  });
  events.push(...passed);
  const changedJobs = jobs.replaced();
  for (const job of changedJobs)
    if (isJobEvent(jobs.before(job), job)) events.push({ kind: 'job', jobKey: job.jobKey });
  return { jobs: changedJobs, tasks: changedTasks, events };
}
