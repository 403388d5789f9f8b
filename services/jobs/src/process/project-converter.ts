import { type ThreadPool, ThreadPoolError } from '@tally/service-kit';
import { fail } from '../domain/errors.js';
import {
  type ConvertedProject,
  convertSimData,
  encodeDecks,
  listSimulators,
  type ProjectConverter,
} from '../domain/submit/convert-project.js';
import type { ConvertRequest } from './convert-thread.js';

/** A larger text is converted by a thread, bytes: converting it here would keep heartbeats and other users waiting. */
const THREAD_BYTES_MIN = 128_000;

/** @param threads - running convert-thread.ts */
export function createProjectConverter(threads: ThreadPool): ProjectConverter {
  return {
    listSimulators,
    async convert({ simulator, inputType, onUnsupported }, given, executables) {
      const wanted = { simulator, inputType, onUnsupported };
      if (given.byteLength < THREAD_BYTES_MIN) return encodeDecks(convertSimData(wanted, given, executables));
      const isShared = given.buffer instanceof SharedArrayBuffer;
      const simDataJson = isShared ? given : new Uint8Array(given);
      const request: ConvertRequest = { wanted, simDataJson, executables };
      try {
        return await threads.run<ConvertedProject>(request, isShared ? [] : [simDataJson.buffer as ArrayBuffer]);
      } catch (err) {
        throw err instanceof ThreadPoolError ? toServiceError(err) : err;
      }
    },
  };
}

function toServiceError(err: ThreadPoolError) {
  if (err.limit === 'waiting') return fail('CONVERSIONS_BUSY', { retryAfterMs: 1_000, cause: err });
  const message = `The project is too large: it takes too much ${err.limit} to convert`;
  return fail('PROJECT_TOO_LARGE', { message, fields: [{ field: '/sim_data', message: 'is too large' }], cause: err });
}
