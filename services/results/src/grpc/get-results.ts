import type { results } from '@tally/contracts';
import { getResults } from '../domain/result/get-results.js';
import { mapStream, parseJobId, parsePart, parseSelection, toResultsMessage } from './mappers.js';
import { currentReader } from './reader.js';

/** GetResults. */
export function getResultsRpc(ports: Parameters<typeof getResults>[0]) {
  return (request: results.GetResultsRequest): AsyncIterable<results.GetResultsResponse> => {
    const [selection, part] = [parseSelection(request), parsePart(request)];
    const parts = getResults(ports, parseJobId(request.jobId), selection, part, currentReader());
    return mapStream(parts, toResultsMessage);
  };
}
