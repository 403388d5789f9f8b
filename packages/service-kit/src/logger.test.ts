import { execFileSync } from 'node:child_process';
import { describe, expect, test } from '@jest/globals';
import { addLogFields, withContext } from './context.js';
import { createLogger } from './logger.js';

function logged(fields: object): Record<string, unknown> {
  const lines: string[] = [];
  createLogger({ service: 'test', write: (line) => lines.push(line) }).info(fields, 'message');
  return JSON.parse(lines[0] ?? '{}') as Record<string, unknown>;
}

describe('createLogger', () => {
  test('writes one JSON line with service, level, time and fields', () => {
    expect(logged({ job_id: 'j', n: 1 })).toMatchObject({
      service: 'test',
      level: 'info',
      msg: 'message',
      job_id: 'j',
      n: 1,
    });
  });

  test('no secret reaches a line, however deep in the fields or in an error', () => {
    const err = Object.assign(new Error('refused'), { token: 's3cret', request: { authorization: 's3cret' } });
    const fields = {
      token: 's3cret',
      a: { password: 's3cret', b: { cookie: 's3cret' } },
      list: [{ secret: 's3cret' }],
    };
    expect(JSON.stringify(logged(fields))).not.toContain('s3cret');
    const text = JSON.stringify(logged({ err }));
    expect(text).not.toContain('s3cret');
    expect(text).toContain('refused');
    expect(text).toContain('logger.test.ts'); // the stack
  });

  test('a line says to which request and trace it belongs, and what that is about', () => {
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    const line = withContext({ requestId: 'r-1', traceparent }, () => {
      addLogFields({ job_id: 'j' });
      addLogFields({ task_id: 3 });
      return logged({ n: 1 });
    });
    const trace_id = '4bf92f3577b34da6a3ce929d0e0e4736';
    expect(line).toMatchObject({ request_id: 'r-1', trace_id, job_id: 'j', task_id: 3, n: 1 });
    addLogFields({ job_id: 'of nobody' });
    expect(logged({})).not.toHaveProperty('job_id');
  });

  test('leaves what it was given as it was', () => {
    const fields = { a: { token: 't' } };
    logged(fields);
    expect(fields).toEqual({ a: { token: 't' } });
  });

  test('writes the causes of an error', () => {
    expect(JSON.stringify(logged({ err: new Error('outer', { cause: new Error('inner') }) }))).toContain('inner');
  });

  test('lines of one turn reach standard output in order, also when the process ends in it', () => {
    const kit = new URL('../dist/src/logger.js', import.meta.url).href;
    const script = `
      const { createLogger } = await import(${JSON.stringify(kit)});
      const logger = createLogger({ service: 'test' });
      for (let n = 0; n < 3; n++) logger.info({ n }, 'early');
      await new Promise((resolve) => setImmediate(resolve)); // the next turn
      logger.info({ n: 3 }, 'late');
      logger.error({ n: 4 }, 'last');
      process.exit(0);`;
    const text = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
    const lines = text.trim().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { n: number }).n)).toEqual([0, 1, 2, 3, 4]);
  });
});
