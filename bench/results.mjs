// What each operation of results costs: processor time of the service, of PostgreSQL and of the caller, SQL statements, time
// and peak memory. The service runs as a process of its own on a PostgreSQL of its own; needs `pnpm build`.
// Usage: pnpm bench:results [part …]   parts: idle small log get put merge export; none: all
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { results } from '../packages/contracts/dist/src/index.js';
import { createGrpcClient, withContext } from '../packages/service-kit/dist/src/index.js';
import {
  deployMigrations,
  runStatement,
  startOwnPostgres,
  testCallerToken,
} from '../packages/testkit/dist/src/index.js';
import { measureExports } from './results/exports.mjs';
import { imageCommand, imageEnvironment } from './suite/image-command.mjs';

const wanted = process.argv.slice(2);
const isWanted = (part) => wanted.length === 0 || wanted.includes(part);
const root = path.resolve(import.meta.dirname, '../services/results');
const CHUNK_BYTES = 256 * 1024;

const server = await startOwnPostgres();
const admin = server.url('postgres');
await runStatement(admin, "ALTER SYSTEM SET shared_preload_libraries = 'pg_stat_statements'");
await runStatement(admin, "ALTER SYSTEM SET synchronous_commit = 'on'");
await server.power.cut();
await server.power.restore();
await runStatement(admin, 'CREATE EXTENSION IF NOT EXISTS pg_stat_statements');
await server.createDatabase('bench');
await deployMigrations(path.join(root, 'prisma/migrations'), server.url('bench'));

const CALLERS = ['jobs', 'direct-runner', 'gateway'];
const callers = CALLERS.map(
  (name) => `${name}:${createHash('sha256').update(testCallerToken(name)).digest('hex')}`,
).join(',');
const [node, ...flags] = imageCommand('results', []);
const service = spawn(node, flags, {
  env: {
    PATH: process.env.PATH,
    ...imageEnvironment(),
    RESULTS_DATABASE_URL: server.url('bench'),
    RESULTS_CALLERS: callers,
    RESULTS_LOG_LEVEL: 'info',
  },
  stdio: ['ignore', 'pipe', 'inherit'],
});
const address = await new Promise((resolve) => {
  createInterface({ input: service.stdout }).on('line', (line) => {
    const { msg, address: bound } = JSON.parse(line);
    if (msg === 'listening') resolve(bound);
  });
});
const connect = (caller) =>
  createGrpcClient(results.ResultsServiceService, {
    target: address,
    caller,
    token: testCallerToken(caller),
    timeoutMs: 900_000,
  });
const [jobs, runner, gateway] = CALLERS.map(connect);

// ---------- measuring ----------
const stat = (pid) => {
  const text = fs.readFileSync(`/proc/${pid}/stat`, 'latin1');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return { parent: Number(fields[1]), ms: 10 * [11, 12, 13, 14].reduce((sum, at) => sum + Number(fields[at]), 0) };
};
const [{ pid: anyBackend }] = await runStatement(admin, 'SELECT pid FROM pg_stat_activity WHERE backend_type = $1', [
  'checkpointer',
]);
const postmaster = stat(anyBackend).parent;
function postgresMs() {
  let ms = stat(postmaster).ms;
  for (const name of fs.readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const { parent, ms: own } = stat(name);
      if (parent === postmaster) ms += own;
    } catch {
      // it has ended meanwhile
    }
  }
  return ms;
}
/** The clock of its threads is finer than /proc's ticks. */
function serviceMs() {
  const threads = fs.readdirSync(`/proc/${service.pid}/task`);
  return threads.reduce((ms, thread) => {
    try {
      return (
        ms + Number(fs.readFileSync(`/proc/${service.pid}/task/${thread}/schedstat`, 'latin1').split(' ')[0]) / 1e6
      );
    } catch {
      return ms; // it has ended meanwhile
    }
  }, 0);
}
async function statements() {
  const [row] = await runStatement(
    admin,
    `SELECT coalesce(sum(calls), 0)::float8 AS calls FROM pg_stat_statements JOIN pg_database ON oid = dbid
     WHERE datname = 'bench'`,
  );
  return row.calls;
}
const memory = (key, file = 'status') =>
  Number(new RegExp(`${key}:\\s+(\\d+)`).exec(fs.readFileSync(`/proc/${service.pid}/${file}`, 'utf8'))?.[1]) / 1024;
function forgetPeak() {
  try {
    fs.writeFileSync(`/proc/${service.pid}/clear_refs`, '5');
  } catch {
    // not ours to forget
  }
}

const pad = (value, digits) => value.toFixed(digits).padStart(9);
console.log(`${'per operation'.padEnd(44)}  results   postgres   caller    wall ms  statements  peak MiB`);
/** Runs `work(i)` for i < count, after `warm` runs that are not counted. */
async function measure(what, count, work, { warm = 0, atOnce = 1, digits = 2 } = {}) {
  for (let i = 0; i < warm; i += 1) await work(i);
  forgetPeak();
  const before = {
    own: process.cpuUsage(),
    service: serviceMs(),
    postgres: postgresMs(),
    statements: await statements(),
  };
  const startedAt = performance.now();
  let next = warm;
  const run = async () => {
    while (next < warm + count) await work(next++);
  };
  await Promise.all(Array.from({ length: atOnce }, run));
  const wall = performance.now() - startedAt;
  const own = process.cpuUsage(before.own);
  const columns = [serviceMs() - before.service, postgresMs() - before.postgres, (own.user + own.system) / 1000, wall];
  const ran = (await statements()) - before.statements;
  console.log(
    `${what.padEnd(44)}${columns.map((ms) => pad(ms / count, digits)).join(' ')}${pad(ran / count, 1)}${pad(memory('VmHWM'), 0)}`,
  );
  return wall / count;
}

// ---------- what is sent ----------
const asOwner = (work) => withContext({ requestId: 'bench', userId: 1n }, work);
const centers = (size) => Array.from({ length: size }, (_, bin) => (bin + 0.5) / 10);
const pageHeader = (pageNumber, sizes) => ({
  estimatorIndex: 0,
  estimatorName: 'Dose map',
  fileName: 'map',
  pageNumber,
  pageName: `Dose ${pageNumber}`,
  kind: results.PageKind.PAGE_KIND_LINEAR,
  unit: 'MeV/g',
  scale: 1,
  axes: sizes.map((size, axis) => ({ name: 'XYZ'[axis], unit: 'cm', centers: centers(size) })),
});
const DOCUMENTS = [12_000, 3_000, 2_000, 800, 500, 100].map((size, index) => ({
  role: index === 0 ? results.DocumentRole.DOCUMENT_ROLE_SUBMITTED : results.DocumentRole.DOCUMENT_ROLE_DECK,
  name: `file-${index}.dat`,
  content: Buffer.from(
    Array.from({ length: size / 20 }, (_, line) => `RPP ${String(line * 7919).padStart(14)}\n`)
      .join('')
      .slice(0, size),
  ),
}));
const inputHeader = (jobId) => ({
  jobId,
  ownerId: 1n,
  kind: results.InputKind.INPUT_KIND_EDITOR,
  documentCount: DOCUMENTS.length,
  warnings: [],
});
let jobCount = 0;
const newJobId = () => `20260101-000000-${String(jobCount++).padStart(6, '0')}`;
async function createJob(jobId = newJobId()) {
  await jobs.createSmallInput({ header: inputHeader(jobId), documents: DOCUMENTS });
  return jobId;
}
const taskHeader = (jobId, taskId, pageCount) => ({
  jobId,
  taskId,
  attemptId: `attempt-${taskId}`,
  primaries: 1000n,
  batches: 10,
  engine: 'bench',
  counters: { lost: 0 },
  pageCount,
  warnings: [],
});
const SMALL_PAGES = [1, 2, 3, 4, 5].map((number) => pageHeader(number, [100]));
const SMALL_ARRAYS = Buffer.from(Float64Array.from({ length: 200 }, (_, bin) => 1e-3 * Math.sin(bin) ** 2).buffer);
const LOG = Buffer.from('engine: reference 0.1.0\n'.repeat(25));
async function putSmall(jobId, taskId) {
  const header = taskHeader(jobId, taskId, SMALL_PAGES.length);
  const content = Buffer.concat(SMALL_PAGES.map(() => SMALL_ARRAYS));
  await runner.putSmallTaskOutput({ header, pages: SMALL_PAGES, content, log: { offset: 0n, text: LOG } });
}
const merge = (jobId, taskIds) => jobs.mergeOutputs({ jobId, taskIds, isPartial: false });
const resultsHeader = (jobId, pageCount) => ({
  jobId,
  primaries: 1000n,
  taskCount: 1,
  isPartial: false,
  engine: 'bench',
  version: '',
  pageCount,
  warnings: [],
});
function putResults(jobId, pages, arraysOf) {
  return runner.putResults(
    (function* () {
      yield { part: { $case: 'header', value: resultsHeader(jobId, pages.length) } };
      for (const page of pages) {
        yield { part: { $case: 'page', value: page } };
        for (const bytes of arraysOf(page)) {
          for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
            yield { part: { $case: 'chunk', value: bytes.subarray(at, at + CHUNK_BYTES) } };
          }
        }
      }
    })(),
  );
}
/** A large output of one page. */
function putOutput(jobId, task, page, arrays) {
  return runner.putTaskOutput(
    (function* () {
      yield { part: { $case: 'header', value: taskHeader(jobId, task, 1) } };
      yield { part: { $case: 'page', value: page } };
      for (const bytes of arrays) {
        for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
          yield { part: { $case: 'chunk', value: bytes.subarray(at, at + CHUNK_BYTES) } };
        }
      }
    })(),
  );
}
async function read(stream) {
  let bytes = 0;
  for await (const { part } of stream) if (part.$case === 'chunk') bytes += part.value.length;
  return bytes;
}
/** Values as the load generator of the whole suite makes them: 17 digits, no zeros. */
function noise(count) {
  const numbers = new Float64Array(count);
  let seed = 123456789;
  for (let i = 0; i < count; i += 1) {
    seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
    numbers[i] = (seed / 0x7fffffff) * 1e-3 + 1e-9 * (i % 97);
  }
  return Buffer.from(numbers.buffer);
}
const unknown = (count) => Buffer.from(new Float64Array(count).fill(Number.NaN).buffer);
/** Sizes of three axes with so many bins together. */
const cube = (bins) => [100, 100, bins / 10_000];
const getResults = (jobId, encoding) =>
  asOwner(() =>
    read(gateway.getResults({ jobId, estimatorName: '', pages: [], axes: [], ...(encoding ? { encoding } : {}) })),
  );

// ---------- the parts ----------
try {
  if (isWanted('idle')) {
    const before = serviceMs();
    await new Promise((resolve) => setTimeout(resolve, 10_000));
    const [pss, rss] = [memory('Pss', 'smaps_rollup'), memory('VmRSS')];
    console.log(
      `idle: ${pss.toFixed(1)} MiB PSS, ${rss.toFixed(1)} MiB RSS, ${((serviceMs() - before) / 10).toFixed(2)} ms/s`,
    );
  }
  if (isWanted('small')) {
    await measure('create a job, 6 documents of 18 kB', 200, () => createJob(), { warm: 50 });
    const job = await createJob();
    await measure('output of 5 small pages and a log', 300, (i) => putSmall(job, i + 1), { warm: 50 });
    const jobs16 = await createJob();
    await measure('the same, 16 at once', 600, (i) => putSmall(jobs16, i + 1), { warm: 10, atOnce: 16 });
    await measure('the same, the first of its job', 100, async () => putSmall(await createJob(), 1), { warm: 20 });
    const ten = await createJob();
    for (let task = 1; task <= 10; task += 1) await putSmall(ten, task);
    const taskIds = Array.from({ length: 10 }, (_, index) => index + 1);
    await measure('merge 10 tasks of 5 small pages', 100, () => merge(ten, taskIds), { warm: 20 });
    await measure('get results of 5 small pages', 300, () => getResults(ten), { warm: 50 });
    await measure('list estimators', 300, () => asOwner(() => gateway.listEstimators({ jobId: ten })), { warm: 50 });
    await measure('get logs of 10 tasks', 300, () => asOwner(() => read(gateway.getLogs({ jobId: ten }))), {
      warm: 50,
    });
    const get = () => asOwner(() => read(gateway.getInput({ jobId: ten, roles: [] })));
    await measure('get input', 300, get, { warm: 50 });
    await measure('append a line to a log', 300, (i) =>
      runner.appendLog({
        jobId: ten,
        taskId: 50,
        attemptId: 'a',
        offset: BigInt(20 * i),
        text: `${i}`.padEnd(19, '.') + '\n',
      }),
    );
  }
  if (isWanted('log')) {
    const line = 'Primary particle no. 1234 ETR: 0 hour(s) 3 minute(s) 21 second(s) value 3.14159e-05 lorem ipsum ';
    const text = Array.from({ length: 9_600 }, (_, i) => `${line}${i * 7919}\n`)
      .join('')
      .slice(0, 1e6);
    const job = await createJob();
    const put = (task) =>
      gateway.appendLog({
        jobId: job,
        taskId: 0,
        name: `log ${task}`,
        attemptId: 'a',
        offset: 0n,
        isRestart: true,
        text: '',
        content: Buffer.from(text),
      });
    await measure('put a log of 1 MB', 20, put, { warm: 5 });
    const one = await createJob();
    await runner.appendLog({ jobId: one, taskId: 1, attemptId: 'a', offset: 0n, text: '', content: Buffer.from(text) });
    await measure('get a log of 1 MB', 20, () => asOwner(() => read(gateway.getLogs({ jobId: one }))), { warm: 5 });
  }
  for (const bins of [1e5, 1e6, 1e7]) {
    if (!isWanted('put') && !isWanted('get')) continue;
    const [values, errors] = [noise(bins), unknown(bins)];
    const times = bins < 1e6 ? 10 : bins < 1e7 ? 3 : 1;
    const job = await createJob();
    const options = { digits: 0, warm: bins < 1e7 ? 1 : 0 };
    const put = () => putResults(job, [pageHeader(1, cube(bins))], () => [values, errors]);
    await measure(`put results of ${bins} values`, times, put, options);
    if (!isWanted('get')) continue;
    await measure(`get results of ${bins} values`, times, () => getResults(job), options);
    const getText = () => getResults(job, results.PageEncoding.PAGE_ENCODING_TEXT);
    await measure(`get results of ${bins} values, as text`, times, getText, options);
  }
  if (isWanted('merge')) {
    for (const bins of [1e6, 1e7]) {
      const job = await createJob();
      const values = noise(bins);
      const taskIds = [1, 2, 3, 4, 5, 6, 7, 8];
      const put = (task) => putOutput(job, task, pageHeader(1, cube(bins)), [values, values]);
      await measure(`output of ${bins} bins`, 8, (i) => put(i + 1), { digits: 0 });
      await measure(`partial results of 8 tasks, ${bins} bins`, 1, () => getResults(job), { digits: 0 });
      await measure(`merge of 8 tasks, ${bins} bins`, 1, () => merge(job, taskIds), { digits: 0 });
    }
  }
  if (isWanted('export')) {
    const exported = (request) => asOwner(() => read(gateway.exportResults(request)));
    await measureExports({
      url: server.url('bench'),
      measure,
      createJob,
      pageHeader,
      cube,
      noise,
      putOutput,
      merge,
      exportResults: exported,
      getResults,
    });
  }
} finally {
  for (const client of [jobs, runner, gateway]) client.close();
  service.kill('SIGTERM');
  await new Promise((resolve) => service.once('exit', resolve));
  await server.stop();
}
