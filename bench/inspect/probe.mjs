// Loaded into every service and its threads (node --import) where the bench looks inside: serves, on a socket in the folder
// BENCH_PROBE_DIRECTORY, a CPU profile between two requests, and how much has been allocated so far.
import { createServer } from 'node:http';
import { Session } from 'node:inspector/promises';
import path from 'node:path';
import process from 'node:process';
import { GCProfiler, getHeapStatistics } from 'node:v8';
import { threadId } from 'node:worker_threads';

const SAMPLING_INTERVAL_US = 500;

const session = new Session();
session.connect();
let collections;
let usedBytes = 0;

const COMMANDS = {
  async '/profile/start'() {
    await session.post('Profiler.enable');
    await session.post('Profiler.setSamplingInterval', { interval: SAMPLING_INTERVAL_US });
    await session.post('Profiler.start');
  },
  async '/profile/stop'() {
    const { profile } = await session.post('Profiler.stop');
    return profile;
  },
  '/allocation/start'() {
    collections = new GCProfiler();
    collections.start();
    usedBytes = getHeapStatistics().used_heap_size;
  },
  /** Growth of the heap since the start, and what collections have freed meanwhile. */
  '/allocation/stop'() {
    const growth = getHeapStatistics().used_heap_size - usedBytes;
    const freed = collections
      .stop()
      .statistics.map(
        ({ beforeGC, afterGC }) => beforeGC.heapStatistics.usedHeapSize - afterGC.heapStatistics.usedHeapSize,
      );
    return freed.reduce((sum, bytes) => sum + bytes, growth);
  },
};

async function answer({ url }, res) {
  res.end(JSON.stringify((await COMMANDS[url]()) ?? null));
}

const server = createServer((req, res) => void answer(req, res));
server.listen(path.join(process.env.BENCH_PROBE_DIRECTORY, `${process.pid}-${threadId}`)).unref();
