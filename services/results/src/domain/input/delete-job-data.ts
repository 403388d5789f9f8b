import type { InputStore } from '../ports.js';

/** Removes everything of a job: input, task outputs, results, logs. Harmless when there is nothing. */
export async function deleteJobData(ports: { readonly inputs: InputStore }, jobId: string): Promise<void> {
  await ports.inputs.deleteJob(jobId);
}

/** Removes results with outputs of tasks, or logs, of a job whose input stays. Harmless when there is nothing. */
export async function deleteJobParts(
  { inputs }: { readonly inputs: InputStore },
  jobId: string,
  parts: { readonly hasResults: boolean; readonly hasLogs: boolean },
): Promise<void> {
  if (parts.hasResults) await inputs.deleteResults(jobId);
  if (parts.hasLogs) await inputs.deleteLogs(jobId);
}
