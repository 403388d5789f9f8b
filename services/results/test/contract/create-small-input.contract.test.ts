import { describe, expect, it } from '@jest/globals';
import { results } from '@tally/contracts';
import { newJobId } from '@tally/service-kit';
import { readInput } from '../read-input.js';
import { OWNER, useResults } from '../results-suite.js';

const suite = useResults({ inputDocumentsMax: 4, rowBytesMax: 4_096 });
const [SUBMITTED, DECK] = [results.DocumentRole.DOCUMENT_ROLE_SUBMITTED, results.DocumentRole.DOCUMENT_ROLE_DECK];
const noise = Array.from({ length: 20_000 }, (_, index) => Math.sin(index)).join('\n');
const documents = [
  { role: SUBMITTED, name: 'sim_data.json', text: '{"project":{"title":"żółć 🧪"}}' },
  { role: DECK, name: 'beam.dat', text: 'BEAM\n'.repeat(10_000) },
  { role: DECK, name: 'empty.dat', text: '' },
];
const create = (jobId: string, sent = documents, header: Partial<results.InputHeader> = {}) =>
  suite.jobs.createSmallInput({
    header: { jobId, ownerId: OWNER, kind: results.InputKind.INPUT_KIND_FILES, warnings: [], ...header },
    documents: sent.map(({ text, ...document }) => ({ ...document, content: Buffer.from(text) })),
  });

describe('CreateSmallInput OK', () => {
  it('stores the documents as they came, with kind and owner, in a row or in blocks', async () => {
    for (const sent of [documents, [...documents, { role: DECK, name: 'noise.dat', text: noise }], []]) {
      const jobId = newJobId(new Date());
      await create(jobId, sent);
      const { header, documents: stored } = await readInput(suite, jobId);
      expect(header).toMatchObject({ jobId, ownerId: OWNER, kind: results.InputKind.INPUT_KIND_FILES });
      expect(stored).toEqual(sent);
      expect((await readInput(suite, jobId, [DECK])).documents).toEqual(sent.filter(({ role }) => role === DECK));
    }
  });

  it('replaces nothing when it is repeated, also many times at once', async () => {
    const jobId = newJobId(new Date());
    await Promise.all(Array.from({ length: 8 }, () => create(jobId)));
    await create(jobId, [{ role: SUBMITTED, name: 'other', text: 'other' }], { ownerId: 8n });
    expect(await readInput(suite, jobId)).toMatchObject({ header: { ownerId: OWNER }, documents });
  });
});

describe('CreateSmallInput INVALID_ARGUMENT', () => {
  const one = (fields: object) => [{ role: SUBMITTED, name: 'a', text: 'x', ...fields }];
  const hostile: [string, () => Promise<unknown>][] = [
    ['no header', () => suite.jobs.createSmallInput({ header: undefined, documents: [] })],
    ['no owner', () => create(newJobId(new Date()), documents, { ownerId: 0n })],
    ['a path', () => create(newJobId(new Date()), one({ name: '../a' }))],
    ['no role', () => create(newJobId(new Date()), one({ role: results.DocumentRole.DOCUMENT_ROLE_UNSPECIFIED }))],
    ['the same document twice', () => create(newJobId(new Date()), [...one({}), ...one({})])],
    [
      'what is not UTF-8',
      () => {
        const kind = results.InputKind.INPUT_KIND_FILES;
        const header = { jobId: newJobId(new Date()), ownerId: OWNER, kind, warnings: [] };
        return suite.jobs.createSmallInput({
          header,
          documents: [{ role: DECK, name: 'a', content: Buffer.of(0xff) }],
        });
      },
    ],
  ];
  for (const [what, call] of hostile) {
    it(`refuses ${what}`, async () => {
      await expect(call()).rejects.toMatchObject({ status: 'INVALID_ARGUMENT', reason: 'UPLOAD_INVALID' });
    });
  }
});

describe('CreateSmallInput RESOURCE_EXHAUSTED', () => {
  it('refuses more documents than an input may have, and more than 1 MiB', async () => {
    const many = [1, 2, 3, 4, 5].map((n) => ({ role: DECK, name: `${n}`, text: '' }));
    const large = [{ role: DECK, name: 'a', text: 'x'.repeat(1024 * 1024 + 1) }];
    for (const sent of [many, large]) {
      const jobId = newJobId(new Date());
      await expect(create(jobId, sent)).rejects.toMatchObject({ reason: 'UPLOAD_TOO_LARGE' });
      await expect(readInput(suite, jobId)).rejects.toMatchObject({ reason: 'JOB_NOT_FOUND' });
    }
  });
});

describe('CreateSmallInput PERMISSION_DENIED', () => {
  it('refuses callers other than jobs', async () => {
    const call = suite.gateway.createSmallInput({ header: undefined, documents: [] });
    await expect(call).rejects.toMatchObject({ reason: 'CALLER_NOT_ALLOWED' });
  });
});
