import type { jobs } from '@tally/contracts';
import { actingUser, currentContext, type Routes } from '@tally/service-kit';
import { getUsage, type UsagePorts } from '../domain/usage/get-usage.js';
import { toDuration } from './mappers.js';

/** Who speaks for users. */
const USERS = ['gateway'];

/** What was used. */
export const usageRpcs = (ports: UsagePorts) =>
  ({
    getUsage: {
      callers: USERS,
      handle: async (request) => {
        const reader = { userId: actingUser(), groups: currentContext()?.userGroups ?? new Map<string, string>() };
        const { entries, current, quotas } = await getUsage(ports, reader, request);
        return {
          entries: entries.map(({ day, ownerId, cluster, cpuMs }) => {
            return { day, ownerId, clusterName: cluster, processorTime: toDuration(cpuMs) };
          }),
          runningTaskCount: current.runningTaskCount,
          runningProcessorTime: toDuration(current.runningCpuMs),
          quotas: quotas.map(({ name, limit, used, resetsAt }) => ({ name, limit, used, resetTime: resetsAt })),
        };
      },
      isQuiet: true,
    },
  }) satisfies Partial<Routes<typeof jobs.JobsServiceService>>;
