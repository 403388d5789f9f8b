import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { results } from '@tally/contracts';
import { encodeTaskOutput, type TaskOutput, type TaskPage } from '@tally/merge';
import { ServiceError } from '@tally/service-kit';
import { type GatewayUnderTest, startGatewayUnderTest } from '../stand-ins/suite.js';

let gateway: GatewayUnderTest;
let chunkSizes: number[] = [];
let isWhole = false;
let messages: results.PutTaskOutputRequest[] = [];
beforeAll(async () => {
  gateway = await startGatewayUnderTest();
});
afterEach(() => gateway.reset());
afterAll(() => gateway.stop());

const page = (fields: Partial<TaskPage>, bins: number): TaskPage => ({
  estimatorName: 'Dose',
  fileName: 'dose_',
  pageNumber: 1,
  pageName: 'Dose',
  kind: 'linear',
  unit: 'Gy',
  scale: 2,
  axes: [{ name: 'Z', unit: 'cm', centers: Array.from({ length: bins }, (_, i) => i) }],
  moments: [new Float64Array(bins).map((_, i) => i / 3), new Float64Array(bins).fill(Number.NaN)],
  ...fields,
});
const OUTPUT: TaskOutput = {
  primaries: 300,
  batches: 20,
  engine: 'reference 0.1.0',
  counters: { lost: 2 },
  warnings: [{ code: 'AXIS_UNNAMED', message: 'a.bdo: an axis has no name' }],
  pages: [
    page({}, 70_001),
    page({ estimatorName: 'Fluence' }, 5),
    page({ pageNumber: 2, kind: 'counter', moments: [Float64Array.of(1, 2, 3)] }, 3),
    page({ pageNumber: 3, kind: 'list', recordCount: 2, moments: [new Float64Array(8).fill(7)] }, 4),
  ],
};
const FILE = Buffer.from(encodeTaskOutput(OUTPUT));

/** A results service that keeps what it gets, and an upload of the task that is wanted. */
function open(isWanted = true): void {
  [chunkSizes, isWhole, messages] = [[], false, []];
  gateway.jobs.answers.getWorkerTarget = async () => ({
    jobId: 'job-1',
    isWanted,
    isRepeat: false,
    primaries: 900n,
    taskCount: 3,
    isPartial: false,
  });
  gateway.jobs.answers.reportWorkerOutput = async () => ({ isApplied: true });
  gateway.results.answers.putTaskOutput = async (requests) => {
    for await (const request of requests) {
      messages.push(request);
      if (request.part?.$case === 'chunk') chunkSizes.push(request.part.value.length);
    }
    isWhole = true;
    return {};
  };
}

const body = (change: object = {}) => ({
  simulation_id: 'job-1',
  update_key: 'key',
  estimators: [],
  task_id: 2,
  primaries: 300,
  task_output: FILE.toString('base64'),
  ...change,
});
const post = (change: object = {}) => gateway.send('POST', '/results', { json: body(change), cookie: '' });
const partsOf = (kind: 'header' | 'page' | 'chunk') =>
  messages.flatMap(({ part }) => (part?.$case === kind ? [part.value] : []));

describe('POST /results with a task_output', () => {
  it('202: gives results every number bit for bit, in chunks of at most 256 KiB', async () => {
    open();
    expect((await post()).body).toEqual({ message: 'Results stored', applied: true });
    expect(partsOf('header')).toEqual([
      {
        jobId: 'job-1',
        taskId: 2,
        attemptId: 'external worker',
        primaries: 300n,
        batches: 20,
        engine: 'reference 0.1.0',
        counters: { lost: 2 },
        pageCount: 4,
        warnings: OUTPUT.warnings,
      },
    ]);
    expect(partsOf('page')).toMatchObject([
      { estimatorIndex: 0, estimatorName: 'Dose', pageNumber: 1, kind: results.PageKind.PAGE_KIND_LINEAR, scale: 2 },
      { estimatorIndex: 1, estimatorName: 'Fluence', pageNumber: 1 },
      { estimatorIndex: 0, estimatorName: 'Dose', pageNumber: 2, kind: results.PageKind.PAGE_KIND_COUNTER },
      { estimatorIndex: 0, pageNumber: 3, kind: results.PageKind.PAGE_KIND_LIST, recordCount: 2n },
    ]);
    const numbers = Buffer.concat(messages.flatMap(({ part }) => (part?.$case === 'chunk' ? [part.value] : [])));
    expect(numbers.equals(FILE.subarray(FILE.length - numbers.length))).toBe(true);
    expect(numbers.length).toBe((2 * 70_001 + 2 * 5 + 3 + 8) * 8);
    expect(Math.max(...chunkSizes)).toBeLessThanOrEqual(256 * 1024);
  });

  it('202: is the same with the slashes escaped, as some JSON writers do', async () => {
    open();
    const raw = JSON.stringify(body()).replaceAll('/', '\\/');
    expect((await gateway.send('POST', '/results', { raw, cookie: '' })).status).toBe(202);
    expect(isWhole).toBe(true);
  });

  it('202: reads no numbers of a task that has ended', async () => {
    open(false);
    gateway.results.answers.appendLogs = async () => ({});
    expect((await post()).body).toMatchObject({ applied: false });
    const [note, ...rest] = gateway.results.calls;
    expect([note?.rpc, rest]).toEqual(['appendLogs', []]);
    const request = note?.request as results.AppendLogsRequest | undefined;
    expect(request?.texts[0]?.text.toString()).toMatch(/too late and dropped: the output of task \d+, \d+ bytes/);
  });

  const withHeader = (change: object) => Buffer.from(encodeTaskOutput({ ...OUTPUT, ...change })).toString('base64');
  it.each([
    ['no base64 in its length', { task_output: FILE.toString('base64').slice(0, -1) }, 'task_output'],
    ['no base64 at its beginning', { task_output: `    ${FILE.toString('base64').slice(4)}` }, 'task_output'],
    ['foreign bytes', { task_output: Buffer.from('PK and so on, a zip').toString('base64') }, 'task_output'],
    ['nothing', { task_output: '' }, 'task_output'],
    ['half of it', { task_output: FILE.subarray(0, FILE.length / 2).toString('base64') }, 'task_output'],
    ['bytes after its end', { task_output: Buffer.concat([FILE, FILE]).toString('base64') }, 'task_output'],
    [
      'a header of 4 GB',
      { task_output: Buffer.from(`TALLYOUT${'\xff'.repeat(8)}`, 'latin1').toString('base64') },
      'task_output',
    ],
    ['another kind of value', { task_output: { a: 1 } }, 'task_output'],
    ['other primaries than the request', { task_output: withHeader({ primaries: 299 }) }, 'primaries'],
    ['no task', { task_id: undefined }, 'task_id'],
    ['no primaries', { primaries: undefined }, 'primaries'],
    ['estimators as well', { estimators: [{ name: 'Dose', pages: [] }] }, 'estimators'],
  ])('400: %s, named', async (_what, change, field) => {
    open();
    const { status, body: problem } = await post(change);
    expect([status, problem.code]).toEqual([400, 'REQUEST_INVALID']);
    expect(problem.errors).toEqual([{ field, message: expect.any(String) }]);
    expect(gateway.results.calls).toEqual([]);
  });

  it('400: what is not base64 in the middle; results gets no more of it', async () => {
    open();
    const text = FILE.toString('base64');
    const at = text.length - 400_000;
    const { status, body: problem } = await post({ task_output: `${text.slice(0, at)}????${text.slice(at + 4)}` });
    expect([status, problem.errors]).toEqual([400, [{ field: 'task_output', message: 'is not base64' }]]);
    expect(chunkSizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(FILE.length - 200_000);
    expect(gateway.jobs.calls.some(({ rpc }) => rpc === 'reportWorkerOutput')).toBe(false);
  });

  it('401: before anything of it is read', async () => {
    open();
    gateway.jobs.answers.getWorkerTarget = async () => {
      throw new ServiceError('jobs', 'UPDATE_KEY_INVALID', 'UNAUTHENTICATED', 'no');
    };
    expect((await post({ task_output: '????' })).status).toBe(401);
  });
});
