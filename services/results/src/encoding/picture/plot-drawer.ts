import { builtProgram, type Lifecycle, ThreadPool } from '@tally/service-kit';
import type { DrawPlot } from '../../domain/result/draw-curves.js';

/** Pictures that wait; a picture takes a tenth of a second. */
const WAITING_MAX = 100;
const TIME_LIMIT_MS = 30_000;
/** The drawing itself is in memory of WebAssembly. */
const HEAP_BYTES_MAX = 64 * 1024 * 1024;

/** Draws pictures in a thread, one at a time: others do not wait for it. */
export function createPlotDrawer(lifecycle: Lifecycle): DrawPlot {
  const threads = new ThreadPool({
    program: builtProgram(import.meta.url, './draw-thread.js'),
    threadsMax: 1,
    waitingMax: WAITING_MAX,
    timeLimitMs: TIME_LIMIT_MS,
    heapBytesMax: HEAP_BYTES_MAX,
  });
  lifecycle.add('pictures', () => threads.stop());
  return (plot) => threads.run<Uint8Array>(plot);
}
