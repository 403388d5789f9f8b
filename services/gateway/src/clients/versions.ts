import type { jobs } from '@tally/contracts';
import {
  type ClientOf,
  createBatcher,
  currentContext,
  newId,
  type RequestContext,
  ServiceError,
  withContext,
} from '@tally/service-kit';
import { answerInvalid } from '../http/mappers.js';

/** The RPC that it calls. */
type VersionClient = Pick<ClientOf<typeof jobs.JobsServiceService>, 'getVersions'>;

/** The version of a job or of a page of jobs; empty: the user has no such job, or it has none. */
export type GetVersion = (query: jobs.VersionQuery) => Promise<string>;

/** A query, and the request that brought it. */
interface BroughtQuery {
  readonly query: jobs.VersionQuery;
  readonly context: RequestContext;
}

/** jobs takes 1000. */
const QUERIES_MAX = 500;

/** Asks for versions that are wanted together in one call, under the id and the deadline of the first: the earliest. */
export function createGetVersion(client: VersionClient): GetVersion {
  const send = createBatcher<BroughtQuery, string>({
    sizeMax: QUERIES_MAX,
    batchesMax: Number.POSITIVE_INFINITY, // a call that takes long holds up nobody else
    run: (brought) => withContext((brought[0] as BroughtQuery).context, () => askAll(client, brought)),
  });
  return (query) => send({ query, context: currentContext() ?? { requestId: newId() } });
}

async function askAll(client: VersionClient, brought: readonly BroughtQuery[]): Promise<readonly string[]> {
  try {
    const { versions } = await client.getVersions({ queries: brought.map(({ query }) => query) });
    if (versions.length !== brought.length) throw answerInvalid('not as many versions as queries');
    return versions;
  } catch (err) {
    // jobs of the release before
    if (!(err instanceof ServiceError) || err.status !== 'UNIMPLEMENTED') throw err;
    return brought.map(() => '');
  }
}
