import { serveThread, type ThreadResult } from '@tally/service-kit';
import { type NumberRun, TakenNumbers } from '../request/number-runs.js';
import { readEstimators } from './read-estimators.js';
import { readLogfiles, readText } from './read-texts.js';

/** What the thread is asked; its memory is handed over. */
export type ReadRequest =
  | { readonly what: 'logfiles'; readonly text: Uint8Array }
  | { readonly what: 'text'; readonly text: Uint8Array }
  | {
      readonly what: 'estimators';
      readonly text: Uint8Array;
      readonly pagesMax: number;
      readonly runs: readonly NumberRun[];
    };

function read(request: ReadRequest): ThreadResult {
  if (request.what === 'logfiles') {
    const logs = [...readLogfiles(request.text)].map(([key, log]) => [key, new Uint8Array(log)] as const);
    return { value: new Map(logs), transfer: logs.map(([, log]) => log.buffer) };
  }
  if (request.what === 'text') {
    const { buffer } = new Uint8Array(readText(request.text));
    return { value: buffer, transfer: [buffer] };
  }
  const estimators = readEstimators(request.text, request.pagesMax, new TakenNumbers(request.runs));
  const arrays = estimators.flatMap(({ pages }) => pages.flatMap(({ values, errors }) => [values, errors]));
  const buffers = new Set(arrays.flatMap((array) => (array === undefined ? [] : [array.buffer as ArrayBuffer])));
  return { value: estimators, transfer: [...buffers] };
}

serveThread(read);
