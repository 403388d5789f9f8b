import { actingUser, currentContext } from '@tally/service-kit';
import type { Reader } from '../domain/job-access.js';

/** Callers that read on nobody's behalf: they run the job. */
const RUNNERS: ReadonlySet<string | undefined> = new Set(['direct-runner', 'batch-bridge']);

/** On whose behalf the current call reads. @throws ServiceError USER_REQUIRED */
export function currentReader(): Reader {
  if (RUNNERS.has(currentContext()?.caller)) return { kind: 'runner' };
  return { kind: 'user', userId: actingUser() };
}
