import type { JobId } from '../src/domain/job-id.js';
import type { ClusterLeases, SubmissionIntents, SubmissionStore, Uploaded } from '../src/domain/ports.js';
import type { SchedulerJobId } from '../src/domain/scheduler.js';
import {
  type ClusterJob,
  canFollow,
  isIn,
  markerOf,
  type Placement,
  type Submission,
  type SubmissionEnd,
  type SubmissionOutcome,
  type SubmissionPhase,
} from '../src/domain/submission.js';

/** A row; the ids that a phase does not carry are kept beside it. */
interface Row {
  submission: Submission | undefined;
  placement: Placement | undefined;
  dueAtMs: number | undefined;
  end: SubmissionEnd | undefined;
  log: string;
}

/** Everything the worker keeps, in memory; the contract tests hold PostgreSQL to the same. */
export interface Stores {
  /** A cluster that is stored. */
  readonly clusterName: string;
  readonly store: SubmissionStore;
  readonly intents: SubmissionIntents;
  readonly leases: ClusterLeases;
  /** The database is restored to a moment before the submission. */
  lose(jobId: JobId): Promise<void>;
}

const BY_ORDINAL = (a: ClusterJob, b: ClusterJob): number => a.ordinal - b.ordinal;

export class MemorySubmissions implements Stores {
  readonly clusterName = 'north';
  readonly #rows = new Map<JobId, Row>();
  readonly #leases = new Map<string, { readonly holder: string; readonly until: Date }>();

  #row(jobId: JobId): Row & { submission: Submission } {
    const row = this.#rows.get(jobId);
    if (row?.submission === undefined) throw new Error(`no submission ${jobId}`);
    return row as Row & { submission: Submission };
  }

  #change(jobId: JobId, change: Partial<Submission>, dueAt?: Date | null): void {
    const row = this.#row(jobId);
    row.submission = { ...row.submission, ...change };
    if (dueAt !== undefined) row.dueAtMs = dueAt?.getTime();
  }

  #move(jobId: JobId, next: SubmissionPhase, dueAt: Date | null, change: Partial<Submission> = {}): void {
    const { phase } = this.#row(jobId).submission;
    if (!canFollow(next.kind, phase.kind)) throw new Error(`${next.kind} does not follow ${phase.kind}`);
    this.#change(jobId, { phase: next, ...change }, dueAt);
  }

  #place(jobId: JobId, placement: Placement | undefined): void {
    const row = this.#row(jobId);
    row.placement = placement;
    const { phase } = row.submission;
    if (placement !== undefined && (phase.kind === 'uploaded' || phase.kind === 'submitted')) {
      row.submission = { ...row.submission, phase: { ...phase, ...placement } };
    }
  }

  #changeJob(jobId: JobId, ordinal: number, change: (job: ClusterJob) => ClusterJob): void {
    const { placement } = this.#row(jobId);
    if (placement === undefined) return;
    const jobs = placement.jobs.map((job) => (job.ordinal === ordinal ? change(job) : job));
    this.#place(jobId, { ...placement, jobs });
  }

  #outcome(row: Row): SubmissionOutcome {
    if (row.submission === undefined) return { kind: 'revoked' };
    if (row.end?.reason !== undefined) return { kind: 'failed', reason: row.end.reason, message: row.end.message };
    const { phase, waitingReason } = row.submission;
    if (phase.kind === 'accepted' || phase.kind === 'uploaded') return { kind: 'underway', waitingReason };
    return { kind: 'submitted' };
  }

  #due(clusterName: string, now: Date): Submission[] {
    const rows = [...this.#rows.values()].filter(({ dueAtMs }) => dueAtMs !== undefined && dueAtMs <= now.getTime());
    return rows
      .sort((a, b) => (a.dueAtMs ?? 0) - (b.dueAtMs ?? 0))
      .flatMap(({ submission }) => (submission?.clusterName === clusterName ? submission : []))
      .filter(({ phase, isCancelWanted }) => phase.kind !== 'submitted' || isCancelWanted);
  }

  async lose(jobId: JobId): Promise<void> {
    this.#rows.delete(jobId);
  }

  readonly leases: ClusterLeases = {
    hold: async (clusterName, holder, now, until) => {
      const lease = this.#leases.get(clusterName);
      if (lease !== undefined && lease.holder !== holder && lease.until > now) return false;
      this.#leases.set(clusterName, { holder, until });
      return true;
    },
    release: async (holder) => {
      for (const [name, lease] of this.#leases) if (lease.holder === holder) this.#leases.delete(name);
    },
  };

  readonly intents: SubmissionIntents = {
    accept: async (asked, now) => {
      const known = this.#rows.get(asked.jobId);
      if (known !== undefined) return this.#outcome(known);
      const fresh = { tryCount: 0, waitingReason: '', isCancelWanted: false, isDeleteWanted: false } as const;
      const submission: Submission = { ...asked, ...fresh, acceptedAt: now, phase: { kind: 'accepted' } };
      const row: Row = { submission, placement: undefined, dueAtMs: now.getTime(), end: undefined, log: '' };
      this.#rows.set(asked.jobId, row);
      return this.#outcome(row);
    },
    repeat: async (jobId, now) => {
      const row = this.#rows.get(jobId);
      if (row === undefined) return undefined;
      const isBefore = row.submission?.phase.kind === 'accepted' || row.submission?.phase.kind === 'uploaded';
      if (isBefore && row.submission?.waitingReason !== '') {
        row.dueAtMs = Math.min(row.dueAtMs ?? now.getTime(), now.getTime());
      }
      return this.#outcome(row);
    },
    outcomeOf: async (jobId) => {
      const row = this.#rows.get(jobId);
      return row && this.#outcome(row);
    },
    requestCancel: async (jobId, now) => this.#request(jobId, now, false),
    requestDelete: async (jobId, now) => this.#request(jobId, now, true),
  };

  #request(jobId: JobId, now: Date, isDeletion: boolean): void {
    const row = this.#rows.get(jobId);
    if (row?.submission === undefined) {
      this.#rows.set(jobId, {
        submission: undefined,
        placement: undefined,
        dueAtMs: undefined,
        end: undefined,
        log: '',
      });
      return;
    }
    const { isCancelWanted, isDeleteWanted, phase } = row.submission;
    const isNews = (!isCancelWanted && phase.kind !== 'ended') || (isDeletion && !isDeleteWanted);
    if (isNews && phase.kind !== 'cleared') row.dueAtMs = now.getTime();
    row.submission = { ...row.submission, isCancelWanted: true, isDeleteWanted: isDeleteWanted || isDeletion };
  }

  readonly store: SubmissionStore = {
    listDueUsers: async (clusterName, now) => [...new Set(this.#due(clusterName, now).map(({ userId }) => userId))],
    listDue: async (clusterName, userId, now) => this.#due(clusterName, now).filter((due) => due.userId === userId),
    listUsersToObserve: async () => [],
    listSubmitted: async (clusterName, userId) =>
      [...this.#rows.values()]
        .flatMap(({ submission }) => submission ?? [])
        .filter((submission) => submission.clusterName === clusterName && submission.userId === userId)
        .filter((submission) => isIn('submitted', submission)),
    beginTry: async (jobId, dueAt) => {
      this.#change(jobId, { tryCount: this.#row(jobId).submission.tryCount + 1 }, dueAt);
    },
    postpone: async ({ jobId, isCancelWanted, isDeleteWanted }, { dueAt, waitingReason }) => {
      const { submission } = this.#row(jobId);
      const isSeen = submission.isCancelWanted === isCancelWanted && submission.isDeleteWanted === isDeleteWanted;
      this.#change(jobId, { waitingReason }, isSeen ? dueAt : submission.acceptedAt);
    },
    notePlace: async (jobId, username) => this.#place(jobId, { username, taskCount: 0, jobs: [] }),
    setUploaded: async (jobId, { username, taskCount, jobs }: Uploaded, now) => {
      const planned = jobs.map((job) => ({
        ...job,
        marker: markerOf(jobId, job.ordinal),
        state: { kind: 'planned' } as const,
      }));
      const placement = { username, taskCount, jobs: planned.sort(BY_ORDINAL) };
      this.#move(jobId, { kind: 'uploaded', ...placement }, now);
      this.#place(jobId, placement);
    },
    noteAttempt: async (jobId, ordinal, { holder, now, before }) => {
      const { submission, placement } = this.#row(jobId);
      const lease = this.#leases.get(submission.clusterName);
      const isHeld = lease?.holder === holder && lease.until > now;
      const state = placement?.jobs.find((job) => job.ordinal === ordinal)?.state;
      const attemptedAtMs = state?.kind === 'attempted' ? state.attemptedAt.getTime() : undefined;
      const isFree = (state?.kind === 'planned' || attemptedAtMs !== undefined) && attemptedAtMs === before?.getTime();
      if (!isHeld || !isFree || submission.phase.kind !== 'uploaded') return false;
      this.#changeJob(jobId, ordinal, (job) => ({ ...job, state: { kind: 'attempted', attemptedAt: now } }));
      return true;
    },
    setKnown: async (jobId, ordinal, id: SchedulerJobId, now) =>
      this.#changeJob(jobId, ordinal, (job) => ({ ...job, state: { kind: 'known', id, knownAt: now } })),
    setGone: async (jobId, ordinal, how) =>
      this.#changeJob(jobId, ordinal, (job) => {
        if (!('id' in job.state)) return job;
        const { id } = job.state;
        return { ...job, state: how === 'lost' ? { kind: 'lost', id } : { kind: 'ended', id, ...how } };
      }),
    setSubmitted: async (jobId, now) => {
      const { placement, submission } = this.#row(jobId);
      if (placement === undefined) throw new Error('nothing was placed');
      const known = { ...placement, jobs: placement.jobs.filter(({ state }) => 'id' in state) };
      const due = submission.isCancelWanted ? now : null;
      this.#move(jobId, { kind: 'submitted', observedAt: now, ...known }, due, { waitingReason: '', tryCount: 0 });
      this.#place(jobId, known);
    },
    setObserved: async () => {},
    setCancelSent: async (jobId, now) => {
      const { phase } = this.#row(jobId).submission;
      if (phase.kind !== 'submitted') throw new Error('not submitted');
      this.#change(jobId, { phase: { ...phase, cancelSentAt: now }, tryCount: 0 }, null);
    },
    end: async (jobId, end, now) => {
      const row = this.#row(jobId);
      row.end = end;
      const placement = row.placement === undefined ? {} : { placement: row.placement };
      const phase = { kind: 'ended', endedAt: now, end, isReported: false, ...placement } as const;
      this.#move(jobId, phase, now, { waitingReason: '', tryCount: 0 });
    },
    setEndReported: async (jobId, now, clearAt) => {
      const { phase, isDeleteWanted } = this.#row(jobId).submission;
      if (phase.kind !== 'ended') throw new Error('not ended');
      this.#change(jobId, { phase: { ...phase, isReported: true }, tryCount: 0 }, isDeleteWanted ? now : clearAt);
    },
    setCleared: async (jobId) => this.#move(jobId, { kind: 'cleared' }, null),
    addLogLine: async (jobId, line) => {
      const row = this.#row(jobId);
      row.log += `${line}\n`;
      return row.log;
    },
    forget: async () => 0,
  };
}
