// A job that runs while something happens to the cluster.

/** Enough for tasks to run while pods are replaced. */
export const LONG_PRIMARIES = 300_000;
export const LONG_TASKS = 6;

/** Runs `disturb` while a long job of the user runs, and waits for the job's end: all its primaries are there. */
export async function underLoad(user, disturb) {
  const jobId = await user.submit(LONG_PRIMARIES, LONG_TASKS);
  await user.running(jobId);
  await disturb();
  await user.completed(jobId, LONG_PRIMARIES);
}
