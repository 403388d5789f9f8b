import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { results } from '@tally/contracts';
import { createGrpcClient, sql } from '@tally/service-kit';
import {
  createTestDatabase,
  startTurnCounter,
  type TestDatabase,
  type TurnCounter,
  testCallers,
  testCallerToken,
} from '@tally/testkit';
import { openDatabase } from '../../../src/storage/database.js';
import { startTestResults } from '../../../testing/start.js';
import { inputMessages, pageHeader, streamOf, taskOutputMessages, taskPage } from '../../results-suite.js';

let database: TestDatabase;
let counter: TurnCounter;
let url: string;

beforeAll(async () => {
  database = await createTestDatabase('services/results/prisma/migrations');
  const direct = new URL(database.url);
  counter = await startTurnCounter(direct.host);
  direct.host = counter.address;
  url = direct.href;
});
afterAll(async () => {
  await counter.close();
  await database.drop();
});

async function turnsOf(work: () => Promise<unknown>): Promise<number> {
  const before = counter.turns();
  await work();
  return counter.turns() - before;
}

describe('PutTaskOutput', () => {
  const NUMBERS = 100_000; // three arrays of them: blocks
  let service: Awaited<ReturnType<typeof startTestResults>>;
  let runner: ReturnType<typeof connect>;
  const connect = (caller: string) =>
    createGrpcClient(results.ResultsServiceService, {
      target: `127.0.0.1:${service.port}`,
      caller,
      token: testCallerToken(caller),
      timeoutMs: 30_000,
    });

  beforeAll(async () => {
    const callers = testCallers('jobs', 'direct-runner');
    service = await startTestResults({
      databaseUrl: url,
      callers,
      uploadsMax: 1,
      databaseConnectionsMax: 2,
      rowBytesMax: 10_000,
    });
    runner = connect('direct-runner');
    const jobs = connect('jobs');
    for (const jobId of ['warm', 'small', 'logged', 'large']) await jobs.createInput(streamOf(inputMessages(jobId)));
    jobs.close();
  });
  afterAll(async () => {
    runner.close();
    await service.stop();
  });

  function put(jobId: string, taskId: number, bins: number, text?: string): Promise<unknown> {
    const { header, bytes } = taskPage(pageHeader([bins]), (array, bin) => array + bin);
    const [message] = taskOutputMessages(jobId, taskId, []);
    if (message?.part?.$case !== 'header') throw new Error('no header');
    const log = text === undefined ? undefined : { offset: 0n, text: Buffer.from(text) };
    const whole = { pages: [header], content: bytes };
    const value = { ...message.part.value, log, whole };
    return runner.putTaskOutput(streamOf([{ part: { $case: 'header', value } }]));
  }

  it('is stored in two round trips when it is the first of its job, in one when its pages are known', async () => {
    await put('warm', 1, 100); // the connection is there
    expect(await turnsOf(() => put('small', 1, 100))).toBe(2);
    expect(await turnsOf(() => put('small', 2, 100))).toBe(1);
  });

  it('is stored in as many round trips with the end of its log', async () => {
    expect(await turnsOf(() => put('logged', 1, 100, 'the first\n'))).toBe(2);
    expect(await turnsOf(() => put('logged', 2, 100, 'the second\n'))).toBe(1);
  });

  it('is stored in three round trips when it takes blocks', async () => {
    const bins = Math.floor(NUMBERS / 3);
    await put('large', 1, bins);
    // many blocks in one packet may be answered in several
    expect(await turnsOf(() => put('large', 2, bins))).toBeLessThanOrEqual(4);
  });
});

describe('a transaction', () => {
  const insert = (jobId: string) => sql`
    INSERT INTO jobs (job_id, owner_id, input_kind, documents, content, content_bytes)
    VALUES (${jobId}, 1, 'editor', '[]', '', 0)`;
  const open = () => openDatabase({ databaseUrl: url, databaseConnectionsMax: 1, uploadTimeoutMs: 10_000 });
  const ids = async (db: ReturnType<typeof open>, prefix: string) =>
    (
      await db.rows(sql<{ job_id: string }>`SELECT job_id FROM jobs WHERE starts_with(job_id, ${prefix}) ORDER BY 1`)
    ).map((row) => row.job_id);

  it('begins with its first statements and commits what was sent, in two round trips', async () => {
    const db = open();
    await db.transact(async (tx) => void (await tx.rowsOfEach([insert('warm-1')])));
    const work = () =>
      db.transact(async (tx) => {
        const [[found]] = await tx.rowsOfEach([sql<{ n: bigint }>`SELECT count(*) AS n FROM jobs`]);
        void tx.send([insert('sent-1'), insert('sent-2')]);
        return found?.n;
      });
    expect(await turnsOf(work)).toBe(2);
    expect(await ids(db, 'sent-')).toEqual(['sent-1', 'sent-2']);
    await db.close();
  });

  it('that sends a statement that fails fails with its reason, and stores nothing', async () => {
    const db = open();
    const failing = db.transact(async (tx) => {
      void tx.send([insert('lost-1')]);
      void tx.send([sql`SELECT 1 / ${0}::int`]);
      void tx.send([insert('lost-2')]);
    });
    await expect(failing).rejects.toThrow('division by zero');
    const noticed = db.transact(async (tx) => {
      void tx.send([sql`SELECT 1 / ${0}::int`]);
      await tx.rows(sql`SELECT 1`);
    });
    await expect(noticed).rejects.toThrow('division by zero');
    expect(await ids(db, 'lost-')).toEqual([]);
    await db.close();
  });

  it('whose work fails stores nothing of what it sent', async () => {
    const db = open();
    const given = db.transact(async (tx) => {
      void tx.send([insert('given-up')]);
      throw new Error('no');
    });
    await expect(given).rejects.toThrow('no');
    expect(await ids(db, 'given-')).toEqual([]);
    await db.close();
  });
});
