import { auth, authOperator, batchBridge, jobs, jobsOperator, results } from '@tally/contracts';
import { type ClientOf, createGrpcClient, type GrpcConnection } from '@tally/service-kit';

type Client<S extends Parameters<typeof createGrpcClient>[0]> = ClientOf<S> & GrpcConnection;

/** The services behind the gateway. */
export interface ServiceClients {
  readonly auth: Client<typeof auth.AuthServiceService>;
  readonly jobs: Client<typeof jobs.JobsServiceService>;
  /** What operators do with accounts, and the trail of all that they do. */
  readonly authOperator: Client<typeof authOperator.AuthOperatorServiceService>;
  readonly jobsOperator: Client<typeof jobsOperator.JobsOperatorServiceService>;
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
    authOperator: createGrpcClient(authOperator.AuthOperatorServiceService, options(addresses.authAddress)),
    jobsOperator: createGrpcClient(jobsOperator.JobsOperatorServiceService, options(addresses.jobsAddress)),
    results: createGrpcClient(results.ResultsServiceService, options(addresses.resultsAddress)),
    batchBridge:
      addresses.batchBridgeAddress === ''
        ? undefined
        : createGrpcClient(batchBridge.BatchBridgeServiceService, options(addresses.batchBridgeAddress)),
  };
}

/** Closes all connections. */
export function closeServiceClients(clients: ServiceClients): void {
  const { auth, authOperator, jobs, jobsOperator, results, batchBridge } = clients;
  for (const client of [auth, authOperator, jobs, jobsOperator, results, batchBridge]) client?.close();
}
