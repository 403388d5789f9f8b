import type { jobs } from '@tally/contracts';
import type { z } from 'zod';
import { answerInvalid } from '../../../errors.js';
import { type Answer, answer } from '../../answer/answer.js';
import type { RouteRequest } from '../../route.js';
import { defineRoute, type RouteServices } from '../../route.js';
import { usageQuery, usageResponse } from '../../schemas/jobs/usage.js';
import { writeUsageCsv } from './usage-csv.js';

type UsageRequest = RouteRequest<'session', z.output<typeof usageQuery>>;

/** GET /usage: processor time by day, and quotas. */
export const getUsage = defineRoute({
  method: 'GET',
  path: '/usage',
  auth: 'session',
  summary: 'Processor time that was used, day by day, and quotas',
  description: `Your own, or, for its managers, that of a group. Runners measure the processes of each attempt; an attempt that failed or
was killed counts, too, and deletion of a job takes nothing away. \`format=csv\` gives the days as a table.`,
  query: usageQuery,
  responses: {
    200: {
      description: 'Usage of these days',
      schema: usageResponse,
      alternatives: { 'text/csv': 'A line for each day, user and cluster' },
    },
    403: { description: 'You are no manager of the group' },
    404: { description: 'You are in no such group' },
  },
  handle: async (request, services) => {
    const { group_id: groupId = '', format } = request.query;
    const now = new Date();
    const { from = `${now.toISOString().slice(0, 7)}-01`, to = now.toISOString().slice(0, 10) } = request.query;
    const usage = await services.jobs.getUsage({ fromDay: from, toDay: to, groupId }, request.call);
    const days = await nameDays(usage.entries, request, services);
    if (format === 'csv') return csvAnswer(`usage-${from}-${to}.csv`, writeUsageCsv(days));
    return answer({
      message: 'Usage',
      from,
      to,
      processor_seconds: roundSeconds(days.reduce((sum, { processor_seconds: seconds }) => sum + seconds, 0)),
      days,
      ...(groupId === '' ? await readOwn(usage, request, services) : {}),
      quotas: usage.quotas.map(toQuota),
    });
  },
});

/** Milliseconds are what is counted. */
export const roundSeconds = (seconds: number): number => Math.round(1000 * seconds) / 1000;
export const secondsOf = (duration: jobs.UsageEntry['processorTime']): number =>
  roundSeconds(Number(duration?.seconds ?? 0n) + (duration?.nanos ?? 0) / 1e9);

async function nameDays(entries: readonly jobs.UsageEntry[], { call }: UsageRequest, { auth }: RouteServices) {
  const userIds = [...new Set(entries.map(({ ownerId }) => ownerId))];
  const { users = [] } = userIds.length === 0 ? {} : await auth.listNames({ userIds, groupIds: [] }, call);
  const names = new Map(users.map(({ userId, username }) => [userId, username]));
  return entries.map(({ day, ownerId, clusterName: cluster, processorTime }) => {
    const user = names.get(ownerId) ?? String(ownerId);
    return { day, user, cluster, processor_seconds: secondsOf(processorTime) };
  });
}

async function readOwn(usage: jobs.GetUsageResponse, { call }: UsageRequest, { results }: RouteServices) {
  const { storedBytes } = await results.getStoredBytes({}, call);
  const running = { tasks: usage.runningTaskCount, processor_seconds: secondsOf(usage.runningProcessorTime) };
  return { running, stored_bytes: Number(storedBytes) };
}

const NAMES = ['processor_seconds_month', 'stored_bytes', 'running_tasks'] as const;

function toQuota({ name: given, limit, used, resetTime }: jobs.UsedQuota) {
  const name = NAMES.find((one) => one === given);
  if (name === undefined) throw answerInvalid(`unknown quota ${given}`);
  return {
    name,
    limit,
    ...(used === undefined ? {} : { used: roundSeconds(used) }),
    ...(resetTime === undefined ? {} : { resets_at: resetTime.toISOString() }),
  };
}

/** A table as a file. */
export function csvAnswer(name: string, text: string): Answer {
  const pieces = (async function* () {
    yield text;
  })();
  return {
    kind: 'stream',
    status: 200,
    text: pieces,
    file: { contentType: 'text/csv', name, isCompressible: true },
  };
}
