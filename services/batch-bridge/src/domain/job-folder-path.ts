import type { Branded } from '@tally/service-kit';
import type { ClusterSettings } from './cluster/cluster.js';
import { fail } from './errors.js';
import type { JobId } from './job-id.js';

/** Absolute path of a job's folder on a cluster, made by {@link jobFolderPath} and by nothing else: it may be removed. */
export type JobFolderPath = Branded<'JobFolderPath'>;

/** Login names that can stand in a path: neither hidden, nor climbing, nor an option. */
const LOGIN_NAME = /^[A-Za-z0-9_][A-Za-z0-9_.@-]{0,63}$/;
/** As readJobId lets it through; checked again, because folders are removed. */
const JOB_ID = /^\d{8}-\d{6}-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** As clusterSettings lets it through, once the login name is in it; checked again, too. */
const SCRATCH_FOLDER = /^(?:\/[A-Za-z0-9_][A-Za-z0-9_.@-]*)+$/;

/**
 * The folder of a job: `<scratch folder of the cluster>/<job id>`, with the login name in its place. Always a folder
 * below the scratch folder, of exactly this job.
 * @throws ServiceError CREDENTIAL_UNUSABLE for a login name that cannot stand in a path; RangeError for anything else
 *   that no configuration and no job of ours has
 */
export function jobFolderPath(
  { scratchFolder }: Pick<ClusterSettings, 'scratchFolder'>,
  loginName: string,
  jobId: JobId,
): JobFolderPath {
  if (!LOGIN_NAME.test(loginName)) {
    throw fail('CREDENTIAL_UNUSABLE', { message: 'The login name of the SSH certificate cannot be part of a path' });
  }
  if (!JOB_ID.test(jobId)) throw new RangeError('not a job id');
  const folder = scratchFolder.replaceAll('{user}', () => loginName);
  if (!SCRATCH_FOLDER.test(folder)) throw new RangeError('not a scratch folder');
  return `${folder}/${jobId}` as JobFolderPath;
}
