import { type HttpSession, waitFor } from '@tally/testkit';

const TIMEOUT_MS = 180_000;

/** Deletes all jobs of a user, also those that were refused: their folders are kept until then. Open ones are canceled first. */
export async function deleteAll(user: HttpSession): Promise<void> {
  const hasNone = async () => {
    const { status } = await user.send('GET', '/auth/status');
    if (status === 401) await user.send('GET', '/auth/refresh'); // after ten minutes
    const { simulations } = await user.request('GET', '/user/simulations');
    for (const { job_id: jobId } of simulations) await takeBack(user, jobId);
    return simulations.length === 0;
  };
  await waitFor(hasNone, { what: 'no jobs', timeoutMs: TIMEOUT_MS });
}

/** Cancels a job and deletes it; refused while a task of it still runs. */
export async function takeBack(
  user: HttpSession,
  jobId: string,
  platform: 'direct' | 'batch' = 'direct',
): Promise<void> {
  await user.send('DELETE', `/jobs/${platform}?job_id=${jobId}`);
  await user.send('DELETE', `/user/simulations?job_id=${jobId}`);
}
