import type { Output } from '@tally/client';
import { useSyncExternalStore } from 'react';
import { renewSession } from './client.js';

export type TaskStatus = Output<'GET', '/jobs'>['job_tasks_status'][number];
export type StateName = Output<'GET', '/jobs'>['job_state'];

/** What the stream has told of a job. */
export interface LiveJob {
  readonly state: StateName | undefined;
  readonly endTime: string | undefined;
  readonly tasks: ReadonlyMap<number, TaskStatus>;
}

interface JobEvent {
  readonly job_id: string;
  readonly job_state: StateName;
  readonly end_time?: string;
}

type Change = { readonly kind: 'ready' | 'job' | 'task' | 'deleted'; readonly jobId: string };

const RETRY_MS = 3_000;
const jobs = new Map<string, LiveJob>();
const watchers = new Map<string, Set<() => void>>();
const listeners = new Set<(change: Change) => void>();
const NOTHING: LiveJob = { state: undefined, endTime: undefined, tasks: new Map() };
let source: EventSource | undefined;
let isConnected = false;
const connectionWatchers = new Set<() => void>();

function tell(change: Change): void {
  for (const watcher of watchers.get(change.jobId) ?? []) watcher();
  for (const listener of listeners) listener(change);
}

function setConnected(value: boolean): void {
  if (isConnected === value) return;
  isConnected = value;
  for (const watcher of connectionWatchers) watcher();
}

const parse = (event: Event): unknown => JSON.parse((event as MessageEvent<string>).data);

/** Opens the stream of the user's jobs and keeps it open, over renewed sessions and restarts of the gateway. */
export function connectEvents(): void {
  if (source !== undefined) return;
  source = new EventSource('/jobs/events');
  source.addEventListener('ready', (event) => {
    setConnected(true);
    if (!(parse(event) as { resumed: boolean }).resumed) tell({ kind: 'ready', jobId: '' });
  });
  source.addEventListener('job', (event) => {
    const { job_id: jobId, job_state: state, end_time: endTime } = parse(event) as JobEvent;
    jobs.set(jobId, { ...(jobs.get(jobId) ?? NOTHING), state, endTime });
    tell({ kind: 'job', jobId });
  });
  source.addEventListener('task', (event) => {
    const { job_id: jobId, ...task } = parse(event) as TaskStatus & { job_id: string };
    const job = jobs.get(jobId) ?? NOTHING;
    jobs.set(jobId, { ...job, tasks: new Map(job.tasks).set(task.task_id, task) });
    tell({ kind: 'task', jobId });
  });
  source.addEventListener('job_deleted', (event) => {
    const { job_id: jobId } = parse(event) as { job_id: string };
    jobs.delete(jobId);
    tell({ kind: 'deleted', jobId });
  });
  source.addEventListener('error', () => {
    setConnected(false);
    if (source?.readyState === EventSource.CLOSED) void reconnect();
  });
}

/** The browser gives up at any answer but 200: the token has expired, or the gateway was away. */
async function reconnect(): Promise<void> {
  disconnectEvents();
  await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  const isAlive = await renewSession().catch(() => true);
  if (isAlive) connectEvents();
}

/** Closes the stream and forgets what it told. */
export function disconnectEvents(): void {
  source?.close();
  source = undefined;
  jobs.clear();
  setConnected(false);
}

/** Hears every change; returns how to stop. */
export function onChange(listener: (change: Change) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The state that the stream told last of a job; undefined: none. */
export const currentState = (jobId: string): StateName | undefined => jobs.get(jobId)?.state;

/** What the stream told last of a job. */
export function useLiveJob(jobId: string): LiveJob {
  return useSyncExternalStore(
    (notify) => {
      const set = watchers.get(jobId) ?? new Set();
      watchers.set(jobId, set.add(notify));
      return () => {
        set.delete(notify);
        if (set.size === 0) watchers.delete(jobId);
      };
    },
    () => jobs.get(jobId) ?? NOTHING,
  );
}

/** Whether changes arrive as they happen. */
export function useIsLive(): boolean {
  return useSyncExternalStore(
    (notify) => {
      connectionWatchers.add(notify);
      return () => connectionWatchers.delete(notify);
    },
    () => isConnected,
  );
}
