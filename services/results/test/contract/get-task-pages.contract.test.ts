import { describe, expect, it } from '@jest/globals';
import { results } from '@tally/contracts';
import {
  collect,
  createJob,
  pageHeader,
  streamOf,
  taskOutputMessages,
  taskPage,
  useResults,
} from '../results-suite.js';

const suite = useResults();
const header = pageHeader([5], { kind: results.PageKind.PAGE_KIND_RATIO });
const page = (taskId: number) => taskPage(header, (array, bin) => taskId + array / 8 + bin / 64);

async function put(jobId: string, taskId: number, pages = [page(taskId)]): Promise<void> {
  const about = { primaries: BigInt(taskId), batches: taskId };
  await suite.runner.putTaskOutput(streamOf(taskOutputMessages(jobId, taskId, pages, about)));
}

async function get(jobId: string, taskIds: number[], pageNumber = 1) {
  const stream = suite.runner.getTaskPages({ jobId, estimatorIndex: 0, pageNumber, taskIds });
  const tasks: { task: results.TaskPageHeader; chunks: Buffer[] }[] = [];
  for (const { part } of await collect(stream)) {
    if (part?.$case === 'task') tasks.push({ task: part.value, chunks: [] });
    if (part?.$case === 'chunk') tasks.at(-1)?.chunks.push(part.value);
  }
  return tasks.map(({ task, chunks }) => ({ task, bytes: Buffer.concat(chunks), chunks }));
}

describe('GetTaskPages OK', () => {
  it('gives the page of each task in ascending task number, with what it needs to be merged', async () => {
    const jobId = await createJob(suite);
    for (const taskId of [10, 2, 9, 1]) await put(jobId, taskId);
    const tasks = await get(jobId, []);
    expect(tasks.map(({ task }) => task)).toEqual(
      [1, 2, 9, 10].map((taskId) => ({ taskId, primaries: BigInt(taskId), batches: taskId, page: header })),
    );
    for (const { task, bytes } of tasks) expect(bytes.equals(page(task.taskId).bytes)).toBe(true);
  });

  it('gives only the tasks asked for, and of these only those that have the page', async () => {
    const jobId = await createJob(suite);
    for (const taskId of [1, 2, 3]) await put(jobId, taskId);
    await put(jobId, 4, [taskPage(pageHeader([2], { pageNumber: 2 }), () => 0)]);
    expect((await get(jobId, [1, 3, 4, 99])).map(({ task }) => task.taskId)).toEqual([1, 3]);
  });

  it('gives pages larger than a block, and many tasks, whole and in chunks of at most 256 KiB', async () => {
    const jobId = await createJob(suite);
    const big = (taskId: number) => taskPage(pageHeader([300, 300]), (array, bin) => taskId * bin + array);
    for (let taskId = 1; taskId <= 8; taskId += 1) await put(jobId, taskId, [big(taskId)]);
    const tasks = await get(jobId, []);
    expect(tasks).toHaveLength(8);
    for (const { task, bytes } of tasks) expect(bytes.equals(big(task.taskId).bytes)).toBe(true);
    const sizes = tasks.flatMap(({ chunks }) => chunks.map((chunk) => chunk.length));
    expect(Math.max(...sizes)).toBeLessThanOrEqual(256 * 1024);
  });
});

describe('GetTaskPages NOT_FOUND', () => {
  it('knows no other job, page or task', async () => {
    const jobId = await createJob(suite);
    await expect(get(jobId, [])).rejects.toMatchObject({ status: 'NOT_FOUND', reason: 'PAGE_NOT_FOUND' });
    await put(jobId, 1);
    await put(jobId, 2, [taskPage(pageHeader([2], { pageNumber: 2 }), () => 0)]);
    await expect(get(jobId, [], 3)).rejects.toMatchObject({ reason: 'PAGE_NOT_FOUND' });
    await expect(get(jobId, [7])).rejects.toMatchObject({ reason: 'PAGE_NOT_FOUND' });
    await expect(get(jobId, [2], 1)).rejects.toMatchObject({ reason: 'PAGE_NOT_FOUND' });
    await expect(get('none', [])).rejects.toMatchObject({ reason: 'JOB_NOT_FOUND' });
  });
});

describe('GetTaskPages ABORTED', () => {
  it('never mixes two attempts: it breaks off when a page is replaced while it is read', async () => {
    const jobId = await createJob(suite);
    // 16 MB: about twice what the streams on both sides take in while nobody reads
    await put(jobId, 1, [taskPage(pageHeader([1000, 1000]), () => Math.random())]);
    const stream = suite.runner.getTaskPages({ jobId, estimatorIndex: 0, pageNumber: 1, taskIds: [] });
    const read = async () => {
      let isReplaced = false;
      for await (const { part } of stream) {
        if (part?.$case !== 'chunk' || isReplaced) continue;
        await put(jobId, 1);
        isReplaced = true;
      }
    };
    await expect(read()).rejects.toMatchObject({ status: 'ABORTED', reason: 'CHANGED_WHILE_READ' });
  });
});

describe('GetTaskPages PERMISSION_DENIED', () => {
  it('refuses callers other than the runner', async () => {
    const request = { jobId: 'none', estimatorIndex: 0, pageNumber: 1, taskIds: [] };
    await expect(collect(suite.gateway.getTaskPages(request))).rejects.toMatchObject({ reason: 'CALLER_NOT_ALLOWED' });
  });
});
