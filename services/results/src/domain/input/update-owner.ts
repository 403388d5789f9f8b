import type { InputStore } from '../ports.js';

/** Gives those of the jobs that are a user's to another, who then reads all that they have. Safe to repeat. */
export async function updateOwner(
  { inputs }: { readonly inputs: InputStore },
  jobIds: readonly string[],
  ownerId: bigint,
  newOwnerId: bigint,
): Promise<void> {
  await inputs.updateOwner(jobIds, ownerId, newOwnerId);
}
