import type { results } from '@tally/contracts';
import { getResults } from '../domain/get-results.js';
import { mapStream, parseJobId, parseSelection, toResultsMessage } from './mappers.js';
import { currentReader } from './reader.js';

/** GetResults. */
export function handleGetResults(ports: Parameters<typeof getResults>[0]) {
  return (request: results.GetResultsRequest): AsyncIterable<results.GetResultsResponse> => {
    const parts = getResults(ports, parseJobId(request.jobId), parseSelection(request), currentReader());
    return mapStream(parts, toResultsMessage);
  };
}
