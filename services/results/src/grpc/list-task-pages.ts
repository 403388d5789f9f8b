import type { results } from '@tally/contracts';
import { listTaskPages } from '../domain/output/list-task-pages.js';
import { parseJobId, toPageHeader } from './mappers.js';

/** ListTaskPages. */
export function listTaskPagesRpc(ports: Parameters<typeof listTaskPages>[0]) {
  return async (request: results.ListTaskPagesRequest): Promise<results.ListTaskPagesResponse> => {
    const listed = await listTaskPages(ports, parseJobId(request.jobId), request.taskIds);
    return {
      pages: listed.pages.map(toPageHeader),
      taskIds: [...listed.taskIds],
      primaries: BigInt(listed.primaries),
      engine: listed.engine,
      warnings: [...listed.warnings],
    };
  };
}
