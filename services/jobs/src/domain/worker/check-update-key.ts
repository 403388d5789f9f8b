import { createHmac } from 'node:crypto';
import { NotReadyError } from '@tally/service-kit';
import type { UpdateKeySecrets } from './update-key.js';

/** Fingerprints of secrets, by which a copy sees that it has those that were in use. */
export interface SecretCheckStore {
  find(name: string): Promise<string | undefined>;
  save(name: string, fingerprint: string): Promise<void>;
  /** Whether there are jobs on clusters that have not ended: their tasks have keys. */
  hasJobsOnClusters(): Promise<boolean>;
}

const NAME = 'update_key_master';
const fingerprintOf = (master: string): string => createHmac('sha256', master).update('fingerprint').digest('hex');

/**
 * Whether tasks on clusters will be let in: their keys were derived from the master that is configured, or from the one before it. Passed
 * once, it holds for the life of a copy; a later master is that of the next copies.
 */
export function createUpdateKeyCheck(
  store: SecretCheckStore,
  { master, before }: UpdateKeySecrets,
): () => Promise<void> {
  let isPassed = master === '';
  return async () => {
    if (isPassed) return;
    const own = fingerprintOf(master);
    const found = await store.find(NAME);
    if (found !== own) {
      const isFollowing = found === undefined || (before !== '' && found === fingerprintOf(before));
      if (!isFollowing && (await store.hasJobsOnClusters()))
        throw new NotReadyError(
          'jobs on clusters have keys of another JOBS_UPDATE_KEY_MASTER; give that one as JOBS_UPDATE_KEY_MASTER_BEFORE',
        );
      await store.save(NAME, own);
    }
    isPassed = true;
  };
}
