// One thread of a simulation: an instance of the transport module that simulates shares of the histories until none is left.
// workerData: { module, calls, groups, shares: [first, count][], seed: [low, high], control, progress }
import { parentPort, workerData } from 'node:worker_threads';

/** Between two looks at the flag, ms. */
const CHUNK_MS = 40;
const TOTALS = 10;
/** Numbers sent at once, about. */
const NUMBERS_AT_ONCE = 32 * 1024;
const FLAG = 0;
const NEXT_SHARE = 1;
/** Values of the flag: nothing is wanted; what has been simulated is. */
const CANCEL = 1;
const FINISH = 2;

const { module, calls, groups, shares, seed } = workerData;
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

/** Whoever finishes early has simulated one history at least: an output is of some. */
let hasBegun = false;

/** Simulates one share, or the first histories of it when it is to finish early; false when cancelled. */
function simulateShare(first, count) {
  engine.clearTotals();
  let chunk = 1;
  for (let done = 0; done < count; ) {
    const flag = Atomics.load(control, FLAG);
    if (flag === CANCEL) return false;
    if (flag === FINISH && hasBegun) return true;
    hasBegun = true;
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

/** Sends the moments of all histories that this thread has simulated, some at a time, of the blocks that it has scored in. */
function sendMoments() {
  for (const [group, { stride, blockBins }] of groups.entries()) {
    const size = blockBins * stride;
    const blocksAtOnce = Math.ceil(NUMBERS_AT_ONCE / size);
    const scored = engine.scoredBlocks(group);
    for (let first = 0; first < scored; first += blocksAtOnce) {
      const count = Math.min(blocksAtOnce, scored - first);
      const total = count * size;
      const pointer = engine.writeBlocks(group, first, count);
      const blocks = copy(Int32Array, engine.scoredBlocksPointer(group) + first * Int32Array.BYTES_PER_ELEMENT, count);
      const numbers = copy(Float64Array, pointer, total);
      const message = { group, blocks, numbers };
      if (engine.hasRemainders(pointer, total)) {
        message.remainders = copy(Float64Array, pointer + numbers.byteLength, total);
      }
      parentPort.postMessage(
        message,
        [blocks, numbers, message.remainders].flatMap((array) => array?.buffer ?? []),
      );
    }
  }
}

function copy(Numbers, pointer, count) {
  return new Numbers(engine.memory.buffer, pointer, count).slice();
}

let isCancelled = false;
while (!isCancelled && !(hasBegun && Atomics.load(control, FLAG) === FINISH)) {
  const share = Atomics.add(control, NEXT_SHARE, 1);
  if (share >= shares.length) break;
  isCancelled = !simulateShare(...shares[share]);
  if (!isCancelled) {
    const totals = Array.from({ length: TOTALS }, (_, item) => engine.total(item));
    parentPort.postMessage({ share, totals }, []);
  }
}
if (!isCancelled) sendMoments();
