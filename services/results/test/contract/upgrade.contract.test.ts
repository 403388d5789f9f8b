import { randomBytes } from 'node:crypto';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { results } from '@tally/contracts';
import { createGrpcClient } from '@tally/service-kit';
import { createTestDatabase, deployMigrations, type TestDatabase, testCallers, testCallerToken } from '@tally/testkit';
import { startTestResults } from '../../testing/start.js';
import { appendEarlierLog, createEarlierInput, type EarlierPage, putEarlierOutput } from '../earlier-release.js';
import { insertGzippedResults } from '../gzipped-results.js';
import { readInput } from '../read-input.js';
import { readLogs } from '../read-logs.js';
import { readResults } from '../read-results.js';
import { collect, OWNER, pageHeader, type ResultsSuite } from '../results-suite.js';

// The database of release 0.1.0 (before 20261123100000) when this release's migrations are applied.

const MIGRATIONS = path.join(import.meta.dirname, '../../prisma/migrations');
const EARLIER = ['20261121000000_create_results', '20261121132500_name_logs', '20261122130000_warnings'];
const { DOCUMENT_ROLE_SUBMITTED: SUBMITTED, DOCUMENT_ROLE_DECK: DECK } = results.DocumentRole;

let folder: string;
let database: TestDatabase;
let service: Awaited<ReturnType<typeof startTestResults>>;
let suite: ResultsSuite;

const noise = (bytes: number) => randomBytes(bytes / 2).toString('hex');
const DOCUMENTS = [
  { role: 'submitted', name: 'sim_data.json', text: '{"a":"żółć"}' },
  { role: 'deck', name: 'geo.dat', text: noise(700_000) },
  { role: 'deck', name: 'empty.dat', text: '' },
  { role: 'deck', name: 'beam.dat', text: 'BEAM\n' },
] as const;
const toStored = ({ role, name, text }: { role: 'submitted' | 'deck'; name: string; text: string }) => ({
  role: role === 'deck' ? DECK : SUBMITTED,
  name,
  text,
});

/** A page of more than a block, a small one, and a list. */
function earlierPages(taskId: number): EarlierPage[] {
  const of = (pageNumber: number, sizes: number[], kind: 'linear' | 'list', records?: number): EarlierPage => {
    const header = pageHeader(sizes, { pageNumber, pageName: `Page ${pageNumber}` });
    const { axes, unit, estimatorName, fileName, pageName, scale } = header;
    const numbers = records === undefined ? 2 * sizes.reduce((product, size) => product * size, 1) : 2 * records;
    const bytes = Buffer.from(Float64Array.from({ length: numbers }, (_, index) => taskId * 1e6 + index).buffer);
    const described = { estimatorIndex: 0, estimatorName, fileName, pageNumber, pageName, kind, unit, scale, axes };
    return { header: described, hash: Buffer.alloc(32, pageNumber), bytes };
  };
  return [of(1, [200, 100], 'linear'), of(2, [3], 'linear'), of(3, [2], 'list', 10 * taskId)];
}
const bytesOf = (pageNumber: number, ...taskIds: number[]) =>
  Buffer.concat(taskIds.map((taskId) => earlierPages(taskId)[pageNumber - 1]?.bytes ?? Buffer.alloc(0)));

async function storedBytes(jobId: string, pageNumber: number): Promise<Buffer> {
  const parts = await collect(suite.runner.getTaskPages({ jobId, estimatorIndex: 0, pageNumber, taskIds: [] }));
  return Buffer.concat(parts.flatMap(({ part }) => (part?.$case === 'chunk' ? [part.value] : [])));
}

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'tally-migrations-'));
  for (const name of [...EARLIER, 'migration_lock.toml'])
    cpSync(path.join(MIGRATIONS, name), path.join(folder, name), { recursive: true });
  database = await createTestDatabase(folder);
  const { url } = database;
  await createEarlierInput(url, 'before', OWNER, DOCUMENTS);
  await createEarlierInput(
    url,
    'before-small',
    OWNER,
    DOCUMENTS.filter(({ name }) => name !== 'geo.dat'),
  );
  for (const taskId of [2, 1]) await putEarlierOutput(url, 'before', taskId, earlierPages(taskId));
  await appendEarlierLog(url, 'before', 1, 'a', 0, 'first\n');
  await appendEarlierLog(url, 'before', 1, 'b', 0, 'second\n');
  await insertGzippedResults(url, 'before-small', '{"values":[1]}');
  await deployMigrations(MIGRATIONS, url);
  service = await startTestResults({
    databaseUrl: url,
    callers: testCallers('jobs', 'direct-runner', 'gateway', 'batch-bridge'),
    rowBytesMax: 2_000,
  });
  const client = (caller: string) =>
    createGrpcClient(results.ResultsServiceService, {
      target: `127.0.0.1:${service.port}`,
      caller,
      token: testCallerToken(caller),
      timeoutMs: 60_000,
    });
  suite = {
    jobs: client('jobs'),
    runner: client('direct-runner'),
    gateway: client('gateway'),
    bridge: client('batch-bridge'),
    databaseUrl: url,
  };
});
afterAll(async () => {
  for (const client of [suite.jobs, suite.runner, suite.gateway, suite.bridge]) client.close();
  await service.stop();
  await database.drop();
  rmSync(folder, { recursive: true });
});

describe('what release 0.1.0 has stored', () => {
  it('is read as it was: inputs, outputs, logs, results', async () => {
    expect((await readInput(suite, 'before')).documents).toEqual(DOCUMENTS.map(toStored));
    expect((await readInput(suite, 'before-small', [DECK])).documents.map(({ name }) => name)).toEqual([
      'empty.dat',
      'beam.dat',
    ]);
    for (const page of [1, 2, 3]) expect((await storedBytes('before', page)).equals(bytesOf(page, 1, 2))).toBe(true);
    expect((await suite.runner.listTaskPages({ jobId: 'before', taskIds: [] })).pages).toHaveLength(3);
    expect(await readLogs(suite, 'before')).toEqual({ task_1: 'first\nsecond\n' });
    expect((await readResults(suite, 'before-small')).pages[0]?.json).toBe('{"values":[1]}');
  });

  it('is gone on with: outputs are merged with new ones, logs go on', async () => {
    await suite.runner.appendLog({ jobId: 'before', taskId: 1, attemptId: 'b', offset: 7n, text: 'more\n' });
    await suite.runner.appendLog({ jobId: 'before', taskId: 1, attemptId: 'a', offset: 6n, text: 'late\n' });
    expect(await readLogs(suite, 'before')).toEqual({ task_1: 'first\nsecond\nmore\n' });
    await suite.jobs.mergeOutputs({ jobId: 'before', taskIds: [1, 2], isPartial: false });
    const { header, pages } = await readResults(suite, 'before');
    expect(header).toMatchObject({ primaries: 300n, isPartial: false });
    expect(pages[2]?.shown.data.values).toHaveLength(60);
  });
});
