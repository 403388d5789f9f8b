import type { JobId } from '../src/domain/job-id.js';
import type { TaskRecord } from '../src/domain/observe/task-record.js';
import type { Lease, LeaseStore, SubmissionStore, TaskStore } from '../src/domain/ports.js';
import { isIn, type JobSpec, type StoredSubmission, type Submission } from '../src/domain/submission.js';

/** Everything that the worker of a cluster keeps. */
export interface Stores {
  /** A cluster that is stored. */
  readonly clusterName: string;
  readonly store: SubmissionStore;
  readonly leases: LeaseStore;
  /** The database is restored to a moment before the submission. */
  lose(jobId: JobId): Promise<void>;
}

/** Stores in memory, for the rules; the contract tests hold PostgreSQL to the same. */
export class MemoryStores implements Stores {
  readonly clusterName = 'north';
  readonly #rows = new Map<JobId, Exclude<StoredSubmission, undefined>>();
  readonly #specs = new Map<JobId, JobSpec>();
  readonly #logs = new Map<JobId, string>();
  readonly #leases = new Map<string, Lease>();

  #submissions(clusterName: string): Submission[] {
    const rows = [...this.#rows.values()].filter((row) => row !== 'revoked');
    return rows.filter((submission) => submission.clusterName === clusterName);
  }

  #due(clusterName: string, now: Date): Submission[] {
    return this.#submissions(clusterName)
      .filter(({ dueAt }) => dueAt !== undefined && dueAt <= now)
      .sort((a, b) => Number(a.dueAt) - Number(b.dueAt));
  }

  async lose(jobId: JobId): Promise<void> {
    this.#rows.delete(jobId);
    this.#specs.delete(jobId);
  }

  readonly store: SubmissionStore = {
    change: async (jobId, decide) => {
      const stored = this.#rows.get(jobId);
      const lease = typeof stored === 'object' ? this.#leases.get(stored.clusterName) : undefined;
      const { save, spec, result } = decide(stored, lease);
      if (spec !== undefined) this.#specs.set(jobId, spec);
      if (save !== undefined) this.#rows.set(jobId, 'phase' in save ? save : 'revoked');
      return result;
    },
    find: async (jobId) => this.#rows.get(jobId),
    findSpec: async (jobId) => this.#specs.get(jobId),
    listDueUsers: async (clusterName, now) => [...new Set(this.#due(clusterName, now).map(({ userId }) => userId))],
    listDue: async (clusterName, userId, now) => this.#due(clusterName, now).filter((due) => due.userId === userId),
    listUsersToObserve: async () => [],
    listSubmitted: async (clusterName, userId) =>
      this.#submissions(clusterName)
        .filter((submission) => submission.userId === userId)
        .filter((submission) => isIn('submitted', submission)),
    setObserved: async () => {},
    addLogLine: async (jobId, line) => {
      this.#logs.set(jobId, `${this.#logs.get(jobId) ?? ''}${line}\n`);
      return this.#logs.get(jobId) ?? '';
    },
    deleteCleared: async () => 0,
  };

  readonly leases: LeaseStore = {
    change: async (clusterName, decide) => {
      const lease = decide(this.#leases.get(clusterName));
      if (lease !== undefined) this.#leases.set(clusterName, lease);
      return lease !== undefined;
    },
    release: async (holder) => {
      for (const [name, lease] of this.#leases) if (lease.holder === holder) this.#leases.delete(name);
    },
  };
}

/** What is remembered of tasks, of one job, in memory. */
export function memoryTasks(records: Map<number, TaskRecord>): TaskStore {
  return {
    list: async (jobIds) => new Map(jobIds.map((jobId) => [jobId, new Map(records)])),
    save: async (_, changed) => {
      for (const record of changed) records.set(record.taskId, record);
    },
    delete: async () => records.clear(),
  };
}
