import type { jobs } from '@tally/contracts';
import { actingUser } from '@tally/service-kit';
import { type StopPorts, stopJob } from '../domain/stop-job.js';
import { readJobId, readPlatformFilter, toProtoState } from './mappers.js';

/** StopJob of jobs_service.proto. */
export function stopJobRpc(ports: StopPorts) {
  return async ({ jobId, platform }: jobs.StopJobRequest): Promise<jobs.StopJobResponse> => {
    const query = { ownerId: actingUser(), jobId: readJobId(jobId), platform: readPlatformFilter(platform) };
    const { state, isStopped } = await stopJob(ports, query);
    return { state: toProtoState(state), isStopped };
  };
}
