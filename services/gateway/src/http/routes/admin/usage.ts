import type { CallOptions } from '@tally/service-kit';
import type { z } from 'zod';
import { answer } from '../../answer/answer.js';
import type { RouteServices } from '../../route.js';
import { allUsageQuery, allUsageResponse } from '../../schemas/admin/usage.js';
import { csvAnswer, roundSeconds, secondsOf } from '../usage/get.js';
import { quote } from '../usage/usage-csv.js';
import { defineOperatorRoute, describeQuery } from './define-operator-route.js';
import { findUsernames } from './usernames.js';

type Usage = z.output<typeof allUsageResponse>['usage'][number];

/** GET /admin/usage */
export const listAllUsage = defineOperatorRoute({
  method: 'GET',
  path: '/admin/usage',
  action: 'usage.list',
  summary: 'Processor time and stored bytes by user and month',
  description: `Of all users of whom something was counted in a month, on runners and clusters together. What is stored is told of this
month alone: it is measured now.`,
  query: allUsageQuery,
  responses: {
    200: {
      description: 'Usage of these months',
      schema: allUsageResponse,
      alternatives: { 'text/csv': 'A line for each month and user, RFC 4180' },
    },
  },
  targetOf: ({ query }) => describeQuery(query),
  handle: async ({ query, call }, services) => {
    const thisMonth = new Date().toISOString().slice(0, 7);
    const { to = thisMonth, from = to, format } = query;
    const isNowIn = from <= thisMonth && thisMonth <= to;
    const usage = await readUsage(services, { from, to, thisMonth: isNowIn ? thisMonth : undefined }, call);
    if (format === 'csv') return csvAnswer(`usage-${from}-${to}.csv`, writeCsv(usage));
    return answer({ message: 'Usage', from, to, usage });
  },
});

interface Asked {
  readonly from: string;
  readonly to: string;
  /** Undefined: it is not asked for. */
  readonly thisMonth: string | undefined;
}

async function readUsage(services: RouteServices, { from, to, thisMonth }: Asked, call: CallOptions): Promise<Usage[]> {
  const [{ months }, { owners }] = await Promise.all([
    services.jobsOperator.listAllUsage({ fromMonth: from, toMonth: to }, call),
    thisMonth === undefined ? { owners: [] } : services.results.listOwnerBytes({}, call),
  ]);
  const stored = new Map(owners.map(({ ownerId, storedBytes }) => [ownerId, storedBytes]));
  const counted = months.map(({ month, ownerId, processorTime }) => {
    const bytes = month === thisMonth ? (stored.get(ownerId) ?? 0n) : undefined;
    if (month === thisMonth) stored.delete(ownerId);
    return { month, ownerId, seconds: secondsOf(processorTime), bytes };
  });
  const idle = [...stored].map(([ownerId, bytes]) => ({ month: thisMonth ?? '', ownerId, seconds: 0, bytes }));
  const all = [...counted, ...idle].sort((a, b) => b.month.localeCompare(a.month) || b.seconds - a.seconds);
  const names = await findUsernames(
    services,
    all.map(({ ownerId }) => ownerId),
    call,
  );
  return all.map(({ month, ownerId, seconds, bytes }) => ({
    month,
    user_id: Number(ownerId),
    username: names.get(ownerId) ?? '',
    processor_seconds: roundSeconds(seconds),
    stored_bytes: bytes === undefined ? null : Number(bytes),
  }));
}

const writeCsv = (usage: readonly Usage[]): string =>
  [
    'month,user_id,user,processor_seconds,stored_bytes',
    ...usage.map(({ month, user_id, username, processor_seconds, stored_bytes }) =>
      [month, user_id, quote(username), processor_seconds, stored_bytes ?? ''].join(),
    ),
    '',
  ].join('\n');
