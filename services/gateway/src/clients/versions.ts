import type { jobs } from '@tally/contracts';
import type { ClientOf } from '@tally/service-kit';
import { createSharedCall } from './shared-call.js';

/** The RPC that it calls. */
type VersionClient = Pick<ClientOf<typeof jobs.JobsServiceService>, 'getVersions'>;

/** The version of a job or of a page of jobs; empty: the user has no such job, or it has none. */
export type GetVersion = (query: jobs.VersionQuery) => Promise<string>;

/** Asks for versions that are wanted together in one call. Of jobs of the release before there are none. */
export function createGetVersion(client: VersionClient): GetVersion {
  return createSharedCall({
    call: async (queries) => (await client.getVersions({ queries: [...queries] })).versions,
    callAlone: async () => '',
  });
}
