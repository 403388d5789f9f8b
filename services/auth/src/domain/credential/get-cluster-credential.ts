import type { Clock } from '@tally/service-kit';
import type { Audit } from '../audit.js';
import { fail } from '../errors.js';
import type { SecretBox } from '../key/secret-box.js';
import type { CredentialStore } from '../ports.js';
import { type ClusterCredential, openCredential } from './cluster-credential.js';

/** What {@link getClusterCredential} needs. */
export interface GetClusterCredentialPorts {
  readonly credentials: CredentialStore;
  readonly box: SecretBox;
  readonly audit: Audit;
  readonly clock: Clock;
}

/** Who asks, for whom, and what for. */
export interface CredentialRequest {
  readonly userId: bigint;
  readonly jobId: string;
  /** The acting user, where the call is made in the name of one. */
  readonly actingUserId: bigint | undefined;
  readonly caller: string;
}

const JOB_ID = /^\d{8}-\d{6}-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Opens the SSH credential of a job's owner; `username` is the login name. Every read and every refusal is audited.
 * @throws ServiceError FIELDS_INVALID, CREDENTIAL_OF_ANOTHER, CREDENTIAL_NOT_FOUND
 */
export async function getClusterCredential(
  { credentials, box, audit, clock }: GetClusterCredentialPorts,
  { userId, jobId, actingUserId, caller }: CredentialRequest,
): Promise<ClusterCredential & { readonly username: string }> {
  if (!JOB_ID.test(jobId)) throw fail('FIELDS_INVALID', { fields: [{ field: 'job_id', message: 'is not a job id' }] });
  const facts = { userId, jobId, caller };
  if (actingUserId !== undefined && actingUserId !== userId) {
    audit('auth.credential.refused', { ...facts, reason: 'CREDENTIAL_OF_ANOTHER' });
    throw fail('CREDENTIAL_OF_ANOTHER');
  }
  const stored = await credentials.find(userId, clock.now());
  if (stored === undefined) {
    audit('auth.credential.refused', { ...facts, reason: 'CREDENTIAL_NOT_FOUND' });
    throw fail('CREDENTIAL_NOT_FOUND');
  }
  audit('auth.credential.read', facts);
  return { ...openCredential(box, stored), username: stored.username };
}
