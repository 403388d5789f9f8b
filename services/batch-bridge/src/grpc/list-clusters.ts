import type { batchBridge } from '@tally/contracts';
import { fail } from '../domain/errors.js';

/** ListClusters. @throws ServiceError BATCH_UNIMPLEMENTED always, until the batch platform is there */
export async function listClusters(): Promise<batchBridge.ListClustersResponse> {
  throw fail('BATCH_UNIMPLEMENTED');
}
