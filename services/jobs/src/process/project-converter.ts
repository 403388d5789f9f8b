import { type ThreadPool, ThreadPoolError } from '@tally/service-kit';
import { type Executables, tryWithinSteps } from '@tally/simulators';
import { fail } from '../domain/errors.js';
import {
  type ConvertedProject,
  convertSimData,
  encodeDecks,
  listSimulators,
  type ProjectConverter,
  type WantedConversion,
} from '../domain/submit/convert-project.js';
import type { ConvertRequest } from './convert-thread.js';

/**
 * What is converted here, for others wait meanwhile: an editor's project of no more bytes (the examples have 12 kB) that takes no more
 * steps. All else is a thread's: some milliseconds of both.
 */
const OWN_BYTES_MAX = 16_000;
const OWN_STEPS_MAX = 5_000;

/** @param threads - running convert-thread.ts */
export function createProjectConverter(threads: ThreadPool): ProjectConverter {
  return {
    listSimulators,
    async convert({ simulator, inputType, onUnsupported, ownerId }, given, executables) {
      const wanted = { simulator, inputType, onUnsupported };
      const own = convertHere(wanted, given, executables);
      if (own !== undefined) return own;
      const isShared = given.buffer instanceof SharedArrayBuffer;
      const simDataJson = isShared ? given : new Uint8Array(given);
      const request: ConvertRequest = { wanted, simDataJson, executables };
      const transfer = isShared ? [] : [simDataJson.buffer as ArrayBuffer];
      try {
        return await threads.run<ConvertedProject>(request, { transfer, lane: `${ownerId}` });
      } catch (err) {
        throw err instanceof ThreadPoolError ? toServiceError(err) : err;
      }
    },
  };
}

/** Undefined: it is no small one. */
function convertHere(
  wanted: WantedConversion,
  simDataJson: Uint8Array,
  executables: Executables,
): ConvertedProject | undefined {
  if (wanted.inputType !== 'editor' || simDataJson.byteLength > OWN_BYTES_MAX) return undefined;
  return tryWithinSteps(OWN_STEPS_MAX, () => encodeDecks(convertSimData(wanted, simDataJson, executables)))?.result;
}

function toServiceError(err: ThreadPoolError) {
  if (err.limit === 'waiting') return fail('CONVERSIONS_BUSY', { retryAfterMs: 1_000, cause: err });
  const message = `The project is too large: it takes too much ${err.limit} to convert`;
  return fail('PROJECT_TOO_LARGE', { message, fields: [{ field: '/sim_data', message: 'is too large' }], cause: err });
}
