// Loaded into every service (node --import) that is counted: says, on a socket in the folder BENCH_PROBE_DIRECTORY, how much its
// main thread has allocated.
import { createServer } from 'node:http';
import path from 'node:path';
import process from 'node:process';
import { GCProfiler, getHeapStatistics } from 'node:v8';
import { isMainThread } from 'node:worker_threads';

let collections;
let usedBytes = 0;

const COMMANDS = {
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

if (isMainThread) {
  const server = createServer(({ url }, res) => res.end(JSON.stringify(COMMANDS[url]() ?? null)));
  server.listen(path.join(process.env.BENCH_PROBE_DIRECTORY, `${process.pid}`)).unref();
}
