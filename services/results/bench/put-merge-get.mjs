// How long results takes for big pages, and how much memory: node bench/put-merge-get.mjs [bins] [tasks] [linear|ratio]
//
// The service runs as a process of its own on a PostgreSQL of its own; needs `pnpm build`. Prints one line per step
// and the peak of the service's resident memory up to then (Linux: VmHWM).
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { results } from '@tally/contracts';
import { createGrpcClient, withContext } from '@tally/service-kit';
import { deployMigrations, startOwnPostgres, testCallerToken } from '@tally/testkit';

const bins = Number(process.argv[2] ?? 1e6);
const tasks = Number(process.argv[3] ?? 4);
const isRatio = process.argv[4] === 'ratio';
const arrays = isRatio ? 5 : 2; // packages/merge, MOMENTS
const CHUNK_NUMBERS = 32 * 1024;
const root = path.resolve(import.meta.dirname, '..');

/** Dose of a beam: dense noise along its path, zeros beside it, as a 3-D mesh has. */
function doseAt(bin) {
  return bin % 4 === 0 ? 1e-3 * (1 + Math.sin(bin) ** 2) * Math.exp(-bin / bins) : 0;
}

function* numbersInChunks(arrays) {
  for (let array = 0; array < arrays; array += 1) {
    for (let from = 0; from < bins; from += CHUNK_NUMBERS) {
      const length = Math.min(CHUNK_NUMBERS, bins - from);
      const numbers = Float64Array.from({ length }, (_, index) => doseAt(from + index + array));
      yield { part: { $case: 'chunk', value: Buffer.from(numbers.buffer) } };
    }
  }
}

const side = Math.round(Math.sqrt(bins));
const axis = (name, size) => ({ name, unit: 'cm', centers: Array.from({ length: size }, (_, bin) => bin / 10) });
const page = {
  estimatorIndex: 0, estimatorName: 'Dose map', fileName: 'map', pageNumber: 1, pageName: 'Dose',
  kind: isRatio ? results.PageKind.PAGE_KIND_RATIO : results.PageKind.PAGE_KIND_LINEAR, unit: 'MeV/g', scale: 1, axes: [axis('X', side), axis('Y', bins / side)],
}; // biome-ignore format: a list

const server = await startOwnPostgres();
await server.createDatabase('bench');
await deployMigrations(path.join(root, 'prisma/migrations'), server.url('bench'));
const callers = ['jobs', 'direct-runner', 'gateway']
  .map((name) => `${name}:${createHash('sha256').update(testCallerToken(name)).digest('hex')}`)
  .join(',');
const service = spawn(process.execPath, [path.join(root, 'dist/src/main.js')], {
  env: { PATH: process.env.PATH, RESULTS_DATABASE_URL: server.url('bench'), RESULTS_CALLERS: callers },
  stdio: ['ignore', 'pipe', 'inherit'],
});
const lines = createInterface({ input: service.stdout });
const address = await new Promise((resolve) => {
  lines.on('line', (line) => {
    const { msg, address: bound } = JSON.parse(line);
    if (msg === 'listening') resolve(bound);
  });
});
const client = (caller) =>
  createGrpcClient(results.ResultsServiceService, {
    target: address, caller, token: testCallerToken(caller), timeoutMs: 600_000,
  }); // biome-ignore format: a list
const [jobs, runner, gateway] = [client('jobs'), client('direct-runner'), client('gateway')];

function peakMib() {
  const kib = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${service.pid}/status`, 'utf8'))?.[1];
  return Math.round(Number(kib) / 1024);
}

async function measure(what, work) {
  const startedAt = performance.now();
  const bytes = await work();
  const seconds = (performance.now() - startedAt) / 1000;
  const size = bytes === undefined ? '' : `${(bytes / 1e6).toFixed(1)} MB`;
  console.log(`${what.padEnd(34)} ${seconds.toFixed(2).padStart(7)} s ${size.padStart(10)}   peak ${peakMib()} MiB`);
}

async function read(stream) {
  let bytes = 0;
  for await (const { part } of stream) if (Buffer.isBuffer(part.value)) bytes += part.value.length;
  return bytes;
}

const jobId = 'bench';
const get = () =>
  withContext({ requestId: 'bench', userId: 1n }, () =>
    read(gateway.getResults({ jobId, estimatorName: '', pages: [], axes: [] })),
  );
try {
  await jobs.createInput(
    (function* () {
      yield {
        part: {
          $case: 'header',
          value: { jobId, ownerId: 1n, kind: results.InputKind.INPUT_KIND_EDITOR, warnings: [] },
        },
      };
    })(),
  );
  console.log(`${bins} bins, ${tasks} tasks; service at rest: ${peakMib()} MiB`);
  for (let taskId = 1; taskId <= tasks; taskId += 1) {
    await measure(`put output of task ${taskId}`, async () => {
      await runner.putTaskOutput(
        (function* () {
          const value = {
            jobId, taskId, attemptId: 'a', primaries: 1000n, batches: 10, engine: 'bench', counters: {}, warnings: [], pageCount: 1,
          }; // biome-ignore format: a list
          yield { part: { $case: 'header', value } };
          yield { part: { $case: 'page', value: page } };
          yield* numbersInChunks(arrays);
        })(),
      );
      return 8 * arrays * bins;
    });
  }
  await measure('get partial results: merge', get);
  await measure('get partial results again: kept', get);
  await measure('put final results', async () => {
    await gateway.putResults(
      (function* () {
        const value = {
          jobId,
          primaries: 1n,
          taskCount: tasks,
          isPartial: false,
          warnings: [],
          engine: 'bench',
          version: '',
          pageCount: 1,
        };
        yield { part: { $case: 'header', value } };
        yield { part: { $case: 'page', value: page } };
        yield* numbersInChunks(2);
      })(),
    );
    return 16 * bins;
  });
  await measure('get final results', get);
  await measure('get final results again', get);
} finally {
  for (const each of [jobs, runner, gateway]) each.close();
  service.kill('SIGTERM');
  await new Promise((resolve) => service.once('exit', resolve));
  await server.stop();
}
