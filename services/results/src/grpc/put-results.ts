import type { results } from '@tally/contracts';
import { putResults } from '../domain/result/put-results.js';
import { parseResultsPart } from './mappers.js';
import { receiveUpload, type UploadLimits } from './upload-messages.js';

/** PutResults. */
export function putResultsRpc(ports: Parameters<typeof putResults>[0] & { readonly limits: UploadLimits }) {
  return async (messages: AsyncIterable<results.PutResultsRequest>): Promise<results.PutResultsResponse> => {
    const { parts, signal } = receiveUpload(messages, parseResultsPart, ports.limits);
    await putResults(ports, parts, signal);
    return {};
  };
}
