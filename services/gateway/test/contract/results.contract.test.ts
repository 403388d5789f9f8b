import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { results } from '@tally/contracts';
import { currentContext, ServiceError } from '@tally/service-kit';
import { waitFor } from '@tally/testkit';
import { type GatewayUnderTest, startGatewayUnderTest } from '../stand-ins/suite.js';

let gateway: GatewayUnderTest;
beforeAll(async () => {
  gateway = await startGatewayUnderTest();
});
afterEach(() => gateway.reset());
afterAll(() => gateway.stop());

type Part = NonNullable<results.GetResultsResponse['part']>;
const header = (change: Partial<results.ResultsHeader> = {}): Part => ({
  $case: 'header',
  value: {
    jobId: 'j',
    primaries: 1000n,
    taskCount: 2,
    isPartial: false,
    engine: 'reference 0.1.0',
    version: 'v1',
    warnings: [],
    ...change,
  },
});
const pageText = (pageNumber: number, values: readonly number[]) =>
  JSON.stringify({
    page_number: pageNumber,
    name: 'Dose',
    data: { values, dimensions: [values.map((_, bin) => bin + 0.5)], unit: 'MeV/g', errors: values.map(() => null) },
  });
/** A page as results sends it: its header, then its text cut into chunks. */
function page(estimatorName: string, pageNumber: number, values: readonly number[], chunkBytes = 7): Part[] {
  const text = Buffer.from(pageText(pageNumber, values));
  const chunks: Part[] = [];
  for (let at = 0; at < text.length; at += chunkBytes) {
    chunks.push({ $case: 'chunk', value: text.subarray(at, at + chunkBytes) });
  }
  return [{ $case: 'page', value: { estimatorName, pageNumber } }, ...chunks];
}
const streamOf = (parts: readonly Part[], failure?: Error) =>
  async function* () {
    for (const part of parts) yield { part };
    if (failure !== undefined) throw failure;
  };
const refuse = (reason: string, status: ConstructorParameters<typeof ServiceError>[2]) =>
  streamOf([], new ServiceError('results', reason, status, `text of ${reason}`));
const asked = () => gateway.results.calls.find(({ rpc }) => rpc === 'getResults')?.request;
const twoEstimators = [header(), ...page('depth', 1, [1.5, 2]), ...page('depth', 2, [3]), ...page('let "x"', 1, [4])];
const twoEstimatorsBody = {
  message: 'Results',
  primaries: 1000,
  tasks_merged: 2,
  partial: false,
  engine: 'reference 0.1.0',
  estimators: [
    { name: 'depth', pages: [JSON.parse(pageText(1, [1.5, 2])), JSON.parse(pageText(2, [3]))] },
    { name: 'let "x"', pages: [JSON.parse(pageText(1, [4]))] },
  ],
};
const get = (query = '', headers: Record<string, string> = {}) =>
  gateway.send('GET', `/results?job_id=j${query}`, { headers });

describe('GET /results', () => {
  it.each(['gzip', 'identity'])('200: all pages by estimator, with %s', async (encoding) => {
    gateway.results.answers.getResults = streamOf(twoEstimators);
    const reply = await get('', { 'Accept-Encoding': encoding });
    expect(reply.status).toBe(200);
    expect(reply.headers.get('content-encoding')).toBe(encoding === 'gzip' ? 'gzip' : null);
    expect(reply.body).toEqual(twoEstimatorsBody);
    expect(reply.headers.get('vary')).toContain('Accept-Encoding');
  });

  it.each(['gzip', 'identity'])('200: pages whose numbers come as numbers, with %s', async (encoding) => {
    const bytesOf = (numbers: readonly number[]) => Buffer.from(Float64Array.from(numbers).buffer);
    const noise = Array.from({ length: 30_000 }, (_, index) => Math.sin(index));
    const part = ($case: 'numbers' | 'numbersOrNulls', numbers: readonly number[]): Part => ({
      $case,
      value: bytesOf(numbers),
    });
    const text = (value: string): Part => ({ $case: 'chunk', value: Buffer.from(value) });
    gateway.results.answers.getResults = streamOf([
      header(),
      { $case: 'page', value: { estimatorName: 'depth', pageNumber: 1 } },
      text('{"page_number":1,"name":"Dose","data":{"values":['),
      part('numbers', noise.slice(0, 20_000)),
      part('numbers', noise.slice(20_000)),
      text(',7],"dimensions":[[1]],"unit":"Gy","errors":['),
      part('numbersOrNulls', [1.5, Number.NaN]),
      text('],"effective_histories":['),
      { $case: 'nullCount', value: 20_000 },
      text(']}}'),
    ]);
    const reply = await get('', { 'Accept-Encoding': encoding });
    const data = { values: [...noise, 7], errors: [1.5, null], effective_histories: Array(20_000).fill(null) };
    expect(reply.body).toMatchObject({ estimators: [{ name: 'depth', pages: [{ page_number: 1, data }] }] });
  });

  it('200: numbered bins that come as a count', async () => {
    const count = 30_000;
    const [before, after] = [
      '{"page_number":1,"name":"Dose","data":{"values":[7],"dimensions":[[1],[',
      ']],"unit":"Gy"}}',
    ];
    const text = (value: string): Part => ({ $case: 'chunk', value: Buffer.from(value) });
    gateway.results.answers.getResults = streamOf([
      header(),
      { $case: 'page', value: { estimatorName: 'depth', pageNumber: 1 } },
      text(before),
      { $case: 'counted', value: { first: 1, count } },
      text(after),
    ]);
    const numbers = Array.from({ length: count }, (_, bin) => bin + 1);
    expect((await get()).text).toContain(`${before}${numbers.join(',')}${after}`);
  });

  it('200: reads right in curl, compressed', async () => {
    gateway.results.answers.getResults = streamOf(twoEstimators);
    const { stdout } = await promisify(execFile)('curl', [
      '-sS',
      '--fail',
      '--compressed',
      '-b',
      gateway.cookie(),
      `${gateway.url}/results?job_id=j`,
    ]);
    expect(JSON.parse(stdout)).toEqual(twoEstimatorsBody);
  });

  it('200: an empty selection', async () => {
    gateway.results.answers.getResults = streamOf([header({ isPartial: true })]);
    expect((await get()).body).toMatchObject({ partial: true, estimators: [] });
  });

  it('200: what the reader of the output warns of, where there is anything', async () => {
    const warnings = [{ code: 'AXIS_UNNAMED', message: 'a.bdo: an axis has no name' }];
    gateway.results.answers.getResults = streamOf([header({ warnings })]);
    expect((await get()).body).toMatchObject({ warnings });
  });

  it('passes selections on as ranges, never expanded', async () => {
    gateway.results.answers.getResults = streamOf([header()]);
    expect((await get('&estimator_name=depth&page_numbers=0-5000000,7&page_number=9')).status).toBe(200);
    expect(asked()).toEqual({
      jobId: 'j',
      estimatorName: 'depth',
      axes: [],
      pages: [
        { first: 0, last: 5_000_000 },
        { first: 7, last: 7 },
        { first: 9, last: 9 },
      ],
    });
    gateway.reset();
    gateway.results.answers.getResults = streamOf([header()]);
    await get('&page_numbers=1-999999999999999');
    expect(asked()).toMatchObject({ pages: [{ first: 1, last: 2_147_483_647 }] });
  });

  it.each(['1-', '-1', 'a', '1,,2', '1-2-3', '3-1', '', ' 1', '1e3', '1;2'])('400: page_numbers=%j', async (text) => {
    expect((await get(`&page_numbers=${encodeURIComponent(text)}`)).status).toBe(400);
  });

  it('400: no job_id, a page number that is none, a parameter twice', async () => {
    expect((await gateway.send('GET', '/results')).body.errors).toEqual([{ field: 'job_id', message: 'is required' }]);
    for (const query of ['&page_number=x', '&page_number=-1', '&page_number=1&page_number=2', '&estimator_name=']) {
      expect((await get(query)).status).toBe(400);
    }
  });

  it.each([
    [403, 'JOB_OF_ANOTHER_USER', 'PERMISSION_DENIED'],
    [404, 'JOB_NOT_FOUND', 'NOT_FOUND'],
    [404, 'RESULTS_UNAVAILABLE', 'NOT_FOUND'],
    [404, 'ESTIMATOR_NOT_FOUND', 'NOT_FOUND'],
    [409, 'CHANGED_WHILE_READ', 'ABORTED'],
  ] as const)('%i: %s', async (status, reason, grpcStatus) => {
    gateway.results.answers.getResults = refuse(reason, grpcStatus);
    const reply = await get();
    expect([reply.status, reply.body.code]).toEqual([status, reason]);
    expect(reply.headers.get('content-encoding')).toBeNull();
  });

  const failure = new ServiceError('results', 'CHANGED_WHILE_READ', 'ABORTED', 'x');
  /** More numbers than a call holds that nobody reads: they are asked for when the answer has begun, compressed or not. */
  const noise = Array.from({ length: 300_000 }, (_, i) => Math.sin(i));

  it('409: the stream breaks off at its beginning', async () => {
    for (const encoding of ['gzip', 'identity']) {
      for (const parts of [[header()], twoEstimators.slice(0, 4), twoEstimators]) {
        gateway.results.answers.getResults = streamOf(parts, failure);
        const reply = await get('', { 'Accept-Encoding': encoding });
        expect([reply.status, reply.body.code]).toEqual([409, 'CHANGED_WHILE_READ']);
        expect([reply.headers.get('content-encoding'), reply.headers.get('etag')]).toEqual([null, null]);
      }
    }
  });

  it('cuts the connection when the stream breaks off later: never a whole-looking half', async () => {
    for (const encoding of ['gzip', 'identity']) {
      gateway.results.answers.getResults = streamOf([header(), ...page('depth', 1, noise, 65_536)], failure);
      await expect(get('', { 'Accept-Encoding': encoding })).rejects.toThrow(/terminated|fetch failed/);
    }
  });
});

describe('GET /results of a part', () => {
  const { AXIS_TAKE_BIN: bin, AXIS_TAKE_BINS: bins, AXIS_TAKE_SUM: sum } = results.AxisTake;
  const LAST = 2_147_483_647;
  it.each([
    ['axis=2&index=40', [{ axis: 2, first: 40, last: 40, take: bin }]],
    ['axis=2&index=10-20', [{ axis: 2, first: 10, last: 20, take: bins }]],
    [
      'axis=1,2&index=3,10-20',
      [
        { axis: 1, first: 3, last: 3, take: bin },
        { axis: 2, first: 10, last: 20, take: bins },
      ],
    ],
    ['sum=0', [{ axis: 0, first: 0, last: LAST, take: sum }]],
    [
      'axis=2&index=10-20&sum=0,2',
      [
        { axis: 2, first: 10, last: 20, take: sum },
        { axis: 0, first: 0, last: LAST, take: sum },
      ],
    ],
  ])('%s', async (query, axes) => {
    gateway.results.answers.getResults = streamOf([header()]);
    expect((await get(`&${query}`)).status).toBe(200);
    expect(asked()).toMatchObject({ axes });
  });

  it('asks for effective numbers of histories, in every format', async () => {
    gateway.results.answers.getResults = streamOf([header()]);
    expect((await get('&effective_histories=true')).status).toBe(200);
    expect(asked()).toMatchObject({ hasEffectiveHistories: true });
    gateway.results.answers.exportResults = async function* () {
      const about = { results: undefined, mediaType: 'text/csv', fileName: 'j.csv', pageJson: '' };
      yield { part: { $case: 'header' as const, value: about } };
    };
    expect((await get('&effective_histories=true&format=csv')).status).toBe(200);
    const exported = gateway.results.calls.find(({ rpc }) => rpc === 'exportResults')?.request;
    expect(exported).toMatchObject({ hasEffectiveHistories: true });
  });

  it('asks for a description in a file only where it is wanted', async () => {
    gateway.results.answers.exportResults = async function* () {
      const about = { results: undefined, mediaType: 'text/csv', fileName: 'j.csv', pageJson: '' };
      yield { part: { $case: 'header' as const, value: about } };
    };
    const tags = new Set<string | null>();
    for (const [query, hasDescription] of [
      ['', undefined],
      ['&description=true', true],
    ] as const) {
      const reply = await get(`&format=csv${query}`);
      tags.add(reply.headers.get('etag'));
      const { request } = gateway.results.calls.findLast(({ rpc }) => rpc === 'exportResults') ?? {};
      expect(request).toMatchObject({ hasDescription });
    }
    expect(tags.size).toBe(2);
  });

  it.each([
    ['effective_histories=1', 'effective_histories'],
    ['axis=2', 'index'],
    ['index=2', 'index'],
    ['axis=1,2&index=3', 'index'],
    ['axis=x&index=3', 'axis'],
    ['axis=1,1&index=3,4', 'axis'],
    ['axis=1&index=4-3', 'index'],
    ['axis=-1&index=4', 'axis'],
    ['sum=', 'sum'],
    ['sum=0,0', 'sum'],
  ])('400: %s names %s', async (query, field) => {
    const reply = await get(`&${query}`);
    expect([reply.status, (reply.body.errors as { field: string }[])[0]?.field]).toEqual([400, field]);
  });

  it.each([
    [400, 'AXIS_INVALID', 'INVALID_ARGUMENT'],
    [409, 'SUM_UNAVAILABLE', 'FAILED_PRECONDITION'],
  ] as const)('%i: %s', async (status, reason, grpcStatus) => {
    gateway.results.answers.getResults = refuse(reason, grpcStatus);
    const reply = await get('&sum=0');
    expect([reply.status, reply.body.code]).toEqual([status, reason]);
  });
});

describe('GET /results as a file', () => {
  const { value: about } = header() as { value: results.ResultsHeader };
  const fileOf = (mediaType: string, fileName: string, bytes: string, pageJson = '') =>
    async function* () {
      yield { part: { $case: 'header' as const, value: { results: about, mediaType, fileName, pageJson } } };
      for (const byte of bytes) yield { part: { $case: 'chunk' as const, value: Buffer.from(byte) } };
    };
  const exported = () => gateway.results.calls.find(({ rpc }) => rpc === 'exportResults')?.request;

  it.each([
    ['text/csv', 'csv', results.ExportFormat.EXPORT_FORMAT_CSV],
    ['application/x-hdf5', 'hdf5', results.ExportFormat.EXPORT_FORMAT_HDF5],
    ['application/zip', 'npz', results.ExportFormat.EXPORT_FORMAT_NPZ],
    ['application/dicom', 'dicom', results.ExportFormat.EXPORT_FORMAT_DICOM],
    ['application/octet-stream', 'float64', results.ExportFormat.EXPORT_FORMAT_FLOAT64],
  ] as const)('200: %s by Accept and by format=%s', async (type, name, format) => {
    gateway.results.answers.exportResults = fileOf(type, `j.${name}`, 'bytes of it');
    for (const [query, headers] of [
      ['', { Accept: type }],
      [`&format=${name}`, { Accept: 'application/json' }],
    ] as const) {
      const reply = await get(`&estimator_name=depth&page_number=1${query}`, headers);
      expect([reply.status, reply.text, reply.headers.get('content-type')]).toEqual([200, 'bytes of it', type]);
      expect(reply.headers.get('content-disposition')).toBe(`attachment; filename="j.${name}"`);
      expect(reply.headers.get('content-encoding')).toBe(name === 'csv' ? 'gzip' : null);
      expect(reply.headers.get('vary')).toMatch(/(^|, )Accept(,|$)/);
      expect(exported()).toEqual({
        jobId: 'j',
        estimatorName: 'depth',
        pages: [{ first: 1, last: 1 }],
        axes: [],
        format,
      });
      const same = await get(`&estimator_name=depth&page_number=1${query}`, {
        ...headers,
        'If-None-Match': reply.headers.get('etag') ?? '',
      });
      expect([same.status, reply.headers.get('etag')]).toEqual([304, expect.stringMatching(/^W\/"/)]);
    }
  });

  it('200: the shape of raw numbers is in a header, in ASCII', async () => {
    gateway.results.answers.exportResults = fileOf(
      'application/octet-stream',
      'j.f64',
      'x',
      '{"unit":"µm","shape":[2,3]}',
    );
    const reply = await get('&format=float64');
    expect(reply.headers.get('page-description')).toBe('{"unit":"\\u00b5m","shape":[2,3]}');
  });

  it('200: passes on the unit of the values, and of DICOM the number of primaries', async () => {
    gateway.results.answers.exportResults = fileOf('application/dicom', 'j.dcm', 'b');
    expect((await get('&format=dicom&unit=Gy&scale=1e9')).status).toBe(200);
    expect(exported()).toMatchObject({ unit: 'Gy', particles: 1e9 });
    gateway.results.answers.getResults = streamOf(twoEstimators);
    expect((await get('&unit=keV/%C2%B5m')).status).toBe(200);
    expect(gateway.results.calls.find(({ rpc }) => rpc === 'getResults')?.request).toMatchObject({ unit: 'keV/um' });
  });

  it('400: a unit that there is not, and a scale of no number or of another format', async () => {
    const faults = async (query: string) => {
      const { status, body } = await get(query);
      return [status, body.errors];
    };
    expect(await faults('&unit=eV')).toEqual([
      400,
      [{ field: 'unit', message: 'must be one of keV/um, MeV/cm, Gy, cGy, mGy, MeV/g' }],
    ]);
    for (const scale of ['0', '-1', 'many', '1e21'])
      expect(await faults(`&format=dicom&scale=${scale}`)).toMatchObject([400, [{ field: 'scale' }]]);
    expect(await faults('&format=csv&scale=10')).toMatchObject([400, [{ field: 'scale' }]]);
  });

  it('406: Accept names no format that there is; 400: format does, and both name what there is', async () => {
    const reply = await get('', { Accept: 'image/png' });
    expect([reply.status, reply.body.code]).toEqual([406, 'NOT_ACCEPTABLE']);
    expect(reply.body.message).toContain('application/x-hdf5');
    const unknown = await get('&format=xlsx');
    expect(unknown.status).toBe(400);
    expect(unknown.body.errors).toEqual([
      { field: 'format', message: 'must be one of json, csv, hdf5, npz, dicom, float64' },
    ]);
  });

  it.each([
    [400, 'FORMAT_UNSUITABLE', 'INVALID_ARGUMENT'],
    [404, 'RESULTS_UNAVAILABLE', 'NOT_FOUND'],
  ] as const)('%i: %s, in JSON', async (status, reason, grpcStatus) => {
    // oxlint-disable-next-line require-yield -- it fails before its first part
    gateway.results.answers.exportResults = async function* () {
      throw new ServiceError('results', reason, grpcStatus, `text of ${reason}`);
    };
    const reply = await get('&format=dicom');
    expect([reply.status, reply.body.code]).toEqual([status, reason]);
    expect(reply.headers.get('content-disposition')).toBeNull();
  });
});

describe('GET /results/compare', () => {
  const compare = (query = '', headers: Record<string, string> = {}) =>
    gateway.send('GET', `/results/compare?job_id=j&with=k${query}`, { headers });
  const compared = () => gateway.results.calls.find(({ rpc }) => rpc === 'compareResults')?.request;
  const comparison = async function* () {
    yield { part: { $case: 'header' as const, value: { version: 'v1/v2' } } };
    for (const text of ['[{"name":"depth","pages":', '[{"page_number":1,"name":"Dose","not_compared":"why"}]}]']) {
      yield { part: { $case: 'chunk' as const, value: Buffer.from(text) } };
    }
  };

  it('200: what results says, with the criteria of gamma', async () => {
    gateway.results.answers.compareResults = comparison;
    const reply = await compare('&estimator_name=depth&page_number=1&gamma_distance_mm=0.5');
    expect(reply.body).toEqual({
      message: 'Comparison',
      job_id: 'j',
      with: 'k',
      estimators: [{ name: 'depth', pages: [{ page_number: 1, name: 'Dose', not_compared: 'why' }] }],
    });
    expect(compared()).toEqual({
      jobId: 'j',
      withJobId: 'k',
      estimatorName: 'depth',
      pages: [{ first: 1, last: 1 }],
      gamma: { dosePercent: 2, distanceMm: 0.5, cutoffPercent: 10 },
      wantsGammaMap: false,
    });
    const same = await compare('&estimator_name=depth&page_number=1&gamma_distance_mm=0.5', {
      'If-None-Match': reply.headers.get('etag') ?? '',
    });
    expect(same.status).toBe(304);
  });

  it('200: with γ of each bin where that is wanted', async () => {
    gateway.results.answers.compareResults = comparison;
    expect((await compare('&gamma_map=true')).status).toBe(200);
    expect(compared()).toMatchObject({ wantsGammaMap: true });
  });

  it.each([
    ['&gamma_map=yes', 'gamma_map'],
    ['&gamma_dose_percent=0', 'gamma_dose_percent'],
    ['&gamma_distance_mm=-1', 'gamma_distance_mm'],
    ['&gamma_cutoff_percent=101', 'gamma_cutoff_percent'],
    ['&page_numbers=x', 'page_numbers'],
  ])('400: %s names the parameter', async (query, field) => {
    const reply = await compare(query);
    expect([reply.status, (reply.body.errors as { field: string }[])[0]?.field]).toEqual([400, field]);
  });

  it('400: needs a job to compare with', async () => {
    expect((await gateway.send('GET', '/results/compare?job_id=j')).status).toBe(400);
  });

  it.each([
    [403, 'JOB_OF_ANOTHER_USER', 'PERMISSION_DENIED'],
    [404, 'JOB_NOT_FOUND', 'NOT_FOUND'],
    [409, 'CHANGED_WHILE_READ', 'ABORTED'],
  ] as const)('%i: %s', async (status, reason, grpcStatus) => {
    // oxlint-disable-next-line require-yield -- it fails before its first part
    gateway.results.answers.compareResults = async function* () {
      throw new ServiceError('results', reason, grpcStatus, `text of ${reason}`);
    };
    const reply = await compare();
    expect([reply.status, reply.body.code]).toEqual([status, reason]);
  });
});

describe('ETag of GET /results', () => {
  it('304: the client has this version of this selection', async () => {
    gateway.results.answers.getResults = streamOf(twoEstimators);
    const etag = (await get()).headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[A-Za-z0-9_-]+(-gzip)?"$/);
    for (const header of [etag, `"other", ${etag}`, `W/${etag}`, '*']) {
      const reply = await get('', { 'If-None-Match': header });
      expect([reply.status, reply.text, reply.headers.get('etag')]).toEqual([304, '', etag]);
    }
  });

  it('differs with version, selection and encoding; works for partial results too', async () => {
    const etagOf = async (version: string, query: string, encoding = 'gzip') => {
      gateway.results.answers.getResults = streamOf([header({ version, isPartial: true })]);
      return (await get(query, { 'Accept-Encoding': encoding })).headers.get('etag');
    };
    const etags = [await etagOf('v1', '')];
    for (const [version, query, encoding] of [
      ['v2', '', 'gzip'],
      ['v1', '&page_numbers=1', 'gzip'],
      ['v1', '&page_numbers=1-2', 'gzip'],
      ['v1', '&estimator_name=1', 'gzip'],
      ['v1', '', 'identity'],
    ] as const) {
      etags.push(await etagOf(version, query, encoding));
    }
    expect(new Set(etags).size).toBe(etags.length);
    expect(await etagOf('v1', '')).toBe(etags[0]);
  });
});

describe('a stream of results', () => {
  const endless = (onStop: () => void, sent: { parts: number }) =>
    async function* () {
      try {
        yield { part: header() };
        yield { part: { $case: 'page' as const, value: { estimatorName: 'e', pageNumber: 1 } } };
        const block = Buffer.alloc(256 * 1024, 'x');
        for (;;) {
          yield { part: { $case: 'chunk' as const, value: block } };
          sent.parts++;
          if (currentContext()?.signal?.aborted) return;
        }
      } finally {
        onStop();
      }
    };

  it('holds back when the client does not read, and ends when the client goes away', async () => {
    let isStopped = false;
    const sent = { parts: 0 };
    gateway.results.answers.getResults = endless(() => {
      isStopped = true;
    }, sent);
    const stop = new AbortController();
    const response = await fetch(`${gateway.url}/results?job_id=j`, {
      headers: { Cookie: gateway.cookie(), 'Accept-Encoding': 'identity' },
      signal: stop.signal,
    });
    let before = -1;
    await waitFor(
      async () => {
        const isStill = sent.parts > 0 && sent.parts === before;
        before = sent.parts;
        return isStill;
      },
      { intervalMs: 300 },
    );
    expect(sent.parts).toBeLessThan(200); // 50 MB; without back-pressure it would run on
    stop.abort();
    await response.body?.cancel().catch(() => {});
    await waitFor(async () => isStopped);
  });

  it('is closed at once when the answer needs none of it: 304 and HEAD', async () => {
    let stopped = 0;
    gateway.results.answers.getResults = endless(
      () => {
        stopped++;
      },
      { parts: 0 },
    );
    expect((await get('', { 'If-None-Match': '*' })).status).toBe(304);
    await waitFor(async () => stopped === 1);
    const head = await gateway.send('HEAD', '/results?job_id=j');
    expect([head.status, head.text]).toEqual([200, '']);
    await waitFor(async () => stopped === 2);
  });
});

describe('GET /estimators', () => {
  it('200: names and sizes', async () => {
    const warnings = [{ code: 'AXIS_UNNAMED', message: 'a.bdo: an axis has no name' }];
    const { value } = header({ warnings }) as Extract<Part, { $case: 'header' }>;
    gateway.results.answers.listEstimators = async () => ({
      header: value,
      estimators: [{ name: 'depth', pages: [{ pageNumber: 1, name: 'Dose', sizes: [10, 2] }] }],
    });
    expect((await gateway.send('GET', '/estimators?job_id=j')).body).toMatchObject({
      primaries: 1000,
      partial: false,
      warnings,
      estimators: [{ name: 'depth', pages: [{ page_number: 1, name: 'Dose', dimensions: [10, 2] }] }],
    });
  });

  it('400 without job_id, 403 of another user, 404 without results', async () => {
    expect((await gateway.send('GET', '/estimators')).status).toBe(400);
    for (const [status, grpcStatus] of [
      [403, 'PERMISSION_DENIED'],
      [404, 'NOT_FOUND'],
    ] as const) {
      gateway.results.answers.listEstimators = async () => {
        throw new ServiceError('results', 'RESULTS_UNAVAILABLE', grpcStatus, 'x');
      };
      expect((await gateway.send('GET', '/estimators?job_id=j')).status).toBe(status);
    }
  });
});
