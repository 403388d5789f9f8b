import { afterAll, beforeAll } from '@jest/globals';
import { results } from '@tally/contracts';
import { encodeMoments, MOMENTS, type PageKind } from '@tally/merge';
import { createGrpcClient, newJobId, withContext } from '@tally/service-kit';
import { createTestDatabase, type TestDatabase, testCallers, testCallerToken } from '@tally/testkit';
import type { ResultsBounds } from '../src/bounds.js';
import type { ResultsConfig } from '../src/config.js';
import { startTestResults } from '../testing/start.js';

type Service = Awaited<ReturnType<typeof startTestResults>>;
export type ResultsClient = ReturnType<typeof connect>;

function connect(port: number, caller: string) {
  return createGrpcClient(results.ResultsServiceService, {
    target: `127.0.0.1:${port}`,
    caller,
    token: testCallerToken(caller),
    timeoutMs: 60_000,
  });
}

/** A results service of this test file, on a database of its own, with a client for each caller. */
export interface ResultsSuite {
  readonly jobs: ResultsClient;
  readonly runner: ResultsClient;
  readonly gateway: ResultsClient;
  readonly bridge: ResultsClient;
  readonly databaseUrl: string;
}

const CALLERS = ['jobs', 'direct-runner', 'gateway', 'auth', 'batch-bridge'] as const;

/** Starts the service before the file's tests and stops it after them. */
export function useResults(overrides: Partial<ResultsConfig & ResultsBounds> = {}): ResultsSuite {
  let database: TestDatabase | undefined;
  let service: Service | undefined;
  const clients = new Map<string, ResultsClient>();
  beforeAll(async () => {
    database = await createTestDatabase('services/results/prisma/migrations');
    service = await startTestResults({
      callers: testCallers(...CALLERS),
      ...overrides,
      databaseUrl: database.url,
    });
    for (const caller of CALLERS) clients.set(caller, connect(service.port, caller));
  }, 60_000);
  afterAll(async () => {
    for (const client of clients.values()) client.close();
    await service?.stop();
    await database?.drop();
  });
  const client = (caller: string) => {
    const found = clients.get(caller);
    if (found === undefined) throw new Error('the service has not started');
    return found;
  };
  return {
    get jobs() {
      return client('jobs');
    },
    get runner() {
      return client('direct-runner');
    },
    get gateway() {
      return client('gateway');
    },
    get bridge() {
      return client('batch-bridge');
    },
    get databaseUrl() {
      if (database === undefined) throw new Error('the service has not started');
      return database.url;
    },
  };
}

export const OWNER = 7n;

/** Runs calls on behalf of a user. */
export function asUser<T>(userId: bigint, work: () => Promise<T>): Promise<T> {
  return withContext({ requestId: 'test', userId }, work);
}

/** Everything of a stream. */
export async function collect<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const parts: T[] = [];
  for await (const part of stream) parts.push(part);
  return parts;
}

/** The messages as a stream. */
export async function* streamOf<T>(messages: Iterable<T>): AsyncGenerator<T> {
  for (const message of messages) yield message;
}

/** A job with a small input; returns its id. */
export async function createJob(
  suite: ResultsSuite,
  jobId = newJobId(new Date()),
  header: Partial<results.InputHeader> = {},
): Promise<string> {
  await suite.jobs.createInput(streamOf(inputMessages(jobId, undefined, header)));
  return jobId;
}

export interface TestDocument {
  readonly role?: results.DocumentRole;
  readonly name: string;
  readonly text: string | Uint8Array;
}

/** What jobs sends for an input. */
export function inputMessages(
  jobId: string,
  documents: readonly TestDocument[] = [{ name: 'sim_data.json', text: '{}' }],
  header: Partial<results.InputHeader> = {},
): results.CreateInputRequest[] {
  return [
    {
      part: {
        $case: 'header',
        value: { jobId, ownerId: OWNER, kind: results.InputKind.INPUT_KIND_EDITOR, warnings: [], ...header },
      },
    },
    ...documents.flatMap(({ role, name, text }): results.CreateInputRequest[] => [
      {
        part: {
          $case: 'document',
          value: { role: role ?? results.DocumentRole.DOCUMENT_ROLE_SUBMITTED, name },
        },
      },
      ...chunksOf(Buffer.from(text)).map((value) => ({ part: { $case: 'chunk' as const, value } })),
    ]),
  ];
}

/** Cuts bytes as a sender does; odd sizes on purpose. */
export function chunksOf(bytes: Buffer, chunkBytes = 65_537): Buffer[] {
  const chunks: Buffer[] = [];
  for (let from = 0; from < bytes.length; from += chunkBytes) chunks.push(bytes.subarray(from, from + chunkBytes));
  return chunks;
}

/** A page header with `sizes` bins per axis. */
export function pageHeader(sizes: readonly number[], fields: Partial<results.PageHeader> = {}): results.PageHeader {
  return {
    estimatorIndex: 0,
    estimatorName: 'Depth dose',
    fileName: 'depth',
    pageNumber: 1,
    pageName: 'Dose',
    kind: results.PageKind.PAGE_KIND_LINEAR,
    unit: 'MeV/g',
    scale: 1,
    axes: sizes.map((size, axis) => ({
      name: 'XYZ'[axis] ?? '?',
      unit: 'cm',
      centers: Array.from({ length: size }, (_, bin) => (bin + 0.5) / 10),
    })),
    ...fields,
  };
}

const KIND_NAMES: Readonly<Record<number, PageKind>> = {
  [results.PageKind.PAGE_KIND_LINEAR]: 'linear',
  [results.PageKind.PAGE_KIND_RATIO]: 'ratio',
  [results.PageKind.PAGE_KIND_AVERAGE]: 'average',
  [results.PageKind.PAGE_KIND_COUNTER]: 'counter',
  [results.PageKind.PAGE_KIND_MAP]: 'map',
  [results.PageKind.PAGE_KIND_LIST]: 'list',
};

/** A page of a task with `bins` numbers in each of its arrays, given by array and bin. */
export function taskPage(header: results.PageHeader, number: (array: number, bin: number) => number) {
  const kind = KIND_NAMES[header.kind] ?? 'linear';
  const bins = header.axes.reduce((product, axis) => product * axis.centers.length, Number(header.recordCount ?? 1));
  const moments = MOMENTS[kind].map((_, array) => Float64Array.from({ length: bins }, (__, bin) => number(array, bin)));
  return { header, bytes: Buffer.from(encodeMoments(kind, bins, moments)), moments };
}

export interface UploadedPage {
  readonly header: results.PageHeader;
  readonly bytes: Buffer;
}

/** What a runner sends for a task's output. */
export function taskOutputMessages(
  jobId: string,
  taskId: number,
  pages: readonly UploadedPage[],
  header: Partial<results.TaskOutputHeader> = {},
): results.PutTaskOutputRequest[] {
  return [
    {
      part: {
        $case: 'header',
        value: {
          jobId,
          taskId,
          attemptId: `attempt-${taskId}`,
          primaries: 1000n,
          batches: 10,
          engine: 'reference 0.1.0',
          counters: { lost: 0 },
          warnings: [],
          ...header,
        },
      },
    },
    ...pages.flatMap(({ header: page, bytes }): results.PutTaskOutputRequest[] => [
      { part: { $case: 'page', value: page } },
      ...chunksOf(bytes).map((value) => ({ part: { $case: 'chunk' as const, value } })),
    ]),
  ];
}

/** What a runner sends for final results. */
export function resultsMessages(
  jobId: string,
  pages: readonly UploadedPage[],
  header: Partial<results.ResultsHeader> = {},
): results.PutResultsRequest[] {
  const value = { jobId, primaries: 3000n, taskCount: 3, isPartial: false, engine: 'reference 0.1.0', version: '' };
  return [
    { part: { $case: 'header', value: { ...value, warnings: [], ...header } } },
    ...pages.flatMap(({ header: page, bytes }): results.PutResultsRequest[] => [
      { part: { $case: 'page', value: page } },
      ...chunksOf(bytes).map((chunk) => ({ part: { $case: 'chunk' as const, value: chunk } })),
    ]),
  ];
}

/** A final page: values, then errors. */
export function finalPage(header: results.PageHeader, values: readonly number[], errors: readonly number[]) {
  const numbers = Float64Array.from([...values, ...errors]);
  return { header, bytes: Buffer.from(encodeMoments('counter', numbers.length, [numbers])) };
}
