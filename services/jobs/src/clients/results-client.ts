import { results } from '@tally/contracts';
import type { ClientOf } from '@tally/service-kit';
import type { InputType } from '../domain/job.js';
import type { JobData, StoredInput } from '../domain/ports.js';

/** What results takes in one message, bytes (results_service.proto). */
const CHUNK_BYTES = 256 * 1024;
/** Name of the document that holds sim_data as it was submitted. */
const SUBMITTED_NAME = 'sim_data.json';

export function createJobData(client: ClientOf<typeof results.ResultsServiceService>): JobData {
  return {
    createInput: async (input) => {
      await client.createInput(inputParts(input));
    },
    deleteJobData: async (jobId) => {
      await client.deleteJobData({ jobId });
    },
  };
}

const KINDS: Readonly<Record<InputType, results.InputKind>> = {
  editor: results.InputKind.INPUT_KIND_EDITOR,
  files: results.InputKind.INPUT_KIND_FILES,
};

async function* inputParts(input: StoredInput): AsyncGenerator<results.CreateInputRequest> {
  const { jobId, ownerId, inputType, submitted, deck } = input;
  const documentCount = 1 + Object.keys(deck).length;
  yield { part: { $case: 'header', value: { jobId, ownerId, kind: KINDS[inputType], documentCount } } };
  yield* documentParts(results.DocumentRole.DOCUMENT_ROLE_SUBMITTED, SUBMITTED_NAME, submitted);
  for (const [name, text] of Object.entries(deck)) {
    yield* documentParts(results.DocumentRole.DOCUMENT_ROLE_DECK, name, Buffer.from(text, 'utf8'));
  }
}

function* documentParts(
  role: results.DocumentRole,
  name: string,
  bytes: Uint8Array,
): Generator<results.CreateInputRequest> {
  yield { part: { $case: 'document', value: { role, name, sizeBytes: BigInt(bytes.byteLength) } } };
  for (let start = 0; start < bytes.byteLength; start += CHUNK_BYTES) {
    const chunk = bytes.subarray(start, start + CHUNK_BYTES);
    yield { part: { $case: 'chunk', value: Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength) } };
  }
}
