import type { results } from '@tally/contracts';
import { getResults } from '../domain/result/get-results.js';
import { mapStream, parseEncoding, parseJobId, parseSelection, toResultsMessage } from './mappers.js';
import { currentReader } from './reader.js';

/** GetResults. */
export function getResultsRpc(ports: Parameters<typeof getResults>[0]) {
  return (request: results.GetResultsRequest): AsyncIterable<results.GetResultsResponse> => {
    const encoding = parseEncoding(request.encoding);
    const parts = getResults(ports, parseJobId(request.jobId), parseSelection(request), encoding, currentReader());
    return mapStream(parts, toResultsMessage);
  };
}
