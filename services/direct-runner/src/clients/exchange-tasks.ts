import type { jobs } from '@tally/contracts';
import { type ClientOf, createBatcher, hasReason, ServiceError } from '@tally/service-kit';
import type { EndAnswer, HeartbeatAnswer } from '../domain/ports.js';
import type { AttemptId, WorkOrder } from '../domain/task.js';
import { toClaimedOrder, toHeartbeatAnswer, toTakenMerge, toWorkOrder } from './mappers.js';

/** The RPCs that it calls. */
export type ExchangeClient = Pick<
  ClientOf<typeof jobs.JobsServiceService>,
  'exchangeTasks' | 'claimTask' | 'reportTask' | 'reportTaskEnd'
>;

/** What is said to jobs of one attempt, or asked for. */
type Entry =
  | { readonly kind: 'claim'; readonly attemptId: AttemptId }
  | { readonly kind: 'progress'; readonly said: jobs.ReportTaskRequest }
  | { readonly kind: 'end'; readonly said: jobs.ReportTaskEndRequest };

type Answer = WorkOrder | HeartbeatAnswer | EndAnswer | undefined;

/** Claims, heartbeats and ends of a runner's tasks. */
export interface TaskExchange {
  /** Undefined: not claimable. */
  claim(attemptId: AttemptId): Promise<WorkOrder | undefined>;
  report(said: jobs.ReportTaskRequest): Promise<HeartbeatAnswer>;
  end(said: jobs.ReportTaskEndRequest): Promise<EndAnswer>;
}

/** jobs takes 1000. */
const ENTRIES_MAX = 500;

/**
 * Sends what comes together in one call, and what comes while a call is under way in the next one: heartbeats of all tasks, an
 * end with the claim that follows it, claims of many messages.
 */
export function createTaskExchange(client: ExchangeClient, runnerId: string): TaskExchange {
  const send = createBatcher<Entry, Answer>({
    sizeMax: ENTRIES_MAX,
    run: (entries) => exchange(client, runnerId, entries),
  });
  return {
    claim: (attemptId) => send({ kind: 'claim', attemptId }) as Promise<WorkOrder | undefined>,
    report: (said) => send({ kind: 'progress', said }) as Promise<HeartbeatAnswer>,
    end: (said) => send({ kind: 'end', said }) as Promise<EndAnswer>,
  };
}

async function exchange(client: ExchangeClient, runnerId: string, entries: readonly Entry[]) {
  const attempts = entries.flatMap((entry) => (entry.kind === 'claim' ? entry.attemptId : []));
  const progress = entries.flatMap((entry) => (entry.kind === 'progress' ? entry.said : []));
  const ends = entries.flatMap((entry) => (entry.kind === 'end' ? entry.said : []));
  let answer: jobs.ExchangeTasksResponse;
  try {
    answer = await client.exchangeTasks({ runnerId, progress, ends, claims: attempts });
  } catch (err) {
    // jobs of the release before
    if (!(err instanceof ServiceError) || err.status !== 'UNIMPLEMENTED') throw err;
    return Promise.all(entries.map((entry) => sendAlone(client, runnerId, entry)));
  }
  const answers = {
    claim: attempts.map((attemptId, i) => toClaimedOrder(attemptId, answer, i)).values(),
    progress: answer.mustStop
      .map((mustStop, i) => toHeartbeatAnswer({ mustStop, mustFinish: answer.mustFinish[i] }))
      .values(),
    end: answer.isApplied.map((isApplied, i) => ({ isApplied, merge: toTakenMerge(answer, i) })).values(),
  };
  return entries.map(({ kind }) => answers[kind].next().value);
}

async function sendAlone(client: ExchangeClient, runnerId: string, entry: Entry): Promise<Answer> {
  switch (entry.kind) {
    case 'progress':
      return toHeartbeatAnswer(await client.reportTask(entry.said));
    case 'end':
      return { isApplied: (await client.reportTaskEnd(entry.said)).isApplied, merge: undefined };
    case 'claim':
      try {
        return toWorkOrder(entry.attemptId, await client.claimTask({ attemptId: entry.attemptId, runnerId }));
      } catch (err) {
        if (hasReason(err, 'ATTEMPT_NOT_CLAIMABLE')) return undefined;
        throw err;
      }
  }
}
