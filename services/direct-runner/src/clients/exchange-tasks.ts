import type { jobs } from '@tally/contracts';
import { type ClientOf, createBatcher } from '@tally/service-kit';
import type { HeartbeatAnswer } from '../domain/ports.js';
import type { AttemptId, WorkOrder } from '../domain/task.js';
import { toHeartbeatAnswer, toWorkOrder } from './mappers.js';

/** The RPC that it calls. */
export type ExchangeClient = Pick<ClientOf<typeof jobs.JobsServiceService>, 'exchangeTasks'>;

/** What is said to jobs of one attempt, or asked for. */
type Entry =
  | { readonly kind: 'claim'; readonly attemptId: AttemptId }
  | { readonly kind: 'progress'; readonly said: jobs.TaskProgress }
  | { readonly kind: 'end'; readonly said: jobs.TaskEnd };

type Answer = WorkOrder | HeartbeatAnswer | boolean | undefined;

/** Claims, heartbeats and ends of a runner's tasks. */
export interface TaskExchange {
  /** Undefined: not claimable. */
  claim(attemptId: AttemptId): Promise<WorkOrder | undefined>;
  report(said: jobs.TaskProgress): Promise<HeartbeatAnswer>;
  end(said: jobs.TaskEnd): Promise<boolean>;
}

/** jobs takes 1000. */
const ENTRIES_MAX = 500;

/**
 * Sends what comes together in one call, and what comes while a call is under way in the next one: heartbeats of all tasks, an
 * end with the claim that follows it, claims of many messages.
 */
export function createTaskExchange(
  client: ExchangeClient,
  runnerId: string,
  executables: () => jobs.SimulatorExecutable[],
): TaskExchange {
  const send = createBatcher<Entry, Answer>({
    sizeMax: ENTRIES_MAX,
    run: (entries) => exchange(client, { runnerId, executables: executables() }, entries),
  });
  return {
    claim: (attemptId) => send({ kind: 'claim', attemptId }) as Promise<WorkOrder | undefined>,
    report: (said) => send({ kind: 'progress', said }) as Promise<HeartbeatAnswer>,
    end: (said) => send({ kind: 'end', said }) as Promise<boolean>,
  };
}

async function exchange(
  client: ExchangeClient,
  runner: Pick<jobs.ExchangeTasksRequest, 'runnerId' | 'executables'>,
  entries: readonly Entry[],
) {
  const attempts = entries.flatMap((entry) => (entry.kind === 'claim' ? entry.attemptId : []));
  const progress = entries.flatMap((entry) => (entry.kind === 'progress' ? entry.said : []));
  const ends = entries.flatMap((entry) => (entry.kind === 'end' ? entry.said : []));
  const answer = await client.exchangeTasks({ ...runner, progress, ends, claims: attempts });
  const answers = {
    claim: attempts.map((attemptId, i) => toWorkOrder(attemptId, answer, i)).values(),
    progress: progress.map((_, i) => toHeartbeatAnswer(answer, i)).values(),
    end: answer.isApplied.values(),
  };
  return entries.map(({ kind }) => answers[kind].next().value);
}
