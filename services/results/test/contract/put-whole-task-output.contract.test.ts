import { describe, expect, it } from '@jest/globals';
import { results } from '@tally/contracts';
import { runStatement } from '@tally/testkit';
import { ofOneLog } from '../one-log.js';
import { readLogs } from '../read-logs.js';
import { readResults } from '../read-results.js';
import {
  createJob,
  pageHeader,
  streamOf,
  taskOutputMessages,
  taskPage,
  type UploadedPage,
  useResults,
} from '../results-suite.js';
import { listOutputs, storedPage } from '../stored-outputs.js';

const suite = useResults({ pagesMax: 5, pageBinsMax: 100_000, rowBytesMax: 4_096 });
const ramp = (array: number, bin: number) => bin + array / 2;
const page = (fields: Partial<results.PageHeader> = {}, sizes = [4, 3], number = ramp) =>
  taskPage(pageHeader(sizes, fields), number);
const list = (records: number) => {
  const fields = { kind: results.PageKind.PAGE_KIND_LIST, recordCount: BigInt(records), pageNumber: 9 };
  return taskPage(pageHeader([2], fields), ramp);
};

/** An output in one message. */
function whole(
  jobId: string,
  taskId: number,
  pages: readonly UploadedPage[],
  fields: { attemptId?: string; content?: Buffer; log?: results.LogText } = {},
): results.PutTaskOutputRequest[] {
  const { attemptId = `attempt-${taskId}`, content = Buffer.concat(pages.map(({ bytes }) => bytes)), log } = fields;
  const headers = pages.map(({ header }) => header);
  return taskOutputMessages(jobId, taskId, [], { attemptId, log, whole: { pages: headers, content } });
}
const put = (...args: Parameters<typeof whole>) => suite.runner.putTaskOutput(streamOf(whole(...args)));
const log = (offset: number, text: string) => ({ offset: BigInt(offset), text: Buffer.from(text) });

const storedBytes = (jobId: string, pageNumber?: number) => storedPage(suite, jobId, pageNumber);
const rows = (query: string, jobId: string) => runStatement(suite.databaseUrl, query, [jobId]);

describe('PutTaskOutput OK, in one message', () => {
  it('stores output and log in one row each, whatever the pages', async () => {
    const jobId = await createJob(suite);
    const pages = [page(), page({ pageNumber: 2 }), page({ pageNumber: 3 }, [])];
    await suite.runner.appendLogs(
      ofOneLog({
        jobId,
        taskId: 2,
        attemptId: 'attempt-2',
        offset: 0n,
        text: Buffer.from('begun\n'),
      }),
    );
    for (const taskId of [1, 2, 3])
      await put(jobId, taskId, pages, { log: log(taskId === 2 ? 6 : 0, `end ${taskId}\n`) });
    expect(await readLogs(suite, jobId)).toEqual({ task_1: 'end 1\n', task_2: 'begun\nend 2\n', task_3: 'end 3\n' });
    for (const [index, { bytes }] of pages.entries()) {
      expect((await storedBytes(jobId, index + 1)).equals(Buffer.concat([bytes, bytes, bytes]))).toBe(true);
    }
    expect(await rows('SELECT 1 FROM page_sets WHERE job_id = $1', jobId)).toHaveLength(1);
    expect(await rows('SELECT 1 FROM blobs WHERE job_id = $1', jobId)).toHaveLength(0);
    expect(await rows('SELECT 1 FROM log_chunks WHERE job_id = $1', jobId)).toHaveLength(0);
  });

  it('changes nothing when it is repeated', async () => {
    const jobId = await createJob(suite);
    for (let i = 0; i < 3; i++) await put(jobId, 1, [page()], { log: log(0, 'all\n') });
    await Promise.all(Array.from({ length: 8 }, () => put(jobId, 1, [page()], { log: log(0, 'all\n') })));
    expect((await storedBytes(jobId)).equals(page().bytes)).toBe(true);
    expect(await readLogs(suite, jobId)).toEqual({ task_1: 'all\n' });
  });

  it('takes outputs of many tasks of several jobs at once, the first of each among them', async () => {
    const jobIds = await Promise.all([1, 2, 3].map(() => createJob(suite)));
    const tasks = Array.from({ length: 60 }, (_, index) => ({
      jobId: jobIds[index % 3] ?? '',
      taskId: 1 + Math.floor(index / 3),
    }));
    await Promise.all(
      tasks.map(({ jobId, taskId }) =>
        put(jobId, taskId, [page({}, [4, 3], () => taskId)], { log: log(0, `task ${taskId}\n`) }),
      ),
    );
    for (const jobId of jobIds) {
      const listed = await listOutputs(suite, jobId);
      expect(listed.taskIds).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
      const bytes = await storedBytes(jobId);
      for (let task = 0; task < 20; task++) expect(bytes.readDoubleLE(task * 2 * 12 * 8)).toBe(task + 1);
      expect(Object.keys(await readLogs(suite, jobId))).toHaveLength(20);
    }
  });

  it('replaces what an earlier attempt stored, large or small, and leaves nothing of it', async () => {
    const jobId = await createJob(suite);
    const large = page({}, [100, 100]);
    await suite.runner.putTaskOutput(streamOf(taskOutputMessages(jobId, 1, [large])));
    expect(await rows('SELECT 1 FROM blobs WHERE job_id = $1', jobId)).toHaveLength(1);
    await put(jobId, 1, [page({ pageName: 'other' })], { attemptId: 'second' });
    expect((await listOutputs(suite, jobId)).pages).toMatchObject([{ pageName: 'other' }]);
    expect(await rows('SELECT 1 FROM blobs WHERE job_id = $1', jobId)).toHaveLength(0);
    await suite.runner.putTaskOutput(streamOf(taskOutputMessages(jobId, 1, [large])));
    expect((await storedBytes(jobId)).equals(large.bytes)).toBe(true);
  });

  it('stores what is small for a message and large for a row', async () => {
    const jobId = await createJob(suite);
    const middle = page({}, [100, 50]);
    for (const taskId of [1, 2]) await put(jobId, taskId, [middle]);
    expect((await storedBytes(jobId)).equals(Buffer.concat([middle.bytes, middle.bytes]))).toBe(true);
    expect(await rows('SELECT 1 FROM blobs WHERE job_id = $1', jobId)).toHaveLength(2);
  });

  it('counts a page that not all tasks have for those that do', async () => {
    const jobId = await createJob(suite);
    await put(jobId, 1, [page(), page({ pageNumber: 2 })]);
    await put(jobId, 2, [page()]);
    await put(jobId, 3, [page()]);
    const { header, pages } = await readResults(suite, jobId);
    expect(header).toMatchObject({ taskCount: 3, primaries: 3000n });
    expect(pages).toHaveLength(2);
    expect((await storedBytes(jobId, 2)).equals(page().bytes)).toBe(true);
  });

  it('takes lists, each as long as it is, up to the limit of all tasks together', async () => {
    const jobId = await createJob(suite);
    for (const taskId of [1, 2, 3]) await put(jobId, taskId, [page(), list(10 * taskId)]);
    expect((await storedBytes(jobId, 9)).equals(Buffer.concat([10, 20, 30].map((count) => list(count).bytes)))).toBe(
      true,
    );
    const { pages } = await readResults(suite, jobId);
    expect(pages.at(-1)?.shown.data.dimensions[1]).toHaveLength(60);
    await expect(put(jobId, 4, [page(), list(49_980)])).rejects.toMatchObject({ reason: 'UPLOAD_TOO_LARGE' });
  });

  it('puts the log of a new attempt, and one with a gap, together by the rule', async () => {
    const jobId = await createJob(suite);
    await put(jobId, 1, [page()], { log: log(0, 'first') });
    await put(jobId, 1, [page()], { attemptId: 'second', log: log(4, 'late\n') });
    expect((await readLogs(suite, jobId)).task_1).toBe(
      'first\n--- new attempt second ---\n--- 4 bytes of this log did not arrive ---\nlate\n',
    );
  });
});

describe('PutTaskOutput in one message NOT_FOUND', () => {
  it('refuses the output of a job that is not there, or no longer', async () => {
    const gone = { status: 'NOT_FOUND', reason: 'JOB_NOT_FOUND' };
    await expect(put('20260101-000000-gone', 1, [page()])).rejects.toMatchObject(gone);
    const jobId = await createJob(suite);
    await put(jobId, 1, [page()], { log: log(0, 'x') });
    await suite.jobs.deleteJobData({ jobId });
    for (const more of [{}, { log: log(1, 'y') }])
      await expect(put(jobId, 2, [page()], more)).rejects.toMatchObject(gone);
  });
});

describe('PutTaskOutput in one message INVALID_ARGUMENT', () => {
  const hostile: [string, string, (jobId: string) => Promise<unknown>][] = [
    ['no page', 'UPLOAD_INVALID', (jobId) => put(jobId, 1, [])],
    ['the same page twice', 'UPLOAD_INVALID', (jobId) => put(jobId, 1, [page(), page()])],
    ['too few numbers', 'PAGE_SHAPE', (jobId) => put(jobId, 1, [page()], { content: Buffer.alloc(184) })],
    ['too many numbers', 'PAGE_SHAPE', (jobId) => put(jobId, 1, [page()], { content: Buffer.alloc(200) })],
    ['task 0', 'UPLOAD_INVALID', (jobId) => put(jobId, 0, [page()])],
    ['a log before its beginning', 'LOG_INVALID', (jobId) => put(jobId, 1, [page()], { log: log(-1, 'x') })],
    [
      'a log that is not UTF-8',
      'LOG_INVALID',
      (jobId) => put(jobId, 1, [page()], { log: { offset: 0n, text: Buffer.of(0xff) } }),
    ],
  ];
  for (const [what, reason, call] of hostile) {
    it(`refuses ${what} and stores nothing`, async () => {
      const jobId = await createJob(suite);
      await expect(call(jobId)).rejects.toMatchObject({ status: 'INVALID_ARGUMENT', reason });
      expect(await listOutputs(suite, jobId)).toMatchObject({ taskIds: [], pages: [] });
      expect(await readLogs(suite, jobId)).toEqual({});
    });
  }

  it("refuses a task whose page is not the page of the job's other tasks, alone or among many", async () => {
    const jobId = await createJob(suite);
    await put(jobId, 1, [page()]);
    const others = [2, 3, 4].map((taskId) => put(jobId, taskId, [page()]));
    const differing = [page({ unit: 'Gy' }), page({}, [3, 4]), page({ estimatorName: 'Lateral' })];
    const refused = differing.map((other, index) => put(jobId, 10 + index, [other]));
    const outcomes = await Promise.allSettled([...others, ...refused]);
    expect(outcomes.map(({ status }) => status)).toEqual([
      ...others.map(() => 'fulfilled'),
      ...refused.map(() => 'rejected'),
    ]);
    for (const outcome of outcomes.slice(3)) expect(outcome).toMatchObject({ reason: { reason: 'PAGE_MISMATCH' } });
    expect((await listOutputs(suite, jobId)).taskIds).toEqual([1, 2, 3, 4]);
  });
});

describe('PutTaskOutput in one message RESOURCE_EXHAUSTED', () => {
  const big: [string, () => UploadedPage[]][] = [
    ['too many pages', () => [1, 2, 3, 4, 5, 6].map((pageNumber) => page({ pageNumber }))],
  ];
  for (const [what, pages] of big) {
    it(`refuses ${what}`, async () => {
      const jobId = await createJob(suite);
      await expect(put(jobId, 1, pages())).rejects.toMatchObject({ reason: 'UPLOAD_TOO_LARGE' });
    });
  }
});
