import { asUser, collect, OWNER, type ResultsSuite } from './results-suite.js';

/** The logs of a job by key, as the gateway reads them for a user; fails on text that is not UTF-8. */
export async function readLogs(suite: ResultsSuite, jobId: string, userId = OWNER): Promise<Record<string, string>> {
  const logs: { key: string; chunks: Buffer[] }[] = [];
  for (const { part } of await asUser(userId, () => collect(suite.gateway.getLogs({ jobId })))) {
    if (part?.$case === 'key') logs.push({ key: part.value, chunks: [] });
    if (part?.$case === 'chunk') {
      if (part.value.length > 256 * 1024) throw new Error('a chunk is too large');
      logs.at(-1)?.chunks.push(part.value);
    }
  }
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  return Object.fromEntries(logs.map(({ key, chunks }) => [key, decoder.decode(Buffer.concat(chunks))]));
}
