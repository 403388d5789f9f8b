import type { jobs } from '@tally/contracts';
import { invalidField } from '../domain/errors.js';
import type { JobStore, VersionQuery } from '../domain/ports.js';
import { getVersions } from '../domain/read/get-versions.js';
import { readJobQuery, readListQuery } from './mappers.js';

/** GetVersions of jobs_service.proto. */
export function getVersionsRpc(store: JobStore) {
  return async ({ queries }: jobs.GetVersionsRequest): Promise<jobs.GetVersionsResponse> => {
    const versions = await getVersions(store, queries.map(readVersionQuery));
    return { versions: versions.map((version) => version ?? '') };
  };
}

/** @throws ServiceError REQUEST_INVALID */
function readVersionQuery({ userId, what }: jobs.VersionQuery): VersionQuery {
  switch (what?.$case) {
    case 'job':
      return { job: readJobQuery(userId, what.value) };
    case 'page':
      return { page: readListQuery(userId, what.value) };
    default:
      throw invalidField('/queries', 'ask nothing');
  }
}
