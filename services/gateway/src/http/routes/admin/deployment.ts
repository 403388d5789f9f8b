import { jobsOperator } from '@tally/contracts';
import { answer } from '../../answer/answer.js';
import { platform, toTimestamp } from '../../mappers.js';
import {
  drainAction,
  drainResponse,
  pauseAction,
  pausesResponse,
  runnersResponse,
} from '../../schemas/admin/deployment.js';
import { loadQuery, loadResponse } from '../../schemas/admin/jobs.js';
import { messageResponse } from '../../schemas/message.js';
import { defineOperatorRoute, describeQuery } from './define-operator-route.js';
import { findGroupNames, findUsernames } from './usernames.js';

const LOAD_KEYS = {
  user: jobsOperator.LoadKey.LOAD_KEY_USER,
  cluster: jobsOperator.LoadKey.LOAD_KEY_CLUSTER,
  runner: jobsOperator.LoadKey.LOAD_KEY_RUNNER,
  simulator: jobsOperator.LoadKey.LOAD_KEY_SIMULATOR,
  reason: jobsOperator.LoadKey.LOAD_KEY_REASON,
  group: jobsOperator.LoadKey.LOAD_KEY_GROUP,
} as const;

/** GET /admin/load */
export const listLoads = defineOperatorRoute({
  method: 'GET',
  path: '/admin/load',
  action: 'load.list',
  summary: 'What runs and waits, summed up',
  query: loadQuery,
  responses: { 200: { description: 'The largest first, at most 1000', schema: loadResponse } },
  targetOf: ({ query }) => describeQuery(query),
  handle: async ({ query: { by }, call }, services) => {
    const { loads } = await services.jobsOperator.listLoads({ key: LOAD_KEYS[by] }, call);
    const userIds = by === 'user' ? loads.map(({ key }) => BigInt(key)) : [];
    const names = await findUsernames(services, userIds, call);
    const groupIds = by === 'group' ? loads.flatMap(({ key }) => (key === '' ? [] : key)) : [];
    const groups = await findGroupNames(services, groupIds, call);
    const nameOf = (key: string) => {
      if (by === 'user') return { key: names.get(BigInt(key)) ?? '', user_id: Number(key) };
      return by === 'group' && key !== '' ? { key: groups.get(key) ?? '', group_id: key } : { key };
    };
    return answer({
      message: 'Load',
      loads: loads.map(({ key, openJobCount, runningTaskCount, pendingTaskCount, oldestStartTime }) => ({
        ...nameOf(key),
        open_jobs: openJobCount,
        running_tasks: runningTaskCount,
        pending_tasks: pendingTaskCount,
        ...(oldestStartTime === undefined ? {} : { oldest_start_time: oldestStartTime.toISOString() }),
      })),
    });
  },
});

/** GET /admin/runners */
export const listRunners = defineOperatorRoute({
  method: 'GET',
  path: '/admin/runners',
  action: 'runners.list',
  summary: 'Runners that live',
  responses: { 200: { description: 'By their ids', schema: runnersResponse } },
  targetOf: () => '',
  handle: async ({ call }, services) => {
    const { runners } = await services.jobsOperator.listRunners({}, call);
    return answer({
      message: 'Runners',
      runners: runners.map(({ runnerId, executables, confinement, slotCount, runningTaskCount, isDraining }) => ({
        runner_id: runnerId,
        executables: executables === '' ? [] : executables.split(','),
        ...(confinement === '' ? {} : { confinement }),
        slots: slotCount,
        running_tasks: runningTaskCount,
        draining: isDraining,
      })),
    });
  },
});

/** POST /admin/runners/drain */
export const drainRunner = defineOperatorRoute({
  method: 'POST',
  path: '/admin/runners/drain',
  action: 'runners.drain',
  summary: 'Drain a runner, or take that back',
  description:
    'It finishes the tasks that it has, and learns within 15 s that it is to take no others. It holds until the runner ends.',
  body: drainAction,
  responses: {
    200: { description: 'It is told', schema: drainResponse },
    404: { description: 'No such runner lives' },
  },
  targetOf: ({ body: { runner_id, draining } }) => `${runner_id} draining=${draining}`,
  handle: async ({ body, call }, services) => {
    const { runner_id: runnerId, draining: isDraining } = body;
    const { runningTaskCount } = await services.jobsOperator.updateRunner({ runnerId, isDraining }, call);
    return answer({
      message: isDraining ? 'The runner takes no more tasks' : 'The runner takes tasks',
      running_tasks: runningTaskCount,
    });
  },
});

/** GET /admin/pauses */
export const listPauses = defineOperatorRoute({
  method: 'GET',
  path: '/admin/pauses',
  action: 'pauses.list',
  summary: 'Platforms that take no submissions',
  responses: { 200: { description: 'At most one for a platform', schema: pausesResponse } },
  targetOf: () => '',
  handle: async ({ call }, services) => {
    const { pauses } = await services.jobsOperator.listSubmissionPauses({}, call);
    return answer({
      message: 'Pauses',
      pauses: pauses.map(({ platform: name, message, startTime }) => ({
        platform: platform.toName(name),
        sentence: message,
        since: toTimestamp(startTime, 'start_time'),
      })),
    });
  },
});

/** PUT /admin/pauses */
export const setPause = defineOperatorRoute({
  method: 'PUT',
  path: '/admin/pauses',
  action: 'pauses.set',
  summary: 'Pause submissions to a platform, or take that back',
  description: 'Submissions and extensions get 503 `SUBMISSIONS_PAUSED` with the sentence. What was accepted goes on.',
  body: pauseAction,
  responses: { 200: { description: 'It holds from now on', schema: messageResponse } },
  targetOf: ({ body }) => `${body.platform} ${body.sentence === null ? 'resumed' : 'paused'}`,
  handle: async ({ body: { platform: name, sentence }, call }, services) => {
    const asked = { platform: platform.toProto(name), message: sentence ?? undefined };
    await services.jobsOperator.updateSubmissionPause(asked, call);
    return answer({ message: sentence === null ? 'Submissions are taken again' : 'Submissions are paused' });
  },
});
