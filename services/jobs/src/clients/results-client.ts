import { INPUT_KINDS, results } from '@tally/contracts';
import { type ClientOf, chunksOf } from '@tally/service-kit';
import type { DrawCurves } from '../domain/notify/notify-end.js';
import type { JobData, StoredInput } from '../domain/ports.js';

/** What results takes in one message of a stream, bytes (results_service.proto). */
const CHUNK_BYTES = 256 * 1024;
/** Of one try: a merge that takes longer never ends. */
const MERGE_TIME_LIMIT_MS = 3_600_000;
/** Name of the document that holds sim_data as it was submitted. */
const SUBMITTED_NAME = 'sim_data.json';

/** @param storedBytesPerUserMax - from which on results refuses inputs of a user; 0: never */
export function createJobData(
  client: ClientOf<typeof results.ResultsServiceService>,
  storedBytesPerUserMax: number,
): JobData {
  return {
    createInput: async (input, storedBytesMax = storedBytesPerUserMax) => {
      const quota = storedBytesMax > 0 ? { ownerStoredBytesMax: BigInt(storedBytesMax) } : {};
      const documents = documentsOf(input);
      await client.createInput(inputParts({ ...headerOf(input, documents.length), ...quota }, documents));
    },
    mergeOutputs: async ({ jobId, taskIds, isPartial, isStopped, number: mergeNumber, target }, signal) => {
      const errorPages = target ? { estimatorName: target.estimator, pageNumber: target.page ?? undefined } : undefined;
      const request = { jobId, taskIds: [...taskIds], isPartial, isStopped, mergeNumber, errorPages };
      return (await client.mergeOutputs(request, { signal, timeoutMs: MERGE_TIME_LIMIT_MS })).relativeError;
    },
    deleteJobData: async (jobId) => {
      await client.deleteJobData({ jobId });
    },
    deleteJobParts: async (jobId, data) => {
      await client.deleteJobParts({ jobId, hasResults: data === 'results', hasLogs: data === 'logs' });
    },
    updateOwner: async (jobIds, ownerId, newOwnerId) => {
      await client.updateOwner({ jobIds: [...jobIds], ownerId, newOwnerId });
    },
  };
}

/** Pictures of curves, drawn by results. */
export const createCurveDrawer =
  (client: ClientOf<typeof results.ResultsServiceService>): DrawCurves =>
  async (ownerId, jobs) => {
    const { picture, words } = await client.drawCurves({ ownerId, jobs: jobs.map((job) => ({ ...job })) });
    return picture.byteLength === 0 ? undefined : { picture: new Uint8Array(picture), words };
  };

function headerOf(
  { jobId, ownerId, inputType, warnings, description, simulatorDeck }: StoredInput,
  documentCount: number,
): results.InputHeader {
  const note = simulatorDeck?.note ?? '';
  const notes = { warnings: [...warnings], ...(note === '' ? {} : { simulatorDeckNote: note }) };
  const told = description === undefined ? {} : { descriptionJson: JSON.stringify(description) };
  return { jobId, ownerId, kind: INPUT_KINDS[inputType], documentCount, ...told, ...notes };
}

interface InputDocument {
  readonly role: results.DocumentRole;
  readonly name: string;
  readonly content: Buffer;
}

function documentsOf({ submitted, simulatorDeck, deck }: StoredInput): InputDocument[] {
  const { DOCUMENT_ROLE_SUBMITTED, DOCUMENT_ROLE_SIMULATOR_DECK, DOCUMENT_ROLE_DECK } = results.DocumentRole;
  return [
    { role: DOCUMENT_ROLE_SUBMITTED, name: SUBMITTED_NAME, content: bufferOf(submitted) },
    ...deckDocuments(DOCUMENT_ROLE_SIMULATOR_DECK, simulatorDeck?.files ?? {}),
    ...deckDocuments(DOCUMENT_ROLE_DECK, deck),
  ];
}

function deckDocuments(role: results.DocumentRole, files: StoredInput['deck']): InputDocument[] {
  return Object.entries(files).map(([name, text]) => ({ role, name, content: bufferOf(text) }));
}

/** The same memory. */
const bufferOf = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

async function* inputParts(
  header: results.InputHeader,
  documents: readonly InputDocument[],
): AsyncGenerator<results.CreateInputRequest> {
  yield { part: { $case: 'header', value: header } };
  for (const { role, name, content } of documents) {
    yield { part: { $case: 'document', value: { role, name, sizeBytes: BigInt(content.byteLength) } } };
    for (const value of chunksOf(content, CHUNK_BYTES)) yield { part: { $case: 'chunk', value } };
  }
}
