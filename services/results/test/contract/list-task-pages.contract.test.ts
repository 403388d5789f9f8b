import { beforeAll, describe, expect, it } from '@jest/globals';
import { newJobId } from '@tally/service-kit';
import { createJob, pageHeader, streamOf, taskOutputMessages, taskPage, useResults } from '../results-suite.js';

const suite = useResults();
const jobId = newJobId(new Date());
const fluence = pageHeader([2], { estimatorIndex: 1, estimatorName: 'Aaa', pageName: 'Fluence', scale: 2.5 });
const dose = pageHeader([3, 2], { pageNumber: 2 });
const let1 = pageHeader([], { pageNumber: 1, pageName: 'LET' });

beforeAll(async () => {
  await createJob(suite, jobId);
  const put = (taskId: number, headers: (typeof dose)[], engine: string) =>
    suite.runner.putTaskOutput(
      streamOf(
        taskOutputMessages(
          jobId,
          taskId,
          headers.map((header) => taskPage(header, () => 1)),
          { engine },
        ),
      ),
    );
  await put(3, [fluence, dose], 'reference 0.1.0');
  await put(11, [dose, let1, fluence], 'reference 0.1.0');
  await put(2, [dose], 'simA 12');
});

describe('ListTaskPages OK', () => {
  it('describes each page once, as it was put, in order of estimator and number', async () => {
    const listed = await suite.runner.listTaskPages({ jobId, taskIds: [] });
    expect(listed.pages).toEqual([let1, dose, fluence]);
    expect(listed).toMatchObject({ taskIds: [2, 3, 11], primaries: 3000n, engine: 'simA 12, reference 0.1.0' });
  });

  it('counts only the tasks asked for', async () => {
    const listed = await suite.runner.listTaskPages({ jobId, taskIds: [2, 4] });
    expect(listed.pages).toEqual([dose]);
    expect(listed).toMatchObject({ taskIds: [2], primaries: 1000n, engine: 'simA 12' });
  });

  it('lists nothing before a task has delivered', async () => {
    const empty = await createJob(suite);
    expect(await suite.runner.listTaskPages({ jobId: empty, taskIds: [] })).toEqual({
      pages: [],
      taskIds: [],
      primaries: 0n,
      warnings: [],
      engine: '',
    });
  });
});

describe('ListTaskPages NOT_FOUND', () => {
  it('knows no other job', async () => {
    await expect(suite.runner.listTaskPages({ jobId: 'none', taskIds: [] })).rejects.toMatchObject({
      status: 'NOT_FOUND',
      reason: 'JOB_NOT_FOUND',
    });
  });
});

describe('ListTaskPages PERMISSION_DENIED', () => {
  it('refuses callers other than the runner', async () => {
    await expect(suite.gateway.listTaskPages({ jobId, taskIds: [] })).rejects.toMatchObject({
      reason: 'CALLER_NOT_ALLOWED',
    });
  });
});
