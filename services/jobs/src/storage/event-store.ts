import type { Transaction } from '@tally/service-kit';
import type { JobEvent } from '../domain/events/job-event.js';
import type { EventStore } from '../domain/ports.js';
import type { Database } from './database.js';
import {
  type EventRow,
  forgetOld,
  forgetProgress,
  listEvents,
  listLastEvents,
  lockEvents,
  readPosition,
} from './statements/events.js';

export function createEventStore(database: Database): EventStore {
  return {
    openEvents: (ownerId, afterId) =>
      database.transact(async (tx) => {
        const { last, forgotten } = await lockPosition(tx, ownerId);
        const isResumed = afterId !== undefined && afterId >= forgotten && afterId <= last;
        return { position: isResumed ? afterId : last, isResumed };
      }),
    listEvents: async (ownerId, afterId, limit) => {
      const rows = await database.rows(listEvents(ownerId, afterId, limit));
      return rows.map(toEvent);
    },
    listLastEvents: (ownerIds) => database.rows(listLastEvents(ownerIds)),
    forgetEvents: async (ageMs, progressAgeMs) =>
      (await database.run(forgetOld(ageMs))) + (await database.run(forgetProgress(progressAgeMs))),
  };
}

async function lockPosition(tx: Transaction, ownerId: bigint) {
  const [, [position]] = await tx.rowsOfEach([lockEvents(ownerId), readPosition()]);
  if (position === undefined) throw new Error('event_floor has no row');
  return position;
}

const toEvent = (row: EventRow): JobEvent => ({
  id: row.id,
  jobId: row.jobId,
  happenedAt: row.happenedAt,
  change: toChange(row),
});

function toChange(row: EventRow): JobEvent['change'] {
  if (row.kind === 'deleted') return { kind: 'deleted' };
  const { state, failure, endTime } = row;
  if (row.kind === 'job') {
    const { taskCount, startTime, waitingReason, isStopped, simulatedPrimaries, convergence } = row;
    const end = { endTime, failure, waitingReason, isStopped, simulatedPrimaries, convergence };
    const job = { state, taskCount, startTime, ...end };
    return { kind: 'job', job };
  }
  return {
    kind: 'task',
    task: {
      taskId: row.taskId,
      state,
      requestedPrimaries: row.requestedPrimaries,
      simulatedPrimaries: row.simulatedPrimaries,
      estimatedSeconds: row.estimatedSeconds,
      lastUpdateTime: row.lastUpdateTime,
      startTime: row.startTime,
      endTime,
      failure,
    },
  };
}
