import type { JobId } from '../src/domain/job.js';
import type { JobRow, TaskRow } from '../src/domain/snapshot.js';

/** A job of the direct platform with one task, for tests of rules to change. */
export const jobRow: JobRow = {
  jobKey: 1n,
  jobId: 'job-1' as JobId,
  ownerId: 1n,
  platform: 'direct',
  simulator: 'simA',
  inputType: 'editor',
  seed: 1n,
  state: 'PENDING',
  endTime: null,
  closedAt: null,
  failure: null,
  mergeId: null,
  jobDir: null,
  arrayId: null,
  collectId: null,
  waitingReason: null,
  endedBy: null,
};

export const taskRow: TaskRow = {
  taskKey: 10n,
  jobKey: 1n,
  taskId: 1,
  firstHistory: 0n,
  state: 'PENDING',
  requestedPrimaries: 1_000n,
  simulatedPrimaries: 0n,
  estimatedSeconds: null,
  startTime: null,
  endTime: null,
  lastUpdateTime: new Date(0),
  currentAttemptId: '',
  failure: null,
  isUnexplained: false,
  endedBy: null,
  hasOutput: false,
};
