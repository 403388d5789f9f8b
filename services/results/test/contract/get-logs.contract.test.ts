import { describe, expect, it } from '@jest/globals';
import { ofOneLog } from '../one-log.js';
import { readLogs } from '../read-logs.js';
import { asUser, collect, createJob, OWNER, useResults } from '../results-suite.js';

const suite = useResults();
const append = (jobId: string, taskId: number, text: string, offset = 0) =>
  suite.runner.appendLogs(ofOneLog({ jobId, taskId, attemptId: 'a', offset: BigInt(offset), text: Buffer.from(text) }));

describe('GetLogs OK', () => {
  it('gives the logs by task key in ascending task number', async () => {
    const jobId = await createJob(suite);
    for (const taskId of [10, 1, 2]) await append(jobId, taskId, `task ${taskId}`);
    const logs = await readLogs(suite, jobId);
    expect(Object.entries(logs)).toEqual([
      ['task_1', 'task 1'],
      ['task_2', 'task 2'],
      ['task_10', 'task 10'],
    ]);
  });

  it('gives nothing where nothing was logged', async () => {
    expect(await readLogs(suite, await createJob(suite))).toEqual({});
  });

  it('gives a log of several megabytes whole, in chunks of at most 256 KiB', async () => {
    const jobId = await createJob(suite);
    const piece = `${'ż'.repeat(99_999)}\n`;
    const bytes = Buffer.byteLength(piece);
    for (let index = 0; index < 25; index += 1) await append(jobId, 1, piece, index * bytes);
    expect((await readLogs(suite, jobId)).task_1).toBe(piece.repeat(25));
  });

  it('gives what is stored compressed, and the end that is not', async () => {
    const jobId = await createJob(suite);
    const lines = 'a line of a log\n'.repeat(40_000);
    await append(jobId, 1, `${lines}end\n`);
    await append(jobId, 1, 'more\n', lines.length + 4);
    const parts = await asUser(OWNER, () => collect(suite.gateway.getLogs({ jobId })));
    const sizes = parts.flatMap(({ part }) => (part?.$case === 'chunk' ? [part.value.length] : []));
    expect(Math.max(...sizes)).toBeLessThanOrEqual(256 * 1024);
    expect((await readLogs(suite, jobId)).task_1).toBe(`${lines}end\nmore\n`);
  });
});

describe('GetLogs NOT_FOUND', () => {
  it('knows no other job', async () => {
    await expect(readLogs(suite, 'none')).rejects.toMatchObject({ status: 'NOT_FOUND', reason: 'JOB_NOT_FOUND' });
  });
});

describe('GetLogs PERMISSION_DENIED', () => {
  it("refuses another user's job, and callers other than the gateway", async () => {
    const jobId = await createJob(suite);
    await expect(readLogs(suite, jobId, 8n)).rejects.toMatchObject({
      status: 'PERMISSION_DENIED',
      reason: 'JOB_OF_ANOTHER_USER',
    });
    await expect(collect(suite.runner.getLogs({ jobId }))).rejects.toMatchObject({ reason: 'CALLER_NOT_ALLOWED' });
  });
});

describe('GetLogs UNAUTHENTICATED', () => {
  it('needs a user', async () => {
    await expect(collect(suite.gateway.getLogs({ jobId: 'none' }))).rejects.toMatchObject({ reason: 'USER_REQUIRED' });
  });
});
