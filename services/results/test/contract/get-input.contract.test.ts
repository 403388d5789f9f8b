import { beforeAll, describe, expect, it } from '@jest/globals';
import { results } from '@tally/contracts';
import { newJobId } from '@tally/service-kit';
import { readInput } from '../read-input.js';
import { asUser, inputMessages, OWNER, streamOf, useResults } from '../results-suite.js';

const suite = useResults();
const jobId = newJobId(new Date());
const SUBMITTED = results.DocumentRole.DOCUMENT_ROLE_SUBMITTED;
const DECK = results.DocumentRole.DOCUMENT_ROLE_DECK;

beforeAll(async () => {
  const documents = [
    { role: SUBMITTED, name: 'sim_data.json', text: '{"a":1}' },
    { role: DECK, name: 'beam.dat', text: 'x'.repeat(600_000) },
    { role: DECK, name: 'geo.dat', text: 'y' },
  ];
  await suite.jobs.createInput(streamOf(inputMessages(jobId, documents)));
});

describe('GetInput OK', () => {
  it('gives the owner the documents of the wanted roles', async () => {
    const read = (roles: results.DocumentRole[]) => asUser(OWNER, () => readInput(suite, jobId, roles, suite.gateway));
    expect((await read([])).documents.map(({ name }) => name)).toEqual(['sim_data.json', 'beam.dat', 'geo.dat']);
    expect((await read([SUBMITTED])).documents).toEqual([{ role: SUBMITTED, name: 'sim_data.json', text: '{"a":1}' }]);
    expect((await read([DECK])).documents.map(({ name }) => name)).toEqual(['beam.dat', 'geo.dat']);
  });

  it('gives a runner the input of any job, in chunks of at most 256 KiB', async () => {
    const { documents, chunkBytes } = await readInput(suite, jobId, [DECK]);
    expect(documents[0]?.text).toBe('x'.repeat(600_000));
    expect(Math.max(...chunkBytes)).toBeLessThanOrEqual(256 * 1024);
  });
});

describe('GetInput OK for batch-bridge', () => {
  it('gives it the deck of any job, whoever owns it: it runs the job', async () => {
    const { documents } = await readInput(suite, jobId, [DECK], suite.bridge);
    expect(documents.map(({ name }) => name)).toEqual(['beam.dat', 'geo.dat']);
  });
});

describe('GetInput NOT_FOUND', () => {
  it('knows no job by an unknown id or by a text that is no id', async () => {
    for (const unknown of ['20260101-000000-none', '', 'a\0b', "'; DROP TABLE jobs; --", 'ż'.repeat(300)]) {
      await expect(asUser(OWNER, () => readInput(suite, unknown, [], suite.gateway))).rejects.toMatchObject({
        status: 'NOT_FOUND',
        reason: 'JOB_NOT_FOUND',
      });
    }
  });
});

describe('GetInput PERMISSION_DENIED', () => {
  it("refuses another user's job", async () => {
    await expect(asUser(8n, () => readInput(suite, jobId, [], suite.gateway))).rejects.toMatchObject({
      status: 'PERMISSION_DENIED',
      reason: 'JOB_OF_ANOTHER_USER',
    });
  });

  it('refuses callers that it does not name', async () => {
    await expect(readInput(suite, jobId, [], suite.jobs)).rejects.toMatchObject({ reason: 'CALLER_NOT_ALLOWED' });
  });
});

describe('GetInput UNAUTHENTICATED', () => {
  it('needs a user when the gateway asks', async () => {
    await expect(readInput(suite, jobId, [], suite.gateway)).rejects.toMatchObject({ reason: 'USER_REQUIRED' });
  });
});
