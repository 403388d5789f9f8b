// One thread of a simulation: an instance of the transport module that simulates batches until none is left.
// workerData: { module, calls, groups, batches: [first, count][], seed: [low, high], control, progress }
import { parentPort, workerData } from 'node:worker_threads';

/** Between two looks at the cancel flag, ms. */
const CHUNK_MS = 40;
const TOTALS = 10;
/** Bins of which it is known together whether they were touched (assembly/sums.ts). */
const UNIT_BINS = 64;
const CANCELLED = 0;
const NEXT_BATCH = 1;

const { module, calls, groups, batches, seed } = workerData;
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
engine.prepare();
const unitCount = groups.reduce((sum, { units }) => sum + units, 0);

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

/** The units that the batch touched, ascending, and their sums one after the other. */
function collectSums() {
  const touched = new Uint8Array(engine.memory.buffer, engine.touchedPointer(), unitCount);
  const units = Int32Array.from(touched.keys()).filter((unit) => touched[unit] === 1);
  const places = [];
  let group = 0;
  let firstUnit = 0;
  let length = 0;
  for (const unit of units) {
    while (unit >= firstUnit + groups[group].units) firstUnit += groups[group++].units;
    const size = UNIT_BINS * groups[group].width;
    places.push([groups[group].base + (unit - firstUnit) * size, size]);
    length += size;
  }
  const sums = new Float64Array(length);
  let at = 0;
  for (const [from, size] of places) {
    sums.set(new Float64Array(engine.memory.buffer, engine.tallyPointer() + from * sums.BYTES_PER_ELEMENT, size), at);
    at += size;
  }
  return { units, sums };
}

for (;;) {
  const batch = Atomics.add(control, NEXT_BATCH, 1);
  if (batch >= batches.length || !simulateBatch(...batches[batch])) break;
  const { units, sums } = collectSums();
  const totals = Array.from({ length: TOTALS }, (_, item) => engine.total(item));
  parentPort.postMessage({ batch, units, sums, totals }, [units.buffer, sums.buffer]);
}
