// What files of results cost in each format, beside as many bytes of PostgreSQL's blocks through a bare Express route.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { results } from '../../packages/contracts/dist/src/index.js';
import { runStatement } from '../../packages/testkit/dist/src/index.js';

const ALL = 2_147_483_647;
const take = (axis, how, first = 0, last = ALL) => ({ axis, first, last, take: results.AxisTake[`AXIS_TAKE_${how}`] });
/** What is asked for. */
const EXPORTS = [
  { format: 'gzip of JSON' },
  { format: 'CSV' },
  { format: 'HDF5' },
  { format: 'NPZ' },
  { format: 'DICOM' },
  { format: 'FLOAT64' },
  { format: 'FLOAT64', part: 'plane across Z', axes: [take(2, 'BIN', 40, 40)] },
  { format: 'FLOAT64', part: 'plane across X', axes: [take(0, 'BIN', 40, 40)] },
  { format: 'FLOAT64', part: 'sum along Z', axes: [take(2, 'SUM')] },
];
const TASKS = [1, 2, 3, 4];

/** Measures exports of a page of 10⁶ and of 10⁷ values and as many errors, merged from four tasks. */
export async function measureExports({
  url,
  measure,
  createJob,
  pageHeader,
  cube,
  noise,
  putOutput,
  merge,
  exportResults,
  getResults,
}) {
  for (const count of [1e6, 1e7]) {
    const jobId = await createJob();
    const numbers = noise(count);
    for (const task of TASKS) await putOutput(jobId, task, pageHeader(1, cube(count)), [numbers, numbers]);
    await merge(jobId, TASKS);
    const [{ blob_id: blob }] = await runStatement(url, 'SELECT blob_id FROM final_results WHERE job_id = $1', [jobId]);
    const floor = fork(path.resolve(import.meta.dirname, '../floor/floor-server.mjs'), ['blocks', url]);
    const [port] = await once(floor, 'message');
    for (const { format, part = 'whole', axes = [] } of EXPORTS) {
      const request = {
        jobId,
        estimatorName: '',
        pages: [],
        axes,
        format: results.ExportFormat[`EXPORT_FORMAT_${format}`],
      };
      let bytes = 0;
      const work = async () => {
        bytes = await (format === 'gzip of JSON' ? getResults(jobId) : exportResults(request));
      };
      const ms = await measure(`${format}, ${part}, of ${count} values`, 1, work, { digits: 0 });
      const least = await floorMs(port, blob, bytes);
      const speed = `${(bytes / 1e3 / ms).toFixed(0)} MB/s, ${(least / ms).toFixed(2)} of the speed of a bare route`;
      console.log(`  ${(bytes / 1e6).toFixed(1)} MB, ${speed}`);
    }
    floor.kill();
  }
}

/** Milliseconds that so many bytes of stored blocks take through a bare Express route. */
async function floorMs(port, blob, bytes) {
  const startedAt = performance.now();
  const reply = await fetch(`http://127.0.0.1:${port}/?blob=${blob}&bytes=${bytes}`);
  for await (const piece of reply.body) if (piece.length === 0) throw new Error('an empty piece');
  return performance.now() - startedAt;
}
