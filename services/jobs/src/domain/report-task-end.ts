import { type AttemptEnd, type AttemptLimits, decideNextStep, failedEnd } from './attempt.js';
import type { TaskStore, Wake } from './ports.js';
import type { AttemptId } from './task.js';

/** How a worker says that an attempt ended. */
export type TaskEnd =
  | { readonly kind: 'completed'; readonly simulatedPrimaries: bigint }
  | { readonly kind: 'failed'; readonly reason: string; readonly message: string; readonly isRetryable: boolean }
  | { readonly kind: 'released' };

export interface EndTaskPorts {
  readonly tasks: TaskStore;
  readonly limits: AttemptLimits;
  readonly wake: Wake;
}

/**
 * Ends an attempt: the task is done, tried again or failed for good; with the last task the job goes on to its merge,
 * or fails when no task delivered. A completion that did not simulate what was asked for counts as a failure.
 * @returns false when it was ignored: the attempt was replaced or cancelled, or had ended otherwise
 */
export async function reportTaskEnd(ports: EndTaskPorts, attemptId: AttemptId, taskEnd: TaskEnd): Promise<boolean> {
  return endAttempt(ports, attemptId, await judge(ports, attemptId, taskEnd));
}

async function judge({ tasks }: EndTaskPorts, attemptId: AttemptId, taskEnd: TaskEnd): Promise<AttemptEnd> {
  switch (taskEnd.kind) {
    case 'released':
      return taskEnd;
    case 'failed':
      return failedEnd(taskEnd.reason, taskEnd.message, taskEnd.isRetryable);
    case 'completed': {
      const requested = await tasks.findRequestedPrimaries(attemptId);
      if (requested === undefined || requested === taskEnd.simulatedPrimaries) return { kind: 'completed' };
      const message = `${taskEnd.simulatedPrimaries} of ${requested} primaries simulated`;
      return failedEnd('PRIMARIES_MISSING', message, true);
    }
  }
}

/** The same for any end, a lost worker's too. */
export async function endAttempt(ports: EndTaskPorts, attemptId: AttemptId, end: AttemptEnd): Promise<boolean> {
  const isApplied = await ports.tasks.endAttempt(attemptId, end, (history) =>
    decideNextStep(end, history, ports.limits),
  );
  if (isApplied) ports.wake.outbox();
  return isApplied;
}
