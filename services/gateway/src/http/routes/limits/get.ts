import { type CallOptions, ServiceError } from '@tally/service-kit';
import { answer } from '../../answer/answer.js';
import { defineRoute, type RouteServices } from '../../route.js';
import { limitsResponse } from '../../schemas/health.js';

/** GET /limits: what this gateway accepts, and what a user may have at a time; units at the end of the names. */
export const getLimits = defineRoute({
  method: 'GET',
  path: '/limits',
  auth: 'none',
  isLocal: true,
  summary: 'Limits of requests and answers, and quotas of a user',
  responses: { 200: { description: 'The limits', schema: limitsResponse } },
  description: 'Without the quotas while `jobs`, which knows them, does not answer; `message` says so.',
  handle: async ({ call }, services) => {
    const quotas = await quotasOf(services, call);
    const message =
      quotas === undefined ? 'Limits of this service; quotas of users are not known now' : 'Limits of this service';
    return answer({ message, limits: { ...services.limits, ...quotas } });
  },
});

/** How long limits wait for quotas. */
const QUOTAS_TIMEOUT_MS = 2_000;

/** Undefined: not known, since jobs is away or fails. */
async function quotasOf({ jobs }: RouteServices, call: CallOptions) {
  try {
    const timeoutMs = Math.min(call.timeoutMs ?? QUOTAS_TIMEOUT_MS, QUOTAS_TIMEOUT_MS);
    const quotas = await jobs.getQuotas({}, { signal: call.signal, timeoutMs });
    return {
      open_jobs_per_user_max: Number(quotas.openJobsPerUserMax),
      open_tasks_per_user_max: Number(quotas.openTasksPerUserMax),
      queued_primaries_per_user_max: Number(quotas.queuedPrimariesPerUserMax),
      running_tasks_per_user_max: Number(quotas.runningTasksPerUserMax),
      stored_bytes_per_user_max: Number(quotas.storedBytesPerUserMax),
      projects_per_user_max: Number(quotas.projectsPerUserMax),
      project_bytes_per_user_max: Number(quotas.projectBytesPerUserMax),
    };
  } catch (err) {
    if (err instanceof ServiceError) return undefined;
    throw err;
  }
}
