import { describe, expect, it } from '@jest/globals';
import { results } from '@tally/contracts';
import { newJobId } from '@tally/service-kit';
import { readInput } from '../read-input.js';
import { inputMessages, streamOf, type TestDocument, useResults } from '../results-suite.js';

const suite = useResults({ inputBytesMax: 2_000_000, inputDocumentsMax: 4 });
const create = (messages: Iterable<results.CreateInputRequest>) => suite.jobs.createInput(streamOf(messages));
const read = (jobId: string) => readInput(suite, jobId);
const DECK = results.DocumentRole.DOCUMENT_ROLE_DECK;
const documents: TestDocument[] = [
  { name: 'sim_data.json', text: '{"project":{"title":"żółć 🧪"}}' },
  { role: DECK, name: 'beam.dat', text: 'BEAM\n'.repeat(100_000) },
  { role: DECK, name: 'empty.dat', text: '' },
];

describe('CreateInput OK', () => {
  it('stores the documents as they came, in their order, with kind and owner', async () => {
    const jobId = newJobId(new Date());
    await create(inputMessages(jobId, documents, { documentCount: 3, kind: results.InputKind.INPUT_KIND_FILES }));
    const { header, documents: stored } = await read(jobId);
    expect(header).toMatchObject({ jobId, ownerId: 7n, kind: results.InputKind.INPUT_KIND_FILES });
    expect(stored).toEqual(
      documents.map(({ role = results.DocumentRole.DOCUMENT_ROLE_SUBMITTED, name, text }) => ({ role, name, text })),
    );
  });

  it('keeps the deck of the simulator that was asked for beside the one that runs, and what is to be said of both', async () => {
    const SIMULATOR_DECK = results.DocumentRole.DOCUMENT_ROLE_SIMULATOR_DECK;
    const jobId = newJobId(new Date());
    const warnings = [{ code: 'QUANTITY_OMITTED', message: '"nul \0, żółć" is left out' }];
    const note = 'without "NKERMA"';
    const both = [documents[0], { role: SIMULATOR_DECK, name: 'beam.dat', text: 'NSTAT' }, documents[1]];
    const sent = both.flatMap((document) => document ?? []);
    await create(inputMessages(jobId, sent, { warnings, simulatorDeckNote: note }));
    const stored = await read(jobId);
    expect(stored.header).toMatchObject({ warnings, simulatorDeckNote: note });
    expect(stored.documents.map(({ role, name }) => [role, name]).slice(1)).toEqual([
      [SIMULATOR_DECK, 'beam.dat'],
      [DECK, 'beam.dat'],
    ]);
    expect((await readInput(suite, jobId, [DECK])).documents.map(({ text }) => text)).toEqual([documents[1]?.text]);
  });

  it('replaces nothing when it is repeated, whatever the repeat holds', async () => {
    const jobId = newJobId(new Date());
    await create(inputMessages(jobId, documents));
    await create(inputMessages(jobId, [{ name: 'sim_data.json', text: 'other' }], { ownerId: 8n }));
    expect((await read(jobId)).documents).toHaveLength(3);
    expect((await read(jobId)).header.ownerId).toBe(7n);
  });

  it('stores one input when several copies of it come at once', async () => {
    const jobId = newJobId(new Date());
    await Promise.all(Array.from({ length: 8 }, () => create(inputMessages(jobId, documents))));
    expect((await read(jobId)).documents).toHaveLength(3);
  });

  it('takes an input of several megabytes cut anywhere, also inside a character', async () => {
    const jobId = newJobId(new Date());
    const text = 'ą🧪'.repeat(250_000);
    await create(inputMessages(jobId, [{ name: 'big.dat', text }]));
    expect((await read(jobId)).documents[0]?.text).toBe(text);
  });
});

describe('CreateInput INVALID_ARGUMENT', () => {
  const valid = (jobId: string) => inputMessages(jobId, documents.slice(0, 1));
  const named = (name: string) => (jobId: string) => inputMessages(jobId, [{ name, text: 'x' }]);
  const hostile: [string, (jobId: string) => results.CreateInputRequest[]][] = [
    ['no message', () => []],
    ['no header', (jobId) => valid(jobId).slice(1)],
    ['two headers', (jobId) => [...valid(jobId), ...valid(jobId)]],
    ['bytes before a document', (jobId) => valid(jobId).filter(({ part }) => part?.$case !== 'document')],
    ['an empty message', (jobId) => [...valid(jobId), {}]],
    ['no owner', (jobId) => inputMessages(jobId, documents, { ownerId: 0n })],
    ['no kind', (jobId) => inputMessages(jobId, documents, { kind: results.InputKind.INPUT_KIND_UNSPECIFIED })],
    [
      'a document without role',
      (jobId) => inputMessages(jobId, [{ role: results.DocumentRole.DOCUMENT_ROLE_UNSPECIFIED, name: 'a', text: 'x' }]),
    ],
    ['a document twice', (jobId) => inputMessages(jobId, [...documents, ...documents.slice(0, 1)])],
    ['fewer documents than announced', (jobId) => inputMessages(jobId, documents, { documentCount: 4 })],
    ['bytes that are not UTF-8', (jobId) => inputMessages(jobId, [{ name: 'a', text: Buffer.from([0x61, 0xff]) }])],
    ['half a character', (jobId) => inputMessages(jobId, [{ name: 'a', text: Buffer.from('ą').subarray(0, 1) }])],
    ['a name with a slash', named('a/b')],
    ['the name ..', named('..')],
    ['an empty name', named('')],
    ['a name with a line feed', named('a\n')],
    ['a name without end', named('a'.repeat(129))],
  ];
  for (const [what, messages] of hostile) {
    it(`refuses ${what} and makes no job`, async () => {
      const jobId = newJobId(new Date());
      await expect(create(messages(jobId))).rejects.toMatchObject({
        status: 'INVALID_ARGUMENT',
        reason: 'UPLOAD_INVALID',
      });
      await expect(read(jobId)).rejects.toMatchObject({ reason: 'JOB_NOT_FOUND' });
    });
  }

  it('refuses a document that is shorter or longer than announced', async () => {
    for (const sizeBytes of [0n, 2n, 4n]) {
      const jobId = newJobId(new Date());
      const [header] = inputMessages(jobId);
      if (header === undefined) throw new Error('no header');
      const value = { role: DECK, name: 'a', sizeBytes };
      const messages: results.CreateInputRequest[] = [
        header,
        { part: { $case: 'document', value } },
        { part: { $case: 'chunk', value: Buffer.from('abc') } },
      ];
      await expect(create(messages)).rejects.toMatchObject({ reason: 'UPLOAD_INVALID' });
    }
  });

  it('refuses a job id that no job can have', async () => {
    for (const jobId of ['', 'a/b', 'a\0b', 'a'.repeat(129)]) {
      await expect(create(inputMessages(jobId))).rejects.toMatchObject({ reason: 'UPLOAD_INVALID' });
    }
  });
});

describe('CreateInput RESOURCE_EXHAUSTED', () => {
  const big: [string, TestDocument[]][] = [
    ['too many bytes', [{ name: 'a', text: 'x'.repeat(2_000_001) }]],
    ['too many documents', ['a', 'b', 'c', 'd', 'e'].map((name) => ({ name, text: 'x' }))],
  ];
  for (const [what, sent] of big) {
    it(`refuses ${what} and makes no job`, async () => {
      const jobId = newJobId(new Date());
      await expect(create(inputMessages(jobId, sent))).rejects.toMatchObject({
        status: 'RESOURCE_EXHAUSTED',
        reason: 'UPLOAD_TOO_LARGE',
      });
      await expect(read(jobId)).rejects.toMatchObject({ reason: 'JOB_NOT_FOUND' });
    });
  }
});

describe('CreateInput CANCELLED', () => {
  it('makes no job of an input that was cut off between two documents', async () => {
    const jobId = newJobId(new Date());
    const messages = async function* () {
      yield* inputMessages(jobId, documents, { documentCount: 4 });
      throw new Error('jobs was killed');
    };
    await expect(suite.jobs.createInput(messages())).rejects.toThrow('jobs was killed');
    // a create of the same job waits for the one that was cut off, and makes it
    await create(inputMessages(jobId, documents.slice(0, 1)));
    expect((await read(jobId)).documents).toHaveLength(1);
  });
});

describe('CreateInput PERMISSION_DENIED', () => {
  it('refuses callers other than jobs', async () => {
    await expect(suite.runner.createInput(streamOf([]))).rejects.toMatchObject({ reason: 'CALLER_NOT_ALLOWED' });
  });
});
