import type { ClusterSettings } from './cluster.js';
import { jobFolderPath } from './job-folder-path.js';
import type { ObservationPorts } from './observation-ports.js';
import type { RemoteFolders } from './remote-files.js';
import type { SubmissionIn } from './submission.js';

/**
 * Removes what an ended job has left on its cluster: its folder, by a path that is made here and nowhere read. Safe to
 * repeat. @throws ServiceError FOLDER_NOT_REMOVED, CREDENTIAL_UNUSABLE, and as RemoteShell
 */
export async function clearFolder(
  { submissions, tasks, clock }: Pick<ObservationPorts, 'submissions' | 'tasks' | 'clock'>,
  session: Pick<RemoteFolders, 'removeFolder'>,
  cluster: ClusterSettings,
  loginName: string,
  { jobId }: SubmissionIn<'ended'>,
): Promise<void> {
  await session.removeFolder(jobFolderPath(cluster, loginName, jobId));
  await tasks.forget(jobId);
  await submissions.setCleared(jobId, clock.now());
}
