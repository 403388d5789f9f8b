import type { auth } from '@tally/contracts';
import { currentContext } from '@tally/service-kit';
import { type GetClusterCredentialPorts, getClusterCredential } from '../domain/credential/get-cluster-credential.js';

/** GetClusterCredential. */
export function getClusterCredentialRpc(ports: GetClusterCredentialPorts) {
  return async ({ userId, jobId }: auth.GetClusterCredentialRequest): Promise<auth.GetClusterCredentialResponse> => {
    const context = currentContext();
    return getClusterCredential(ports, { userId, jobId, actingUserId: context?.userId, caller: context?.caller ?? '' });
  };
}
