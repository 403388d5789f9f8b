import pLimit from 'p-limit';
import { joinOutputs } from '../src/domain/output/merge-outputs.js';
import { hasPage, placeOf } from '../src/domain/page/page-set.js';
import type { TaskOutputStore } from '../src/domain/ports.js';
import { openDatabase } from '../src/storage/database.js';
import { createTaskOutputStore } from '../src/storage/task-output-store.js';
import { createTaskReportStore } from '../src/storage/task-report-store.js';

/** Nobody but a merge reads what single tasks have stored: tests look into the store. */
async function withStore<T>(databaseUrl: string, read: (store: TaskOutputStore) => Promise<T>): Promise<T> {
  const db = openDatabase({ databaseUrl, databaseConnectionsMax: 1, uploadTimeoutMs: 60_000 });
  try {
    const limits = { rowBytesMax: 1, logBytesMax: 1 };
    const contents = { db, objects: undefined, writers: pLimit(1) };
    return await read(createTaskOutputStore(contents, createTaskReportStore(db, limits), limits));
  } finally {
    await db.close();
  }
}

/** The tasks of a job that have stored output, ascending, with what they have stored, taken together. */
export function listOutputs({ databaseUrl }: { readonly databaseUrl: string }, jobId: string) {
  return withStore(databaseUrl, async (store) => {
    const { outputs, pages } = await store.listOutputsAndPages(jobId, []);
    const known = pages.filter((page) => hasPage(outputs, page));
    const headers = await store.listPageHeaders(jobId, known);
    return { taskIds: outputs.map(({ taskId }) => taskId), ...joinOutputs(outputs), pages: headers };
  });
}

/** The numbers of a page of the first estimator as they are stored, task by task. */
export function storedPage({ databaseUrl }: { readonly databaseUrl: string }, jobId: string, pageNumber = 1) {
  return withStore(databaseUrl, async (store) => {
    const { outputs } = await store.listOutputsAndPages(jobId, []);
    const ranges = outputs.flatMap((output) => {
      const place = placeOf(output, { estimatorIndex: 0, pageNumber });
      return place === undefined ? [] : [{ output, ...place }];
    });
    return Buffer.concat(await store.readRanges(ranges));
  });
}
