import { describe, expect, it } from '@jest/globals';
import { runStatement } from '@tally/testkit';
import { type OneLog, ofOneLog } from '../one-log.js';
import { readLogs } from '../read-logs.js';
import { createJob, useResults } from '../results-suite.js';

const LOG_BYTES_MAX = 20_000;
const suite = useResults({ logBytesMax: LOG_BYTES_MAX });
const append = (jobId: string, text: string, offset: number, attemptId = 'first', taskId = 1) =>
  suite.runner.appendLogs(ofOneLog({ jobId, taskId, attemptId, offset: BigInt(offset), text: Buffer.from(text) }));

/** Appends pieces one after the other. */
async function write(jobId: string, pieces: readonly string[], attemptId = 'first'): Promise<void> {
  let offset = 0;
  for (const piece of pieces) {
    await append(jobId, piece, offset, attemptId);
    offset += Buffer.byteLength(piece);
  }
}

describe('AppendLogs OK', () => {
  it('puts pieces together in order, by task', async () => {
    const jobId = await createJob(suite);
    await write(jobId, ['start\n', 'żółć ', '🧪\n', '']);
    await append(jobId, 'other task', 0, 'first', 12);
    expect(await readLogs(suite, jobId)).toEqual({ task_1: 'start\nżółć 🧪\n', task_12: 'other task' });
  });

  it('goes on with what batch-bridge has fetched where a worker of the same attempt stopped', async () => {
    const jobId = await createJob(suite);
    await append(jobId, 'over HTTP, ', 0, 'outside');
    await suite.bridge.appendLogs(
      ofOneLog({
        jobId,
        taskId: 1,
        attemptId: 'outside',
        offset: 11n,
        text: Buffer.from('over SSH'),
      }),
    );
    expect((await readLogs(suite, jobId)).task_1).toBe('over HTTP, over SSH');
  });

  it('skips what is there already, also when a repeat brings more', async () => {
    const jobId = await createJob(suite);
    await write(jobId, ['abc', 'def']);
    await append(jobId, 'abc', 0);
    await append(jobId, 'def', 3);
    await append(jobId, 'efgh', 4);
    await append(jobId, 'abcdefghij', 0);
    expect((await readLogs(suite, jobId)).task_1).toBe('abcdefghij');
  });

  it('takes the same piece many times at once and stores it once', async () => {
    const jobId = await createJob(suite);
    await Promise.all(Array.from({ length: 10 }, () => append(jobId, 'one line\n', 0)));
    await Promise.all(Array.from({ length: 10 }, () => append(jobId, 'two\n', 9)));
    expect((await readLogs(suite, jobId)).task_1).toBe('one line\ntwo\n');
  });

  it('puts a note behind what there is, once, and takes the log from nobody', async () => {
    const jobId = await createJob(suite);
    const note = (text: string, attemptId: string) =>
      suite.gateway.appendLogs(
        ofOneLog({
          jobId,
          taskId: 0,
          name: 'submission',
          attemptId,
          offset: 0n,
          text: Buffer.from(text),
          isNote: true,
        }),
      );
    const write = (text: string, offset: number) =>
      suite.bridge.appendLogs(
        ofOneLog({
          jobId,
          taskId: 0,
          name: 'submission',
          attemptId: 'outside',
          offset: BigInt(offset),
          text: Buffer.from(text),
        }),
      );
    await note('first\n', 'late:1');
    await write('refused', 0);
    await Promise.all(Array.from({ length: 5 }, () => note('second\n', 'late:2')));
    await note('first\n', 'late:1');
    await write(' for good\n', 7);
    expect((await readLogs(suite, jobId)).submission).toBe('first\nrefused\nsecond\n for good\n');
  });

  it('begins a new attempt below a line that names it, and takes nothing more from the old one', async () => {
    const jobId = await createJob(suite);
    await write(jobId, ['started', ' and died']);
    await append(jobId, 'started again\n', 0, 'second');
    await append(jobId, ' a late word', 16, 'first');
    await append(jobId, 'done\n', 14, 'second');
    await append(jobId, 'third time\n', 0, 'third');
    expect((await readLogs(suite, jobId)).task_1).toBe(
      'started and died\n--- new attempt second ---\nstarted again\ndone\n--- new attempt third ---\nthird time\n',
    );
  });

  it('says how much is missing where a piece did not arrive', async () => {
    const jobId = await createJob(suite);
    await append(jobId, 'abc\n', 0);
    await append(jobId, 'xyz\n', 10);
    await append(jobId, 'end\n', 14);
    expect((await readLogs(suite, jobId)).task_1).toBe('abc\n--- 6 bytes of this log did not arrive ---\nxyz\nend\n');
  });

  it('stays UTF-8 when a repeat begins inside a character', async () => {
    const jobId = await createJob(suite);
    await append(jobId, 'a', 0);
    await append(jobId, '🧪b', 0);
    expect((await readLogs(suite, jobId)).task_1).toBe('ab');
  });

  it('takes text of any length as bytes, and gives it back as it was', async () => {
    const jobId = await createJob(suite);
    const line = (n: number) => `line ${n}: żółć 🧪\n`;
    const pieces = [40, 450, 3, 1, 300, 2].map((count, part) =>
      Array.from({ length: count }, (_, n) => line(part * n)).join(''),
    );
    let offset = 0;
    for (const piece of pieces.map((text) => Buffer.from(text))) {
      const request = { jobId, taskId: 3, attemptId: 'first', offset: BigInt(offset), text: piece };
      await suite.runner.appendLogs(ofOneLog(request));
      expect(await suite.runner.appendLogs(ofOneLog(request))).toEqual({}); // a repeat
      offset += piece.length;
    }
    expect(offset).toBeLessThan(LOG_BYTES_MAX);
    expect((await readLogs(suite, jobId)).task_3).toBe(pieces.join(''));
  });

  it('keeps zero bytes and lone surrogates from breaking anything', async () => {
    const jobId = await createJob(suite);
    await append(jobId, 'a\0b\ud800c\n', 0);
    expect((await readLogs(suite, jobId)).task_1).toBe('a\0b\ufffdc\n');
  });

  it('keeps the beginning and the end of a long log, with a line in between that says what was left out', async () => {
    const jobId = await createJob(suite);
    const lines = Array.from({ length: 4000 }, (_, line) => `line ${line} żółć\n`);
    const whole = lines.join('');
    for (let from = 0, offset = 0; from < lines.length; from += 100) {
      const text = lines.slice(from, from + 100).join('');
      await append(jobId, text, offset);
      offset += Buffer.byteLength(text);
    }
    const log = (await readLogs(suite, jobId)).task_1 ?? '';
    expect(Buffer.byteLength(log)).toBeLessThanOrEqual(LOG_BYTES_MAX);
    expect(Buffer.byteLength(log)).toBeGreaterThan(LOG_BYTES_MAX - 200);
    const [head = '', note = '', tail = ''] = log.split(/\n?--- (\d+) bytes of this log were left out here ---\n/);
    expect(whole.startsWith(head)).toBe(true);
    expect(whole.endsWith(tail)).toBe(true);
    const leftOut = Buffer.byteLength(whole) - Buffer.byteLength(head) - Buffer.byteLength(tail);
    expect(Math.abs(leftOut - Number(note))).toBeLessThanOrEqual(1); // a line feed the pattern may have taken
    const [row] = await runStatement<{ bytes: string }>(
      suite.databaseUrl,
      'SELECT sum(text_bytes) AS bytes FROM log_chunks WHERE job_id = $1',
      [jobId],
    );
    expect(Number(row?.bytes)).toBeLessThan(LOG_BYTES_MAX + 2 * 16 * 1024);
  });
});

describe('AppendLogs INVALID_ARGUMENT', () => {
  it('refuses a piece over 4 MiB, and impossible tasks, attempts and offsets', async () => {
    const jobId = await createJob(suite);
    const bad = [
      () => append(jobId, 'ż'.repeat(2 * 1024 * 1024 + 1), 0),
      () => append(jobId, 'a', -1),
      () => append(jobId, 'a', 2 ** 60),
      () => append(jobId, 'a', 0, ''),
      () => append(jobId, 'a', 0, 'a\nb'),
      () => append(jobId, 'a', 0, 'first', 0),
      () => suite.runner.appendLogs(ofOneLog({ jobId, taskId: 1, attemptId: 'a', offset: 0n, text: Buffer.of(0xc3) })),
    ];
    for (const call of bad) {
      await expect(call()).rejects.toMatchObject({ status: 'INVALID_ARGUMENT', reason: 'LOG_INVALID' });
    }
    expect(await readLogs(suite, jobId)).toEqual({});
  });
});

describe('AppendLogs NOT_FOUND', () => {
  it('refuses the log of a job that is not there', async () => {
    await expect(append('none', 'a', 0)).rejects.toMatchObject({ status: 'NOT_FOUND', reason: 'JOB_NOT_FOUND' });
  });
});

describe('AppendLogs PERMISSION_DENIED', () => {
  it('refuses callers that neither run work nor pass on what workers send', async () => {
    const request = { jobId: 'none', taskId: 1, attemptId: 'a', offset: 0n, text: Buffer.alloc(0) };
    await expect(suite.jobs.appendLogs(ofOneLog(request))).rejects.toMatchObject({ reason: 'CALLER_NOT_ALLOWED' });
  });
});

describe('AppendLogs OK, from external workers', () => {
  const outside = (jobId: string, text: string, more: Partial<OneLog> = {}) =>
    suite.gateway.appendLogs(
      ofOneLog({ jobId, taskId: 0, attemptId: 'outside', offset: 0n, text: Buffer.from(text), ...more }),
    );

  it('keeps logs with a name apart from those of tasks, and shows them after them', async () => {
    const jobId = await createJob(suite);
    await outside(jobId, 'out', { name: 'stdout' });
    await outside(jobId, 'two', { taskId: 2 });
    await outside(jobId, 'err', { name: 'stderr' });
    await outside(jobId, ' and more', { name: 'stdout', offset: 3n });
    expect(Object.entries(await readLogs(suite, jobId))).toEqual([
      ['task_2', 'two'],
      ['stdout', 'out and more'],
      ['stderr', 'err'],
    ]);
  });

  it('begins a log anew when told so, whoever wrote it', async () => {
    const jobId = await createJob(suite);
    await suite.runner.appendLogs(
      ofOneLog({
        jobId,
        taskId: 1,
        attemptId: 'r',
        offset: 0n,
        text: Buffer.from('from a runner\n'),
      }),
    );
    for (let i = 0; i < 2; i++) await outside(jobId, 'whole', { taskId: 1, isRestart: true });
    await outside(jobId, ' story', { taskId: 1, offset: 5n });
    expect(Object.entries(await readLogs(suite, jobId))).toEqual([['task_1', 'whole story']]);
  });

  it('makes one log of pieces with one new name that come at once', async () => {
    const jobId = await createJob(suite);
    await Promise.all([1, 2, 3, 4].map(() => outside(jobId, 'same', { name: 'stdout' })));
    expect(Object.entries(await readLogs(suite, jobId))).toEqual([['stdout', 'same']]);
  });

  it.each([
    ['no name and no task', {}],
    ['a name of two lines', { name: 'a\nb' }],
    ['a name that is too long', { name: 'x'.repeat(129) }],
    ['a new beginning in the middle', { name: 'a', isRestart: true, offset: 1n }],
    ['a note in the middle', { name: 'a', isNote: true, offset: 1n }],
    ['a note that begins a log anew', { name: 'a', isNote: true, isRestart: true }],
  ])('refuses %s', async (_what, more) => {
    await expect(outside(await createJob(suite), 'x', more)).rejects.toMatchObject({ reason: 'LOG_INVALID' });
  });

  it('refuses one log more than ten thousand', async () => {
    const jobId = await createJob(suite);
    await outside(jobId, 'x', { taskId: 1 });
    await runStatement(
      suite.databaseUrl,
      `INSERT INTO task_logs (job_id, task_id, attempt_id) SELECT '${jobId}', n, 'a' FROM generate_series(2, 10000) AS n`,
    );
    await outside(jobId, 'y', { taskId: 1, offset: 1n });
    await expect(outside(jobId, 'x', { name: 'stdout' })).rejects.toMatchObject({
      status: 'RESOURCE_EXHAUSTED',
      reason: 'LOGS_TOO_MANY',
    });
  });
});
