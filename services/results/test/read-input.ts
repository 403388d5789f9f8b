import type { results } from '@tally/contracts';
import { collect, type ResultsClient, type ResultsSuite } from './results-suite.js';

/** An input as GetInput gives it, its documents put together; asked for by the runner unless another client is given. */
export async function readInput(
  suite: ResultsSuite,
  jobId: string,
  roles: results.DocumentRole[] = [],
  client: ResultsClient = suite.runner,
) {
  const [first, ...rest] = await collect(client.getInput({ jobId, roles }));
  if (first?.part?.$case !== 'header') throw new Error('no header');
  const documents: { role: results.DocumentRole; name: string; chunks: Buffer[] }[] = [];
  for (const { part } of rest) {
    if (part?.$case === 'document') documents.push({ role: part.value.role, name: part.value.name, chunks: [] });
    if (part?.$case === 'chunk') documents.at(-1)?.chunks.push(part.value);
  }
  return {
    header: first.part.value,
    chunkBytes: documents.flatMap(({ chunks }) => chunks.map((chunk) => chunk.length)),
    documents: documents.map(({ chunks, ...document }) => ({ ...document, text: Buffer.concat(chunks).toString() })),
  };
}
