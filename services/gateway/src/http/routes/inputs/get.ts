import { results } from '@tally/contracts';
import { openObject, textMembers } from '../../json-text.js';
import { answerInvalid } from '../../mappers.js';
import { defineRoute } from '../../route.js';
import { inputsResponse } from '../../schemas/input.js';
import { jobQuery } from '../../schemas/parameters.js';
import { type Section, type StreamPart, sections } from '../../sections.js';

type Documents = AsyncIterable<Section<results.DocumentHeader>>;

/** GET /inputs: what was submitted, text for text, and the deck that was made from an editor project. */
export const getInputs = defineRoute({
  method: 'GET',
  path: '/inputs',
  auth: 'session',
  summary: 'Inputs of a job',
  requestClass: 'stream',
  query: jobQuery,
  responses: {
    200: { description: 'The inputs, by the kind that was submitted', schema: inputsResponse },
    403: { description: "Another user's job" },
    404: { description: 'No such job' },
  },
  handle: async ({ query, call }, services) => {
    const open = async (role: results.DocumentRole) => {
      const stream = services.results.getInput({ jobId: query.job_id, roles: [role] }, call);
      return openInput(stream[Symbol.asyncIterator]());
    };
    const submitted = await open(results.DocumentRole.DOCUMENT_ROLE_SUBMITTED);
    return {
      kind: 'stream',
      status: 200,
      text: inputsText(submitted, () => open(results.DocumentRole.DOCUMENT_ROLE_DECK)),
    };
  },
});

interface OpenInput {
  readonly kind: results.InputKind;
  readonly documents: Documents;
}

async function openInput(parts: AsyncIterator<results.GetInputResponse>): Promise<OpenInput> {
  const first = await parts.next();
  const header = !first.done && first.value.part?.$case === 'header' ? first.value.part.value : undefined;
  if (header === undefined) throw answerInvalid('an input does not begin with its header');
  return { kind: header.kind, documents: sections(documentParts(parts)) };
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

async function* inputsText({ kind, documents }: OpenInput, openDeck: () => Promise<OpenInput>) {
  const isEditor = kind === results.InputKind.INPUT_KIND_EDITOR;
  yield `${openObject({ message: 'Inputs of the job', input_type: isEditor ? 'editor' : 'files' })}"input":`;
  let count = 0;
  for await (const { chunks } of documents) {
    if (count++ > 0) throw answerInvalid('an input has two submitted documents');
    yield* chunks;
  }
  if (count === 0) throw answerInvalid('an input has no submitted document');
  if (isEditor) {
    yield ',"files":';
    yield* textMembers((await openDeck()).documents, ({ name }) => name);
  }
  yield '}';
}
