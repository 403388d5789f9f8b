import type { results } from '@tally/contracts';
import { answerInvalid } from '../../../errors.js';
import { onJob } from '../../access.js';
import { openObject, textMembers } from '../../answer/json-text.js';
import { type StreamPart, sections } from '../../answer/sections.js';
import { defineRoute } from '../../route.js';
import { logfilesResponse } from '../../schemas/logfile.js';
import { jobQuery } from '../../schemas/parameters.js';

/** GET /logfiles: the text that each task's simulator wrote, in any state of the job. */
export const getLogfiles = defineRoute({
  method: 'GET',
  path: '/logfiles',
  auth: 'session',
  access: onJob('read'),
  summary: 'Log files of a job',
  requestClass: 'stream',
  query: jobQuery,
  responses: {
    200: { description: 'Log text by task key; a task without text is left out', schema: logfilesResponse },
    403: { description: "Another user's job" },
    404: { description: 'No such job' },
  },
  handle: async ({ query, call }, services) => {
    const parts = services.results.getLogs({ jobId: query.job_id }, call)[Symbol.asyncIterator]();
    const first = await parts.next(); // an error shows here, before the answer has begun
    return { kind: 'stream', status: 200, text: logfilesText(logParts(first, parts)) };
  },
});

async function* logParts(
  first: IteratorResult<results.GetLogsResponse>,
  parts: AsyncIterator<results.GetLogsResponse>,
): AsyncGenerator<StreamPart<string>> {
  try {
    for (let next = first; !next.done; next = await parts.next()) {
      const { part } = next.value;
      if (part?.$case === 'key') yield { start: part.value };
      else if (part?.$case === 'chunk') yield { chunk: part.value };
      else throw answerInvalid('a part of the logs is empty');
    }
  } finally {
    await parts.return?.();
  }
}

async function* logfilesText(parts: AsyncIterator<StreamPart<string>>) {
  yield `${openObject({ message: 'Log files of the job' })}"logfiles":`;
  yield* textMembers(sections(parts), (key) => key);
  yield '}';
}
