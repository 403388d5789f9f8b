import type { results } from '@tally/contracts';
import { deleteJobData } from '../domain/input/delete-job-data.js';
import { isJobId } from './mappers.js';

/** DeleteJobData. */
export function deleteJobDataRpc(ports: Parameters<typeof deleteJobData>[0]) {
  return async (request: results.DeleteJobDataRequest): Promise<results.DeleteJobDataResponse> => {
    if (isJobId(request.jobId)) await deleteJobData(ports, request.jobId);
    return {};
  };
}
