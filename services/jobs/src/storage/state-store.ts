import { createBatcher, type Sql } from '@tally/service-kit';
import { type Draft, openDraft } from '../domain/change.js';
import type { ChangeObserver, Notifier, StateStore, TaskRef } from '../domain/ports.js';
import type { Database } from './database.js';
import type { EventAnnouncer } from './event-announcer.js';
import {
  jobKeyOf,
  loadAnswer,
  loadJobs,
  loadNamedTasks,
  type SnapshotLoad,
  type SnapshotRows,
  toSnapshot,
} from './statements/load-snapshot.js';
import { saveChange } from './statements/save-change.js';
import { eventOwners } from './statements/write-events.js';

/** What one caller wants of named tasks. */
interface TaskChange {
  readonly refs: readonly TaskRef[];
  readonly decide: (draft: Draft) => unknown;
}

/** Callers whose changes are stored by one commit. */
const CALLERS_MAX = 64;

/** Load, decide, store: two round trips. Whoever fills or empties the outbox wakes who looks after it; `observe` sees what was stored. */
export function createStateStore(
  database: Database,
  notifier: Notifier,
  observe: ChangeObserver,
  announce: EventAnnouncer,
): StateStore {
  const change = async <T>(load: SnapshotLoad, decide: (draft: Draft) => T): Promise<T> => {
    const names = Object.keys(load) as (keyof SnapshotLoad)[];
    const { result, changed, snapshot, owners } = await database.change(Object.values(load) as Sql[], (...rows) => {
      const loaded = Object.fromEntries(names.map((name, i) => [name, rows[i]])) as unknown as SnapshotRows;
      const snapshot = toSnapshot(loaded);
      const draft = openDraft(snapshot);
      const result = decide(draft);
      const changed = draft.change();
      return {
        save: saveChange(changed),
        result: (saved) => ({ result, changed, snapshot, owners: eventOwners(saved) }),
      };
    });
    announce(owners);
    const { addedMessages, addedTasks } = changed;
    if (addedMessages.length > 0) notifier.outbox();
    if (addedTasks.length > 0) notifier.tasks();
    const goneCount = changed.droppedMessages.length + changed.parkedMessages.length;
    if (goneCount > 0) notifier.window(goneCount);
    const isOwedNow = changed.duties.length > 0 || changed.merges.some(({ dueAt }) => dueAt <= snapshot.now);
    if (isOwedNow) notifier.duties();
    observe(changed, snapshot);
    return result;
  };
  const changeTogether = (changes: readonly TaskChange[]): Promise<unknown[]> => {
    const refs = changes.flatMap((one) => one.refs);
    return change(loadNamedTasks(refs), (draft) => changes.map(({ decide }) => decide(draft)));
  };
  const batcher = () => createBatcher<TaskChange, unknown>({ run: changeTogether, sizeMax: CALLERS_MAX });
  // who needs a task only does not wait with those who wait for a job
  const [changeTaskOnly, changeWithJob] = [batcher(), batcher()];
  return {
    changeTasks: <T>(refs: readonly TaskRef[], decide: (draft: Draft) => T) => {
      const isTaskOnly = refs.every(({ need }) => need === 'task' || need === 'facts');
      return (isTaskOnly ? changeTaskOnly : changeWithJob)({ refs, decide }) as Promise<T>;
    },
    changeJob: (ref, tasks, decide, key) =>
      change({ ...loadJobs(jobKeyOf(ref), tasks), ...(key && { earlier: loadAnswer(key) }) }, decide),
  };
}
