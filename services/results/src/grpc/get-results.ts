import type { results } from '@tally/contracts';
import { getResults } from '../domain/result/get-results.js';
import { mapStream, parseEncoding, parseJobId, parsePart, parseSelection, toResultsMessage } from './mappers.js';
import { currentReader } from './reader.js';

/** GetResults. */
export function getResultsRpc(ports: Parameters<typeof getResults>[0]) {
  return (request: results.GetResultsRequest): AsyncIterable<results.GetResultsResponse> => {
    const encoding = parseEncoding(request.encoding);
    const [selection, part] = [parseSelection(request), parsePart(request)];
    const parts = getResults(ports, parseJobId(request.jobId), selection, part, encoding, currentReader());
    return mapStream(parts, toResultsMessage);
  };
}
