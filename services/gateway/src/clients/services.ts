import { auth, batchBridge, jobs, results } from '@tally/contracts';
import { type ClientOf, createGrpcClient, type GrpcConnection } from '@tally/service-kit';

type Client<S extends Parameters<typeof createGrpcClient>[0]> = ClientOf<S> & GrpcConnection;

/** The services behind the gateway. */
export interface ServiceClients {
  readonly auth: Client<typeof auth.AuthServiceService>;
  readonly jobs: Client<typeof jobs.JobsServiceService>;
  readonly results: Client<typeof results.ResultsServiceService>;
  /** Undefined: this deployment has no batch platform. */
  readonly batchBridge: Client<typeof batchBridge.BatchBridgeServiceService> | undefined;
}

export interface ServiceAddresses {
  readonly authAddress: string;
  readonly jobsAddress: string;
  readonly resultsAddress: string;
  readonly batchBridgeAddress: string;
  readonly callerToken: string;
  readonly callTimeoutMs: number;
}

/** Clients of all services; they connect when first used. */
export function createServiceClients(addresses: ServiceAddresses): ServiceClients {
  const options = (target: string) => ({
    target,
    caller: 'gateway',
    token: addresses.callerToken,
    timeoutMs: addresses.callTimeoutMs,
  });
  return {
    auth: createGrpcClient(auth.AuthServiceService, options(addresses.authAddress)),
    jobs: createGrpcClient(jobs.JobsServiceService, options(addresses.jobsAddress)),
    results: createGrpcClient(results.ResultsServiceService, options(addresses.resultsAddress)),
    batchBridge:
      addresses.batchBridgeAddress === ''
        ? undefined
        : createGrpcClient(batchBridge.BatchBridgeServiceService, options(addresses.batchBridgeAddress)),
  };
}

/** Closes all connections. */
export function closeServiceClients(clients: ServiceClients): void {
  for (const client of [clients.auth, clients.jobs, clients.results, clients.batchBridge]) client?.close();
}
