import { describe, expect, it } from '@jest/globals';
import { results } from '@tally/contracts';
import { newJobId } from '@tally/service-kit';
import { runStatement } from '@tally/testkit';
import { readInput } from '../read-input.js';
import { createJob, OWNER, useResults } from '../results-suite.js';

const suite = useResults({ inputDocumentsMax: 4, rowBytesMax: 4_096 });
const [SUBMITTED, DECK] = [results.DocumentRole.DOCUMENT_ROLE_SUBMITTED, results.DocumentRole.DOCUMENT_ROLE_DECK];
const noise = Array.from({ length: 20_000 }, (_, index) => Math.sin(index)).join('\n');
interface Sent {
  readonly jobId: string;
  readonly header?: Partial<results.InputHeader>;
  readonly documents?: readonly { role: results.DocumentRole; name: string; text: string }[];
}
const project = { role: SUBMITTED, name: 'sim_data.json', text: '{"project":{"title":"żółć 🧪"}}' };
const id = () => newJobId(new Date());
const encode = ({ jobId, header, documents = [project] }: Sent) =>
  Buffer.from(
    results.CreateSmallInputRequest.encode({
      header: { jobId, ownerId: OWNER, kind: results.InputKind.INPUT_KIND_EDITOR, warnings: [], ...header },
      documents: documents.map(({ text, ...document }) => ({ ...document, content: Buffer.from(text) })),
    }).finish(),
  );
const create = (sent: readonly Sent[], ownerStoredBytesMax?: bigint) =>
  suite.jobs.createSmallInputs({
    inputs: sent.map(encode),
    ...(ownerStoredBytesMax === undefined ? {} : { ownerStoredBytesMax }),
  });
const notFound = (jobId: string) => expect(readInput(suite, jobId)).rejects.toMatchObject({ reason: 'JOB_NOT_FOUND' });

describe('CreateSmallInputs OK', () => {
  it('stores each input as CreateSmallInput does, in rows or in blocks', async () => {
    const sent: Sent[] = [
      { jobId: id(), header: { kind: results.InputKind.INPUT_KIND_FILES } },
      { jobId: id(), documents: [project, { role: DECK, name: 'noise.dat', text: noise }] },
      { jobId: id(), header: { warnings: [{ code: 'W', message: '"left" out' }], simulatorDeckNote: 'a note' } },
      { jobId: id(), documents: [] },
    ];
    await create(sent);
    for (const { jobId, header, documents = [project] } of sent) {
      const kind = results.InputKind.INPUT_KIND_EDITOR;
      const stored = await readInput(suite, jobId);
      expect(stored).toMatchObject({ header: { jobId, ownerId: OWNER, kind, ...header }, documents });
    }
    await create([]);
  });

  it('replaces nothing when it is repeated, also with others, and many times at once', async () => {
    const jobIds = [id(), id(), id()];
    const all = jobIds.map((jobId) => ({ jobId }));
    await Promise.all(Array.from({ length: 8 }, (_, index) => create(index % 2 ? all : all.toReversed())));
    const other = [{ role: SUBMITTED, name: 'other', text: 'other' }];
    const last = id();
    await create([...jobIds.map((jobId) => ({ jobId, documents: other })), { jobId: last, documents: other }]);
    for (const jobId of jobIds) expect((await readInput(suite, jobId)).documents).toEqual([project]);
    expect((await readInput(suite, last)).documents).toEqual(other);
  });

  it('says what each owner may still store, where that has been measured, and refuses nothing for it', async () => {
    const [known, unknown, max] = [201n, 202n, 10_000n];
    await createJob(suite, id(), { ownerId: known, ownerStoredBytesMax: max });
    const sent = [known, unknown].map((ownerId) => ({ jobId: id(), header: { ownerId } }));
    const stored = async () => {
      const sum = 'SELECT sum(length(content))::int AS n FROM jobs WHERE owner_id = 201';
      const [row] = await runStatement<{ n: number }>(suite.databaseUrl, sum);
      return BigInt(row?.n ?? 0);
    };
    const { rooms } = await create(sent, max);
    expect(rooms).toEqual([{ ownerId: known, roomBytes: max - (await stored()) }]);
    expect((await create(sent, max)).rooms).toEqual(rooms); // a repeat is not counted
    const [{ roomBytes } = { roomBytes: 0n }] = (await create(sent, 1n)).rooms;
    expect(roomBytes).toBe(1n - (await stored()));
    expect((await create(sent)).rooms).toEqual([]);
  });
});

describe('CreateSmallInputs INVALID_ARGUMENT and RESOURCE_EXHAUSTED', () => {
  const many = [1, 2, 3, 4, 5].map((n) => ({ role: DECK, name: `${n}`, text: '' }));
  const bad: [string, Omit<Sent, 'jobId'>, string][] = [
    ['no owner', { header: { ownerId: 0n } }, 'UPLOAD_INVALID'],
    ['a path', { documents: [{ ...project, name: '../a' }] }, 'UPLOAD_INVALID'],
    ['too many documents', { documents: many }, 'UPLOAD_TOO_LARGE'],
  ];
  for (const [what, fields, reason] of bad) {
    it(`stores none where one has ${what}`, async () => {
      const good = id();
      await expect(create([{ jobId: good }, { jobId: id(), ...fields }])).rejects.toMatchObject({ reason });
      await notFound(good);
    });
  }

  it('stores none where one is no input at all', async () => {
    const good = encode({ jobId: id() });
    const call = suite.jobs.createSmallInputs({ inputs: [good, good.subarray(0, -3)] });
    await expect(call).rejects.toMatchObject({ reason: 'UPLOAD_INVALID' });
  });
});

describe('CreateSmallInputs PERMISSION_DENIED', () => {
  it('refuses callers other than jobs', async () => {
    const call = suite.gateway.createSmallInputs({ inputs: [] });
    await expect(call).rejects.toMatchObject({ reason: 'CALLER_NOT_ALLOWED' });
  });
});
