import { serveThread, type ThreadResult } from '@tally/service-kit';
import type { NumberRun } from '../request/growing-run.js';
import { TakenNumbers } from '../request/number-runs.js';
import { readEstimators } from './read-estimators.js';

/** What the thread is asked; its memory is handed over. */
export interface ReadRequest {
  readonly text: Uint8Array;
  readonly pagesMax: number;
  readonly runs: readonly NumberRun[];
}

function read(request: ReadRequest): ThreadResult {
  const estimators = readEstimators(request.text, request.pagesMax, new TakenNumbers(request.runs));
  const arrays = estimators.flatMap(({ pages }) => pages.flatMap(({ values, errors }) => [values, errors]));
  const buffers = new Set(arrays.flatMap((array) => (array === undefined ? [] : [array.buffer as ArrayBuffer])));
  return { value: estimators, transfer: [...buffers] };
}

serveThread(read);
