import { useSyncExternalStore } from 'react';
import { currentState, onChange } from '../api/live.js';
import { isFinal } from '../api/queries.js';
import { NOTIFY_TEXTS as T } from '../texts/notify.js';
import { addToBadge, clearBadge } from './badge.js';

/** Jobs whose end this browser tells: one job, or those of a sweep, of which it tells the last end. */
export interface Watched {
  /** `job:<id>` or `sweep:<id>`. */
  readonly key: string;
  readonly title: string;
  /** Page below /console that it leads to. */
  readonly path: string;
  /** That have not ended yet. */
  readonly pending: readonly string[];
}

const KEY = 'tally.watched';
/** A browser watches no more: the oldest are forgotten. */
const WATCHED_MAX = 100;
const watchers = new Set<() => void>();
let list: readonly Watched[] = read();

function read(): readonly Watched[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(kept) ? (kept as Watched[]) : [];
  } catch {
    return [];
  }
}

function write(next: readonly Watched[]): void {
  list = next.slice(-WATCHED_MAX);
  try {
    localStorage.setItem(KEY, JSON.stringify(list));
  } catch {
    // until the tab is closed
  }
  for (const watcher of watchers) watcher();
}

/** Begins to watch; asks for the browser's permission at the first time. */
export function watch(watched: Watched): void {
  write([...list.filter(({ key }) => key !== watched.key), watched]);
  if ('Notification' in globalThis && Notification.permission === 'default') void Notification.requestPermission();
}

export const unwatch = (key: string): void => write(list.filter((one) => one.key !== key));

/** Whether this browser tells. */
export function useIsWatched(key: string): boolean {
  return useSyncExternalStore(
    (notify) => {
      watchers.add(notify);
      return () => watchers.delete(notify);
    },
    () => list.some((one) => one.key === key),
  );
}

/** Tells what ends from now on. @returns how to stop */
export function tellEnds(): () => void {
  const stop = onChange(({ kind, jobId }) => {
    const state = kind === 'job' ? currentState(jobId) : undefined;
    if (state === undefined || !isFinal(state)) return;
    const touched = list.filter(({ pending }) => pending.includes(jobId));
    if (touched.length === 0) return;
    list = read(); // another tab may have told it
    const left = list.map((one) => ({ ...one, pending: one.pending.filter((id) => id !== jobId) }));
    const ended = left.filter(({ key, pending }) => pending.length === 0 && list.some((one) => one.key === key));
    write(left.filter(({ pending }) => pending.length > 0));
    for (const one of ended) tell(one, one.key.startsWith('job:') ? T.stateWords[state] : T.sweepEnded);
  });
  const look = () => document.hidden || clearBadge();
  document.addEventListener('visibilitychange', look);
  return () => {
    stop();
    document.removeEventListener('visibilitychange', look);
  };
}

function tell({ key, title, path }: Watched, words: string): void {
  if (document.hidden) addToBadge();
  if (!('Notification' in globalThis) || Notification.permission !== 'granted') return;
  try {
    const shown = new Notification(title, { body: words, tag: key });
    shown.addEventListener('click', () => {
      globalThis.focus();
      location.assign(`/console${path}`);
    });
  } catch {
    // browsers of telephones have notifications of service workers only
  }
}
