import { type Change, type Draft, openDraft } from '../src/domain/change.js';
import type { JobId } from '../src/domain/job.js';
import { isTerminal, JOB_TRANSITIONS } from '../src/domain/job-state.js';
import type { JobRef, LeaseStore, NewJob, StateStore, TaskRef, TasksNeed } from '../src/domain/ports.js';
import {
  type AttemptRow,
  addTask,
  hasDelivered,
  type JobRow,
  type MergeRow,
  NO_TASKS,
  type Snapshot,
  type TaskRow,
} from '../src/domain/snapshot.js';
import type { Usage } from '../src/domain/submit/quotas.js';
import type { AttemptId, TaskPlan } from '../src/domain/task.js';
import { EXTERNAL_PREFIX } from '../src/domain/work.js';

/** What is stored, by key. A message is named by its attempt, a merge by its job. */
export interface MemoryRows {
  readonly jobs: Map<bigint, JobRow>;
  readonly tasks: Map<bigint, TaskRow>;
  readonly attempts: Map<string, AttemptRow>;
  readonly merges: Map<bigint, MergeRow>;
  readonly messages: Set<string>;
  /** Kind and job, of those that are not merges. */
  readonly duties: Set<string>;
  readonly events: { readonly kind: string; readonly jobKey: bigint; readonly taskKey: bigint | undefined }[];
}

/** The stores of states and leases in memory: each operation is a transaction by itself, in the order of the calls. */
export interface MemoryStore {
  readonly rows: MemoryRows;
  readonly states: StateStore;
  readonly leases: LeaseStore;
  /** As a submission stores it. */
  createJob(job: NewJob): void;
}

export const emptyRows = (): MemoryRows => ({
  jobs: new Map(),
  tasks: new Map(),
  attempts: new Map(),
  merges: new Map(),
  messages: new Set(),
  duties: new Set(),
  events: [],
});

/** What is stored, to be changed apart from the original; without its events. */
export const copyRows = ({ jobs, tasks, attempts, merges, messages, duties }: MemoryRows): MemoryRows => ({
  jobs: new Map(jobs),
  tasks: new Map(tasks),
  attempts: new Map(attempts),
  merges: new Map(merges),
  messages: new Set(messages),
  duties: new Set(duties),
  events: [],
});

/** StateStore.changeTasks, at once. */
export function changeTasksIn<T>(
  rows: MemoryRows,
  now: Date,
  refs: readonly TaskRef[],
  decide: (draft: Draft) => T,
): T {
  return change(rows, loadTasks(rows, refs, now), decide);
}

/** StateStore.changeJob, at once. */
export function changeJobIn<T>(
  rows: MemoryRows,
  now: Date,
  { ref, tasks }: { readonly ref: JobRef; readonly tasks: TasksNeed },
  decide: (draft: Draft) => T,
): T {
  return change(rows, loadJob(rows, ref, tasks, now), decide);
}

function change<T>(rows: MemoryRows, snapshot: Snapshot, decide: (draft: Draft) => T): T {
  const draft = openDraft(snapshot);
  const result = decide(draft);
  store(rows, withNames(rows, draft.change()), snapshot.now);
  return result;
}

/** @param now - of the database */
export function createMemoryStore(now: () => Date): MemoryStore {
  const rows = emptyRows();
  return {
    rows,
    states: {
      changeTasks: async (refs, decide) => changeTasksIn(rows, now(), refs, decide),
      changeJob: async (ref, tasks, decide) => changeJobIn(rows, now(), { ref, tasks }, decide),
    },
    leases: {
      listExpired: async (limit) =>
        [...rows.attempts.values()]
          .filter(
            ({ endedAt, leaseExpiresAt }) => endedAt === null && leaseExpiresAt !== null && leaseExpiresAt < now(),
          )
          .toSorted((a, b) => Number(a.leaseExpiresAt) - Number(b.leaseExpiresAt))
          .slice(0, limit)
          .map(({ id }) => id as AttemptId),
    },
    createJob: (job) => createJobIn(rows, now(), job),
  };
}

/** Tasks of the direct platform have an attempt with a message; a batch job has the command to submit it. */
export function createJobIn(rows: MemoryRows, now: Date, job: NewJob): void {
  const { jobId, ownerId, platform, simulator, inputType, seed, tasks } = job;
  const jobKey = BigInt(rows.jobs.size + rows.tasks.size) + 1n;
  const unset = {
    endTime: null,
    closedAt: null,
    failure: null,
    endedBy: null,
    stoppedAt: null,
    simulatedPrimaries: null,
    extendedAt: null,
    submittedTaskCount: null,
    isWatched: false,
    taskPrimariesMax: job.taskPrimariesMax === undefined ? null : BigInt(job.taskPrimariesMax),
    executable: job.executable ?? null,
    mergeId: null,
    mergeNumber: 0,
    convergence: job.target === undefined ? null : { ...job.target, points: [], isReached: null },
  };
  const cluster = { jobDir: null, arrayId: null, collectId: null, waitingReason: null };
  const facts = { jobKey, jobId, ownerId, platform, simulator, inputType, seed, startTime: now };
  rows.jobs.set(jobKey, { ...facts, ...unset, ...cluster, state: JOB_TRANSITIONS.submitted.to });
  rows.events.push({ kind: 'job', jobKey, taskKey: undefined });
  if (platform === 'batch') rows.duties.add(`submit ${jobId}`);
  addTasksIn(rows, now, { jobKey, platform }, tasks);
}

function addTasksIn(
  rows: MemoryRows,
  now: Date,
  { jobKey, platform }: Pick<JobRow, 'jobKey' | 'platform'>,
  tasks: readonly TaskPlan[],
): void {
  const isDirect = platform === 'direct';
  let lastKey = BigInt(rows.jobs.size + rows.tasks.size);
  for (const { taskId, primaries, firstHistory } of tasks) {
    const taskKey = ++lastKey;
    const id = nameOfTry(taskKey, 1);
    rows.tasks.set(taskKey, {
      taskKey,
      jobKey,
      taskId,
      firstHistory: BigInt(firstHistory),
      state: 'PENDING',
      requestedPrimaries: BigInt(primaries),
      simulatedPrimaries: 0n,
      estimatedSeconds: null,
      startTime: null,
      endTime: null,
      lastUpdateTime: now,
      currentAttemptId: isDirect ? id : '',
      failure: null,
      isUnexplained: false,
      endedBy: null,
      hasOutput: false,
      mustFinish: false,
      progressEventAt: null,
    });
    if (!isDirect) continue;
    const open = { runnerId: null, leaseExpiresAt: null, endedAt: null, outcome: null, cpuMs: 0 };
    rows.attempts.set(id, { id, taskKey, number: 1, ...open });
    rows.messages.add(id);
  }
}

const nameOfTry = (key: bigint, number: number) => `try-${key}-${number}`;

/** New tries are called by their number, not at random: what happens alike is stored alike. */
function withNames({ merges }: MemoryRows, changed: Change): Change {
  const names = new Map<string, string>();
  for (const { id, taskKey, number } of changed.openedAttempts)
    if (!id.startsWith(EXTERNAL_PREFIX)) names.set(id, nameOfTry(taskKey, number));
  for (const { id, jobKey } of changed.merges) {
    const job = changed.jobs.find((one) => one.jobKey === jobKey && one.mergeId === id);
    if (job !== undefined && merges.get(jobKey)?.id !== id)
      names.set(id, `merge-${nameOfTry(jobKey, job.mergeNumber)}`);
  }
  if (names.size === 0) return changed;
  const named = (id: string) => names.get(id) ?? id;
  return {
    ...changed,
    openedAttempts: changed.openedAttempts.map((attempt) => ({ ...attempt, id: named(attempt.id) })),
    merges: changed.merges.map((merge) => ({ ...merge, id: named(merge.id) })),
    tasks: changed.tasks.map((task) => ({ ...task, currentAttemptId: named(task.currentAttemptId) })),
    jobs: changed.jobs.map((job) => ({ ...job, mergeId: job.mergeId && named(job.mergeId) })),
    addedMessages: changed.addedMessages.map((message) => ({ ...message, id: named(message.id) })),
  };
}

const tasksOf = (rows: MemoryRows, jobKey: bigint) => [...rows.tasks.values()].filter((task) => task.jobKey === jobKey);
const mergesOf = (rows: MemoryRows, jobKeys: ReadonlySet<bigint>) =>
  [...rows.merges.values()].filter(({ jobKey }) => jobKeys.has(jobKey));
const attemptsOf = (rows: MemoryRows, taskKeys: ReadonlySet<bigint>) =>
  [...rows.attempts.values()].filter(({ taskKey }) => taskKeys.has(taskKey));

/** As load-snapshot.ts loads named tasks. */
function loadTasks(rows: MemoryRows, refs: readonly TaskRef[], now: Date): Snapshot {
  const named = refs.flatMap((ref) => {
    const task = 'attemptId' in ref ? taskOfAttempt(rows, ref.attemptId) : taskOfNumber(rows, ref);
    return task === undefined ? [] : [{ task, need: ref.need }];
  });
  const tasks = [...new Set(named.map(({ task }) => task))].toSorted((a, b) => Number(a.taskKey - b.taskKey));
  const jobKeys = new Set(tasks.map(({ jobKey }) => jobKey));
  for (const ref of refs) {
    // a job whose task is not there is loaded all the same
    const job = 'jobId' in ref ? [...rows.jobs.values()].find(({ jobId }) => jobId === ref.jobId) : undefined;
    if (job !== undefined) jobKeys.add(job.jobKey);
  }
  const needed = refs.some(({ need }) => need !== 'task');
  const ends = refs.some(({ need }) => need === 'end');
  const jobs = [...rows.jobs.values()].filter(({ jobKey }) => needed && jobKeys.has(jobKey));
  const hasToLock = ({ jobKey, state }: JobRow) =>
    named.some(({ task, need }) => {
      const mayStart = need === 'start' && (state === 'UNKNOWN' || state === 'PENDING');
      return task.jobKey === jobKey && (need === 'end' || mayStart);
    });
  const taskKeys = new Set(tasks.map(({ taskKey }) => taskKey));
  const restOf = (jobKey: bigint) =>
    tasksOf(rows, jobKey)
      .filter((task) => !taskKeys.has(task.taskKey))
      .reduce(addTask, NO_TASKS);
  const deliveredRest = (job: JobRow) =>
    tasksOf(rows, job.jobKey)
      .filter((task) => !taskKeys.has(task.taskKey) && hasDelivered(task, job))
      .map(({ taskId }) => taskId);
  return {
    now,
    jobs,
    lockedJobs: new Set(jobs.filter(hasToLock).map(({ jobKey }) => jobKey)),
    tasks,
    attempts: attemptsOf(rows, taskKeys),
    merges: ends ? mergesOf(rows, jobKeys) : [],
    restOfTasks: new Map(ends ? jobs.map(({ jobKey }) => [jobKey, restOf(jobKey)]) : []),
    deliveredRest: new Map(jobs.map((job) => [job.jobKey, deliveredRest(job)])),
  };
}

function taskOfAttempt(rows: MemoryRows, attemptId: AttemptId): TaskRow | undefined {
  const attempt = rows.attempts.get(attemptId);
  return attempt && rows.tasks.get(attempt.taskKey);
}

function taskOfNumber(rows: MemoryRows, { jobId, taskId }: { jobId: JobId; taskId: number }): TaskRow | undefined {
  return [...rows.tasks.values()].find((task) => task.taskId === taskId && rows.jobs.get(task.jobKey)?.jobId === jobId);
}

/** As load-snapshot.ts loads a job. */
function loadJob(rows: MemoryRows, ref: JobRef, need: TasksNeed, now: Date): Snapshot {
  const job = jobOfUser(rows, ref);
  const jobs = job === undefined ? [] : [job];
  const all = jobs.flatMap(({ jobKey }) => tasksOf(rows, jobKey));
  const isTally = need === 'tally' || need === 'usage';
  const tasks = isTally ? [] : all;
  const open = attemptsOf(rows, new Set(all.map(({ taskKey }) => taskKey))).filter(({ endedAt }) => endedAt === null);
  const keys = new Set(jobs.map(({ jobKey }) => jobKey));
  const rest = isTally ? all.reduce(addTask, NO_TASKS) : NO_TASKS;
  const delivered = (of: JobRow) => all.filter((task) => isTally && hasDelivered(task, of)).map(({ taskId }) => taskId);
  return {
    now,
    jobs,
    lockedJobs: keys,
    tasks,
    attempts: need === 'all' ? open : [],
    merges: mergesOf(rows, keys),
    restOfTasks: new Map(jobs.map(({ jobKey }) => [jobKey, rest])),
    deliveredRest: new Map(jobs.map((of) => [of.jobKey, delivered(of)])),
    ...(need === 'usage' && { usage: usageIn(rows) }),
  };
}

/** All jobs are one user's. */
function usageIn({ jobs, tasks }: MemoryRows): Usage {
  const open = new Set([...jobs.values()].flatMap(({ jobKey, state }) => (isTerminal(state) ? [] : jobKey)));
  const theirs = [...tasks.values()].filter(({ jobKey, state }) => open.has(jobKey) && !isTerminal(state));
  const pending = theirs.filter(({ state }) => state === 'PENDING');
  const queuedPrimaries = pending.reduce((sum, task) => sum + Number(task.requestedPrimaries), 0);
  return { openJobCount: open.size, openTaskCount: theirs.length, queuedPrimaries, pauses: null };
}

function jobOfUser(rows: MemoryRows, { jobId, ownerId, platform }: JobRef) {
  return [...rows.jobs.values()].find(
    (job) =>
      job.jobId === jobId &&
      (ownerId === undefined || job.ownerId === ownerId) &&
      (platform === undefined || job.platform === platform),
  );
}

/** As save-change.ts stores. @throws Error for what the database's unique indexes would not let in */
function store(rows: MemoryRows, change: Change, now: Date): void {
  for (const job of change.jobs) rows.jobs.set(job.jobKey, job);
  for (const task of change.tasks) rows.tasks.set(task.taskKey, task);
  for (const attempt of [...change.attempts, ...change.openedAttempts]) rows.attempts.set(attempt.id, attempt);
  for (const [jobKey, { id }] of rows.merges) if (change.endedMerges.includes(id)) rows.merges.delete(jobKey);
  for (const merge of change.merges) rows.merges.set(merge.jobKey, merge);
  for (const { job, tasks } of change.addedTasks) addTasksIn(rows, now, job, tasks);
  requireOneOpen(change.openedAttempts, rows.attempts);
  for (const id of change.droppedMessages) rows.messages.delete(id);
  for (const { id } of change.addedMessages) rows.messages.add(id);
  const drop = (kind: string, jobId: JobId) => {
    for (const one of rows.duties) if (one.startsWith(`${kind} ${jobId}`)) rows.duties.delete(one);
  };
  for (const jobId of change.endedSubmits) drop('submit', jobId);
  for (const duty of change.duties) {
    const { jobId, kind } = duty;
    drop(kind, jobId);
    rows.duties.add(kind === 'cancel' ? `${kind} ${jobId} ${duty.lastTask}` : `${kind} ${jobId}`);
  }
  for (const { jobKey } of change.deletedJobs) {
    deleteJob(rows, jobKey);
    rows.events.splice(0, rows.events.length, ...rows.events.filter((event) => event.jobKey !== jobKey));
    rows.events.push({ kind: 'deleted', jobKey, taskKey: undefined });
  }
  for (const event of change.events) {
    const taskKey = event.kind === 'job' ? undefined : event.taskKey;
    rows.events.push({ kind: event.kind, jobKey: event.jobKey, taskKey });
  }
}

function requireOneOpen(opened: readonly AttemptRow[], all: MemoryRows['attempts']) {
  for (const row of opened) {
    const others = [...all.values()].filter((other) => other.id !== row.id && other.taskKey === row.taskKey);
    const isTwice = others.some(
      ({ endedAt, number }) => (endedAt === null && row.endedAt === null) || number === row.number,
    );
    if (isTwice) throw new Error(`${row.id} is one too many`);
  }
}

function deleteJob(rows: MemoryRows, jobKey: bigint): void {
  const taskKeys = new Set(tasksOf(rows, jobKey).map(({ taskKey }) => taskKey));
  for (const { id } of attemptsOf(rows, taskKeys)) {
    rows.attempts.delete(id);
    rows.messages.delete(id);
  }
  for (const taskKey of taskKeys) rows.tasks.delete(taskKey);
  rows.jobs.delete(jobKey);
}
