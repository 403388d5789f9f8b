import type { InputStore } from '../ports.js';

/** Removes everything of a job: input, task outputs, results, logs. Harmless when there is nothing. */
export async function deleteJobData(ports: { readonly inputs: InputStore }, jobId: string): Promise<void> {
  await ports.inputs.deleteJob(jobId);
}
