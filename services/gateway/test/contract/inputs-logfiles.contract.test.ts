import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { results } from '@tally/contracts';
import { ServiceError } from '@tally/service-kit';
import { type GatewayUnderTest, startGatewayUnderTest } from '../stand-ins/suite.js';

let gateway: GatewayUnderTest;
beforeAll(async () => {
  gateway = await startGatewayUnderTest();
});
afterEach(() => gateway.reset());
afterAll(() => gateway.stop());

const { DOCUMENT_ROLE_SUBMITTED, DOCUMENT_ROLE_DECK, DOCUMENT_ROLE_SIMULATOR_DECK } = results.DocumentRole;
/** Cuts everywhere, also inside characters. */
const bytesOf = (text: string) => [...Buffer.from(text)].map((byte) => Buffer.of(byte));

function answerInput(
  kind: results.InputKind,
  submitted: string,
  deck: Record<string, string>,
  simulatorDeck: { files?: Record<string, string>; note?: string } = {},
) {
  gateway.results.answers.getInput = async function* () {
    const { files = {}, note } = simulatorDeck;
    const about = { warnings: [], ...(note === undefined ? {} : { simulatorDeckNote: note }) };
    yield { part: { $case: 'header' as const, value: { jobId: 'j', ownerId: 7n, kind, ...about } } };
    const documents = (role: results.DocumentRole, texts: Record<string, string>) =>
      Object.entries(texts).map(([name, text]) => ({ role, name, text }));
    const all = [
      { role: DOCUMENT_ROLE_SUBMITTED, name: 'sim_data.json', text: submitted },
      ...documents(DOCUMENT_ROLE_SIMULATOR_DECK, files),
      ...documents(DOCUMENT_ROLE_DECK, deck),
    ];
    for (const { role, name, text } of all) {
      yield { part: { $case: 'document' as const, value: { role, name } } };
      for (const value of bytesOf(text)) yield { part: { $case: 'chunk' as const, value } };
    }
  };
}

describe('GET /inputs', () => {
  it('200 of an editor job: the project text for text, and the deck that was made from it', async () => {
    const project = '{"project":{"n":1.00000000000000000001},"beam":{},"figureManager":{"é":"\\u00e9"}}';
    const deck = { 'geo.dat': 'line "1"\n\tzażółć 🎯\u0000', 'beam.dat': '' };
    answerInput(results.InputKind.INPUT_KIND_EDITOR, project, deck);
    for (const encoding of ['gzip', 'identity']) {
      const reply = await gateway.send('GET', '/inputs?job_id=j', { headers: { 'Accept-Encoding': encoding } });
      expect(reply.text).toContain(`"input":${project},`);
      expect(reply.body).toMatchObject({ input_type: 'editor', files: deck });
    }
    // one call for each request: a job that is deleted between two would leave half an answer
    expect(gateway.results.calls.map(({ context }) => context?.userId)).toEqual([7n, 7n]);
  });

  const ENGINE_DECK = { 'problem.json': '{}', 'manifest.json': '{}' };

  it('200 of a job that the built-in engine computes: the deck of the simulator that was asked for', async () => {
    const files = { 'beam.dat': 'NSTAT 10', 'manifest.json': '{"driver":"simA"}' };
    answerInput(results.InputKind.INPUT_KIND_EDITOR, '{"project":{}}', ENGINE_DECK, { files });
    const { body } = await gateway.send('GET', '/inputs?job_id=j');
    expect(body).toEqual({ message: 'Inputs of the job', input_type: 'editor', input: { project: {} }, files });
  });

  it.each([[{}], [{ 'fl_sim.inp': 'START' }]])(
    '200 of one whose simulator cannot do all of it: %j and why',
    async (files) => {
      const note = 'the deck of simB is without "LET"';
      answerInput(results.InputKind.INPUT_KIND_EDITOR, '{"project":{}}', ENGINE_DECK, { files, note });
      expect((await gateway.send('GET', '/inputs?job_id=j')).body).toMatchObject({ files_note: note, files });
      expect(Object.keys((await gateway.send('GET', '/inputs?job_id=j')).body.files as object)).toEqual(
        Object.keys(files),
      );
    },
  );

  /** Inputs of which so many bytes come, and then the job is deleted. */
  function breakOffAfter(bytes: number) {
    gateway.results.answers.getInput = async function* () {
      const kind = results.InputKind.INPUT_KIND_EDITOR;
      yield { part: { $case: 'header' as const, value: { jobId: 'j', ownerId: 7n, kind, warnings: [] } } };
      const value = { role: DOCUMENT_ROLE_SUBMITTED, name: 'sim_data.json' };
      yield { part: { $case: 'document' as const, value } };
      yield { part: { $case: 'chunk' as const, value: Buffer.alloc(bytes, '1') } };
      throw new ServiceError('results', 'CHANGED_WHILE_READ', 'ABORTED', 'x');
    };
  }

  it('409: the job is deleted while its inputs are read', async () => {
    for (const encoding of ['gzip', 'identity']) {
      breakOffAfter(1_000);
      const reply = await gateway.send('GET', '/inputs?job_id=j', { headers: { 'Accept-Encoding': encoding } });
      expect(reply.body).toMatchObject({ status_code: 409, code: 'CHANGED_WHILE_READ' });
      expect(reply.headers.get('Content-Encoding')).toBeNull();
    }
  });

  it('is cut, never whole-looking, when most of it has been sent by then', async () => {
    for (const encoding of ['gzip', 'identity']) {
      breakOffAfter(200_000);
      const reply = gateway.send('GET', '/inputs?job_id=j', { headers: { 'Accept-Encoding': encoding } });
      await expect(reply).rejects.toThrow(/terminated|fetch failed/);
    }
  });

  it('200 of a job with files: the files as they were submitted', async () => {
    answerInput(results.InputKind.INPUT_KIND_FILES, '{"beam.dat":"a\\nb"}', { 'beam.dat': 'a\nb' });
    expect((await gateway.send('GET', '/inputs?job_id=j')).body).toEqual({
      message: 'Inputs of the job',
      input_type: 'files',
      input: { 'beam.dat': 'a\nb' },
    });
  });

  it('400 without job_id', async () => {
    expect((await gateway.send('GET', '/inputs')).status).toBe(400);
  });

  it.each([
    [403, 'JOB_OF_ANOTHER_USER', 'PERMISSION_DENIED'],
    [404, 'JOB_NOT_FOUND', 'NOT_FOUND'],
  ] as const)('%i: %s', async (status, reason, grpcStatus) => {
    gateway.results.answers.getInput = () => {
      throw new ServiceError('results', reason, grpcStatus, 'x');
    };
    expect((await gateway.send('GET', '/inputs?job_id=j')).body).toMatchObject({ status_code: status, code: reason });
  });
});

describe('GET /logfiles', () => {
  it('200: the text of each task, with whatever a simulator may write', async () => {
    const logs = { task_1: 'a "quoted" \\ line\r\n\u001b[0m 🎯\u2028', task_2: '', task_10: 'x'.repeat(5000) };
    gateway.results.answers.getLogs = async function* () {
      for (const [key, text] of Object.entries(logs)) {
        yield { part: { $case: 'key' as const, value: key } };
        for (const value of bytesOf(text)) yield { part: { $case: 'chunk' as const, value } };
      }
    };
    expect((await gateway.send('GET', '/logfiles?job_id=j')).body).toEqual({
      message: 'Log files of the job',
      logfiles: logs,
    });
  });

  it('200: a character that is cut between two chunks', async () => {
    const text = 'a line \u{1f3af}\n'.repeat(20_000);
    const bytes = Buffer.from(text);
    gateway.results.answers.getLogs = async function* () {
      yield { part: { $case: 'key' as const, value: 'task_1' } };
      for (const value of [bytes.subarray(0, 150_009), bytes.subarray(150_009)]) {
        yield { part: { $case: 'chunk' as const, value } };
      }
    };
    const { status, body } = await gateway.send('GET', '/logfiles?job_id=j');
    expect([status, body.logfiles]).toEqual([200, { task_1: text }]);
  });

  it('200: no log yet', async () => {
    gateway.results.answers.getLogs = async function* () {};
    expect((await gateway.send('GET', '/logfiles?job_id=j')).body.logfiles).toEqual({});
  });

  it('400 without job_id, 403 of another user, 404 without such a job', async () => {
    expect((await gateway.send('GET', '/logfiles')).status).toBe(400);
    for (const [status, grpcStatus] of [
      [403, 'PERMISSION_DENIED'],
      [404, 'NOT_FOUND'],
    ] as const) {
      gateway.results.answers.getLogs = () => {
        throw new ServiceError('results', 'JOB_NOT_FOUND', grpcStatus, 'x');
      };
      expect((await gateway.send('GET', '/logfiles?job_id=j')).status).toBe(status);
    }
  });
});
