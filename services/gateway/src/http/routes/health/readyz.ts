import { currentContext } from '@tally/service-kit';
import { fail } from '../../../errors.js';
import { answer } from '../../answer/answer.js';
import { toProblem } from '../../answer/problem.js';
import { defineRoute } from '../../route.js';
import { notReadyResponse, readyResponse } from '../../schemas/health.js';

/** GET /readyz: every service with its state and latency, and why it is down; 503 when one is down, and while starting or stopping. */
export const readyz = defineRoute({
  method: 'GET',
  path: '/readyz',
  auth: 'none',
  isLocal: true,
  summary: 'Readiness, with every dependency',
  responses: {
    200: { description: 'Ready', schema: readyResponse },
    503: { description: 'Not ready', schema: notReadyResponse },
  },
  handle: async (_request, { readiness }) => {
    const report = await readiness.check();
    const dependencies = report.dependencies.map(({ name, isReady, latencyMs, reason }) => ({
      name,
      state: isReady ? 'up' : 'down',
      latency_ms: latencyMs,
      ...(reason === undefined ? {} : { reason }),
    }));
    if (report.isReady) return answer({ message: 'ready', dependencies });
    const { status, body } = toProblem(fail('NOT_READY'), currentContext()?.requestId ?? '');
    return answer({ ...body, dependencies }, status);
  },
});
