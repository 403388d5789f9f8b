import type { ClusterSettings } from '../cluster/cluster.js';
import { jobFolderPath } from '../job-folder-path.js';
import type { WorkerPorts } from '../ports.js';
import type { RemoteFolders } from '../remote-files.js';
import type { SubmissionIn } from '../submission.js';
import { markCleared, updateSubmission } from '../submission-state.js';

/**
 * Removes what an ended job has left on its cluster: its folder, by a path that is made here and nowhere read. Safe to
 * repeat. @throws ServiceError FOLDER_NOT_REMOVED, CREDENTIAL_UNUSABLE, and as RemoteShell
 */
export async function clearFolder(
  { store, tasks, clock }: Pick<WorkerPorts, 'store' | 'tasks' | 'clock'>,
  session: Pick<RemoteFolders, 'removeFolder'>,
  cluster: ClusterSettings,
  loginName: string,
  submission: SubmissionIn<'ended'>,
): Promise<void> {
  const { jobId } = submission;
  await session.removeFolder(jobFolderPath(cluster, loginName, jobId));
  await tasks.delete(jobId);
  await updateSubmission(store, submission, (stored) => markCleared(stored, clock.now()));
}
