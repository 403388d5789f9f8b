import type { results } from '@tally/contracts';
import { exportResults } from '../domain/result/export-results.js';
import { mapStream, parseFormat, parseJobId, parsePart, parseSelection, toExportMessage } from './mappers.js';
import { currentReader } from './reader.js';

/** ExportResults. */
export function exportResultsRpc(ports: Parameters<typeof exportResults>[0]) {
  return (request: results.ExportResultsRequest): AsyncIterable<results.ExportResultsResponse> => {
    const [selection, part] = [parseSelection(request), parsePart(request)];
    const format = parseFormat(request.format);
    const parts = exportResults(ports, parseJobId(request.jobId), selection, part, format, currentReader());
    return mapStream(parts, toExportMessage);
  };
}
