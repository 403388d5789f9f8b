// One thread of a simulation: an instance of the transport module that simulates batches until none is left.
// workerData: { module, calls, batches: [first, count][], seed: [low, high], control, progress }
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';

/** Between two looks at the cancel flag, ms. */
const CHUNK_MS = 40;
const TOTALS = 10;
const CANCELLED = 0;
const NEXT_BATCH = 1;

const { module, calls, batches, seed } = workerData;
const control = new Int32Array(workerData.control);
const progress = new BigInt64Array(workerData.progress);

const instance = await WebAssembly.instantiate(module, {
  env: {
    abort: (message, file, line, column) => {
      throw new Error(`The transport module stopped at ${line}:${column}.`);
    },
  },
});
const engine = instance.exports;
for (const [name, ...values] of calls) engine[name](...values);
const length = engine.prepare();

/** Simulates one batch; false when cancelled. */
function simulateBatch(first, count) {
  engine.beginBatch();
  let chunk = 1;
  for (let done = 0; done < count; ) {
    if (Atomics.load(control, CANCELLED) === 1) return false;
    const size = Math.min(chunk, count - done);
    const start = performance.now();
    engine.run(seed[0], seed[1], first + done, size);
    const elapsed = performance.now() - start;
    done += size;
    Atomics.add(progress, 0, BigInt(size));
    if (elapsed < CHUNK_MS / 2) chunk *= 2;
    else if (elapsed > CHUNK_MS * 2 && chunk > 1) chunk = Math.ceil(chunk / 2);
  }
  return true;
}

for (;;) {
  const batch = Atomics.add(control, NEXT_BATCH, 1);
  if (batch >= batches.length || !simulateBatch(...batches[batch])) break;
  // an array that has been added up comes back: fresh ones of many megabytes cost more than the copy
  const sums = receiveMessageOnPort(parentPort)?.message ?? new Float64Array(length);
  sums.set(new Float64Array(engine.memory.buffer, engine.tallyPointer(), length));
  const totals = Array.from({ length: TOTALS }, (_, item) => engine.total(item));
  parentPort.postMessage({ batch, sums, totals }, [sums.buffer]);
}
