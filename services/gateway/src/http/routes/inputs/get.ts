import { results } from '@tally/contracts';
import { answerInvalid } from '../../../errors.js';
import { onJob } from '../../access.js';
import { openObject, textMembers } from '../../answer/json-text.js';
import { type Section, type StreamPart, sections } from '../../answer/sections.js';
import { defineRoute } from '../../route.js';
import { inputsResponse } from '../../schemas/input.js';
import { jobQuery } from '../../schemas/parameters.js';

type Documents = AsyncIterable<Section<results.DocumentHeader>>;

/** GET /inputs: what was submitted, text for text, and the deck of an editor's project for the simulator asked for. */
export const getInputs = defineRoute({
  method: 'GET',
  path: '/inputs',
  auth: 'session',
  access: onJob('read'),
  summary: 'Inputs of a job',
  requestClass: 'stream',
  query: jobQuery,
  responses: {
    200: { description: 'The inputs, by the kind that was submitted', schema: inputsResponse },
    403: { description: "Another user's job" },
    404: { description: 'No such job' },
    409: { description: 'The job was deleted while its inputs were read' },
  },
  handle: async ({ query, call }, services) => {
    // one call for all of them: between two, the job might be deleted
    const stream = services.results.getInput({ jobId: query.job_id, roles: [] }, call);
    const input = await openInput(stream[Symbol.asyncIterator]());
    return { kind: 'stream', status: 200, text: inputsText(input) };
  },
});

interface OpenInput {
  readonly header: results.InputHeader;
  readonly documents: Documents;
}

async function openInput(parts: AsyncIterator<results.GetInputResponse>): Promise<OpenInput> {
  const first = await parts.next();
  const header = !first.done && first.value.part?.$case === 'header' ? first.value.part.value : undefined;
  if (header === undefined) throw answerInvalid('an input does not begin with its header');
  return { header, documents: sections(documentParts(parts)) };
}

async function* documentParts(
  parts: AsyncIterator<results.GetInputResponse>,
): AsyncGenerator<StreamPart<results.DocumentHeader>> {
  try {
    for (let next = await parts.next(); !next.done; next = await parts.next()) {
      const { part } = next.value;
      if (part?.$case === 'document') yield { start: part.value };
      else if (part?.$case === 'chunk') yield { chunk: part.value };
      else throw answerInvalid('an input has a second header');
    }
  } finally {
    await parts.return?.();
  }
}

/** What was submitted comes first; decks follow, which of submitted files say nothing new. */
async function* inputsText({ header, documents }: OpenInput) {
  const isEditor = header.kind === results.InputKind.INPUT_KIND_EDITOR;
  const note = isEditor && header.simulatorDeckNote !== undefined ? { files_note: header.simulatorDeckNote } : {};
  const all = documents[Symbol.asyncIterator]();
  try {
    const first = await all.next();
    if (first.done || first.value.start.role !== results.DocumentRole.DOCUMENT_ROLE_SUBMITTED) {
      throw answerInvalid('an input does not begin with the submitted document');
    }
    yield `${openObject({ message: 'Inputs of the job', input_type: isEditor ? 'editor' : 'files', ...note })}"input":`;
    yield* first.value.chunks;
    if (isEditor) {
      yield ',"files":';
      yield* textMembers(shownDeck(all, header.simulatorDeckNote !== undefined), ({ name }) => name);
    }
    yield '}';
  } finally {
    await all.return?.();
  }
}

/**
 * The deck of the simulator that was asked for. It comes first where another runs; a note may say that there is none.
 */
async function* shownDeck(documents: AsyncIterator<Section<results.DocumentHeader>>, hasNote: boolean): Documents {
  let isOther = hasNote;
  for (let next = await documents.next(); !next.done; next = await documents.next()) {
    const isSimulators = next.value.start.role === results.DocumentRole.DOCUMENT_ROLE_SIMULATOR_DECK;
    if (isOther && !isSimulators) return;
    isOther ||= isSimulators;
    yield next.value;
  }
}
