import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from '@jest/globals';
import { loadConfig } from '@tally/service-kit';
import {
  type HeldRequest,
  runStatement,
  startAnsweringProxy,
  startForwardProxy,
  startObjectStore,
  waitFor,
  workspaceRoot,
} from '@tally/testkit';
import { CONFIG_PREFIX, resultsConfigSchema } from '../../src/config.js';
import { createS3Store } from '../../src/storage/s3-store.js';
import { exportFile, selectAxis } from '../exports.js';
import { readInput } from '../read-input.js';
import { readResults } from '../read-results.js';
import {
  createJob,
  finalPage,
  inputMessages,
  pageHeader,
  resultsMessages,
  streamOf,
  taskOutputMessages,
  taskPage,
  useResults,
} from '../results-suite.js';

// oxlint-disable-next-line no-console -- who runs the tests learns what is not tried
const server = await startObjectStore((line) => console.log(line));
const withServer = server === undefined ? describe.skip : describe;
/** Before the server: passes on what it gets, unless a test answers in its place. */
const between = server === undefined ? undefined : await startAnsweringProxy(new URL(server.url).host);
const settings = {
  objectStoreUrl: `${between?.url}${server && new URL(server.url).pathname}/some/folder`,
  objectStoreAccessKey: server?.accessKey ?? '',
  objectStoreSecretKey: server?.secretKey ?? '',
  objectStoreTimeoutMs: 5_000,
  objectStoreSweepMs: 1_000,
  rowBytesMax: 1_000,
};
afterAll(async () => {
  await between?.stop();
  await server?.stop();
});

withServer('an object store behind a proxy', () => {
  it('is reached through it', async () => {
    const { host, pathname } = new URL(settings.objectStoreUrl);
    const proxy = await startForwardProxy(new Map([['store.invalid:80', host]]));
    process.env.HTTP_PROXY = proxy.url;
    try {
      const objectStoreUrl = `http://store.invalid${pathname}`;
      const store = await createS3Store({ objectStoreRegion: 'us-east-1', ...settings, objectStoreUrl });
      await store.put('proxied/1', Buffer.from('by a tunnel'));
      expect((await store.read('proxied/1', 3, 11))?.toString()).toBe('a tunnel');
      await store.removeAll('proxied/');
      expect(new Set(proxy.tunnels)).toEqual(new Set(['store.invalid:80']));
    } finally {
      delete process.env.HTTP_PROXY;
      await proxy.stop();
    }
  });
});

/** As a proxy says it, or a server that has lost its way: each has done nothing. */
const PAGE = '<!doctype html><title>Back soon</title>';
const asPage = ({ response }: HeldRequest) => response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE);
const asNothing = ({ response }: HeldRequest) => response.writeHead(200).end();
const asEmptyList = ({ response }: HeldRequest) =>
  response.writeHead(200, { 'content-type': 'application/xml' }).end('<ListBucketResult></ListBucketResult>');
const asRange =
  (range: string, body: string) =>
  ({ response }: HeldRequest) =>
    response.writeHead(206, { 'content-range': range }).end(body);
const asMissing = ({ response }: HeldRequest) =>
  response
    .writeHead(404)
    .end('<Error><Code>NoSuchKey</Code><Message>The specified key does not exist.</Message></Error>');

const asRefusal = ({ response }: HeldRequest) =>
  response.writeHead(403).end('<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>');
const isOf = (wanted: string) => ({
  isWanted: ({ method }: Pick<HeldRequest, 'method'>) => method === wanted,
  timeoutMs: 5_000,
});

withServer('an object store that answers anything', () => {
  const refused = { reason: 'OBJECT_STORE_UNAVAILABLE' };

  it('has stored, given or removed nothing unless the answer is one of S3 to such a request', async () => {
    const store = await createS3Store({ objectStoreRegion: 'us-east-1', ...settings });
    const until = async (method: string, give: (held: HeldRequest) => unknown, work: () => Promise<unknown>) => {
      const given = between?.answer(give, isOf(method));
      await expect(work()).rejects.toMatchObject(refused);
      expect(await given).toBe(true);
    };
    try {
      const put = () => store.put('any/1', Buffer.from('0123456789'));
      for (const give of [asPage, asNothing]) await until('PUT', give, put);
      await put();
      const wrong = [asPage, asNothing, asRange('bytes 0-3/10', '0123'), asRange('bytes 2-5/10', '234')];
      for (const give of wrong) await until('GET', give, () => store.read('any/1', 2, 6));
      expect((await store.read('any/1', 2, 6))?.toString()).toBe('2345');
      for (const give of [asPage, asNothing, asEmptyList]) await until('GET', give, () => store.removeAll('any/'));
      for (const give of [asPage, asNothing]) await until('POST', give, () => store.removeAll('any/'));
      await store.removeAll('any/');
      expect(await store.read('any/1', 2, 6)).toBeUndefined();
    } finally {
      store.close();
    }
  });
});

/** More than an object of values, and as many of errors. */
const BINS = 300_000;
const numbers = (factor: number) => Array.from({ length: BINS }, (_, bin) => factor * (bin + 0.5));
const bigPage = (factor: number) => finalPage(pageHeader([BINS / 10, 10]), numbers(factor), numbers(factor / 10));

withServer('blobs in an object store', () => {
  const suite = useResults(settings);
  const rows = <Row>(text: string) => runStatement<Row & object>(suite.databaseUrl, text);
  const count = async (table: string) =>
    Number((await rows<{ n: string }>(`SELECT count(*) AS n FROM ${table}`))[0]?.n);
  const groups = () => new Set((server?.keys() ?? []).map((key) => key.split('/').at(-2)));
  const named = async () =>
    new Set((await rows<{ name: string }>('SELECT object_group AS name FROM blobs')).map(({ name }) => name));
  /** Until nothing is left that no blob names, as if the time of an upload had passed. */
  const swept = async () => {
    await rows(`UPDATE object_groups SET created_at = '-infinity'`);
    await waitFor(async () => (await count('object_groups')) === (await count('blobs')), { what: 'the sweep' });
  };
  const putResults = (jobId: string, factor: number) =>
    suite.gateway.putResults(streamOf(resultsMessages(jobId, [bigPage(factor)])));

  const secondValue = async (jobId: string) => (await readResults(suite, jobId)).pages[0]?.shown.data.values[1];

  it('keeps inputs, outputs and results there, and gives them back to the last bit, whole and in part', async () => {
    const jobId = await createJob(suite);
    await suite.runner.putTaskOutput(
      streamOf(taskOutputMessages(jobId, 1, [taskPage(pageHeader([BINS]), (array, bin) => array + bin)])),
    );
    await suite.jobs.mergeOutputs({ jobId, taskIds: [1], isPartial: false, isStopped: false, mergeNumber: 1 });
    expect(await count('blocks')).toBe(0);
    expect(await count('blobs')).toBe(2);
    expect(groups()).toEqual(await named());
    await putResults(jobId, 1);
    const { bytes } = await exportFile(suite, jobId, 'float64');
    expect(bytes.equals(bigPage(1).bytes)).toBe(true);
    const plane = await exportFile(suite, jobId, 'float64', {
      axes: [selectAxis(1, 'bin', 7)],
    });
    const values = new Float64Array(plane.bytes.buffer.slice(plane.bytes.byteOffset, plane.bytes.byteOffset + 8));
    expect(values[0]).toBe(7 * (BINS / 10) + 0.5);
    const text = Array.from({ length: 20_000 }, (_, i) => String((i * 7_919) % 10_007)).join(' ');
    const other = 'with-a-large-input';
    await suite.jobs.createInput(streamOf(inputMessages(other, [{ name: 'sim_data.json', text }])));
    expect((await readInput(suite, other)).documents[0]?.text).toBe(text);
    for (const gone of [jobId, other]) await suite.jobs.deleteJobData({ jobId: gone });
    await swept();
    expect(server?.keys()).toEqual([]);
  });

  it('loses nothing when the server goes away while something is stored or read: the earlier results stay', async () => {
    const jobId = await createJob(suite);
    await putResults(jobId, 1);
    await server?.pause();
    const failed = { reason: 'OBJECT_STORE_UNAVAILABLE' };
    await expect(putResults(jobId, 2)).rejects.toMatchObject(failed);
    await expect(exportFile(suite, jobId, 'float64')).rejects.toMatchObject(failed);
    await server?.start();
    expect(await secondValue(jobId)).toBe(1.5);
    await putResults(jobId, 2);
    await swept();
    expect(groups()).toEqual(await named());
    expect(await secondValue(jobId)).toBe(3);
    await suite.jobs.deleteJobData({ jobId });
    await swept();
  });

  it.each([
    ['misses an object', asMissing],
    ['gives a page of a proxy', asPage],
    ['gives another range', asRange('bytes 0-3/10', '0123')],
    ['breaks off', ({ response }: HeldRequest) => response.socket?.resetAndDestroy()],
  ])('is asked again when it %s once, and the reader gets what he asked for', async (_what, give) => {
    const jobId = await createJob(suite);
    await putResults(jobId, 1);
    const given = between?.answer(give, { timeoutMs: 5_000 });
    const { bytes } = await exportFile(suite, jobId, 'float64');
    expect(await given).toBe(true);
    expect(bytes.equals(bigPage(1).bytes)).toBe(true);
    await suite.jobs.deleteJobData({ jobId });
    await swept();
  });

  it.each([
    ['gives a page of a proxy', asPage],
    ['refuses', asRefusal],
    ['breaks off', ({ response }: HeldRequest) => response.socket?.resetAndDestroy()],
  ])('is told again when it %s once at a write, and nobody notices', async (_what, give) => {
    const jobId = await createJob(suite);
    const given = between?.answer(give, isOf('PUT'));
    await putResults(jobId, 1);
    expect(await given).toBe(true);
    expect(await secondValue(jobId)).toBe(1.5);
    await suite.jobs.deleteJobData({ jobId });
    await swept();
  });

  it('leaves an upload alone that is still under way', async () => {
    await rows(`INSERT INTO object_groups (name) VALUES ('under-way')`);
    await rows(`INSERT INTO object_groups (name, created_at) VALUES ('abandoned', now() - interval '1 year')`);
    await waitFor(async () => (await rows(`SELECT 1 FROM object_groups WHERE name = 'abandoned'`)).length === 0, {
      what: 'the sweep',
    });
    expect(await rows(`SELECT 1 FROM object_groups WHERE name = 'under-way'`)).toHaveLength(1);
    await rows('DELETE FROM object_groups');
  });

  it('moves what is stored to blocks and back, and is read in either place', async () => {
    const jobId = await createJob(suite);
    await putResults(jobId, 3);
    const before = (await exportFile(suite, jobId, 'float64')).bytes;
    const move = (target: string) =>
      promisify(execFile)(
        process.execPath,
        [path.join(workspaceRoot(), 'services/results/dist/src/move-blobs.js'), target],
        {
          env: {
            PATH: process.env.PATH,
            RESULTS_DATABASE_URL: suite.databaseUrl,
            RESULTS_OBJECT_STORE_URL: settings.objectStoreUrl,
            RESULTS_OBJECT_STORE_ACCESS_KEY: settings.objectStoreAccessKey,
            RESULTS_OBJECT_STORE_SECRET_KEY: settings.objectStoreSecretKey,
          },
        },
      );
    await move('database');
    expect(await count('blob_objects')).toBe(0);
    expect(await count('blocks')).toBeGreaterThan(0);
    expect((await exportFile(suite, jobId, 'float64')).bytes.equals(before)).toBe(true);
    await move('objects');
    expect(await count('blocks')).toBe(0);
    expect((await exportFile(suite, jobId, 'float64')).bytes.equals(before)).toBe(true);
    const [group = ''] = await named();
    expect(groups()).toContain(group);
    await suite.jobs.deleteJobData({ jobId });
    // of a deleted job without waiting for the time of an upload
    await waitFor(() => !groups().has(group), { what: 'the objects of a deleted job to go' });
  });
});

describe('RESULTS_OBJECT_STORE_URL', () => {
  it.each(['https://key:secret@store/bucket', 'https://store', 's3://bucket', 'https://store/bucket?a=b'])(
    'refuses %s, and does not repeat it where it has a secret',
    (url) => {
      const env = { RESULTS_DATABASE_URL: 'postgresql://x', RESULTS_OBJECT_STORE_URL: url };
      const load = () => loadConfig(CONFIG_PREFIX, resultsConfigSchema, env);
      expect(load).toThrow('RESULTS_OBJECT_STORE_URL');
      expect(load).not.toThrow('key:secret');
    },
  );
});
