import type { results } from '@tally/contracts';
import { getTaskPages } from '../domain/output/get-task-pages.js';
import { mapStream, parseJobId, toBuffer, toPageHeader } from './mappers.js';

/** GetTaskPages. */
export function getTaskPagesRpc(ports: Parameters<typeof getTaskPages>[0]) {
  return (request: results.GetTaskPagesRequest): AsyncIterable<results.GetTaskPagesResponse> => {
    const { estimatorIndex, pageNumber, taskIds } = request;
    const parts = getTaskPages(ports, parseJobId(request.jobId), { estimatorIndex, pageNumber }, taskIds);
    return mapStream(parts, (part) => {
      if (part.kind === 'bytes') return { part: { $case: 'chunk', value: toBuffer(part.bytes) } };
      const { taskId, primaries, batches } = part.output;
      const value = { taskId, primaries: BigInt(primaries), batches, page: toPageHeader(part.page) };
      return { part: { $case: 'task', value } };
    });
  };
}
