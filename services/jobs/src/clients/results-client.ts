import { INPUT_KINDS, results } from '@tally/contracts';
import { type ClientOf, type Clock, chunksOf, inGroups, ServiceError } from '@tally/service-kit';
import type { JobData, StoredInput } from '../domain/ports.js';
import { KnownRooms } from './known-rooms.js';

/** What results takes in one message of a stream, and in one message, bytes (results_service.proto). */
const CHUNK_BYTES = 256 * 1024;
const SMALL_INPUT_BYTES_MAX = 1024 * 1024;
/** Of one try: a merge that takes longer never ends. */
const MERGE_TIME_LIMIT_MS = 3_600_000;
/** Name of the document that holds sim_data as it was submitted. */
const SUBMITTED_NAME = 'sim_data.json';

type Client = ClientOf<typeof results.ResultsServiceService>;

export interface JobDataSettings {
  /** From which on results refuses inputs of a user; 0: never. */
  readonly storedBytesPerUserMax: number;
  /** Largest input that is kept with its job. */
  readonly pendingInputBytesMax: number;
}

export function createJobData(
  client: Client,
  { storedBytesPerUserMax, pendingInputBytesMax }: JobDataSettings,
  clock: Clock,
): JobData {
  const hasQuota = storedBytesPerUserMax > 0;
  const quota = hasQuota ? { ownerStoredBytesMax: BigInt(storedBytesPerUserMax) } : {};
  const rooms = new KnownRooms(clock);
  return {
    createInput: async (input) => {
      const documents = documentsOf(input);
      const header = { ...headerOf(input, documents.length), ...quota };
      const answer =
        sizeOf(documents) <= SMALL_INPUT_BYTES_MAX && (await createSmallInput(client, { header, documents }));
      if (answer === false) await client.createInput(inputParts(header, documents));
      else if (answer.ownerRoomBytes !== undefined) rooms.note(input.ownerId, Number(answer.ownerRoomBytes));
    },
    encodeInput: (input) => {
      const documents = documentsOf(input);
      const bytes = sizeOf(documents);
      if (bytes > pendingInputBytesMax || (hasQuota && !rooms.take(input.ownerId, bytes))) return undefined;
      const header = headerOf(input, documents.length);
      return results.CreateSmallInputRequest.encode({ header, documents }).finish();
    },
    createInputs: async (inputs) => {
      const sizeOfInput = ({ byteLength }: Uint8Array) => byteLength;
      for (const group of inGroups(inputs.map(bufferOf), sizeOfInput, SMALL_INPUT_BYTES_MAX)) {
        const answer = await createSmallInputs(client, { inputs: group, ...quota });
        for (const { ownerId, roomBytes } of answer.rooms) rooms.note(ownerId, Number(roomBytes));
      }
    },
    mergeOutputs: async ({ jobId, taskIds, isPartial, isStopped, number: mergeNumber, target }, signal) => {
      const errorPages = target ? { estimatorName: target.estimator, pageNumber: target.page ?? undefined } : undefined;
      const request = { jobId, taskIds: [...taskIds], isPartial, isStopped, mergeNumber, errorPages };
      return (await client.mergeOutputs(request, { signal, timeoutMs: MERGE_TIME_LIMIT_MS })).relativeError;
    },
    deleteJobData: async (jobId) => {
      await client.deleteJobData({ jobId });
    },
  };
}

/** False: results is of the release before, which does not know it. */
async function createSmallInput(
  client: Client,
  request: results.CreateSmallInputRequest,
): Promise<results.CreateSmallInputResponse | false> {
  try {
    return await client.createSmallInput(request);
  } catch (err) {
    if (err instanceof ServiceError && err.status === 'UNIMPLEMENTED') return false;
    throw err;
  }
}

/** By results of the release before, each by itself. */
async function createSmallInputs(
  client: Client,
  request: results.CreateSmallInputsRequest,
): Promise<results.CreateSmallInputsResponse> {
  try {
    return await client.createSmallInputs(request);
  } catch (err) {
    if (!(err instanceof ServiceError && err.status === 'UNIMPLEMENTED')) throw err;
    for (const input of request.inputs) await client.createSmallInput(results.CreateSmallInputRequest.decode(input));
    return { rooms: [] };
  }
}

const sizeOf = (documents: readonly results.Document[]) =>
  documents.reduce((sum, { content }) => sum + content.byteLength, 0);

function headerOf(
  { jobId, ownerId, inputType, warnings, simulatorDeck }: StoredInput,
  documentCount: number,
): results.InputHeader {
  const note = simulatorDeck?.note ?? '';
  const notes = { warnings: [...warnings], ...(note === '' ? {} : { simulatorDeckNote: note }) };
  return { jobId, ownerId, kind: INPUT_KINDS[inputType], documentCount, ...notes };
}

function documentsOf({ submitted, simulatorDeck, deck }: StoredInput): results.Document[] {
  const { DOCUMENT_ROLE_SUBMITTED, DOCUMENT_ROLE_SIMULATOR_DECK, DOCUMENT_ROLE_DECK } = results.DocumentRole;
  return [
    { role: DOCUMENT_ROLE_SUBMITTED, name: SUBMITTED_NAME, content: bufferOf(submitted) },
    ...deckDocuments(DOCUMENT_ROLE_SIMULATOR_DECK, simulatorDeck?.files ?? {}),
    ...deckDocuments(DOCUMENT_ROLE_DECK, deck),
  ];
}

function deckDocuments(role: results.DocumentRole, files: StoredInput['deck']): results.Document[] {
  return Object.entries(files).map(([name, text]) => ({ role, name, content: bufferOf(text) }));
}

/** The same memory. */
const bufferOf = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

async function* inputParts(
  header: results.InputHeader,
  documents: readonly results.Document[],
): AsyncGenerator<results.CreateInputRequest> {
  yield { part: { $case: 'header', value: header } };
  for (const { role, name, content } of documents) {
    yield { part: { $case: 'document', value: { role, name, sizeBytes: BigInt(content.byteLength) } } };
    for (const value of chunksOf(content, CHUNK_BYTES)) yield { part: { $case: 'chunk', value } };
  }
}
