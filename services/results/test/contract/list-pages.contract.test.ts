import { describe, expect, it } from '@jest/globals';
import { results } from '@tally/contracts';
import { readResults } from '../read-results.js';
import {
  asUser,
  createJob,
  finalPage,
  OWNER,
  pageHeader,
  resultsMessages,
  streamOf,
  taskOutputMessages,
  taskPage,
  useResults,
} from '../results-suite.js';

const BINS_MAX = 800;
const suite = useResults({ pageBinsMax: BINS_MAX });
const listHeader = (recordCount: number | undefined, fields: Partial<results.PageHeader> = {}) => ({
  ...pageHeader([8], { kind: results.PageKind.PAGE_KIND_LIST, unit: '', pageName: 'MCPL', ...fields }),
  axes: [{ name: 'column', unit: '', centers: [1, 2, 3, 4, 5, 6, 7, 8] }],
  recordCount: recordCount === undefined ? undefined : BigInt(recordCount),
});
/** Task k's particles: their numbers are k·1000 + index. */
const share = (taskId: number, recordCount: number) =>
  taskPage(listHeader(recordCount), (_, index) => taskId * 1000 + index);
const put = (jobId: string, taskId: number, recordCount: number) =>
  suite.runner.putTaskOutput(streamOf(taskOutputMessages(jobId, taskId, [share(taskId, recordCount)])));
const numbersOf = (taskId: number, recordCount: number) =>
  Array.from({ length: 8 * recordCount }, (_, index) => taskId * 1000 + index);
const sizesOf = async (jobId: string) =>
  (await asUser(OWNER, () => suite.gateway.listEstimators({ jobId }))).estimators[0]?.pages[0]?.sizes;

describe('a page that is a list', () => {
  it('is shown, before there are final results, as what the tasks have by now, in task order', async () => {
    const jobId = await createJob(suite);
    await put(jobId, 3, 2);
    await put(jobId, 1, 3);
    await put(jobId, 2, 0);
    const { pages, header } = await readResults(suite, jobId);
    expect(header.isPartial).toBe(true);
    expect(pages[0]?.shown).toEqual({
      page_number: 1,
      name: 'MCPL',
      data: {
        values: [...numbersOf(1, 3), ...numbersOf(3, 2)],
        errors: Array(40).fill(null),
        dimensions: [
          [1, 2, 3, 4, 5, 6, 7, 8],
          [1, 2, 3, 4, 5],
        ],
        axes: [
          { name: 'column', unit: '' },
          { name: 'particle', unit: '' },
        ],
        unit: '',
      },
    });
    expect(await sizesOf(jobId)).toEqual([8, 5]);
    await put(jobId, 3, 1);
    expect(await sizesOf(jobId)).toEqual([8, 4]);
    expect((await readResults(suite, jobId)).pages[0]?.shown.data.values).toHaveLength(32);
  });

  it.each([3, 0])('is stored as a final page of %s records', async (recordCount) => {
    const jobId = await createJob(suite);
    const values = numbersOf(1, recordCount);
    const page = finalPage(listHeader(recordCount), values, Array(values.length).fill(Number.NaN));
    await suite.gateway.putResults(streamOf(resultsMessages(jobId, [page])));
    const [shown] = (await readResults(suite, jobId)).pages;
    expect(shown?.shown.data).toMatchObject({ values, errors: values.map(() => null) });
    expect(shown?.shown.data.dimensions[1]).toEqual(Array.from({ length: recordCount }, (_, index) => index + 1));
    expect(await sizesOf(jobId)).toEqual([8, recordCount]);
  });

  it('of no task with a particle is empty', async () => {
    const jobId = await createJob(suite);
    await put(jobId, 1, 0);
    expect((await readResults(suite, jobId)).pages[0]?.shown.data).toMatchObject({ values: [], errors: [] });
    expect(await sizesOf(jobId)).toEqual([8, 0]);
  });
});

describe('INVALID_ARGUMENT, RESOURCE_EXHAUSTED', () => {
  it.each([
    ['no number of records', listHeader(undefined)],
    ['fewer than no records', listHeader(-1)],
    ['no columns', { ...listHeader(1), axes: [] }],
    ['records of another kind', listHeader(1, { kind: results.PageKind.PAGE_KIND_COUNTER })],
  ])('a page with %s', async (_, header) => {
    const jobId = await createJob(suite);
    const upload = suite.runner.putTaskOutput(
      streamOf(taskOutputMessages(jobId, 1, [{ header, bytes: Buffer.alloc(64) }])),
    );
    await expect(upload).rejects.toMatchObject({ reason: 'UPLOAD_INVALID' });
  });

  it('a list with more or fewer numbers than its records have', async () => {
    const jobId = await createJob(suite);
    const upload = (bytes: number) =>
      suite.runner.putTaskOutput(
        streamOf(taskOutputMessages(jobId, 1, [{ header: listHeader(2), bytes: Buffer.alloc(bytes) }])),
      );
    await expect(upload(120)).rejects.toMatchObject({ reason: 'PAGE_SHAPE' });
    await expect(upload(136)).rejects.toMatchObject({ reason: 'PAGE_SHAPE' });
  });

  it('a list that is too long, alone or with those of the other tasks, names the limit; what was there stays', async () => {
    const jobId = await createJob(suite);
    const tooLarge = { reason: 'UPLOAD_TOO_LARGE', message: expect.stringContaining(`more than ${BINS_MAX} bins`) };
    await expect(put(jobId, 1, 101)).rejects.toMatchObject(tooLarge);
    await put(jobId, 1, 60);
    await expect(put(jobId, 2, 41)).rejects.toMatchObject(tooLarge);
    expect(await sizesOf(jobId)).toEqual([8, 60]);
    await put(jobId, 2, 40);
    await put(jobId, 1, 60);
    expect(await sizesOf(jobId)).toEqual([8, 100]);
  });
});
