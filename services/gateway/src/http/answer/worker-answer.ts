import type { jobs } from '@tally/contracts';
import { answer, type JsonAnswer } from './answer.js';

/** 202 to a worker; `done`: message when it was applied. */
export function workerAnswer(
  done: string,
  isApplied: boolean,
  more: Readonly<Record<string, unknown>> = {},
): JsonAnswer {
  return answer({ message: isApplied ? done : 'Ignored: it comes too late', applied: isApplied, ...more }, 202);
}

/** Who reports, as the services want to know it. */
export function toCredential(jobRef: string, updateKey: string): jobs.WorkerCredential {
  return { jobRef, updateKey };
}

/** What every worker-facing route may answer with. */
export const WORKER_RESPONSES = {
  401: { description: "Wrong or expired update key, another job's, or no such job" },
} as const;
