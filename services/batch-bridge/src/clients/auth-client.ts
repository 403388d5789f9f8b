import { auth } from '@tally/contracts';
import { createGrpcClient, type GrpcClientOptions, type GrpcConnection } from '@tally/service-kit';
import type { Credentials } from '../domain/ports.js';

/** The auth service over gRPC. */
export function createAuthClient(options: GrpcClientOptions): Credentials & GrpcConnection {
  const client = createGrpcClient(auth.AuthServiceService, options);
  return {
    get: (userId, jobId) => client.getClusterCredential({ userId, jobId }),
    checkReady: () => client.checkReady(),
    close: () => client.close(),
  };
}
