import { tryCancel } from '../clean/cancel-on-cluster.js';
import type { WorkerPorts } from '../ports.js';
import type { RemoteShell } from '../remote-shell.js';
import type { NamedJob } from '../scheduler.js';
import { isIn, isMarkerOf, markerOf, type SubmissionIn } from '../submission.js';

/**
 * Ends what the scheduler has of submitted jobs beside what is known of them: an sbatch that was given up may have come through
 * after all. Where the known one of the same name is not shown, it may be lost, and the other one is found in its place.
 * @param open - all jobs of the user that have not ended, as the scheduler has just shown them
 */
export async function endSurplus(
  ports: WorkerPorts,
  shell: RemoteShell,
  submissions: readonly SubmissionIn<'submitted'>[],
  { open }: { readonly open: readonly NamedJob[] },
): Promise<void> {
  for (const submission of submissions) {
    if (surplusOf(submission, open).length === 0) continue;
    // it may have been given further tasks, or submitted again, since it was loaded
    const stored = await ports.store.find(submission.jobId);
    const isSame = typeof stored === 'object' && stored.acceptedAt.getTime() === submission.acceptedAt.getTime();
    if (!isSame || !isIn('submitted', stored)) continue;
    const surplus: NamedJob[] = [];
    for (const job of surplusOf(stored, open)) {
      const ids = await ports.scheduler.find(shell, job.marker); // an id that was read wrongly is somebody else's
      if (ids.includes(job.id)) surplus.push(job);
    }
    if (surplus.length === 0) continue;
    ports.logger.error({ job_id: submission.jobId, surplus }, 'submitted more than once; the later ones are canceled');
    await tryCancel(ports, shell, surplus);
  }
}

function surplusOf({ jobId, phase }: SubmissionIn<'submitted'>, open: readonly NamedJob[]): NamedJob[] {
  const known = new Map(phase.remoteJob.schedulerJobs.map((job) => [markerOf(jobId, job.ordinal), job.state]));
  const isKnown = ({ id, marker }: NamedJob): boolean => {
    const state = known.get(marker);
    return state !== undefined && 'id' in state && state.id === id;
  };
  const ours = open.filter(({ marker }) => isMarkerOf(jobId, marker));
  const mayBeLost = (marker: string): boolean =>
    known.get(marker)?.kind === 'known' && !ours.some((job) => job.marker === marker && isKnown(job));
  return ours.filter((job) => !isKnown(job) && !mayBeLost(job.marker));
}
