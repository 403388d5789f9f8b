import { describe, expect, it } from '@jest/globals';
import type { results } from '@tally/contracts';
import { runStatement } from '@tally/testkit';
import { ofOneLog } from '../one-log.js';
import { readLogs } from '../read-logs.js';
import { createJob, useResults } from '../results-suite.js';

const suite = useResults();

/** The text of a task's log, or of one with a name. */
const textOf = (key: number | string, text: string, more: Partial<results.NextText> = {}): results.NextText => ({
  ...(typeof key === 'number' ? { taskId: key } : { taskId: 0, name: key }),
  offset: 0n,
  text: Buffer.from(text),
  isRestart: false,
  ...more,
});
const append = (jobId: string, ...texts: results.NextText[]) =>
  suite.gateway.appendLogs({ jobId, attemptId: 'outside', texts });

describe('AppendLogs OK', () => {
  it('appends to logs of tasks and to those with a name, old and new, in one call; a repeat changes nothing', async () => {
    const jobId = await createJob(suite);
    await append(jobId, textOf(2, 'two'), textOf('stdout', 'out'));
    const more = [textOf(2, ' and more', { offset: 3n }), textOf('stderr', 'err'), textOf(1, 'one')];
    for (let i = 0; i < 2; i++) await append(jobId, ...more, textOf('task_1', 'a name'), textOf('stdout', 'out'));
    expect(Object.entries(await readLogs(suite, jobId))).toEqual([
      ['task_1', 'a name'], // two logs of one key: the last one
      ['task_2', 'two and more'],
      ['stdout', 'out'],
      ['stderr', 'err'],
    ]);
  });

  it('begins logs anew where it is told to', async () => {
    const jobId = await createJob(suite);
    await append(jobId, textOf(1, 'the old text'), textOf(2, 'stays'));
    await append(jobId, textOf(1, 'new', { isRestart: true }), textOf(2, ' and grows', { offset: 5n }));
    expect(await readLogs(suite, jobId)).toEqual({ task_1: 'new', task_2: 'stays and grows' });
  });

  it('makes the same logs of calls that come at once, beside calls for one of them', async () => {
    const jobId = await createJob(suite);
    const texts = Array.from({ length: 50 }, (_, at) => textOf(at % 2 === 0 ? at + 1 : `name ${at}`, `text ${at}`));
    const single = { jobId, taskId: 1, attemptId: 'outside', offset: 0n, text: Buffer.from('text 0') };
    const calls = [0, 1, 2, 3].flatMap((turn) => [
      append(jobId, ...(turn % 2 === 0 ? texts : texts.toReversed())),
      suite.gateway.appendLogs(ofOneLog(single)),
    ]);
    await Promise.all(calls);
    const logs = await readLogs(suite, jobId);
    expect(Object.values(logs).toSorted()).toEqual(texts.map(({ text }) => text.toString()).toSorted());
  });
});

describe('AppendLogs INVALID_ARGUMENT', () => {
  it('takes none of them when one is wrong', async () => {
    const jobId = await createJob(suite);
    const good = textOf(1, 'good');
    const wrong = [
      [],
      [good, textOf(1, 'twice')],
      [good, textOf(0, 'no task')],
      [good, textOf(2, '', { text: Buffer.of(0xc3) })],
      [good, textOf('a\nb', 'two lines')],
      Array.from({ length: 1_001 }, (_, at) => textOf(at + 1, '')),
    ];
    for (const texts of wrong) {
      await expect(append(jobId, ...texts)).rejects.toMatchObject({ reason: 'LOG_INVALID' });
    }
    expect(await readLogs(suite, jobId)).toEqual({});
  });
});

describe('AppendLogs NOT_FOUND', () => {
  it('refuses the logs of a job that is not there', async () => {
    const unknown = append('none', textOf(1, 'a'), textOf(2, 'b'));
    await expect(unknown).rejects.toMatchObject({ status: 'NOT_FOUND', reason: 'JOB_NOT_FOUND' });
  });
});

describe('AppendLogs RESOURCE_EXHAUSTED', () => {
  it('counts each new log', async () => {
    const jobId = await createJob(suite);
    await append(jobId, textOf(1, 'x'));
    await runStatement(
      suite.databaseUrl,
      `INSERT INTO task_logs (job_id, task_id, attempt_id) SELECT '${jobId}', n, 'a' FROM generate_series(2, 9998) AS n`,
    );
    const tooMany = { status: 'RESOURCE_EXHAUSTED', reason: 'LOGS_TOO_MANY' };
    await expect(append(jobId, textOf('a', ''), textOf('b', ''), textOf('c', ''))).rejects.toMatchObject(tooMany);
    await append(jobId, textOf('a', ''), textOf(1, 'x'), textOf('b', ''));
    await expect(append(jobId, textOf(9_999, ''), textOf(1, 'y'))).rejects.toMatchObject(tooMany);
  });
});
